/** Addresses of the API, as answers name them. `base` is the absolute URL of the API without a slash at its end. */

/** Encodes one path segment or query value: everything but letters, digits and `-._~`. Source: RFC 3986, 2.3. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Gives the absolute route of a page; `suffix` starts with a slash or is empty. */
export function pageRoute(base: string, title: string, suffix: string): string {
  return `${base}/page/${encodeSegment(title)}${suffix}`
}

/** Gives the absolute route of a revision; `suffix` starts with a slash or is empty. */
export function revisionRoute(base: string, id: number, suffix: string): string {
  return `${base}/revision/${id}${suffix}`
}

/** Takes scheme and host off an absolute route. */
export function withoutHost(route: string): string {
  return route.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}
