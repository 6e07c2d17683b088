/** What a page refers to, from its text alone: nothing is transcluded. The engine's own references are to take its place. */

import { isWikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { parseTitle, type TitleRules } from '../core/title.ts'

export interface PageReferences {
  /** Names of files in URL form, without `File:`, each once. */
  readonly files: readonly string[]
}

/** What is no wikitext. An element that is not closed goes up to the end, as a comment does. */
const opaque = /<!--[\s\S]*?(?:-->|$)|<(nowiki|pre|syntaxhighlight|source|math)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi
const gallery = /<gallery\b[^<>]*>([\s\S]*?)(?:<\/gallery\s*>|$)/gi
/** The target of a link: up to the bar, the end, or what no title has. */
const link = /\[\[([^[\]{}|<>\n]{1,1000})(?=\]\]|\|)/g

/** Names beyond which a text is not looked through any further. */
const nameLimit = 1000

/** Lists the files that a wikitext shows or links to by `Media:`, a thousand at most. */
export function pageReferences(text: string, titles: TitleRules): PageReferences {
  const visible = text.replace(opaque, '')
  const files = new Set<string>()
  const asked = new Set<string>()
  for (const [target, namespace] of targetsIn(visible)) {
    if (files.size >= nameLimit) break
    const question = `${namespace} ${target}`
    const name = asked.has(question) ? null : fileNameOf(target, titles, namespace)
    asked.add(question)
    if (name !== null) files.add(name)
  }
  return { files: [...files] }
}

/** What may name a file, and the namespace that is meant where it names none. */
function* targetsIn(text: string): Iterable<[target: string, namespace: number]> {
  for (const [, lines = ''] of text.matchAll(gallery)) {
    for (const line of lines.split('\n')) yield [line.replace(/\|.*/s, ''), namespaceIds.file]
  }
  for (const [, target = ''] of text.matchAll(link)) yield [target, namespaceIds.main]
}

/** A colon in front makes a plain link of it. */
function fileNameOf(target: string, titles: TitleRules, defaultNamespace: number): string | null {
  if (/^\s*(?::|$)/.test(target)) return null
  try {
    const title = parseTitle(target, titles, defaultNamespace)
    return title.namespace === namespaceIds.file ? title.name : null
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return null
    throw error
  }
}
