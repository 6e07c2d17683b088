/** Rules about tables. */

import type { ElementNode } from '../../tree/node.ts'
import { textOf, walk } from '../../tree/walk.ts'
import { ancestorOf, isInvisible, isTag } from '../node-queries.ts'
import type { Finding } from '../rule.ts'

/** Maximum cells of a row that small screens show well. */
const columnsMax = 5
/** Maximum rows that are examined. */
const rowsRead = 10
const listItems: ReadonlySet<string> = new Set(['li', 'dd', 'dt'])

/** The rule of content that a table cannot hold. */
export function fostered(node: ElementNode): readonly Finding[] {
  if (node.name !== 'table') return []
  if (node.data.fostered === 'seen') return [{ type: 'fostered' }]
  return node.data.fostered === 'unseen' || holdsUnseen(node) ? [{ type: 'fostered-transparent' }] : []
}

/** Invisible content stays in the table, between its rows or cells. */
function holdsUnseen(node: ElementNode): boolean {
  return node.children.some(child => {
    if (child.kind !== 'element') return false
    if (child.name === 'link') return true
    return (child.name === 'tbody' || child.name === 'tr') && holdsUnseen(child)
  })
}

/** The rule of `{|` directly before another `{|`. */
export function deletableTable(node: ElementNode): readonly Finding[] {
  if (node.name !== 'table' || isTag(node) || node.data.range?.closeWidth !== 0) return []
  if (!isEmpty(node) || nextSeen(node)?.name !== 'table') return []
  return [{ type: 'deletable-table-tag', params: { name: 'table' } }]
}

function isEmpty(node: ElementNode): boolean {
  return node.children.every(
    child => isInvisible(child) || (child.kind === 'element' && child.name === 'tbody' && isEmpty(child)),
  )
}

function nextSeen(node: ElementNode): ElementNode | null {
  const siblings = node.parent?.children ?? []
  for (let i = siblings.indexOf(node) + 1; i < siblings.length; i++) {
    const sibling = siblings[i]!
    if (!isInvisible(sibling)) return sibling.kind === 'element' ? sibling : null
  }
  return null
}

/** The rule of tables with many columns; a table with nested tables is there for layout. */
export function largeTable(node: ElementNode): readonly Finding[] {
  if (node.name !== 'table') return []
  const rows = rowsOf(node)
  if (rows === null) return []
  const columns = Math.max(0, ...rows.slice(0, rowsRead).map(cellCount))
  return columns > columnsMax ? [{ type: 'large-tables', params: { name: 'table', columns, columnsMax } }] : []
}

/** The rows of a table; null if it holds another table. */
function rowsOf(table: ElementNode): ElementNode[] | null {
  const rows: ElementNode[] = []
  for (const { element: node, embedded } of walk(table)) {
    if (embedded) continue
    if (node.name === 'table') return null
    if (node.name === 'tr') rows.push(node)
  }
  return rows
}

function cellCount(row: ElementNode): number {
  return row.children.filter(child => child.kind === 'element' && (child.name === 'td' || child.name === 'th')).length
}

/** The rule of `<table>`s of several lines in a list item. */
export function tableInList(node: ElementNode): readonly Finding[] {
  if (node.name !== 'table' || !isTag(node)) return []
  const item = ancestorOf(node, listItems)
  if (item === null || isTag(item) || !textOf([node]).includes('\n')) return []
  return [{ type: 'multiline-html-table-in-list', params: { name: 'table', ancestorName: item.name } }]
}
