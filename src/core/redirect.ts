/** Redirects: pages whose text only names another page. */

const redirect = /^[\s\0]*#redirect\s*(?::\s*)?\[\[\s*:?([^[\]{|}\n<>]{1,1024})/i

/**
 * Reads the target of a redirect as written, including its fragment; null if the text is not a redirect. Source:
 * MediaWiki WikitextContentHandler::extractRedirectTargetAndText, magic word `redirect`.
 */
export function parseRedirect(text: string): string | null {
  const target = redirect.exec(text)?.[1]?.trim()
  return target === undefined || target === '' ? null : target
}
