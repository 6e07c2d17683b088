/** Writes the tree as HTML that is also valid XML. */

import type { ChildNode, ElementNode, FragmentNode, NodeData, ParentNode } from '../tree/node.ts'
import { tagSource, wholeKey } from '../tree/tag-source.ts'
import { textOf } from '../tree/walk.ts'

export interface SerialiseOptions {
  /** `edit` has `data-parsoid`. */
  readonly flavor: 'view' | 'edit'
  /** Offset in UTF-16 units to offset in UTF-8 bytes, for ranges. */
  readonly toBytes?: (offset: number) => number
  /** The page's text, to describe tags as written. */
  readonly source?: string
  /** Gives ids to elements that have none; if absent, they get none. */
  readonly nextId?: () => string
  /** Nesting depth of HTML inside attributes: HTML in JSON in an attribute of HTML. */
  readonly embedding?: number
}

/**
 * Maximum nesting of HTML in attributes. Each level escapes quotes again, which doubles them; deeper content is replaced by its
 * text and a comment.
 */
const maxEmbedding = 4

const voidNames: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const rawNames: ReadonlySet<string> = new Set(['style', 'script'])

/** Writes nodes. */
export function serialise(nodes: readonly ChildNode[], options: SerialiseOptions): string {
  let html = ''
  for (const node of nodes) html += nodeHtml(node, options)
  return html
}

function nodeHtml(node: ChildNode, options: SerialiseOptions): string {
  if (node.kind === 'text') return isRaw(node.parent) ? node.text : escapeText(node.text)
  return node.kind === 'comment' ? `<!--${node.text}-->` : elementHtml(node, options)
}

function isRaw(parent: ParentNode | null): boolean {
  return parent?.kind === 'element' && rawNames.has(parent.name)
}

function elementHtml(node: ElementNode, options: SerialiseOptions): string {
  const { name, attributes, children } = node
  let html = `<${name}`
  for (const [key, value] of attributes) html += attributeHtml(key, value)
  html += dataHtml(node, options)
  if (voidNames.has(name)) return `${html}/>`
  html += '>'
  const first = children[0]
  if (name === 'pre' && first?.kind === 'text' && first.text.startsWith('\n')) html += '\n'
  for (const child of children) html += nodeHtml(child, options)
  return `${html}</${name}>`
}

function dataHtml(node: ElementNode, options: SerialiseOptions): string {
  const { data, attributes } = node
  let html = ''
  if (data.mw !== undefined) html += attributeHtml('data-mw', inOneLine(jsonOf(inBytes(data, options), options)))
  if (data.variant !== undefined) html += attributeHtml('data-mw-variant', jsonOf(data.variant, options))
  if (options.flavor === 'edit') html += attributeHtml('data-parsoid', JSON.stringify(parsoidOf(node, options)))
  if (options.nextId !== undefined && !attributes.has('id')) html += ` id="${options.nextId()}"`
  return html
}

/** The offsets of an annotation's tag count as ranges do. */
function inBytes({ mw, annotation }: NodeData, { toBytes }: SerialiseOptions): NodeData['mw'] {
  const offsets = annotation?.offsets
  if (offsets == null || toBytes === undefined || mw?.wtOffsets === undefined) return mw
  return { ...mw, wtOffsets: [toBytes(offsets.start), toBytes(offsets.end)] }
}

/** Line and paragraph separators are escaped, as other writers of this JSON do. */
function inOneLine(json: string): string {
  return /[\u2028\u2029]/.test(json) ? json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') : json
}

/** JSON whose fragments are written as HTML; maps become objects whose members keep their order. */
export function jsonOf(value: unknown, options: SerialiseOptions): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (isFragment(value)) return quoted(embeddedHtml(value, options))
  if (Array.isArray(value)) return `[${value.map(member => jsonOf(member, options)).join(',')}]`
  let json = ''
  for (const [name, member] of value instanceof Map ? (value as Map<string, unknown>) : Object.entries(value)) {
    if (member === undefined) continue
    json += json === '' ? '{' : ','
    json += `${quoted(name)}:${jsonOf(member, options)}`
  }
  return json === '' ? '{}' : `${json}}`
}

/** A string of JSON. Most need no escapes, and detecting that is faster than writing them. */
function quoted(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

const needsEscape = /[^ !#-[\]-\u007e\u00a0-\ud7ff\ue000-\ufffd]/

function embeddedHtml({ children }: FragmentNode, options: SerialiseOptions): string {
  const embedding = (options.embedding ?? 0) + 1
  if (embedding <= maxEmbedding) return serialise(children, { ...options, embedding })
  return `${escapeText(textOf(children))}<!--nested too deeply-->`
}

function isFragment(value: unknown): value is FragmentNode {
  return typeof value === 'object' && value !== null && (value as FragmentNode).kind === 'fragment'
}

function parsoidOf(node: ElementNode, options: SerialiseOptions): Record<string, unknown> {
  const { toBytes, source } = options
  const { range, parsoid }: NodeData = node.data
  if (!range || range.start < 0 || range.end < 0 || toBytes === undefined) return { ...parsoid }
  const { start, end, openWidth, closeWidth } = range
  const open = openWidth === null ? null : toBytes(start + openWidth) - toBytes(start)
  const close = closeWidth === null ? null : toBytes(end) - toBytes(end - closeWidth)
  const tag = source === undefined ? {} : tagSource(node, range, source)
  const recorded = {
    ...(tag.open && { openSrc: tag.open }),
    ...(tag.close && { closeSrc: tag.close }),
    ...wholeSource(node, options),
  }
  return { ...parsoid, ...recorded, dsr: [toBytes(start), toBytes(end), open, close] }
}

function wholeSource(node: ElementNode, options: SerialiseOptions): Record<string, unknown> {
  const { range, keepsSource, variant } = node.data
  if (!keepsSource || !range || options.source === undefined) return {}
  const more = variant === undefined ? '' : jsonOf(variant, options)
  return { whole: [wholeKey(node, more), options.source.slice(range.start, range.end)] }
}

/** Writes ` name="value"`, in the kind of quotes that the value contains less often. */
function attributeHtml(name: string, value: string): string {
  if (!/[&<"]/.test(value)) return ` ${name}="${value}"`
  const escaped = escapeText(value)
  const usesSingle = count(value, '"') > count(value, "'")
  return usesSingle
    ? ` ${name}='${escaped.replaceAll("'", '&apos;')}'`
    : ` ${name}="${escaped.replaceAll('"', '&quot;')}"`
}

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++
  return found
}

function escapeText(text: string): string {
  return /[&<]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
}
