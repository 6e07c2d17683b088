/** Bare addresses in text. */

import { externalImage } from '../links/external.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { cleanUrl, protocolOf, withoutIgnored } from '../sanitize/urls.ts'
import { textNode } from '../tree/node.ts'
import { expansionOf } from './braces.ts'
import { externalLink, isAddressBreak } from './external-links.ts'
import { emit, expandedText, isCellSeparator, pageOffset, type Scan } from './scan.ts'
import { describeTemplates } from './templated-parts.ts'

const longestProtocol = 12

/** Scans an address around a colon; false if there is none. */
export function scanAutolink(scan: Scan): boolean {
  if (scan.inLink) return false
  const start = startOfProtocol(scan)
  if (start === -1) return false
  const protocol = protocolOf(scan.text.slice(start, scan.at + 4))
  if (protocol === undefined || protocol === '//') return false
  const end = endOfAddress(scan, start + protocol.length)
  if (end <= start + protocol.length) return false
  const shown = withoutIgnored(decodeEntities(expandedText(scan, start, end)))
  const href = cleanUrl(shown)
  if (href === null) return false
  const image = externalImage(href, scan.run.site)
  const link = image ?? externalLink(scan, href, { kind: 'free', children: [textNode(shown)] })
  const source = scan.text.slice(start, end)
  const isDecoded = source !== shown && source.includes('&') && withoutIgnored(decodeEntities(source)) === shown
  link.data = { parsoid: { stx: 'url', ...(isDecoded && { a: { href }, sa: { href: source } }) } }
  describeTemplates(scan, link, [['href', start, end]])
  emit(
    scan,
    { kind: 'atom', level: 'inline', nodes: [link], start: pageOffset(scan, start), end: pageOffset(scan, end) },
    start,
    end,
  )
  return true
}

/** Offset of the letters before the colon, if a word begins with them. */
function startOfProtocol({ text, at, plain }: Scan): number {
  let start = at
  while (start > plain && at - start < longestProtocol && isLetter(text.charCodeAt(start - 1))) start--
  if (start === at) return -1
  const before = start > plain ? text[start - 1]! : start > 0 ? text[start - 1]! : ''
  return before !== '' && start > plain && /[\p{L}\p{N}_]/u.test(before) ? -1 : start
}

function isLetter(unit: number): boolean {
  const lower = unit | 32
  return lower >= 97 && lower <= 122
}

/** The end of an address in text: punctuation at its end is not part of it. Source: MediaWiki Parser::makeFreeExternalLink. */
function endOfAddress(scan: Scan, from: number): number {
  const { text } = scan
  let at = endOfNumber(text, from)
  let hasParenthesis = false
  while (at < scan.end) {
    const node = scan.nodeAt.get(at)
    if (node !== undefined && isAddressPart(scan, node)) {
      at = node.end
      continue
    }
    if (isAddressBreak(text.charCodeAt(at))) break
    if (node !== undefined || text.startsWith("''", at) || isEncodedBreak(text, at)) break
    if (isCellSeparator(scan, at)) break
    if (text[at] === '(') hasParenthesis = true
    at++
  }
  const last = hasParenthesis ? /[,;.:!?\\]/ : /[,;.:!?\\)]/
  while (at > from && last.test(text[at - 1]!) && !endsReference(text, from, at)) at--
  return at
}

const numericHost = /\[[0-9a-f:.]{2,60}\]/iy

/** The end of a host that is an IPv6 address, the only brackets in addresses. Source: MediaWiki Parser::EXT_LINK_ADDR. */
function endOfNumber(text: string, from: number): number {
  numericHost.lastIndex = from
  return from + (numericHost.exec(text)?.[0].length ?? 0)
}

/** True for a template that continues the address, and for marks without text. */
function isAddressPart(scan: Scan, node: PreNode): boolean {
  if (node.kind === 'inclusion') return node.form !== 'dropped'
  if (node.kind !== 'template' && node.kind !== 'argument') return false
  const { kind, text } = expansionOf(scan, node)
  return kind !== 'plain' && text !== '' && !/''|&(?:lt|gt);|\{\{/.test(text) && !hasBreak(text)
}

function hasBreak(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isAddressBreak(text.charCodeAt(at))) return true
  return false
}

/** `&lt;`, `&gt;` and spaces written as references end an address. */
function isEncodedBreak(text: string, at: number): boolean {
  return text[at] === '&' && /^&(?:lt|gt|nbsp|#x0*(?:3c|3e|a0)|#0*(?:60|62|160));/i.test(text.slice(at, at + 14))
}

/** The semicolon of a character reference is part of the address. */
function endsReference(text: string, from: number, end: number): boolean {
  return text[end - 1] === ';' && /&(?:[a-z]+|#x[\da-f]+|#\d+);$/i.test(text.slice(Math.max(from, end - 20), end))
}
