/**
 * URLs of the pages for browsers. Actions are query parameters, as in MediaWiki: every path below `/wiki/` is a title.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { changeAnchor } from '../core/anchors.ts'

/** Prefix of the paths of pages. */
export const pageFolder = '/wiki/'

/** The prefix of the server's own URLs, while a request below it is handled. */
const prefixes = new AsyncLocalStorage<string>()

/** Calls a function in which all URLs start with this prefix. Without one it costs nothing. */
export function belowPrefix<Result>(prefix: string, run: () => Result): Result {
  return prefix === '' ? run() : prefixes.run(prefix, run)
}

/** Returns the prefix of all URLs; "" at the root of a host. */
export function urlPrefix(): string {
  return prefixes.getStore() ?? ''
}

/** Returns the prefix of the URLs of pages. */
export function pageBase(): string {
  return urlPrefix() + pageFolder
}

/** Returns the URL of the API. */
export function apiBase(): string {
  return `${urlPrefix()}/v1`
}

/** Query parameters. Values of undefined and null are omitted. */
export type AddressQuery = Readonly<Record<string, string | number | undefined | null>>

/** Returns the URL of a page or special page, with a query. */
export function pageAddress(title: string, query: AddressQuery = {}): string {
  return pageBase() + encodeTitle(title) + queryText(query)
}

/** Returns the URL of a special page: `specialAddress('Search', { search: 'tide' })`. */
export function specialAddress(name: string, query: AddressQuery = {}): string {
  return pageAddress(`Special:${name}`, query)
}

/** Adds parameters to a URL that may have some. */
export function withQuery(address: string, query: AddressQuery): string {
  const text = queryText(query)
  return address.includes('?') ? address + text.replace('?', '&') : address + text
}

/** Formats a query with its question mark; "" for an empty one. */
export function queryText(query: AddressQuery): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the part of a URL that leads to an anchor with these words; "" for none. */
export function anchorPart(words: string): string {
  const encoded = changeAnchor(words.trim(), anchor => encodeURIComponent(anchor.replaceAll(' ', '_')))
  return encoded === '' ? '' : `#${encoded}`
}

/** Encodes a title for a URL: spaces become underscores, slashes and colons stay. Source: MediaWiki wfUrlencode. */
export function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_'))
    .replace(/%(?:3B|40|24|2C|2F|3A)/g, decodeURIComponent)
    .replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
