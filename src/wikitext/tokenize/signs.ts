/** Character references and behaviour switches. */

import { decodeEntity } from '../sanitize/entities.ts'
import { type ElementNode, element, textNode } from '../tree/node.ts'
import { emit, pageOffset, pageRange, type Scan } from './scan.ts'

const longestReference = 40
const reference = /^&[#\p{L}\p{N}]+;$/u

/** Scans `&name;`; false if it is none. */
export function scanEntity(scan: Scan): boolean {
  const { at, text } = scan
  const semicolon = text.slice(at, at + longestReference).indexOf(';')
  if (semicolon < 2 || at + semicolon >= scan.end) return false
  const source = text.slice(at, at + semicolon + 1)
  if (!reference.test(source)) return false
  const decoded = decodeEntity(source)
  if (decoded === null || (decoded === '\ufffd' && !/^&#(?:65533|x0*fffd);$/i.test(source))) return false
  const span = entityNode(source, decoded)
  const range = pageRange(scan, at, at + source.length)
  emit(scan, { kind: 'atom', level: 'inline', nodes: [span], ...range }, at, at + source.length)
  return true
}

/** Makes the element of a character reference. */
export function entityNode(source: string, decoded: string): ElementNode {
  const span = element('span', [['typeof', 'mw:Entity']], [textNode(decoded)])
  span.data = { parsoid: { src: source, srcContent: decoded } }
  return span
}

/** Scans `__TOC__` and the like; false if it is none. */
export function scanSwitch(scan: Scan): boolean {
  const { at, text } = scan
  const sign = text[at]!
  const { switches } = scan.run.site
  if (text[at + 1] !== sign || (sign !== '_' && sign !== switches.otherSign)) return false
  const close = text.slice(at + 2, at + 2 + longestReference).indexOf(sign + sign)
  const end = at + close + 4
  if (close < 1 || end > scan.end) return false
  const source = text.slice(at, end)
  const name = switches.propertyOf(source)
  if (name === undefined) return false
  const meta = element('meta', [['property', `mw:PageProp/${name}`]])
  meta.data = { parsoid: { src: source, magicSrc: source } }
  emit(
    scan,
    { kind: 'atom', level: 'transparent', nodes: [meta], start: pageOffset(scan, at), end: pageOffset(scan, end) },
    at,
    end,
  )
  return true
}
