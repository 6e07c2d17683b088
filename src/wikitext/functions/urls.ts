/** Addresses of pages and encodings for addresses, as parser functions return them. */

import type { Title } from '../../core/title.ts'
import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { withoutMarkers } from '../expansion/markers.ts'
import { escapeWikitext } from '../expansion/plain.ts'
import { readTitle } from '../expansion/titles.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { escapeIdForLink, urlencode } from '../sanitize/ids.ts'

/** Characters that stay unescaped in a URL's path. Source: MediaWiki wfUrlencode. */
const pathCharacters = /%(?:3B|40|24|21|2A|28|29|2C|2F|7E|3A)/g

/** Encodes a title for the end of an address. */
export function titleUrl(key: string): string {
  return urlencode(key.replaceAll(' ', '_')).replace(pathCharacters, code => decodeURIComponent(code))
}

/** Path of a page in this wiki, optionally with a query. */
function pagePath(title: Title, query: string): string {
  const fragment = title.fragment === '' ? '' : `#${escapeIdForLink(title.fragment)}`
  return `/wiki/${titleUrl(title.key)}${query === '' ? '' : `?${query}`}${fragment}`
}

function pageUrl(call: FunctionCall, origin: string): string {
  const title = readTitle(call.text(0), call.context.rules)
  if (title === undefined) return `[[:${call.text(0)}]]`
  return origin + pagePath(title, call.text(1))
}

const local = (call: FunctionCall) => pageUrl(call, '')
const full = (call: FunctionCall) => pageUrl(call, call.context.server)

function filePath(call: FunctionCall): string {
  const title = readTitle(call.text(0), call.context.rules, 6)
  const metadata = title === undefined ? null : call.context.sourceCache.file(title.name)
  if (metadata === undefined || metadata === null) return ''
  const width = Number(/^(\d{1,5})(?:px)?$/.exec(call.text(1))?.[1] ?? 0)
  const url = width > 0 && width < (metadata.width ?? 0) ? metadata.thumbnail(width) : metadata.url
  return url.startsWith('/') ? call.context.server + url : url
}

function encode(call: FunctionCall): string {
  const text = withoutMarkers(call.text(0))
  const style = call.text(1).toUpperCase()
  if (style === 'WIKI') return titleUrl(text.replaceAll(' ', '_'))
  const encoded = urlencode(text)
  return style === 'PATH' ? encoded.replaceAll('+', '%20') : encoded
}

function anchor(call: FunctionCall): string {
  const text = decodeEntities(withoutMarkers(call.text(0)))
    .replace(/<[^<>]*>/g, '')
    .replace(/'{2,5}/g, '')
    .replace(/\[\[:?(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
  return escapeWikitext(escapeIdForLink(text.replace(/[ _]+/g, ' ').trim()))
}

/** Functions for addresses and encodings. Source: MediaWiki help page on magic words, URL data. */
export const urlTable: FunctionTable = {
  localurl: local,
  localurle: call => escapeHtml(local(call)),
  fullurl: full,
  fullurle: call => escapeHtml(full(call)),
  canonicalurl: full,
  canonicalurle: call => escapeHtml(full(call)),
  filepath: filePath,
  urlencode: encode,
  anchorencode: anchor,
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
