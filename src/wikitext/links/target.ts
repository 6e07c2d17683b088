/** Resolves the target of a link: a page, a special page, an anchor on this page, or another wiki. */

import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, foldTitle, possibleTitle, type Title } from '../../core/title.ts'
import { trimUnderscores, underscoreTitle } from '../../core/title-text.ts'
import { hasPageExtension } from '../../links/names.ts'
import { joinPath } from '../../links/resolve.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { escapeLegacyId } from '../sanitize/ids.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import type { ForeignWiki, Site } from '../site.ts'

export interface PageTarget {
  readonly kind: 'page'
  readonly title: Title
  readonly fragment: string | null
  /** True after a colon, which makes categories, files and languages plain links. */
  readonly isPlain: boolean
  /** True if the namespace was written `Media:`. */
  readonly isMedia: boolean
}

export interface SpecialTarget {
  readonly kind: 'special'
  /** URL form, with the namespace. */
  readonly key: string
  readonly fragment: string | null
}

/** Fragment on the page that contains the link. */
export interface FragmentTarget {
  readonly kind: 'fragment'
  readonly fragment: string
}

export interface ForeignTarget {
  readonly kind: 'foreign'
  readonly wiki: ForeignWiki
  /** The title there, as written. */
  readonly name: string
  readonly fragment: string | null
  readonly isPlain: boolean
}

export type LinkTarget = PageTarget | SpecialTarget | FragmentTarget | ForeignTarget

const longest = 4096

