/** JSON as a table. */

import { type ElementNode, element, textNode } from '../tree/node.ts'

/** Maximum depth of nested tables. */
const maxJsonDepth = 100

/** Makes the table of a JSON text; null if it is not valid or nested too deeply. Source: Parsoid's JSON content. */
export function jsonTable(text: string): ElementNode | null {
  if (depthOf(text) > maxJsonDepth) return null
  const value = parse(text)
  if (value === undefined) return null
  if (typeof value === 'object' && value !== null) return tableOf(value)
  return table('single-value', [element('tr', [], [cellOf(value)])])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Counts open brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth)
    else if (sign === ']' || sign === '}') depth--
  }
  return deepest
}

function tableOf(value: object): ElementNode {
  if (Array.isArray(value)) {
    const rows = value.map(member => element('tr', [], [cellOf(member)]))
    return table('array', rows.length > 0 ? rows : [emptyRow('Empty array')])
  }
  const rows = Object.entries(value).map(([key, member]) =>
    element('tr', [], [element('th', [], [textNode(key)]), cellOf(member)]),
  )
  return table('object', rows.length > 0 ? rows : [emptyRow('Empty object')])
}

function table(kind: string, rows: readonly ElementNode[]): ElementNode {
  return element('table', [['class', `mw-json mw-json-${kind}`]], [element('tbody', [], rows)])
}

function emptyRow(text: string): ElementNode {
  return element('tr', [], [element('td', [['class', 'mw-json-empty']], [textNode(text)])])
}

function cellOf(value: unknown): ElementNode {
  if (typeof value === 'object' && value !== null) return element('td', [], [tableOf(value)])
  const kind = value === null ? 'null' : typeof value
  return element('td', [['class', `value mw-json-${kind}`]], [textNode(`${value}`)])
}
