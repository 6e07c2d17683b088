/** `[address text]`. */

import { externalAttributes } from '../links/external.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { cleanUrl, protocolOf } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element } from '../tree/node.ts'
import { maximumDepth } from './depth.ts'
import { emit, expandedText, pageRange, type Scan, scanPart } from './scan.ts'

/** Makes the element of a link to an address. */
export function externalLink(
  { run }: Scan,
  href: string,
  { kind, children }: { kind: 'free' | 'text' | 'autonumber'; children: readonly ChildNode[] },
): ElementNode {
  const own = externalAttributes(href, run.site)
  const rel = ['mw:ExtLink', ...own.filter(([name]) => name === 'rel').map(([, value]) => value)].join(' ')
  const rest = own.filter(([name]) => name !== 'rel')
  return element('a', [['rel', rel], ['href', href], ['class', `external ${kind}`], ...rest], children)
}

/** Reads a link to an address; false where the bracket is text. */
export function scanExternalLink(scan: Scan): boolean {
  const { at } = scan
  if (scan.inLink || scan.depth >= maximumDepth) return false
  const addressEnd = endOfAddress(scan, at + 1)
  if (addressEnd === at + 1) return false
  const source = expandedText(scan, at + 1, addressEnd)
  const protocol = protocolOf(source)
  if (protocol === undefined || source.length === protocol.length || /[\s[\]<>"]/.test(source)) return false
  const end = endOfLink(scan, addressEnd)
  return end !== -1 && emitLink(scan, { source, addressEnd, end })
}

/** Offset after the last character of an address, templates included. */
export function endOfAddress(scan: Scan, from: number): number {
  const { text } = scan
  let at = from
  if (text[from] !== '/' && text[from] !== '{' && !/[a-z]/i.test(text[from] ?? '')) return from
  while (at < scan.end) {
    const node = scan.nodeAt.get(at)
    if (node !== undefined && (node.kind === 'template' || node.kind === 'argument' || node.kind === 'comment')) {
      at = node.end
      continue
    }
    if (isAddressEnd(text, at, from)) return at
    at++
  }
  return at
}

const bracketHost = /\/\/\[[0-9a-f:.]+\]/iy

function isAddressEnd(text: string, at: number, from: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit === 91 && text.startsWith('//', at - 2) && at - from < 20) {
    bracketHost.lastIndex = at - 2
    if (bracketHost.test(text)) return false
  }
  if (unit === 93) {
    const open = text.lastIndexOf('//[', at)
    return open < from || at - open > 60 || text.slice(open + 3, at).includes(']')
  }
  return isAddressBreak(unit)
}

/** Characters that no address holds. */
export function isAddressBreak(unit: number): boolean {
  if (unit <= 32) return true
  if (unit < 128) return unit === 91 || unit === 93 || unit === 60 || unit === 62 || unit === 34 || unit === 127
  return unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x202f || unit === 0x205f
}

/** Offset of the `]` on this line that ends the link; -1 where there is none. */
function endOfLink(scan: Scan, from: number): number {
  const { text, end } = scan
  let at = from
  while (at < end) {
    const node = scan.nodeAt.get(at)
    if (node !== undefined) {
      at = node.end
      continue
    }
    const unit = text.charCodeAt(at)
    if (unit === 93) return at
    if (unit === 10) return -1
    at = (unit === 91 ? scan.brackets.get(at) : undefined) ?? at + 1
  }
  return -1
}

interface LinkRange {
  readonly source: string
  readonly addressEnd: number
  readonly end: number
}

function emitLink(scan: Scan, { source, addressEnd, end }: LinkRange): boolean {
  const href = cleanUrl(decodeEntities(source))
  if (href === null) return false
  const { at, text } = scan
  let textStart = addressEnd
  while (textStart < end && /\s/.test(text[textStart]!)) textStart++
  const inner = scanPart(scan, textStart, end, { hasLines: false, inLink: true })
  scan.run.scanTo(inner, end)
  const children = scan.run.inlineNodes(inner.out)
  const kind = textStart === end ? 'autonumber' : 'text'
  const link = externalLink(scan, href, { kind, children })
  emit(scan, { kind: 'atom', level: 'inline', nodes: [link], ...pageRange(scan, at, end + 1) }, at, end + 1)
  return true
}