/** A character reference that is left after decoding: no title has one. */
const encodedCharacter = /&(?:[A-Za-z0-9\u0080-\uffff]+|#[0-9]+|#x[0-9A-Fa-f]+);/

/** Relative parts of a path: no title has them. */
const relativeParts = /(?:^|\/)\.{1,2}(?:\/|$)/

/** Parses a link's target; null if it is invalid, so that the link is text. */
export function linkTarget(source: string, site: Site, page: Title): LinkTarget | null {
  if (source.length > longest || /[\n<>[\]{}|]/.test(withoutFragment(source))) return null
  const decoded = decodeEntities(decodePercent(source)).trim()
  const isPlain = decoded.startsWith(':')
  const text = (isPlain ? decoded.slice(1) : decoded).trim()
  if (
    text === '' ||
    (isPlain && text.startsWith(':')) ||
    (text.includes('&') && encodedCharacter.test(withoutFragment(text)))
  )
    return null
  if (text.startsWith('#') && !isPlain) return { kind: 'fragment', fragment: fragmentOf(text)! }
  const whole = isPlain ? text : subpageTarget(text, site, page)
  const target = whole === null ? null : (prefixed(whole, site, isPlain) ?? pageTarget(whole, site, isPlain))
  return target ?? pathTarget(text, { site, page, isPlain })
}

/** Address of a page of another wiki. */
export function foreignUrl({ wiki, name, fragment, isPlain }: ForeignTarget): string {
  const path = escapeTitle(isLanguageProperty(wiki, isPlain) ? underscoreTitle(name) : name).replaceAll('&', '%26')
  const anchor = fragment === null ? '' : `#${name === '' ? fragment : escapeLegacyId(fragment)}`
  return wiki.url.replace('$1', () => path) + anchor
}

/** True if a link names the page in another language. */
export function isLanguageProperty(wiki: ForeignWiki, isPlain: boolean): boolean {
  return wiki.isLanguage && !isPlain
}

/** Percent-encoded bytes in a target are decoded as in an address. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, encoded => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}

/** Returns the text after the first `#` as an id; null if there is none. */
function fragmentOf(text: string): string | null {
  const hash = text.indexOf('#')
  return hash === -1
    ? null
    : text
        .slice(hash + 1)
        .trimEnd()
        .replace(/[_ ]+/g, '_')
}

function withoutFragment(text: string): string {
  const hash = text.indexOf('#')
  return hash === -1 ? text : text.slice(0, hash)
}

/** Returns true if links of a page can lead to its subpages. */
export function hasSubpages(page: Title, site: Site): boolean {
  return site.rules.namespaces.get(page.namespace)?.subpages === true
}

/** `/part` and `../part`, if the page's namespace has subpages. Source: MediaWiki Linker::normalizeSubpageLink. */
function subpageTarget(text: string, site: Site, page: Title): string | null {
  if (!hasSubpages(page, site)) return text
  const name = withoutFragment(text)
  const fragment = text.slice(name.length)
  if (name.startsWith('/')) {
    const rest = name.length > 1 ? name.replace(/(?<=[^/]|^\/)\/+$/, '') : name
    return page.text + rest.trim() + fragment
  }
  const ups = /^(?:\.\.\/)+|^\.\.$/.exec(name)
  if (ups === null) return text
  return climb(page.text, name, Math.ceil(ups[0].length / 3), fragment)
}

function climb(from: string, name: string, levels: number, fragment: string): string | null {
  const segments = from.split('/')
  if (segments.length <= levels) return null
  const base = segments.slice(0, segments.length - levels).join('/')
  const rest = name.replace(/^(?:\.\.\/)+|^\.\.$/, '').replace(/\/+$/, '')
  if (base === '') return null
  return (rest === '' ? base : `${base}/${rest}`) + fragment
}

/** `../docs/page.mediawiki`, `File:./picture.png`: a path from the folder of the page's file, as in other wikis over git. */
function pathTarget(
  text: string,
  { site, page, isPlain }: { readonly site: Site; readonly page: Title; readonly isPlain: boolean },
): PageTarget | null {
  const [, prefix = '', name = ''] = /^((?:[^:/]*:)?)(.*)$/s.exec(withoutFragment(text)) ?? []
  if (site.config.links === 'mediawiki' || !/^\.{0,2}\//.test(name)) return null
  const isFile = prefix !== '' && findNamespace(prefix.slice(0, -1), site.rules) === namespaceIds.file
  if (!isFile && !(prefix === '' && hasPageExtension(name))) return null
  const folder = page.text.includes('/') && !name.startsWith('/') ? page.text.replace(/\/[^/]*$/, '') : ''
  return pageTarget(prefix + joinPath(folder, name) + text.slice(prefix.length + name.length), site, isPlain || !isFile)
}

function prefixed(text: string, site: Site, isPlain: boolean): LinkTarget | null {
  const colon = text.indexOf(':')
  if (colon <= 0) return null
  const prefix = trimUnderscores(underscoreTitle(text.slice(0, colon)))
  const rest = text.slice(colon + 1).trim()
  const namespace = findNamespace(prefix, site.rules)
  if (namespace === namespaceIds.special) return specialTarget(rest, site)
  if (namespace !== undefined) return null
  if (site.localPrefixes.has(foldTitle(prefix))) return localTarget(rest, site)
  const wiki = site.foreign.get(foldTitle(prefix))
  if (wiki === undefined) return null
  const name = withoutFragment(rest).replace(/^:/, '').trim()
  if (relativeParts.test(name)) return null
  return { kind: 'foreign', wiki, name, fragment: fragmentOf(rest), isPlain }
}

/** A prefix of this wiki itself: the rest is parsed as a plain link. */
function localTarget(rest: string, site: Site): LinkTarget | null {
  const text = rest === '' ? site.config.mainPage : rest
  return prefixed(text, site, true) ?? pageTarget(text, site, true)
}

function specialTarget(rest: string, site: Site): SpecialTarget | null {
  const name = trimUnderscores(underscoreTitle(withoutFragment(rest)))
  if (name === '' || /[<>[\]{}|]/.test(name)) return null
  const namespace = site.rules.namespaces.get(namespaceIds.special)!.name
  return {
    kind: 'special',
    key: `${namespace}:${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    fragment: fragmentOf(rest),
  }
}

function pageTarget(text: string, site: Site, isPlain: boolean): PageTarget | null {
  const title = readTitle(withoutFragment(text), site)
  if (title === null) return null
  const colon = text.indexOf(':')
  const isMedia = colon > 0 && findNamespace(text.slice(0, colon), site.rules) === namespaceIds.media
  return { kind: 'page', title, fragment: fragmentOf(text), isPlain, isMedia }
}

/** Maximum cached titles of one pass. */
const maxTitles = 50_000

/** Parses a title; null if the text is none. */
export function readTitle(text: string, site: Site, namespace = 0): Title | null {
  const key = `${namespace}:${text}`
  const cached = site.titles.get(key)
  if (cached !== undefined) return cached
  const title = possibleTitle(text, site.rules, namespace)
  if (site.titles.size < maxTitles) site.titles.set(key, title)
  return title
}
