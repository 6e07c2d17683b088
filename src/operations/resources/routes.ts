/** URLs of the API in responses. `base` is the absolute URL of the API without a trailing slash. */

/** Encodes one path segment or query value: everything but letters, digits and `-._~`. Source: RFC 3986, 2.3. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Returns the absolute route of a page; `suffix` starts with a slash or is empty. */
export function pageRoute(base: string, title: string, suffix: string): string {
  return `${base}/page/${encodeSegment(title)}${suffix}`
}

/** Returns the absolute route of a revision; `suffix` starts with a slash or is empty. */
export function revisionRoute(base: string, id: number, suffix: string): string {
  return `${base}/revision/${id}${suffix}`
}

/** Returns the absolute route of the part of a list after `after`, with the query of this part; null if there is none. */
export function partRoute(
  route: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  after: string | null,
): string | null {
  if (after === null) return null
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return `${route}?${new URLSearchParams([...given, ['after', after]])}`
}

/** Maximum number of members in a part of a list. */
export const maxPart = 500

/** Returns the limit that a route of the API accepts in place of a command's. */
export function partLimit(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.min(limit, maxPart)
}

/** Strips scheme and host from an absolute route. */
export function withoutHost(route: string): string {
  return route.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}

/** Returns the root of the site from an API's URL. Files and browser pages are beside the API, not below it. */
export function siteOf(base: string): string {
  return base.replace(/(?:\/w)?(?:\/rest\.php)?(?:\/content)?\/v1$/, '')
}

/** Returns the URL of a file's bytes; `name` is its key without `File:`. */
export function fileRoute(base: string, name: string): string {
  return `${siteOf(base)}/files/${encodeSegment(name)}`
}

/** Returns the URL of a thumbnail, this many pixels wide. */
export function thumbnailRoute(base: string, name: string, width: number): string {
  return `${siteOf(base)}/files/thumb/${encodeSegment(name)}/${width}px`
}

/** Returns the URL of a browser page, as MediaWiki writes it, with an unencoded colon. */
export function readingRoute(base: string, key: string, query: Readonly<Record<string, string | number>> = {}): string {
  const given = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString()
  return `${siteOf(base)}/wiki/${encodeSegment(key).replaceAll('%3A', ':')}${given === '' ? '' : `?${given}`}`
}
