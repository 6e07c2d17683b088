/** `[address text]`. */

import { externalAttributes, externalImage } from '../links/external.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { cleanUrl, protocolOf } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element } from '../tree/node.ts'
import { walk } from '../tree/walk.ts'
import { maxDepth } from './depth.ts'
import { levelOf } from './link-shape.ts'
import { emit, expandedText, isCellSeparator, nodeFrom, pageRange, type Scan, scanPart } from './scan.ts'
import { describeTemplates } from './templated-parts.ts'

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

/** True if a link contains a link to a page, or a file. */
function holdsPageLink(nodes: readonly ChildNode[]): boolean {
  for (const { element: node, embedded } of walk(nodes)) {
    if (!embedded && (node.data.link !== undefined || node.data.media !== undefined)) return true
  }
  return false
}

/** Scans a link to an address; false if the bracket is text. */
export function scanExternalLink(scan: Scan): boolean {
  const { at } = scan
  if (scan.inLink || scan.depth >= maxDepth) return false
  const addressEnd = endOfAddress(scan, at + 1)
  if (addressEnd === at + 1) return false
  const source = expandedText(scan, at + 1, addressEnd)
  const protocol = protocolOf(source)
  if (protocol === undefined || source.length === protocol.length || !isAddress(source)) return false
  if (isControl(scan.text.charCodeAt(addressEnd))) return false
  const end = endOfLink(scan, addressEnd)
  return end !== -1 && emitLink(scan, { source, addressEnd, end })
}

/** Returns true if an expanded text as a whole is an address. */
function isAddress(source: string): boolean {
  bracketedHost.lastIndex = 0
  return !/[\s[\]<>"]/.test(source.slice(bracketedHost.exec(source)?.[0].length ?? 0))
}

/** Control characters are not part of addresses, and do not end them. */
function isControl(unit: number): boolean {
  return unit > 0 && unit < 32 && !(unit >= 9 && unit <= 13)
}

/** An address with an IPv6 host: the only brackets that addresses have. */
const bracketedHost = /(?:[a-z][a-z0-9+.-]*:)?\/\/\[[0-9a-f:.]{2,60}\]/iy

/** Offset after the last character of an address, templates included. */
function endOfAddress(scan: Scan, from: number): number {
  const { text } = scan
  if (text[from] !== '/' && text[from] !== '{' && !/[a-z]/i.test(text[from] ?? '')) return from
  bracketedHost.lastIndex = from
  let at = from + (bracketedHost.exec(text)?.[0].length ?? 0)
  while (at < scan.end) {
    const node = nodeFrom(scan, at)
    if (node !== undefined && node.kind !== 'extension') {
      at = node.end
    } else if (isAddressBreak(text.charCodeAt(at)) || text.startsWith("''", at) || isCellSeparator(scan, at)) {
      return at
    } else {
      at++
    }
  }
  return at
}

/** Characters that no address contains. */
export function isAddressBreak(unit: number): boolean {
  if (unit <= 32) return true
  if (unit < 128) return unit === 91 || unit === 93 || unit === 60 || unit === 62 || unit === 34 || unit === 127
  return unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x202f || unit === 0x205f
}

/** Offset of the `]` on this line that ends the link; -1 if there is none. */
function endOfLink(scan: Scan, from: number): number {
  const { text, end } = scan
  if (from < scan.noCloseBefore) return -1
  let at = from
  while (at < end) {
    const node = nodeFrom(scan, at)
    const unit = text.charCodeAt(at)
    if (node === undefined && unit === 93) return at
    if (node === undefined && (unit === 10 || isCellSeparator(scan, at))) break
    at = node?.end ?? (unit === 91 ? scan.brackets.get(at) : undefined) ?? at + 1
  }
  scan.noCloseBefore = Math.min(at, end)
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
  while (textStart < end && /[\s\0]/.test(text[textStart]!)) textStart++
  const inner = scanPart(scan, textStart, end, { hasLines: false, inLink: true })
  scan.run.scanTo(inner, end)
  const image = externalImage(text.slice(textStart, end).trim(), scan.run.site)
  const children = image === null ? scan.run.inlineNodes(inner.out) : [image]
  const kind = textStart === end ? 'autonumber' : 'text'
  const cut = children.findIndex(isLinkItself)
  const within = cut === -1 ? children : children.slice(0, cut)
  const link = externalLink(scan, href, { kind, children: within })
  describeTemplates(scan, link, [['href', at + 1, addressEnd]])
  link.data.widths = { open: textStart - at, close: 1 }
  if (text.slice(addressEnd, textStart) !== ' ' || source !== href) link.data.keepsSource = true
  if (holdsPageLink(children)) link.data.problems = [{ type: 'wikilink-in-extlink' }]
  for (const node of cut === -1 ? [] : children.slice(cut)) if (node.kind === 'element') node.data.endsLink = true
  const range = pageRange(scan, at, end + 1)
  const after =
    cut === -1 ? [] : children.slice(cut).map(child => (child.kind === 'text' ? element('span', [], [child]) : child))
  if (cut !== -1 && range.start !== -1) link.data.range = { ...range, openWidth: textStart - at, closeWidth: 1 }
  const hasFigure = after.some(child => child.kind === 'element' && child.name === 'figure')
  const level = hasFigure ? 'block' : levelOf(within, false)
  emit(scan, { kind: 'atom', level, nodes: [link, ...after], ...range }, at, end + 1)
  return true
}

/** Links cannot nest: an inner link ends the outer one, and the rest is not a link. */
function isLinkItself(node: ChildNode): boolean {
  if (node.kind !== 'element') return false
  if (node.name === 'a') return true
  const isFile = /(?:^|\s)mw:File\b/.test(node.attributes.get('typeof') ?? '')
  return isFile && node.children.some(child => child.kind === 'element' && child.name === 'a')
}
