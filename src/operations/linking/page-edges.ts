/** The links of one page, resolved to the titles and files that they lead to. */

import { crc32 } from 'node:zlib'
import { modelsByExtension } from '../../core/content-models.ts'
import { mediaFormats } from '../../core/file.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, possibleTitle } from '../../core/title.ts'
import { hasPictureExtension, isAddress } from '../../links/names.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import type { DistinctLink } from '../../wikitext/index.ts'
import type { LinkingPage, LinkResolver } from '../naming/link-resolver.ts'
import { titlesOnly, wikiLinkResolver } from '../naming/wiki-names.ts'
import { dashedTitle } from '../resources/dashed-title.ts'
import { insideRoot } from '../resources/link-dialect.ts'
import type { Pause } from '../workers/pause.ts'
import { type KeyEdge, type LinkKind, linkKinds } from './table-parts.ts'
import type { TextLinks } from './text-links.ts'

/** A resolved link of a page. */
export interface Edge {
  readonly kind: LinkKind
  /** Key of the target's title, whether or not a page has it. */
  readonly key: string
  /** Key of the template that contains the link; null if the page itself does. */
  readonly through: string | null
}

/** The resolved links of a page. */
export interface ReadPage {
  readonly page: PageEntry
  /** Links of its own text, and links that it contributes to pages that transclude it. */
  readonly own: readonly KeyEdge[]
  readonly brought: readonly KeyEdge[]
  /** True if some of its targets depend on names. */
  readonly byNames: boolean
  /** Checksum of the aliases in its front matter; 0 for none. */
  readonly aliases: number
}

const categoryNamespace = 14

/** Resolves the links of pages of one state of the wiki. */
export interface PageResolver {
  readonly resolve: (page: PageEntry, texts: TextLinks) => Promise<ReadPage>
}

/** Creates a resolver. It pauses between two links of a page. */
export function pageResolver(store: Store, pause: Pause): PageResolver {
  const light = titlesOnly(store)
  return {
    resolve: async (page, { links, tags, aliases }) => {
      const linkingPage = { title: parseTitle(page.key, store.titles), path: insideRoot(page.path, store.config.root) }
      const { byNames, needsNames } = await useOfNames(store, links, { light, linkingPage, pause })
      const resolver = needsNames ? await wikiLinkResolver(store) : light
      const [own, brought]: [Edge[], Edge[]] = [[], []]
      for (const link of links) {
        const edge = edgeOf(resolver, store, link, { linkingPage, page })
        if (edge !== null && (link.readings & 1) !== 0) own.push(edge)
        if (edge !== null && (link.readings & 2) !== 0) brought.push(edge)
        await pause()
      }
      own.push(...tags.flatMap(tag => tagEdge(store, tag)))
      return { page, own: numbered(own), brought: numbered(brought), byNames, aliases: sumOfNames(aliases) }
    },
  }
}

interface Looking {
  readonly light: LinkResolver
  readonly linkingPage: LinkingPage
  readonly pause: Pause
}

/**
 * Looks whether targets of a page depend on names, and whether the look-up of names, which takes a second in a large wiki, is needed for
 * them: a title with a page leads there by any rules.
 */
async function useOfNames(store: Store, links: readonly DistinctLink[], { light, linkingPage, pause }: Looking) {
  const titleOf = (link: DistinctLink) => light.read(link, linkingPage)?.title
  const isName = (link: DistinctLink) =>
    link.form === 'path' ||
    link.form === 'name' ||
    (link.form === 'link' && light.mayBeName(link.target) && titleOf(link)?.namespace === 0)
  const isTitle = (link: DistinctLink) => link.form === 'link' && store.findPage(titleOf(link)?.key ?? '') !== undefined
  let [byNames, needsNames] = [false, false]
  for (const link of links) {
    if (isName(link)) {
      byNames = true
      needsNames ||= !isTitle(link)
    }
    await pause()
  }
  return { byNames, needsNames }
}

function numbered(edges: readonly Edge[]): KeyEdge[] {
  return unique(edges).map(edge => ({ ...edge, kind: linkKinds.indexOf(edge.kind) }))
}

function sumOfNames(names: readonly string[]): number {
  return names.length === 0 ? 0 : crc32(JSON.stringify(names)) || 1
}

