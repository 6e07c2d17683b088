/** Parses HTML to the tree that is serialised: reads the attributes for editors, and drops generated elements. */

import {
  type ChildNode,
  type ElementNode,
  type FragmentNode,
  fragment,
  type ParentNode,
} from '../wikitext/tree/node.ts'
import { parseHtml } from '../wikitext/tree/parse-html.ts'
import { elementsOf } from './node-queries.ts'

/** Parses HTML. */
export function readTree(html: string): FragmentNode {
  const body = parseHtml(html)
  for (const node of elementsOf(body)) readData(node)
  return fragment(withoutWrappers(body))
}

function readData(node: ElementNode): void {
  const json = node.attributes.get('data-parsoid')
  const mw = withOrder(jsonOf(node.attributes.get('data-mw')), node.attributes.get('data-mw'))
  if (json !== undefined) node.attributes.delete('data-parsoid')
  const parsoid = jsonOf(json)
  if (parsoid !== null) {
    node.data.parsoid = parsoid
    node.data.range = rangeOf(parsoid.dsr)
  }
  if (mw !== null) node.data.mw = mw
}

function rangeOf(dsr: unknown): (ElementNode['data']['range'] & object) | null {
  if (!Array.isArray(dsr)) return null
  const [start, end, openWidth, closeWidth] = dsr as unknown[]
  if (!isOffset(start) || !isOffset(end) || end < start) return null
  return {
    start,
    end,
    openWidth: isOffset(openWidth) ? openWidth : null,
    closeWidth: isOffset(closeWidth) ? closeWidth : null,
  }
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function jsonOf(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

type Json = Record<string, unknown>

/** Numbers the parameters of calls that mix numbers and names: an object lists its numeric keys first, the JSON need not. */
function withOrder(mw: Json | null, text: string | undefined): Json | null {
  if (mw === null || !Array.isArray(mw.parts) || !mw.parts.some(isMixed)) return mw
  // A quote after a backslash is inside a string, so only keys match.
  const marked = text!.replace(/(?<!\\)"(\d+)"(?=\s*:)/g, '"\\u0000$1"')
  return JSON.parse(marked, (_, value: unknown) => (isObject(value) ? unmarked(value) : value)) as Json
}

function isMixed(part: unknown): boolean {
  const calls = isObject(part) ? Object.values(part) : []
  return calls.some(call => {
    const names = isObject(call) && isObject(call.params) ? Object.keys(call.params) : []
    return names.some(name => /^\d+$/.test(name)) && names.some(name => /\D/.test(name))
  })
}

function unmarked(value: Json): Json {
  const entries = Object.entries(value)
  if (!entries.some(([key]) => key.startsWith('\0'))) return value
  return Object.fromEntries(
    entries.map(([key, held], index) => [key.replace('\0', ''), isObject(held) ? { order: index + 1, ...held } : held]),
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const dropped: ReadonlySet<string> = new Set(['script', 'style', 'title', 'base', 'head', 'noscript', 'template'])

/** Unwraps sections, and removes elements that no page may contain. */
function withoutWrappers(parent: ParentNode): ChildNode[] {
  const taken: ChildNode[] = []
  for (const child of parent.children) {
    if (child.kind !== 'element') taken.push(child)
    else if (child.name === 'section' && child.attributes.has('data-mw-section-id'))
      for (const held of withoutWrappers(child)) taken.push(held)
    else if (!dropped.has(child.name) || child.attributes.has('typeof')) taken.push(tidied(child))
  }
  for (const child of taken) child.parent = null
  return joined(taken)
}

function tidied(node: ElementNode): ElementNode {
  if (!node.children.some(child => child.kind === 'element')) return node
  const children = withoutWrappers(node)
  node.children.length = 0
  for (const child of children) {
    child.parent = node
    node.children.push(child)
  }
  return node
}

function joined(nodes: ChildNode[]): ChildNode[] {
  const out: ChildNode[] = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (node.kind === 'text' && last?.kind === 'text') last.text += node.text
    else out.push(node)
  }
  return out
}
