/** Attributes of tags and of the parts of a table. */

import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { type FragmentNode, fragment, type NodeData } from '../tree/node.ts'
import { textOf } from '../tree/walk.ts'
import { annotationsBetween, annotationTypes } from './annotation-tags.ts'
import { expandedText, hasNodes, nodeFrom, nodesBetween, type Scan, scanPart } from './scan.ts'
import { noAttributes } from './token.ts'

export interface TagAttributes {
  readonly attributes: ReadonlyMap<string, string>
  readonly data: NodeData
}

const nothing: TagAttributes = { attributes: noAttributes, data: {} }

/** Scans and sanitises the attributes of a tag in a range of the scanned text. */
export function readAttributes(scan: Scan, tag: string, start: number, end: number): TagAttributes {
  if (start >= end) return nothing
  const tags = annotationsBetween(scan.text, scan.annotations, { start, end })
  if (!hasNodes(scan, start, end) && !holdsVariant(scan, start, end) && tags.length === 0)
    return attributesOf(tag, scan.text.slice(start, end))
  const rows: AttributeRow[] = []
  const pairs = spansOf(scan, start, end).flatMap(span => readSpan(scan, span, rows))
  const clean = cleanPairs(tag, pairs)
  if (rows.length === 0) return clean
  const attributes = new Map(clean.attributes)
  attributes.set('about', scan.run.about())
  attributes.set('typeof', ['mw:ExpandedAttrs', ...annotationTypes(tags)].join(' '))
  return { attributes, data: { ...clean.data, mw: { attribs: rows } } }
}

/** One row of `attribs` in `data-mw`: name and value, with the HTML from templates in them. */
type AttributeRow = [name: { txt: string; html?: FragmentNode }, value: { html: FragmentNode | string }]

