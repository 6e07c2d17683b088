/** Addresses of pages for people. Verbs are query parameters, as MediaWiki has them: every path below `/wiki/` is a title. */

/** Beginning of the addresses of pages. */
export const pageBase = '/wiki/'

/** Values of an address's query; undefined and null are left out. */
export type AddressQuery = Readonly<Record<string, string | number | undefined | null>>

/** Returns the address of a page or a special page, with a query. */
export function pageAddress(title: string, query: AddressQuery = {}): string {
  return pageBase + encodeTitle(title) + queryText(query)
}

/** Returns the address of a special page: `specialAddress('Search', { search: 'tide' })`. */
export function specialAddress(name: string, query: AddressQuery = {}): string {
  return pageAddress(`Special:${name}`, query)
}

/** Writes a query with its question mark; "" for an empty one. */
export function queryText(query: AddressQuery): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Writes a title as it stands in addresses: underscores, slashes and colons as they are. Source: MediaWiki wfUrlencode. */
export function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_'))
    .replace(/%(?:3B|40|24|2C|2F|3A)/g, decodeURIComponent)
    .replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
