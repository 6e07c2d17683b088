/** Attributes of tags and of a table's parts. */

import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import type { NodeData } from '../tree/node.ts'
import { expandedText, type Scan } from './scan.ts'
import { noAttributes } from './token.ts'

export interface TagAttributes {
  readonly attributes: ReadonlyMap<string, string>
  readonly data: NodeData
}

const nothing: TagAttributes = { attributes: noAttributes, data: {} }

/** Reads and cleans the attributes of a tag in a stretch of the scan's text. */
export function readAttributes(scan: Scan, tag: string, start: number, end: number): TagAttributes {
  if (start >= end) return nothing
  const text = expandedText(scan, start, end)
  if (text.trim() === '') return nothing
  const pairs = parseAttributes(text)
  const { kept, changed } = sanitizeAttributes(tag, pairs)
  if (changed.size === 0) return { attributes: kept, data: {} }
  return { attributes: kept, data: { parsoid: changedNames(pairs, changed) } }
}

function changedNames(pairs: readonly (readonly [string, string])[], changed: ReadonlyMap<string, string | null>) {
  const values = new Map(pairs)
  return {
    a: Object.fromEntries(changed),
    sa: Object.fromEntries([...changed.keys()].map(name => [name, values.get(name) ?? ''])),
  }
}

const nameEnds = /[\s=>/]/
const attributeName = /^[:_\p{L}\p{N}-][:_.\p{L}\p{N}-]*$/u

/** Splits text into names and decoded values; what is no attribute is passed over. */
export function parseAttributes(text: string): [name: string, value: string][] {
  const found: [string, string][] = []
  let at = 0
  while (at < text.length) {
    if (/[\s/]/.test(text[at]!)) {
      at++
      continue
    }
    const nameEnd = endOfName(text, at)
    const name = text.slice(at, nameEnd)
    const value = readValue(text, nameEnd)
    if (attributeName.test(name)) found.push([name.toLowerCase(), cleanSpace(decodeEntities(value.text))])
    at = value.end
  }
  return found
}

function endOfName(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && !nameEnds.test(text[at]!)) at++
  return at
}

/** Reads `= value` after a name; nothing where no `=` follows. */
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
  while (end < text.length && !/\s/.test(text[end]!)) end++
  return { text: text.slice(start, end), end }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at
}

function cleanSpace(text: string): string {
  return text.replace(/[\t\n\r ]+/g, ' ').trim()
}
