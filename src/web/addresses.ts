/**
 * URLs of the pages for browsers. Actions are query parameters, as in MediaWiki: every path below `/wiki/` is a title.
 */

/** Prefix of the URLs of pages. */
export const pageBase = '/wiki/'

/** Query parameters. Values of undefined and null are omitted. */
export type AddressQuery = Readonly<Record<string, string | number | undefined | null>>

/** Returns the URL of a page or special page, with a query. */
export function pageAddress(title: string, query: AddressQuery = {}): string {
  return pageBase + encodeTitle(title) + queryText(query)
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

/** Encodes a title for a URL: spaces become underscores, slashes and colons stay. Source: MediaWiki wfUrlencode. */
export function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_'))
    .replace(/%(?:3B|40|24|2C|2F|3A)/g, decodeURIComponent)
    .replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
