/** Redirects: pages whose text only points to another one. */

const redirect = /^[\s\0]*#redirect\s*(?::\s*)?\[\[\s*:?([^[\]{|}\n<>]{1,1024})/i

/**
 * Reads the target of a redirect as the text names it, fragment included; null if the text is no redirect.
 * Source: MediaWiki WikitextContentHandler::extractRedirectTargetAndText, magic word `redirect`.
 */
export function parseRedirect(text: string): string | null {
  const target = redirect.exec(text)?.[1]?.trim()
  return target === undefined || target === '' ? null : target
}
