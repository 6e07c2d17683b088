/** Packs nodes and their edges into the parts of a link table. */

import { inTurns, type Pause, sortInTurns } from '../workers/pause.ts'
import {
  edgeTo,
  emptyRow,
  type GraphParts,
  type KeyEdge,
  kindOf,
  type NodeProperties,
  otherEnd,
  type Row,
} from './table-parts.ts'

/** A key with its properties and edges. */
export interface PackedNode {
  readonly key: string
  readonly properties: NodeProperties
  readonly edges: readonly KeyEdge[]
}

/**
 * Packs nodes. Keys that are only targets need not be among them. Takes time proportional to the edges, and awaits `pause`
 * between steps.
 */
export async function packNodes(nodes: readonly PackedNode[], pause: Pause): Promise<GraphParts> {
  const sorted = await sortInTurns(await keysOf(nodes, pause), byCode, pause)
  const numbers = new Map<string, number>()
  await inTurns(sorted.length, pause, at => void numbers.set(sorted[at] as string, at))
  const numberOf = (key: string): number => numbers.get(key) as number
  const placed = (key: string | null): number => (key === null ? 0 : numberOf(key) + 1)
  const byNode: (PackedNode | undefined)[] = new Array(sorted.length)
  for (const node of nodes) byNode[numberOf(node.key)] = node
  const rowOf = (at: number) => {
    const properties = byNode[at]?.properties
    return properties === undefined ? emptyRow : { ...properties, redirect: placed(properties.redirect) }
  }
  const edgesOf = (at: number) => {
    const edges = byNode[at]?.edges ?? []
    return {
      edges: edges.map(({ key, kind }) => edgeTo(numberOf(key), kind)),
      through: edges.map(({ through }) => placed(through)),
    }
  }
  return packParts(sorted.length, { keyOf: at => Buffer.from(sorted[at] as string), rowOf, edgesOf }, pause)
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Lists the keys of nodes and of their targets, each once. */
async function keysOf(nodes: readonly PackedNode[], pause: Pause): Promise<string[]> {
  const keys = new Set<string>()
  await inTurns(nodes.length, pause, at => {
    const { key, properties, edges } = nodes[at] as PackedNode
    keys.add(key)
    if (properties.redirect !== null) keys.add(properties.redirect)
    for (const edge of edges) {
      keys.add(edge.key)
      if (edge.through !== null) keys.add(edge.through)
    }
  })
  return [...keys]
}

/** Keys, rows and edges of the nodes to pack, by their place in the order of the keys. */
export interface PackedParts {
  readonly keyOf: (at: number) => Uint8Array
  readonly rowOf: (at: number) => Row
  readonly edgesOf: (at: number) => Numbers
}

/** Packs what the functions return. Awaits `pause` between steps. */
export async function packParts(
  count: number,
  { keyOf, rowOf, edgesOf }: PackedParts,
  pause: Pause,
): Promise<GraphParts> {
  return {
    ...(await packKeys(count, keyOf, pause)),
    ...(await packRows(count, rowOf, pause)),
    ...(await packEdges(count, edgesOf, pause)),
  }
}

async function packKeys(count: number, keyOf: (at: number) => Uint8Array, pause: Pause) {
  const keys: Uint8Array[] = []
  const keyStart = new Uint32Array(count + 1)
  await inTurns(count, pause, at => {
    const key = keyOf(at)
    keys.push(key)
    keyStart[at + 1] = (keyStart[at] as number) + key.length
  })
  const keyBytes = Buffer.alloc(keyStart[count] as number)
  await inTurns(count, pause, at => keyBytes.set(keys[at] as Uint8Array, keyStart[at]))
  return { keyStart, keyBytes }
}

async function packRows(count: number, rowOf: (at: number) => Row, pause: Pause) {
  const [page, size, redirect] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  const [namespace, flags, aliases] = [new Int32Array(count), new Uint8Array(count), new Uint32Array(count)]
  let highest = 0
  await inTurns(count, pause, at => {
    const row = rowOf(at)
    page[at] = row.page
    size[at] = row.size
    aliases[at] = row.aliases
    redirect[at] = row.redirect
    namespace[at] = row.namespace
    flags[at] = row.flags
    highest = Math.max(highest, row.page)
  })
  const nodeOfPage = new Uint32Array(highest + 1)
  for (const [at, id] of page.entries()) if (id !== 0) nodeOfPage[id] = at + 1
  return { page, size, aliases, redirect, namespace, flags, nodeOfPage }
}

interface Numbers {
  readonly edges: ArrayLike<number>
  readonly through: ArrayLike<number>
}

async function packEdges(nodes: number, edgesOf: (at: number) => Numbers, pause: Pause) {
  const outStart = new Uint32Array(nodes + 1)
  const taken: Numbers[] = []
  await inTurns(nodes, pause, at => {
    const numbers = edgesOf(at)
    taken.push(numbers)
    outStart[at + 1] = (outStart[at] as number) + numbers.edges.length
  })
  const count = outStart[nodes] as number
  const [out, through] = [new Uint32Array(count), new Uint32Array(count)]
  await inTurns(nodes, pause, at => {
    const numbers = taken[at] as Numbers
    out.set(numbers.edges, outStart[at])
    through.set(numbers.through, outStart[at])
  })
  return { outStart, out, through, ...(await invertEdges({ nodes, outStart, out }, pause)) }
}

interface OutEdges {
  readonly nodes: number
  readonly outStart: Uint32Array
  readonly out: Uint32Array
}

async function invertEdges({ nodes, outStart, out }: OutEdges, pause: Pause) {
  const [inStart, into] = [new Uint32Array(nodes + 1), new Uint32Array(out.length)]
  for (const edge of out) inStart[otherEnd(edge) + 1]!++
  for (let at = 1; at < inStart.length; at++) inStart[at]! += inStart[at - 1] as number
  const places = inStart.slice()
  await inTurns(nodes, pause, at => {
    // Two links of a page to one target differ in their kinds.
    for (const edge of out.slice(outStart[at], outStart[at + 1]).sort())
      into[places[otherEnd(edge)]!++] = edgeTo(at, kindOf(edge))
  })
  return { inStart, into }
}
