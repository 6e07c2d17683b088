/** Collects the references of a page: links, categories, templates, files, languages, external addresses. */

import type { PageProperties } from './expansion/page-context.ts'
import type { ElementNode } from './tree/node.ts'
import type { Step } from './tree/walk.ts'

export interface PageReferences {
  /** Keys of pages, without fragments. */
  readonly links: readonly string[]
  readonly categories: readonly { readonly key: string; readonly sort: string }[]
  /** Keys of pages that were transcluded, missing ones included. */
  readonly templates: readonly string[]
  /** Names without namespace, also of missing files, in document order. */
  readonly files: readonly string[]
  readonly languages: readonly { readonly code: string; readonly title: string }[]
  readonly external: readonly string[]
  /** Pages of other wikis, with their prefixes. */
  readonly interwiki: readonly string[]
  /** Keys of pages with the sections that links name: `Tides#Ebb`. */
  readonly sections: readonly string[]
}

/** Collects the references of a tree's elements, after those of functions; each once, in document order. */
export function collectReferences(
  steps: readonly Step[],
  { templates, languages }: Pick<PageProperties, 'templates' | 'languages'>,
): PageReferences {
  const found = {
    links: new Set<string>(),
    categories: new Map<string, string>(),
    files: new Set<string>(),
    languages: new Map(languages),
    external: new Set<string>(),
    interwiki: new Set<string>(),
    sections: new Set<string>(),
  }
  for (const { element } of steps) collect(element, found)
  return {
    links: [...found.links],
    categories: [...found.categories].map(([key, sort]) => ({ key, sort })),
    templates: [...templates.keys()],
    files: [...found.files],
    languages: [...found.languages.values()],
    external: [...found.external],
    interwiki: [...found.interwiki],
    sections: [...found.sections],
  }
}

interface FoundReferences {
  readonly links: Set<string>
  readonly categories: Map<string, string>
  readonly files: Set<string>
  readonly languages: Map<string, { code: string; title: string }>
  readonly external: Set<string>
  readonly interwiki: Set<string>
  readonly sections: Set<string>
}

function collect({ data, attributes }: ElementNode, found: FoundReferences): void {
  if (data.link !== undefined) found.links.add(data.link.key)
  if (data.media !== undefined) found.files.add(data.media.name)
  if (data.category !== undefined) found.categories.set(data.category.key, data.category.sort)
  if (data.language !== undefined && !found.languages.has(data.language.code)) {
    found.languages.set(data.language.code, data.language)
  }
  const [rel, href] = [attributes.get('rel') ?? '', attributes.get('href') ?? '']
  if (rel.startsWith('mw:ExtLink')) found.external.add(href)
  if (rel === 'mw:WikiLink/Interwiki') found.interwiki.add(attributes.get('title') ?? href)
  const section = sectionAddress.exec(href)
  if (rel === 'mw:WikiLink' && section !== null && !noteAnchor.test(section[2]!))
    found.sections.add(`${decodeAddress(section[1]!)}#${decodeAddress(section[2]!)}`)
}

/** Address of a section of a page of this wiki, which need not exist. */
const sectionAddress = /^\.\/([^#?]+)(?:\?[^#]*)?#(.+)$/s

/** Notes of Markdown and their marks, which the engine links to each other. */
const noteAnchor = /^fn(?:ref)?\d+(?::\d+)?$/

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
