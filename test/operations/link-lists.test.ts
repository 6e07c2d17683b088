// @module-tag long
/** Lists that follow changes equal those of a table built from nothing, part by part. */

import { expect, test, vi } from 'vitest'
import { LinkTable } from '../../src/operations/linking/link-table.ts'
import { listNames, membershipsOf, segmentName, withLists } from '../../src/operations/linking/list-members.ts'
import { partOfList } from '../../src/operations/linking/list-part.ts'
import { type PackedNode, packNodes } from '../../src/operations/linking/pack-table.ts'
import { type KeyEdge, linkKinds, nodeFlags } from '../../src/operations/linking/table-parts.ts'
import { rounds } from '../_rounds.ts'

type Random = (below: number) => number

function randomOf(seed: number): Random {
  let state = seed + 1
  return below => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return ((state >>> 8) * 31 + (state & 255)) % below
  }
}

const keys = [
  'A',
  'B',
  'Ä',
  'a b',
  'C',
  'D',
  'E',
  'F',
  'Template:T',
  'Template:U',
  'File:P.png',
  'Category:K',
  '😀',
  'ﬀ',
]
const keyOf = (random: Random) => keys[random(keys.length)] as string

/** A page, file or missing title, with edges that the engine could have found. */
function anyNode(random: Random, key: string, id: number): PackedNode {
  const has = (flag: number, isSo: boolean) => (isSo ? flag : 0)
  const isPage = random(4) > 0
  const isRedirect = isPage && random(5) === 0
  const target = keyOf(random)
  const flags =
    has(nodeFlags.page, isPage) |
    has(nodeFlags.redirect, isRedirect) |
    has(nodeFlags.file, key.startsWith('File:') && random(2) === 0) |
    has(nodeFlags.entryPage, random(9) === 0)
  const namespace = key.startsWith('Template:') ? 10 : key.startsWith('File:') ? 6 : 0
  const redirect = isRedirect ? target : null
  const properties = { page: isPage ? id : 0, namespace, flags, size: isPage ? random(5) : 0, aliases: 0, redirect }
  const edges = new Map<string, KeyEdge>()
  if (isRedirect && random(4) > 0) edges.set(`1 ${target}`, { kind: 1, key: target, through: null })
  for (let left = isPage ? random(6) : 0; left > 0; left--) {
    const edge = { kind: random(linkKinds.length), key: keyOf(random), through: random(4) === 0 ? keyOf(random) : null }
    edges.set(`${edge.kind} ${edge.key}`, edge)
  }
  return { key, properties, edges: [...edges.values()] }
}

const atOnce = async (): Promise<void> => {}
const tableOf = async (nodes: Iterable<PackedNode>) =>
  new LinkTable(await withLists(await packNodes([...nodes], atOnce), atOnce))

/** All lists by their keys, and the links of each key in both directions. */
function told(table: LinkTable) {
  const lists: Record<string, unknown> = {}
  for (const list of listNames)
    for (const namespace of [0, 6, 10]) lists[segmentName(list, namespace)] = [...parts(table, list, namespace, 1000)]
  const ends = (edges: Uint32Array) => [...edges].map(edge => `${edge & 7} ${table.key(edge >>> 3)}`)
  const links = keys.map(key => {
    const node = table.find(key)
    return node === undefined ? [[], []] : [ends(table.out(node)), ends(table.into(node)).sort()]
  })
  return { lists, links }
}

function* parts(table: LinkTable, list: (typeof listNames)[number], namespace: number, limit: number) {
  let after: string | undefined
  for (let turn = 0; turn < 1000; turn++) {
    const part = partOfList(table, { list, namespace, limit, after })
    for (const { node, rank } of part.members) yield `${table.key(node)} ${rank}`
    if (part.next === null) return
    after = part.next
  }
  throw new Error('The cursors never end')
}

// Slow, because each step builds a table from nothing. It fails if any of the reasons to visit a node is missing.
test('lists after changes', { tags: ['rounds', 'long'] }, async () => {
  for (let seed = 0; seed < rounds(20, 300, 1000); seed++) {
    const random = randomOf(seed)
    const nodes = new Map(keys.slice(0, 9).map((key, at) => [key, anyNode(random, key, at + 1)]))
    let table = await tableOf(nodes.values())
    for (let step = 0; step < 12; step++) {
      table = table.copy()
      for (let left = 1 + random(3); left > 0; left--) {
        const at = random(keys.length)
        const node = anyNode(random, keys[at] as string, at + 1)
        nodes.set(node.key, node)
        table.setProperties(node.key, node.properties)
        table.setEdges(node.key, node.edges)
      }
      for (const node of table.takeTouched()) table.setListed(node, membershipsOf(table, node))
      const fresh = told(await tableOf(nodes.values()))
      expect(told(table), `seed ${seed}, step ${step}`).toEqual(fresh)
      for (const list of listNames) expect([...parts(table, list, 0, 2)]).toEqual(fresh.lists[segmentName(list, 0)])
      const packed = await withLists(await table.packed(atOnce), atOnce)
      expect(told(new LinkTable(packed))).toEqual(fresh)
      if (step === 5) table = new LinkTable(packed)
    }
  }
})

test('packing a large table yields to others', { tags: 'long' }, async () => {
  const properties = { page: 0, namespace: 0, flags: nodeFlags.page, size: 1, aliases: 0, redirect: null }
  const nodes = Array.from({ length: 20_000 }, (_, at) => ({
    key: `Page_${(at * 7919) % 20_000}`,
    properties: { ...properties, page: at + 1, size: at % 97 },
    edges: [{ kind: 0, key: `Page_${at % 300}`, through: null }],
  }))
  const pause = vi.fn(atOnce)
  const table = new LinkTable(await withLists(await packNodes(nodes, pause), pause))
  // Each walk over the nodes pauses after every 512.
  expect(pause.mock.calls.length).toBeGreaterThan((7 * 20_000) / 512)
  const [first] = partOfList(table, { list: 'longest', namespace: 0, limit: 3, after: undefined }).members
  expect(first?.rank).toBe(96)
  pause.mockClear()
  expect(await withLists(await table.packed(pause), pause)).toEqual(
    await withLists(await packNodes(nodes, atOnce), atOnce),
  )
  expect(pause.mock.calls.length).toBeGreaterThan((7 * 20_000) / 512)
})
