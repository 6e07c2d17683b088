/** Parts of the lists of a table: the packed members, merged with those that changed since. */

import { byRank, type ListPart, readCursor, writeCursor } from './cursor.ts'
import type { LinkTable } from './link-table.ts'
import { type LinkListName, listNames, segmentName } from './list-members.ts'

/** A node in a list, and its value there. */
export interface RankedNode {
  readonly node: number
  readonly rank: number
}

export interface AskedList {
  readonly list: LinkListName
  readonly namespace: number
  readonly limit: number
  readonly after?: string | undefined
}

/**
 * Returns a part of a list, by descending rank, then by key. A part requested with a cursor takes the time of its
 * members, unless the table has changes: then all members are visited, without reading keys. Errors: badvalue.
 */
export function partOfList(table: LinkTable, { list, namespace, limit, after }: AskedList): ListPart<RankedNode> {
  const last = after === undefined ? null : readCursor(after)
  const packed = new PackedMembers(table, segmentName(list, namespace))
  const changed = changedMembers(table, list, namespace)
  const isAfter = (member: RankedNode) =>
    last === null || byRank({ rank: member.rank, key: table.key(member.node) }, last) > 0
  let at = firstThat(packed.length, place => isAfter(packed.at(place)))
  let next = firstThat(changed.length, place => isAfter(changed[place] as RankedNode))
  const members: RankedNode[] = []
  const isMore = () => {
    at = packed.skip(at)
    return at < packed.length || next < changed.length
  }
  while (isMore() && members.length < limit) {
    const [one, other] = [at < packed.length ? packed.at(at) : null, changed[next] ?? null]
    const isPacked = other === null || (one !== null && order(table, one, other) < 0)
    members.push((isPacked ? one : other) as RankedNode)
    if (isPacked) at++
    else next++
  }
  const end = members.at(-1)
  return {
    members,
    next: end === undefined || !isMore() ? null : writeCursor({ rank: end.rank, key: table.key(end.node) }),
    total: packed.count() + changed.length,
  }
}

function order(table: LinkTable, a: RankedNode, b: RankedNode): number {
  return b.rank - a.rank || table.compare(a.node, b.node)
}

/** The members of a packed list, some of which have changed. */
class PackedMembers {
  readonly #nodes: Uint32Array
  readonly #ranks: Int32Array | null
  /** 1 for each node that has changed; null if none has. Asking a map takes ten times as long. */
  readonly #changed: Uint8Array | null

  constructor(table: LinkTable, name: string) {
    const { nodes, ranks } = table.segment(name)
    this.#nodes = nodes
    this.#ranks = ranks
    this.#changed = table.listed.size === 0 ? null : new Uint8Array(table.nodeCount)
    for (const node of table.listed.keys()) if (this.#changed !== null) this.#changed[node] = 1
  }

  get length(): number {
    return this.#nodes.length
  }

  at(place: number): RankedNode {
    return { node: this.#nodes[place] as number, rank: this.#ranks?.[place] ?? 0 }
  }

  /** Returns the first place from this one on whose member has not changed. */
  skip(place: number): number {
    let at = place
    while (this.#changed !== null && this.#changed[this.#nodes[at] as number] === 1) at++
    return at
  }

  /** Counts the members that have not changed. */
  count(): number {
    let count = this.#nodes.length
    if (this.#changed !== null) for (const node of this.#nodes) count -= this.#changed[node] as number
    return count
  }
}

function changedMembers(table: LinkTable, list: LinkListName, namespace: number): RankedNode[] {
  const number = listNames.indexOf(list)
  const name = segmentName(list, namespace)
  const members: RankedNode[] = []
  for (const [node, lists] of table.listed) {
    const found = lists.find(([each]) => each === number)
    if (found !== undefined && segmentName(list, table.row(node).namespace) === name)
      members.push({ node, rank: found[1] })
  }
  return members.sort((a, b) => order(table, a, b))
}

/** Returns the first place below a length that satisfies a test; those after it satisfy it as well. */
function firstThat(length: number, test: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
