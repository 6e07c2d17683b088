/** The tree as HTML that is XML too. */

import type { ChildNode, ElementNode, FragmentNode, NodeData, ParentNode } from '../tree/node.ts'
import { tagSource, wholeKey } from '../tree/tag-source.ts'
import { textOf } from '../tree/walk.ts'

export interface SerialiseOptions {
  /** `edit` has `data-parsoid`. */
  readonly flavor: 'view' | 'edit'
  /** Offset in UTF-16 units to offset in UTF-8 bytes, for ranges. */
  readonly toBytes?: (offset: number) => number
  /** The page's text, so that tags are told as it has them. */
  readonly source?: string
  /** Gives ids to elements that have none; absent where they stay so. */
  readonly nextId?: () => string
  /** How many attributes hold what is written: HTML in JSON in an attribute of HTML. */
  readonly embedding?: number
}

/**
 * Most that HTML in attributes may lie in each other. Each time around quotes are escaped anew, which doubles them; what
 * lies deeper is told by its text and a comment.
 */
export const maximumEmbedding = 4

const voidNames: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const rawNames: ReadonlySet<string> = new Set(['style', 'script'])

/** Writes nodes. */
export function serialise(nodes: readonly ChildNode[], options: SerialiseOptions): string {
  const out: string[] = []
  for (const node of nodes) write(node, options, out)
  return out.join('')
}

function write(node: ChildNode, options: SerialiseOptions, out: string[]): void {
  if (node.kind === 'text') {
    out.push(isRaw(node.parent) ? node.text : escapeText(node.text))
  } else if (node.kind === 'comment') {
    out.push(`<!--${node.text}-->`)
  } else {
    writeElement(node, options, out)
  }
}

function isRaw(parent: ParentNode | null): boolean {
  return parent?.kind === 'element' && rawNames.has(parent.name)
}

function writeElement(node: ElementNode, options: SerialiseOptions, out: string[]): void {
  out.push('<', node.name)
  for (const [name, value] of node.attributes) writeAttribute(name, value, out)
  writeData(node, options, out)
  if (voidNames.has(node.name)) {
    out.push('/>')
    return
  }
  out.push('>')
  const [first] = node.children
  if (node.name === 'pre' && first?.kind === 'text' && first.text.startsWith('\n')) out.push('\n')
  for (const child of node.children) write(child, options, out)
  out.push('</', node.name, '>')
}

function writeData(node: ElementNode, options: SerialiseOptions, out: string[]): void {
  const { data, attributes } = node
  if (data.mw !== undefined) writeAttribute('data-mw', inOneLine(jsonOf(data.mw, options)), out)
  if (data.variant !== undefined) writeAttribute('data-mw-variant', jsonOf(data.variant, options), out)
  if (options.flavor === 'edit') writeAttribute('data-parsoid', JSON.stringify(parsoidOf(node, options)), out)
  if (options.nextId !== undefined && !attributes.has('id')) writeAttribute('id', options.nextId(), out)
}

/** Separators of lines and paragraphs are escaped, as other writers of this JSON do. */
function inOneLine(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** JSON whose fragments are written as HTML; maps are objects whose members keep their order. */
export function jsonOf(value: unknown, options: SerialiseOptions): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (isFragment(value)) return JSON.stringify(embeddedHtml(value, options))
  if (Array.isArray(value)) return `[${value.map(member => jsonOf(member, options)).join(',')}]`
  const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)
  const members = entries.filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member, options)}`).join(',')}}`
}

function embeddedHtml({ children }: FragmentNode, options: SerialiseOptions): string {
  const embedding = (options.embedding ?? 0) + 1
  if (embedding <= maximumEmbedding) return serialise(children, { ...options, embedding })
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
  const told = {
    ...(tag.open && { openSrc: tag.open }),
    ...(tag.close && { closeSrc: tag.close }),
    ...wholeSource(node, options),
  }
  return { ...parsoid, ...told, dsr: [toBytes(start), toBytes(end), open, close] }
}

function wholeSource(node: ElementNode, options: SerialiseOptions): Record<string, unknown> {
  const { range, isToldWhole, variant } = node.data
  if (!isToldWhole || !range || options.source === undefined) return {}
  const more = variant === undefined ? '' : jsonOf(variant, options)
  return { whole: [wholeKey(node, more), options.source.slice(range.start, range.end)] }
}

/** Writes ` name="value"`, in the quotes of which the value has fewer. */
function writeAttribute(name: string, value: string, out: string[]): void {
  const isPlain = !/[&<"]/.test(value)
  if (isPlain) {
    out.push(' ', name, '="', value, '"')
    return
  }
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const usesSingle = count(value, '"') > count(value, "'")
  if (usesSingle) out.push(' ', name, "='", escaped.replaceAll("'", '&apos;'), "'")
  else out.push(' ', name, '="', escaped.replaceAll('"', '&quot;'), '"')
}

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++
  return found
}

function escapeText(text: string): string {
  return /[&<]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
}
