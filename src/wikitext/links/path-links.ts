/** Links that MediaWiki would not read as titles: the page or file of the wiki that they lead to. */

import { changeAnchor } from '../../core/anchors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, possibleTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { LinkTarget } from '../../links/link.ts'
import { decodePath } from '../../links/names.ts'
import { titleOfPath } from '../../links/resolve.ts'
import type { SourceCache } from '../expansion/source-cache.ts'
import { mediaElement } from '../media/element.ts'
import { type MediaPart, readMediaOptions } from '../media/options.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import type { Site } from '../site.ts'
import { type ElementNode, type NodeData, type ParentNode, replaceWith, textNode } from '../tree/node.ts'
import { type Step, stepsOf } from '../tree/walk.ts'

/** The wiki as link resolution sees it. */
interface Lookup {
  readonly site: Site
  readonly sourceCache: SourceCache
}

type LinkData = NonNullable<NodeData['written']>

/** Looks up the links and pictures of a Markdown page, and turns them into the elements of wikitext. */
export async function resolveWritten(body: ParentNode, lookup: Lookup & { thumbnailWidth: number }): Promise<void> {
  const { sourceCache } = lookup
  const nodes = stepsOf(body).flatMap(({ element }) => (element.data.written === undefined ? [] : [element]))
  for (const { data } of nodes) sourceCache.target(data.written!)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  for (const { data } of nodes) if (data.written!.picture) sourceCache.file(fileNameOf(data.written!, lookup))
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  for (const node of nodes) {
    const { written } = node.data
    delete node.data.written
    if (written?.picture) showPicture(node, written, lookup)
    else if (written) showLink(node, written, lookup)
  }
}

/** Resolves links without a page of their title to the page or file of their path or name. */
export async function resolveRedLinks(steps: readonly Step[], lookup: Lookup & { page: Title }): Promise<void> {
  const { sourceCache, page, site } = lookup
  if (site.config.links === 'mediawiki') return
  const red = steps.flatMap(({ element }) => {
    const { link } = element.data
    // A link of Markdown that leads nowhere must not be read again as one of wikitext: the graph and the checks do not.
    const isOpen = link?.namespace === namespaceIds.main && element.name === 'a' && element.data.isResolved !== true
    const isRed = isOpen && sourceCache.exists(link) === false
    return isRed ? [{ element, question: { from: page.key, target: link.text, syntax: 'title' as const } }] : []
  })
  for (const { question } of red) sourceCache.target(question)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  for (const { element, question } of red) {
    const target = sourceCache.target(question)
    if (target && target.kind !== 'missing') leadTo(element, target.key, fragmentOf(element), site.rules)
  }
  for (const { element } of red) if (element.data.link) sourceCache.exists(element.data.link)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
}

function fragmentOf({ attributes }: ElementNode): string {
  const href = attributes.get('href') ?? ''
  return href.includes('#') ? href.slice(href.indexOf('#') + 1) : ''
}

function leadTo(node: ElementNode, key: string, fragment: string, rules: TitleRules): void {
  if (key.startsWith(':')) leadToOther(node, key.slice(1), fragment)
  else leadToPage(node, key, fragment, rules)
}

/** A file that is neither a page nor media has a special page; for a folder, the pages in it are listed. */
function leadToOther(node: ElementNode, path: string, fragment: string): void {
  const anchor = anchorOf(fragment)
  const special = path.endsWith('/') ? 'PrefixIndex' : 'RepositoryFile'
  node.attributes.set('rel', 'mw:WikiLink')
  setAddress(node, `./Special:${special}/${path.split('/').map(encodeURIComponent).join('/')}${anchor}`)
  node.attributes.set('title', path)
  delete node.data.link
}

function leadToPage(node: ElementNode, key: string, fragment: string, rules: TitleRules): void {
  const title = parseTitle(key, rules)
  const anchor = anchorOf(fragment)
  node.attributes.set('rel', 'mw:WikiLink')
  setAddress(node, `./${escapeTitle(title.key)}${anchor}`)
  node.attributes.set('title', title.text)
  node.data.link = title
}

function anchorOf(fragment: string): string {
  return fragment === '' ? '' : `#${changeAnchor(fragment, anchor => anchor.replaceAll(' ', '_'))}`
}