/** One attribute of source text, as offsets; the value's are -1 if there is none. */
interface AttributeSpan {
  readonly nameStart: number
  readonly nameEnd: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Splits source text into attributes; nodes of the preprocessor are not split. */
function spansOf(scan: Scan, start: number, end: number): AttributeSpan[] {
  const spans: AttributeSpan[] = []
  for (let at = start; at < end; ) {
    if (/[\t\n\f\r /]/.test(scan.text[at]!)) {
      at++
      continue
    }
    const nameEnd = passUntil(scan, at, end, nameEnds)
    const value = valueSpan(scan, nameEnd, end)
    spans.push({ nameStart: at, nameEnd, valueStart: value.start, valueEnd: value.end })
    at = Math.max(value.next, at + 1)
  }
  return spans
}

function valueSpan(scan: Scan, from: number, end: number): { start: number; end: number; next: number } {
  const { text } = scan
  const equals = skipSpace(text, from)
  if (equals >= end || text[equals] !== '=') return { start: -1, end: -1, next: from }
  const start = skipSpace(text, equals + 1)
  const quote = text[start]
  if (start < end && (quote === '"' || quote === "'")) {
    const close = passUntil(scan, start + 1, end, quote === '"' ? /"/ : /'/)
    return { start: start + 1, end: close, next: close + 1 }
  }
  const close = passUntil(scan, start, end, space)
  return { start, end: close, next: close }
}

function passUntil(scan: Scan, from: number, end: number, stop: RegExp): number {
  let at = from
  while (at < end) {
    const node = nodeFrom(scan, at)
    if (node !== undefined) at = node.end
    else if (stop.test(scan.text[at]!)) return at
    else at++
  }
  return Math.min(at, end)
}

function readSpan(scan: Scan, span: AttributeSpan, rows: AttributeRow[]): [string, string][] {
  const { nameStart, nameEnd, valueStart, valueEnd } = span
  const name = attributeText(scan, nameStart, nameEnd)
  const value = valueStart === -1 ? null : attributeText(scan, valueStart, valueEnd)
  const makesName = isExpanded(scan, nameStart, nameEnd)
  const makesValue = value !== null && isExpanded(scan, valueStart, valueEnd)
  const pairs = makesName
    ? parseAttributes(value === null ? name : `${name}="${value.replaceAll('"', '&quot;')}"`)
    : [[name.toLowerCase(), decodeEntities(value ?? '')] as [string, string]]
  const html = makesValue ? htmlOf(scan, valueStart, valueEnd) : (value ?? '')
  if (makesName) rows.push([{ txt: pairs[0]?.[0] ?? name.trim(), html: htmlOf(scan, nameStart, nameEnd) }, { html }])
  else if (makesValue) rows.push([{ txt: pairs[0]![0] }, { html }])
  return pairs.filter(([one]) => attributeName.test(one))
}

/** True if the text contains a template, an extension tag, a language variant or the like. */
function isExpanded(scan: Scan, start: number, end: number): boolean {
  if (holdsVariant(scan, start, end)) return true
  if (annotationsBetween(scan.text, scan.annotations, { start, end }).length > 0) return true
  return nodesBetween(scan, start, end).some(node => node.kind !== 'comment' && node.kind !== 'text')
}

function holdsVariant(scan: Scan, start: number, end: number): boolean {
  return variantFrom(scan, start, end) !== undefined
}

/** The first `-{ ... }-` in a range of text, in a language with variants. */
function variantFrom({ text, brackets }: Scan, start: number, end: number): { start: number; end: number } | undefined {
  const range = text.slice(start, end)
  for (let at = range.indexOf('-{'); at !== -1; at = range.indexOf('-{', at + 2)) {
    const close = brackets.get(start + at)
    if (close !== undefined && close <= end) return { start: start + at, end: close }
  }
  return undefined
}

/** Renders a range of text to HTML for `data-mw`. */
export function htmlOf(scan: Scan, start: number, end: number, inLink = scan.inLink): FragmentNode {
  const inner = scanPart(scan, start, end, { hasLines: false, inLink })
  scan.run.scanTo(inner, end)
  return fragment(scan.run.inlineNodes(inner.out))
}

/**
 * Text for an attribute: templates are expanded, extension tags replaced by their text, and language variants left out. The line break before block markup
 * at the start of a template's text is left out.
 */
function attributeText(scan: Scan, start: number, end: number): string {
  let from = start
  let text = ''
  for (let one = variantFrom(scan, from, end); one !== undefined; one = variantFrom(scan, from, end)) {
    text += expandedValue(scan, from, one.start)
    from = one.end
  }
  return text + expandedValue(scan, from, end)
}

function expandedValue(scan: Scan, start: number, end: number): string {
  const found = nodesBetween(scan, start, end)
  if (found.some(node => node.kind === 'extension')) return textOf(htmlOf(scan, start, end).children)
  const text = withoutTags(expandedText(scan, start, end))
  return found.length === 0 ? text : text.replace(/\n(?=[:;#*])/g, '')
}

/** Removes extension tags from expanded text; the content of nowiki stays. */
function withoutTags(text: string): string {
  if (!text.includes('<')) return text
  // After the last end tag there is none: searching for more would scan the whole rest each time.
  const end = text.lastIndexOf('>') + 1
  const plain = text.slice(0, end).replace(/<nowiki\b[^>]*\/>|<\/?nowiki\b[^>]*>/gi, '') + text.slice(end)
  return plain.replace(/<([a-z]+)\b[^<>]*>[^<]*<\/\1\s*>/gi, '')
}

/** Scans and sanitises attributes of expanded text. */
export function attributesOf(tag: string, text: string): TagAttributes {
  if (text.trim() === '') return nothing
  return cleanPairs(tag, parseAttributes(withoutTags(text)))
}

function cleanPairs(tag: string, pairs: readonly (readonly [string, string])[]): TagAttributes {
  const { allowed, changed } = sanitizeAttributes(tag, pairs)
  if (changed.size === 0) return { attributes: allowed, data: {} }
  return { attributes: allowed, data: { parsoid: changedNames(pairs, changed) } }
}

function changedNames(pairs: readonly (readonly [string, string])[], changed: ReadonlyMap<string, string | null>) {
  const values = new Map(pairs)
  return {
    a: Object.fromEntries(changed),
    sa: Object.fromEntries([...changed.keys()].map(name => [name, values.get(name) ?? ''])),
  }
}

/** White space in tags is that of HTML: any other, such as a no-break space, is part of a name or value. */
const space = /[\t\n\f\r ]/
const nameEnds = /[\t\n\f\r =>/]/
const attributeName = /^[:_\p{L}\p{N}-][:_.\p{L}\p{N}-]*$/u

/** Splits text into names and decoded values; anything but attributes of HTML is skipped. */
function parseAttributes(text: string): [name: string, value: string][] {
  return splitAttributes(text)
    .filter(([name]) => attributeName.test(name))
    .map(([name, value]) => [name, decodeEntities(value)])
}

/** Splits the attributes of an extension tag: any names, white space in values as one space. */
export function parseExtensionAttributes(text: string): [name: string, value: string][] {
  return splitAttributes(text).map(([name, value]) => [
    name,
    decodeEntities(value.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '')),
  ])
}

function splitAttributes(text: string): [name: string, value: string][] {
  const found: [string, string][] = []
  let at = 0
  while (at < text.length) {
    if (/[\t\n\f\r /]/.test(text[at]!)) {
      at++
      continue
    }
    const nameEnd = endOfName(text, at)
    const name = text.slice(at, nameEnd)
    const value = readValue(text, nameEnd)
    found.push([name.toLowerCase(), value.text])
    at = value.end
  }
  return found
}

function endOfName(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && !nameEnds.test(text[at]!)) at++
  return at
}

/** Scans `= value` after a name; nothing if no `=` follows. */
function readValue(text: string, from: number): { text: string; end: number } {
  const equals = skipSpace(text, from)
  if (text[equals] !== '=') return { text: '', end: from }
  const start = skipSpace(text, equals + 1)
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, start + 1)
    const end = close === -1 ? text.length : close
    return { text: text.slice(start + 1, end), end: end + 1 }
  }
  let end = start
  while (end < text.length && !space.test(text[end]!)) end++
  return { text: text.slice(start, end), end }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && space.test(text[at]!)) at++
  return at
}
