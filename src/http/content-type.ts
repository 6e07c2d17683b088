/** Reads the `Content-Type` of a body. Source: RFC 9110 8.3. */

/** Returns the media type in lower case, without parameters; "" if there is none. */
export function mediaTypeOf(header: string): string {
  return header.split(';', 1)[0]!.trim().toLowerCase()
}

/** Names of UTF-8 and of its subset ASCII. */
const unicode: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Returns true if a type names no other text encoding than UTF-8. */
export function isUnicode(header: string): boolean {
  const named = header.slice(0, 1000).matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)
  return Array.from(named, ([, charset = '']) => charset.toLowerCase()).every(charset => unicode.has(charset))
}
