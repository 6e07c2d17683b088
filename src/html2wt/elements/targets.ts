/** Converts URLs back to link targets. */

import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, foldTitle, parseTitle, possibleTitle } from '../../core/title.ts'
import { isSafeUrl } from '../../wikitext/sanitize/urls.ts'
import type { ForeignWiki } from '../../wikitext/site.ts'
import type { ElementNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { isNew } from '../node-queries.ts'
import type { Writer } from '../writer.ts'

/** Returns true if a link leads outside the wiki. */
export function isAddress(href: string): boolean {
  return isSafeUrl(href.replace(/\s/g, ''))
}

/** Decodes percent-encoded bytes. */
export function decoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, found => {
    try {
      return decodeURIComponent(found)
    } catch {
      return found
    }
  })
}

/** Finds the title that a link names; null if it leads to no page. */
export function targetOf(writer: Writer, node: ElementNode): string | null {
  const href = pageHref(node)
  const { a, sa } = (node.data.parsoid ?? {}) as { a?: Record<string, string>; sa?: Record<string, string> }
  const written = sa?.href
  if (written !== undefined && (a?.href === undefined ? true : bareHref(a.href) === href)) return written
  const foreign = interwikiTarget(writer, node.attributes.get('href')!, node)
  if (foreign !== null) return foreign
  if (isAddress(node.attributes.get('href')!) && !node.attributes.has('resource')) return mediaOf(writer, node)
  // A text that repeats the address keeps its spelling.
  const isRepeated = textOf(node.children) === node.attributes.get('href')
  return titleOf(writer, titled(node, isRepeated ? href : withSpaces(href)))
}

function withSpaces(href: string): string {
  const [path = '', ...rest] = href.split('#')
  return [path.replaceAll('_', ' '), ...rest].join('#')
}

