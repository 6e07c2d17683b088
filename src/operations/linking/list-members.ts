/** The lists of pages and titles by their links, and the lists that a node of the graph is in. */

import { inTurns, type Pause, sortInTurns } from '../workers/pause.ts'
import { LinkTable } from './link-table.ts'
import {
  type GraphParts,
  kindNumbers,
  kindOf,
  type ListMembership,
  nodeFlags,
  otherEnd,
  type Segment,
  type TableParts,
} from './table-parts.ts'

/** The lists, in the order of their numbers. */
export const listNames = [
  'orphans',
  'dead-ends',
  'wanted',
  'wanted-files',
  'wanted-templates',
  'wanted-categories',
  'uncategorized',
  'unused-files',
  'unused-templates',
  'double-redirects',
  'broken-redirects',
  'most-linked',
  'longest',
  'shortest',
] as const
export type LinkListName = (typeof listNames)[number]

/** Lists of the pages of one namespace. The others have members of all namespaces. */
const namespacedLists: ReadonlySet<LinkListName> = new Set<LinkListName>([
  'orphans',
  'dead-ends',
  'uncategorized',
  'most-linked',
  'longest',
  'shortest',
])

const templateNamespace = 10
const wantedKinds: readonly (readonly [LinkListName, readonly number[]])[] = [
  ['wanted', [kindNumbers.link, kindNumbers.redirect]],
  ['wanted-files', [kindNumbers.file]],
  ['wanted-templates', [kindNumbers.template]],
  ['wanted-categories', [kindNumbers.category]],
]

/** Returns the lists that a node is in. */
export function membershipsOf(table: LinkTable, node: number): ListMembership[] {
  const found: ListMembership[] = []
  const put = (name: LinkListName, rank = 0) => void found.push([listNames.indexOf(name), rank])
  const { flags, redirect } = table.row(node)
  const into = table.into(node)
  const has = (flag: number) => (flags & flag) !== 0
  if (!has(nodeFlags.page | nodeFlags.file))
    for (const [name, kinds] of wantedKinds) {
      const count = countSources(into, kinds)
      if (count > 0) put(name, count)
    }
  if (has(nodeFlags.file) && into.length === 0) put('unused-files')
  if (redirect !== 0) {
    const target = table.flags(redirect - 1)
    if ((target & nodeFlags.redirect) !== 0) put('double-redirects')
    if ((target & nodeFlags.page) === 0) put('broken-redirects')
  }
  if (has(nodeFlags.page) && !has(nodeFlags.redirect)) putArticle(table, node, put)
  return found
}

function putArticle(table: LinkTable, node: number, put: (name: LinkListName, rank?: number) => void): void {
  const { flags, namespace, size } = table.row(node)
  const out = table.out(node)
  const isEntryPage = (flags & nodeFlags.entryPage) !== 0
  if (!isEntryPage && countLinking(table, node, [kindNumbers.link, kindNumbers.template]) === 0) put('orphans')
  if (namespace === templateNamespace && countLinking(table, node, [kindNumbers.template]) === 0)
    put('unused-templates')
  const leads = (edge: number) =>
    kindOf(edge) === kindNumbers.link && otherEnd(edge) !== node && (table.flags(otherEnd(edge)) & nodeFlags.page) !== 0
  if (!out.some(leads)) put('dead-ends')
  if (!out.some(edge => kindOf(edge) === kindNumbers.category)) put('uncategorized')
  const linking = countLinking(table, node, [kindNumbers.link])
  if (linking > 0) put('most-linked', linking)
  put('longest', size)
  put('shortest', -size)
}

/** Counts the sources of edges of these kinds. */
function countSources(into: Uint32Array, kinds: readonly number[]): number {
  let [count, last] = [0, -1]
  for (const edge of into) {
    if (otherEnd(edge) === last || !kinds.includes(kindOf(edge))) continue
    last = otherEnd(edge)
    count++
  }
  return count
}

/** Counts the pages that link to a page, directly or through a redirect, without the page itself. */
function countLinking(table: LinkTable, node: number, kinds: readonly number[]): number {
  const into = table.into(node)
  let [count, last, hasRedirect] = [0, -1, false]
  for (const edge of into) {
    const [source, kind] = [otherEnd(edge), kindOf(edge)]
    if (kind === kindNumbers.redirect) hasRedirect = true
    if (source === node || source === last || !kinds.includes(kind)) continue
    last = source
    count++
  }
  return hasRedirect ? countWithRedirects(table, node, kinds) : count
}

function countWithRedirects(table: LinkTable, node: number, kinds: readonly number[]): number {
  const found = new Set<number>()
  for (const edge of table.into(node)) {
    const source = otherEnd(edge)
    if (kinds.includes(kindOf(edge))) found.add(source)
    if (kindOf(edge) === kindNumbers.redirect) for (const other of table.into(source)) found.add(otherEnd(other))
  }
  found.delete(node)
  return found.size
}

/** Returns the name of a segment: that of the list, and its namespace if it has one. */
export function segmentName(list: LinkListName, namespace: number): string {
  return namespacedLists.has(list) ? `${list}:${namespace}` : list
}

type Members = Map<string, readonly [nodes: number[], ranks: number[]]>

/** Adds the lists of all nodes to the parts of a table; awaits `pause` between steps. */
export async function withLists(graph: GraphParts, pause: Pause): Promise<TableParts> {
  const table = new LinkTable({ ...graph, lists: new Map() })
  const members: Members = new Map()
  await inTurns(table.nodeCount, pause, node => {
    for (const [list, rank] of membershipsOf(table, node)) {
      const name = segmentName(listNames[list] as LinkListName, graph.namespace[node] as number)
      const [nodes, ranks] = entryOf(members, name)
      nodes.push(node)
      ranks.push(rank)
    }
  })
  const lists = new Map<string, Segment>()
  for (const [name, [nodes, ranks]] of members) lists.set(name, await segmentOf(nodes, ranks, pause))
  return { ...graph, lists }
}

function entryOf(members: Members, name: string): readonly [nodes: number[], ranks: number[]] {
  const existing = members.get(name)
  if (existing !== undefined) return existing
  const entry = [[], []] as const satisfies readonly [number[], number[]]
  members.set(name, entry)
  return entry
}

/** Nodes come in order of their keys. */
async function segmentOf(nodes: readonly number[], ranks: readonly number[], pause: Pause): Promise<Segment> {
  if (ranks.every(rank => rank === 0)) return { nodes: Uint32Array.from(nodes), ranks: null }
  const byRank = (a: number, b: number) => (ranks[b] as number) - (ranks[a] as number) || a - b
  const order = await sortInTurns([...nodes.keys()], byRank, pause)
  return {
    nodes: Uint32Array.from(order, at => nodes[at] as number),
    ranks: Int32Array.from(order, at => ranks[at] as number),
  }
}