/** Of equal links, the page's own comes first and wins. */
function unique(edges: readonly Edge[]): Edge[] {
  const found = new Map<string, Edge>()
  for (const edge of edges) {
    const name = `${edge.kind} ${edge.key}`
    if (!found.has(name)) found.set(name, edge)
  }
  return [...found.values()]
}

function tagEdge({ titles }: Store, tag: string): Edge[] {
  const title = possibleTitle(`Category:${tag.replace(/^#/, '')}`, titles)
  return title === null ? [] : [{ kind: 'category', key: title.key, through: null }]
}

function edgeOf(
  resolver: LinkResolver,
  store: Store,
  link: DistinctLink,
  { linkingPage, page }: { readonly linkingPage: LinkingPage; readonly page: PageEntry },
): Edge | null {
  const isMarkdown = link.form === 'path' || link.form === 'name'
  if (isMarkdown && (isAddress(link.target) || isAddress(link.second ?? ''))) return null
  const destination = resolver.resolve(link, linkingPage)
  if (destination === null) return isMarkdown ? wantedEdge(store, wantedPart(link, resolver), page) : null
  const { key } = destination
  // Other files of the repository have no title, and no page of their own.
  if (key.startsWith(':')) return null
  if (link.form === 'template') return { kind: 'template', key, through: null }
  if (link.form === 'link' && isRedirect(store, page, key)) return { kind: 'redirect', key, through: null }
  const isFile = isMarkdown && resolver.named(key)?.kind === 'file'
  if (isMarkdown)
    return { kind: isFile && (link.isEmbed || hasPictureExtension(key)) ? 'file' : 'link', key, through: null }
  const read = resolver.read(link, linkingPage)
  const namespace = read?.title.namespace
  if (link.form === 'gallery' || (namespace === namespaceIds.file && !read?.isShown))
    return { kind: 'file', key, through: null }
  if (namespace === categoryNamespace && !read?.isShown && link.form === 'link')
    return { kind: 'category', key, through: null }
  return { kind: 'link', key, through: null }
}

function isRedirect({ titles }: Store, { redirect }: PageEntry, key: string): boolean {
  return redirect !== null && possibleTitle(redirect.replace(/#.*$/s, ''), titles)?.key === key
}

/** In `[[text|target]]` of Gollum the second part is wanted, except beside a picture. */
function wantedPart(link: DistinctLink, { isTextFirst }: LinkResolver): DistinctLink {
  const { target, second } = link
  return isTextFirst && second !== undefined && !isMediaPath(target) ? { ...link, target: second } : link
}

/** Path of a program, an archive or another file that is neither a page nor media: no page is wanted there. */
const otherFile = /\.[a-z][a-z0-9]{0,9}$/

/**
 * A Markdown link without a target is a wanted page of the title that it names; an image, or a name of a media file, is
 * a wanted file. The path of any other file is neither.
 */
function wantedEdge(store: Store, { form, target, isEmbed }: DistinctLink, page: PageEntry): Edge | null {
  const { titles } = store
  const path = decode(target.replace(/[#?].*$/s, '').replace(/^:/, ''))
  if (path.trim() === '') return null
  if (form === 'path' && isOtherFile(path)) return null
  if ((isEmbed && form === 'path') || isMediaPath(path)) {
    const title = possibleTitle(`File:${path.slice(path.lastIndexOf('/') + 1)}`, titles)
    return title === null ? null : { kind: 'file', key: title.key, through: null }
  }
  const plain = (form === 'path' ? path.replace(/^(?:\.?\/)+/, '') : path).replace(
    /\.(?:mdx?|markdown|mkdn?|mdown|wiki|mediawiki|wikitext)$/i,
    '',
  )
  const written = possibleTitle(plain, titles)
  // A wiki with dashes for spaces wants one page, however it is written.
  const title = written === null ? null : dashedTitle(store, written)
  return title === null || title.key === page.key ? null : { kind: 'link', key: title.key, through: null }
}

function isMediaPath(path: string): boolean {
  const extension = extensionOf(path)
  return Object.hasOwn(mediaFormats, extension) && !modelsByExtension.has(extension)
}

function isOtherFile(path: string): boolean {
  const extension = extensionOf(path)
  return otherFile.test(path) && !Object.hasOwn(mediaFormats, extension) && !modelsByExtension.has(extension)
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
