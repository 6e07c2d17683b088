/** Addresses allowed in links: their protocols and their encoding. */

import { urlencode } from './ids.ts'

/** Allowed URL protocols. Source: MediaWiki $wgUrlProtocols. */
export const urlProtocols: readonly string[] = [
  'bitcoin:',
  'ftp://',
  'ftps://',
  'geo:',
  'git://',
  'gopher://',
  'http://',
  'https://',
  'irc://',
  'ircs://',
  'magnet:',
  'mailto:',
  'matrix:',
  'mms://',
  'news:',
  'nntp://',
  'redis://',
  'sftp://',
  'sip:',
  'sips:',
  'sms:',
  'ssh://',
  'svn://',
  'tel:',
  'telnet://',
  'urn:',
  'wikipedia://',
  'worldwind://',
  'xmpp:',
  '//',
]

const protocolPattern = new RegExp(`^(?:${urlProtocols.map(escapePattern).join('|')})`, 'i')

/** Characters that browsers and name servers ignore in a host: hosts are compared without them. */
const ignoredInHosts = /[\t ]|\u00ad|\u1806|\u200b|\u2060|\ufeff|\u034f|[\u180b-\u180d]|[\u200c\u200d]|[\ufe00-\ufe0f]/g

const unsafeInUrls = /[\][<>"\0-\x20\x7f|]/g
const anyScheme = /^[a-z][^/?#]*:/i
const urlParts = /^((?:[a-zA-Z][^:/]*:)?(?:\/\/)?)([^/]+)(\/?.*)$/s
const bracketedHost = /^%5B([0-9A-Fa-f:.]+)%5D((?::\d+)?)$/

/** Finds the allowed protocol at the start of a text, as written there; undefined if there is none. */
export function protocolOf(text: string): string | undefined {
  const start = text.slice(0, 20)
  return start.includes(':') || start.startsWith('//') ? protocolPattern.exec(start)?.[0] : undefined
}

/** Returns true if a text is an address with an allowed protocol and no white space. */
export function isSafeUrl(text: string): boolean {
  const protocol = protocolOf(text)
  return protocol !== undefined && text.length > protocol.length && !/\s/.test(text)
}

/**
 * Encodes an address for `href`: characters that end a link are percent-encoded, and ignored ones are removed from the host.
 * Null if its protocol is not allowed.
 *
 * Source: Parsoid Sanitizer::cleanUrl.
 */
export function cleanUrl(url: string): string | null {
  const encoded = url.replace(unsafeInUrls, urlencode)
  if (anyScheme.test(encoded) && protocolOf(encoded) === undefined) return null
  const [, protocol = '', host = '', path = ''] = urlParts.exec(encoded) ?? []
  if (host === '') return encoded
  return protocol + host.replace(ignoredInHosts, '').replace(bracketedHost, '[$1]$2') + path
}

/** Removes characters that are ignored in hosts from an address; everything else stays. */
export function withoutIgnored(url: string): string {
  const [, protocol = '', host = '', path = ''] = urlParts.exec(url) ?? []
  return host === '' ? url : protocol + host.replace(ignoredInHosts, '') + path
}

/** Percent-encodes the characters of a title's URL form that are invalid in the path of an address. */
export function escapeTitle(key: string): string {
  return key.replace(/[%? [\]#|<>\\]/g, encodeURIComponent)
}

function escapePattern(text: string): string {
  return text.replace(/[/.+*?]/g, '\\$&')
}
