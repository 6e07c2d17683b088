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
  const parts: unknown[] = Array.isArray(mw?.parts) ? mw.parts : []
  if (!parts.some(part => callsIn(part).some(isMixed))) return mw
  // A quote after a backslash is inside a string, so only keys match. Objects keep the order of marked keys.
  const marked = JSON.parse(text!.replace(/(?<!\\)"(\d+)"(?=\s*:)/g, '"\\u0000$1"')) as { readonly parts: unknown[] }
  const ordered = marked.parts.flatMap(callsIn)
  for (const [index, call] of parts.flatMap(callsIn).entries())
    if (isMixed(call)) setOrder(call.params, Object.keys(ordered[index]!.params))
  return mw
}

/** A template, a function or the like, with its parameters. */
interface Call {
  readonly params: Json
}

function callsIn(part: unknown): Call[] {
  const calls = isObject(part) ? Object.values(part) : []
  return calls.filter((call): call is Json & Call => isObject(call) && isObject(call.params))
}

function isMixed({ params }: Call): boolean {
  const names = Object.keys(params)
  return names.some(name => /^\d+$/.test(name)) && names.some(name => /\D/.test(name))
}

function setOrder(params: Json, markedKeys: readonly string[]): void {
  for (const [index, key] of markedKeys.entries()) {
    const name = key.replace('\0', '')
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (isObject(value)) params[name] = { order: index + 1, ...value }
  }
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