/** Finds the file that the address of a media link ends with; null for other links. */
function mediaOf({ site: { rules } }: Writer, { attributes }: ElementNode): string | null {
  const [, name] = /\/([^/?#]+\.\w+)(?:[?#]|$)/.exec(attributes.get('href')!) ?? []
  const isMedia = /\bmw:MediaLink\b/.test(attributes.get('rel') ?? '')
  if (!isMedia || name === undefined) return null
  const title = possibleTitle(`${rules.namespaces.get(namespaceIds.file)!.name}:${decoded(name)}`, rules)
  return title === null ? null : `${rules.namespaces.get(namespaceIds.media)!.name}:${title.name.replaceAll('_', ' ')}`
}

function pageHref(node: ElementNode): string {
  const isMedia = /\bmw:MediaLink\b/.test(node.attributes.get('rel') ?? '')
  return bareHref((isMedia ? node.attributes.get('resource') : undefined) ?? node.attributes.get('href')!)
}

/** Removes the parts of a URL that only matter to a browser. */
export function bareHref(href: string): string {
  return href.replace(/[?&]action=edit(?:&redlink=1)?/, '').replace(/^(?:\.\/)+|^(?:\.\.\/)+|^\/wiki\//, '')
}

/** Prefers `title`, which has the usual spelling, if it names the same page. */
function titled(node: ElementNode, href: string): string {
  const [path = '', ...rest] = href.split('#')
  const title = node.attributes.get('title')
  const isSame = title !== undefined && decoded(path).replaceAll('_', ' ') === title && !/[%#]/.test(title)
  return isSame ? [title, ...rest].join('#') : href
}

function titleOf(writer: Writer, href: string): string | null {
  const hash = href.indexOf('#')
  const path = hash === -1 ? href : href.slice(0, hash)
  const anchor = hash === -1 ? '' : href.slice(hash)
  const title = withOwnPrefix(writer, decoded(path))
  if (!isTitle(writer, title) && title !== '') return null
  const isOwn = title === '' || (anchor !== '' && title.replaceAll('_', ' ') === writer.title)
  return `${isOwn && anchor !== '' ? '' : colon(writer, title)}${title === '' || isOwn ? '' : encoded(title)}${encoded(decoded(anchor))}`
}

/** Returns an interwiki prefix in the spelling of the interwiki table. */
function withOwnPrefix({ site }: Writer, title: string): string {
  const [all, given] = /^:?([^:]+):/.exec(title) ?? []
  const foreign = given === undefined ? undefined : site.foreign.get(foldTitle(given))
  return foreign === undefined ? title : `${foreign.prefix}:${title.slice(all!.length)}`
}

/** Returns true if a text is the title of a local page, a special page, or a page of another wiki. */
export function isTitle({ site }: Writer, text: string): boolean {
  if (encodedCharacter.test(text)) return false
  try {
    parseTitle(text, site.rules)
    return true
  } catch {
    const prefix = /^:?([^:]+):./.exec(text)?.[1]
    if (prefix === undefined || /[<>[\]{}|]/.test(text)) return false
    const isForeign = site.foreign.has(foldTitle(prefix)) && !relativeParts.test(text.replace(/^:?[^:]+:/, ''))
    return isForeign || findNamespace(prefix, site.rules) === namespaceIds.special
  }
}

/** A character reference that is left after decoding: no title has one. */
const encodedCharacter = /&(?:[A-Za-z0-9\u0080-\uffff]+|#[0-9]+|#x[0-9A-Fa-f]+);/

/** Returns true if two texts name the same local page and fragment. */
export function samePage({ site }: Writer, one: string, other: string): boolean {
  const [first, second] = [possibleTitle(one, site.rules), possibleTitle(other.replace(/^:/, ''), site.rules)]
  if (first === null || second === null) return false
  return first.key === second.key && first.fragment === second.fragment
}

/** Relative parts of a path: no title has them. */
const relativeParts = /(?:^|\/)\.{1,2}(?:\/|$)/

/** Returns true if `/part` or `../part` leads somewhere from the page: `../` only from a subpage, or as the path of a file. */
export function isRelativeTarget(writer: Writer, target: string): boolean {
  if (target.startsWith('/')) return true
  if (writer.site.config.links !== 'mediawiki' && /\.\w+(?:#|$)/.test(target)) return true
  return relativeTarget(writer, target) !== null
}

/**
 * Returns the title that `/part` or `../part` means on the page; null if it means none. Source: MediaWiki
 * Linker::normalizeSubpageLink.
 */
export function relativeTarget({ site, title }: Writer, target: string): string | null {
  const page = possibleTitle(title, site.rules)
  if (page === null || site.rules.namespaces.get(page.namespace)?.subpages !== true) return null
  const [ups] = /^(?:\.\.\/)+|^\.\.$/.exec(target) ?? ['']
  if (ups === '' && !/^\/[^/]/.test(target)) return null
  const segments = page.text.split('/')
  const levels = Math.ceil(ups.length / 3)
  const base = segments.slice(0, segments.length - levels).join('/')
  if (levels >= segments.length || base === '') return null
  const rest = target.slice(ups.length).replace(/^\/|(?<!\/)\/+$/g, '')
  const whole = rest === '' ? base : `${base}/${rest}`
  return relativeParts.test(whole) ? null : whole
}

/** Percent-encodes characters that a target cannot contain. */
function encoded(text: string): string {
  return text
    .replace(/&(?=[#\w]+;)/g, '&amp;')
    .replace(/[[\]{}|<>]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

const plainNamespaces: ReadonlySet<number> = new Set([6, 14])

/** A leading colon turns a link that would categorise the page or display a file into a plain link. */
export function colon({ site }: Writer, title: string): string {
  const at = title.indexOf(':')
  if (at <= 0) return title.startsWith('/') && site.rules.namespaces.get(0)?.subpages ? ':' : ''
  const prefix = title.slice(0, at)
  const namespace = findNamespace(prefix, site.rules)
  if (namespace !== undefined) return plainNamespaces.has(namespace) ? ':' : ''
  return site.foreign.get(foldTitle(prefix))?.isLanguage ? ':' : ''
}

/** Finds the prefix and title of a page of another wiki; null if the URL belongs to no known wiki. */
export function interwikiTarget({ site }: Writer, href: string, node: ElementNode): string | null {
  const isInterwiki = /\bmw:WikiLink\/Interwiki\b/.test(node.attributes.get('rel') ?? '')
  if (!isAddress(href) && !href.startsWith('//')) return null
  const tooltip = node.attributes.get('title') ?? ''
  const rank = ({ prefix, isLanguage }: ForeignWiki): number =>
    tooltip.startsWith(`${prefix}:`) ? 0 : isLanguage ? 1 : 2
  const wikis = [...site.foreign.values()].sort((one, other) => rank(one) - rank(other))
  for (const { prefix, url, isLanguage } of wikis) {
    const [before, after = ''] = url.split('$1') as [string, string?]
    const bare = href.replace(/^https?:/, '')
    const start = href.startsWith(before)
      ? before
      : bare.startsWith(before.replace(/^https?:/, ''))
        ? before.replace(/^https?:/, '')
        : null
    const rest = start === null ? null : (href.startsWith(start) ? href : bare).slice(start.length)
    if (rest === null || !rest.endsWith(after) || before === '') continue
    if (!isInterwiki && !isNew(node) && !saysPage(node, prefix, rest)) continue
    if (textOf(node.children) === href) continue
    const title =
      isInterwiki && !isNew(node)
        ? decoded(rest.slice(0, rest.length - after.length)).replaceAll('_', ' ')
        : decoded(rest.slice(0, rest.length - after.length))
    if (/[[\]{}|<>\n]/.test(title) || /^[^#]*\?/.test(rest.slice(0, rest.length - after.length))) continue
    return `${isLanguage ? ':' : ''}${prefix}:${title}`
  }
  return null
}

/** A link without interwiki markup is written as an interwiki link only if its text matches. */
function saysPage(node: ElementNode, prefix: string, rest: string): boolean {
  const text = textOf(node.children)
  return text === `${prefix}:${decoded(rest).replaceAll('_', ' ')}`
}