/** The recorded address changes too: the source of a link stands for its address only while the two are equal. */
function setAddress({ attributes, data }: ElementNode, href: string): void {
  const written = (data.parsoid as { a?: { href?: string } } | undefined)?.a
  if (written !== undefined && written.href === attributes.get('href')) written.href = href
  attributes.set('href', href)
}

function showLink(node: ElementNode, written: LinkData, { sourceCache, site }: Lookup): void {
  const found = sourceCache.target(written) ?? null
  node.data.isResolved = true
  const [target, text] = found?.isTextFirst ? [written.second ?? '', written.target] : [written.target, written.second]
  if (written.syntax === 'name' && text !== undefined) setText(node, text)
  if (found !== null && found.kind !== 'missing') leadTo(node, found.key, found.fragment, site.rules)
  else showRedLink(node, target, { syntax: written.syntax, rules: site.rules })
}

function showRedLink(
  node: ElementNode,
  target: string,
  { syntax, rules }: Pick<LinkData, 'syntax'> & { readonly rules: TitleRules },
): void {
  const [path, fragment] = splitTarget(target)
  const title = possibleTitle(titleOfPath(path, syntax), rules)
  if (title === null) Object.assign(node, { name: 'span' })
  else leadTo(node, title.key, fragment, rules)
}

function setText(node: ElementNode, text: string): void {
  const child = textNode(text)
  child.parent = node
  node.children.splice(0, node.children.length, child)
}

function splitTarget(target: string): [path: string, fragment: string] {
  const [path = '', ...fragment] = decodePath(target).split('#')
  return [path, fragment.join('#')]
}

/** Returns the name of a picture's file, in URL form without `File:`. */
function fileNameOf(written: LinkData, lookup: Lookup): string {
  return titleOfPicture(written, lookup)?.name ?? ''
}

function titleOfPicture(written: LinkData, { sourceCache, site }: Lookup): Title | null {
  const found: LinkTarget | null = sourceCache.target(written) ?? null
  if (found?.kind === 'other') return null
  if (found?.kind === 'file') return possibleTitle(found.key, site.rules)
  const base = splitTarget(written.target)[0]
    .replace(/^.*\//, '')
    .replace(/^File:/i, '')
  return possibleTitle(`File:${base}`, site.rules)
}

function showPicture(node: ElementNode, written: LinkData, lookup: Lookup & { thumbnailWidth: number }): void {
  const title = titleOfPicture(written, lookup)
  const metadata = title === null ? null : (lookup.sourceCache.file(title.name) ?? null)
  if (title === null || metadata === null) {
    const found = lookup.sourceCache.target(written)
    if (found?.kind === 'other' || found?.kind === 'page') {
      setText(node, written.picture?.alt || written.target)
      leadTo(node, found.key, found.fragment, lookup.site.rules)
      return
    }
    missingPicture(node, written, title)
    return
  }
  const picture = mediaElement(readMediaOptions(partsOf(written, isInLink(node)), { words: lookup.site.mediaWords }), {
    file: { title: title.key, name: title.name, metadata, thumbnail: null },
    caption: written.picture?.title ? [textNode(written.picture.title)] : null,
    context: { thumbnailWidth: lookup.thumbnailWidth, resolveLink: () => null, parse: part => [textNode(part.text)] },
  })
  picture.data.media = title
  replaceWith(node, [picture])
}

function partsOf({ picture }: LinkData, isLinked: boolean): MediaPart[] {
  const { alt = '', size = '' } = picture ?? {}
  const texts = [size, alt === '' ? '' : `alt=${alt}`].filter(text => text !== '')
  return [...texts, ...(isLinked ? ['link='] : [])].map(text => ({ source: text, text, start: 0, end: 0 }))
}

function isInLink(node: ElementNode): boolean {
  for (let up = node.parent; up !== null && up.kind === 'element'; up = up.parent) if (up.name === 'a') return true
  return false
}

function missingPicture(node: ElementNode, { picture, target }: LinkData, title: Title | null): void {
  setText(node, picture?.alt || (title?.text ?? target))
  if (title === null || isInLink(node)) {
    Object.assign(node, { name: 'span' })
    return
  }
  node.attributes.set('rel', 'mw:WikiLink')
  node.attributes.set('href', `./${escapeTitle(title.key)}`)
  node.attributes.set('title', title.text)
  node.attributes.set('class', 'mw-file-description')
  node.data.media = title
}
