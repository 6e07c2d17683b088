/**
 * The link graph in numeric form: a node for each key, edges in both directions, and the lists that nodes are members of.
 * The part read from a file is immutable. Later edits are stored in maps beside it until a table is packed again.
 */

import { inTurns, type Pause } from '../workers/pause.ts'
import { packParts } from './pack-table.ts'
import {
  edgeTo,
  emptyRow,
  type GraphParts,
  type KeyEdge,
  kindNumbers,
  kindOf,
  type ListMembership,
  type NodeProperties,
  nodeFlags,
  otherEnd,
  type Row,
  type Segment,
  type TableParts,
} from './table-parts.ts'

interface Outgoing {
  readonly edges: Uint32Array
  readonly through: Uint32Array
}

/** Incoming edges that a node has gained and lost, each sorted. */
interface Incoming {
  readonly added: readonly number[]
  readonly dropped: readonly number[]
}

/** The changes of a table since it was packed, as JSON can hold them. Nodes are those of the packed table. */
export interface TableChanges {
  readonly added: readonly string[]
  readonly rows: readonly (readonly [node: number, row: Row])[]
  readonly out: readonly (readonly [node: number, edges: readonly number[], through: readonly number[]])[]
  readonly into: readonly (readonly [node: number, change: Incoming])[]
  readonly pages: readonly (readonly [id: number, node: number])[]
  readonly listed: readonly (readonly [node: number, lists: readonly ListMembership[]])[]
}

export class LinkTable {
  readonly #parts: TableParts
  readonly #base: number
  readonly #keys: Buffer
  #added: string[] = []
  #addedNodes = new Map<string, number>()
  #rows = new Map<number, Row>()
  #out = new Map<number, Outgoing>()
  #in = new Map<number, Incoming>()
  #pages = new Map<number, number>()
  #listed = new Map<number, readonly ListMembership[]>()
  #outEdges = 0
  /** Nodes whose lists have to be found again. */
  #touched = new Set<number>()
  /** Packed nodes by the flags that were requested, shared by copies. */
  #packedFlags = new Map<number, readonly number[]>()

  constructor(parts: TableParts, changes: TableChanges | null = null) {
    this.#parts = parts
    this.#base = parts.keyStart.length - 1
    const { buffer, byteOffset, byteLength } = parts.keyBytes
    this.#keys = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
    if (changes !== null) this.#restore(changes)
  }

  #restore({ added, rows, out, into, pages, listed }: TableChanges): void {
    this.#added = [...added]
    this.#addedNodes = new Map(added.map((key, at) => [key, this.#base + at]))
    this.#rows = new Map(rows)
    for (const [node, edges, through] of out) this.#setOut(node, Uint32Array.from(edges), Uint32Array.from(through))
    this.#in = new Map(into)
    this.#pages = new Map(pages)
    this.#listed = new Map(listed)
  }

  /** Returns the changes since the table was packed. */
  changesSince(): TableChanges {
    return {
      added: this.#added,
      rows: [...this.#rows],
      out: [...this.#out].map(([node, { edges, through }]) => [node, [...edges], [...through]]),
      into: [...this.#in],
      pages: [...this.#pages],
      listed: [...this.#listed],
    }
  }

  /**
   * Returns a table that can change while this one stays unchanged. Takes time proportional to the changes since it was
   * packed.
   */
  copy(): LinkTable {
    const copy = new LinkTable(this.#parts)
    copy.#added = [...this.#added]
    copy.#addedNodes = new Map(this.#addedNodes)
    copy.#rows = new Map(this.#rows)
    copy.#out = new Map(this.#out)
    copy.#in = new Map(this.#in)
    copy.#pages = new Map(this.#pages)
    copy.#listed = new Map(this.#listed)
    copy.#outEdges = this.#outEdges
    copy.#packedFlags = this.#packedFlags
    return copy
  }

  get nodeCount(): number {
    return this.#base + this.#added.length
  }

  /** Number of pages whose links changed since the table was packed. */
  get changes(): number {
    return this.#out.size
  }

  /** Number of edges that the maps hold. */
  get changedEdges(): number {
    return this.#outEdges + this.#listed.size
  }

  key(node: number): string {
    if (node >= this.#base) return this.#added[node - this.#base] as string
    const { keyStart } = this.#parts
    return this.#keys.toString('utf8', keyStart[node], keyStart[node + 1])
  }

  /** Orders nodes by key. */
  compare(a: number, b: number): number {
    if (a < this.#base && b < this.#base) return a - b
    const [left, right] = [this.key(a), this.key(b)]
    return left < right ? -1 : Number(left > right)
  }

  find(key: string): number | undefined {
    const added = this.#addedNodes.get(key)
    if (added !== undefined) return added
    let [low, high] = [0, this.#base]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.key(middle) < key) low = middle + 1
      else high = middle
    }
    return low < this.#base && this.key(low) === key ? low : undefined
  }

  nodeOfPage(id: number): number | undefined {
    const changed = this.#pages.get(id)
    if (changed !== undefined) return changed === -1 ? undefined : changed
    const node = this.#parts.nodeOfPage[id] ?? 0
    return node === 0 ? undefined : node - 1
  }

  row(node: number): Row {
    const changed = this.#rows.get(node)
    if (changed !== undefined) return changed
    const { page, namespace, flags, size, aliases, redirect } = this.#parts
    return {
      page: page[node] ?? 0,
      namespace: namespace[node] ?? 0,
      flags: flags[node] ?? 0,
      size: size[node] ?? 0,
      aliases: aliases[node] ?? 0,
      redirect: redirect[node] ?? 0,
    }
  }

  flags(node: number): number {
    return this.#rows.get(node)?.flags ?? this.#parts.flags[node] ?? 0
  }

  /** Returns true if a node has any of these flags. */
  hasFlags(mask: number): boolean {
    for (const { flags } of this.#rows.values()) if ((flags & mask) !== 0) return true
    return this.#packedWithFlags(mask).some(node => !this.#rows.has(node))
  }

  /** Lists the nodes with any of these flags, unordered. */
  withFlags(mask: number): number[] {
    const found = this.#packedWithFlags(mask).filter(node => !this.#rows.has(node))
    for (const [node, row] of this.#rows) if ((row.flags & mask) !== 0) found.push(node)
    return found
  }

  #packedWithFlags(mask: number): readonly number[] {
    const cached = this.#packedFlags.get(mask)
    if (cached !== undefined) return cached
    const found: number[] = []
    for (const [node, flags] of this.#parts.flags.entries()) if ((flags & mask) !== 0) found.push(node)
    this.#packedFlags.set(mask, found)
    return found
  }

  /** Returns the outgoing edges of a node, with kinds in the low bits. */
  out(node: number): Uint32Array {
    const changed = this.#out.get(node)
    if (changed !== undefined) return changed.edges
    const { out, outStart } = this.#parts
    return node < this.#base ? out.subarray(outStart[node], outStart[node + 1]) : none
  }

  /** Returns the nodes of the templates that contain the edges of `out`, plus 1. */
  through(node: number): Uint32Array {
    const changed = this.#out.get(node)
    if (changed !== undefined) return changed.through
    const { through, outStart } = this.#parts
    return node < this.#base ? through.subarray(outStart[node], outStart[node + 1]) : none
  }

  /** Returns the incoming edges of a node, in the order of the nodes. */
  into(node: number): Uint32Array {
    const changed = this.#in.get(node)
    return changed === undefined ? this.#packedInto(node) : mergeEdges(this.#packedInto(node), changed)
  }

  #packedInto(node: number): Uint32Array {
    const { into, inStart } = this.#parts
    return node < this.#base ? into.subarray(inStart[node], inStart[node + 1]) : none
  }

  /** Lists the nodes of redirects whose target is a node. */
  redirectsTo(node: number): number[] {
    const found: number[] = []
    const { redirect } = this.#parts
    for (let at = redirect.indexOf(node + 1); at !== -1; at = redirect.indexOf(node + 1, at + 1))
      if (!this.#rows.has(at)) found.push(at)
    for (const [at, row] of this.#rows) if (row.redirect === node + 1) found.push(at)
    return found
  }

  /** Returns the packed members of a list. Those among `listed` have changed since. */
  segment(name: string): Segment {
    return this.#parts.lists.get(name) ?? noMembers
  }

  /** Lists of the nodes that have changed since the table was packed. */
  get listed(): ReadonlyMap<number, readonly ListMembership[]> {
    return this.#listed
  }

  setListed(node: number, lists: readonly ListMembership[]): void {
    this.#listed.set(node, lists)
  }

  /** Returns the nodes whose lists may have changed, once. */
  takeTouched(): Set<number> {
    const touched = this.#touched
    this.#touched = new Set()
    return touched
  }

  /** Returns the node of a key, creating it if necessary. */
  add(key: string): number {
    const existing = this.find(key)
    if (existing !== undefined) return existing
    const node = this.nodeCount
    this.#added.push(key)
    this.#addedNodes.set(key, node)
    this.#rows.set(node, emptyRow)
    return node
  }

  /** Sets the properties of a key. */
  setProperties(key: string, properties: NodeProperties): void {
    const node = this.add(key)
    const before = this.row(node)
    if (before.page !== 0 && before.page !== properties.page && this.nodeOfPage(before.page) === node)
      this.#pages.set(before.page, -1)
    if (properties.page !== 0) this.#pages.set(properties.page, node)
    this.#rows.set(node, {
      ...properties,
      redirect: properties.redirect === null ? 0 : this.add(properties.redirect) + 1,
    })
    this.#touched.add(node)
    if (((before.flags ^ properties.flags) & (nodeFlags.page | nodeFlags.redirect)) === 0) return
    // Pages that link here may have been dead ends, and redirects broken ones.
    for (const edge of this.into(node)) this.#touched.add(otherEnd(edge))
    for (const redirect of this.redirectsTo(node)) this.#touched.add(redirect)
  }

  /** Replaces the edges of a page. Takes time proportional to the edges of the page and of their targets. */
  setEdges(key: string, edges: readonly KeyEdge[]): void {
    const node = this.add(key)
    const before = new Set(this.out(node))
    const ends = edges.map(edge => edgeTo(this.add(edge.key), edge.kind))
    const through = edges.map(edge => (edge.through === null ? 0 : this.add(edge.through) + 1))
    this.#setOut(node, Uint32Array.from(ends), Uint32Array.from(through))
    // A target of many pages has a long list, which an edit elsewhere in the text leaves unchanged.
    const after = new Set(ends)
    for (const edge of before) if (!after.has(edge)) this.#dropIn(otherEnd(edge), edgeTo(node, kindOf(edge)))
    for (const edge of after) if (!before.has(edge)) this.#addIn(otherEnd(edge), edgeTo(node, kindOf(edge)))
    this.#touched.add(node)
  }

  #setOut(node: number, edges: Uint32Array, through: Uint32Array): void {
    this.#outEdges += edges.length - (this.#out.get(node)?.edges.length ?? 0)
    this.#out.set(node, { edges, through })
  }

  #dropIn(node: number, edge: number): void {
    const { added, dropped } = this.#in.get(node) ?? unchanged
    const isAdded = added.includes(edge)
    this.#setIn(node, isAdded ? { added: without(added, edge), dropped } : { added, dropped: [...dropped, edge] })
  }

  #addIn(node: number, edge: number): void {
    const { added, dropped } = this.#in.get(node) ?? unchanged
    if (dropped.includes(edge)) this.#setIn(node, { added, dropped: without(dropped, edge) })
    else this.#setIn(node, { added: [...added, edge].sort((a, b) => a - b), dropped })
  }

  #setIn(node: number, change: Incoming): void {
    this.#in.set(node, change)
    this.#touched.add(node)
    // Links to a redirect count as links to its target.
    for (const edge of this.out(node)) if (kindOf(edge) === kindNumbers.redirect) this.#touched.add(otherEnd(edge))
  }

  /** Packs the table with its changes. Takes time proportional to the edges, and awaits `pause` between steps. */
  async packed(pause: Pause): Promise<GraphParts> {
    const order = await this.#usedNodes(pause)
    const places = new Uint32Array(this.nodeCount)
    for (const [at, node] of order.entries()) places[node] = at
    const placed = (number: number) => (number === 0 ? 0 : (places[number - 1] as number) + 1)
    const keyOf = (at: number) => {
      const node = order[at] as number
      return node < this.#base ? this.#keyBytes(node) : Buffer.from(this.key(node))
    }
    const rowOf = (at: number) => {
      const row = this.row(order[at] as number)
      return { ...row, redirect: placed(row.redirect) }
    }
    const edgesOf = (at: number) => {
      const node = order[at] as number
      const moved = (edge: number) => edgeTo(places[otherEnd(edge)] as number, kindOf(edge))
      return { edges: this.out(node).map(moved), through: this.through(node).map(placed) }
    }
    return packParts(order.length, { keyOf, rowOf, edgesOf }, pause)
  }

  #keyBytes(node: number): Uint8Array {
    const { keyStart } = this.#parts
    return this.#keys.subarray(keyStart[node], keyStart[node + 1])
  }

  /** Lists the nodes with data and those that others lead to, in order of their keys. */
  async #usedNodes(pause: Pause): Promise<number[]> {
    const isUsed = new Uint8Array(this.nodeCount)
    await inTurns(this.nodeCount, pause, node => this.#markUsed(node, isUsed))
    const order: number[] = []
    const added = this.#added.map((_, at) => this.#base + at).filter(node => isUsed[node] === 1)
    const waiting = added.sort((a, b) => this.compare(b, a))
    await inTurns(this.#base, pause, node => {
      for (let next = waiting.at(-1); next !== undefined && this.compare(next, node) < 0; next = waiting.at(-1))
        order.push(waiting.pop() as number)
      if (isUsed[node] === 1) order.push(node)
    })
    return [...order, ...waiting.reverse()]
  }

  /** Marks a node that has data, and those that it leads to. */
  #markUsed(node: number, isUsed: Uint8Array): void {
    const { flags, redirect } = this.row(node)
    const edges = this.out(node)
    if (flags === 0 && edges.length === 0) return
    isUsed[node] = 1
    if (redirect !== 0) isUsed[redirect - 1] = 1
    for (const edge of edges) isUsed[otherEnd(edge)] = 1
    for (const by of this.through(node)) if (by !== 0) isUsed[by - 1] = 1
  }
}

const none = new Uint32Array()
const unchanged: Incoming = { added: [], dropped: [] }
const noMembers: Segment = { nodes: none, ranks: null }

function without(edges: readonly number[], edge: number): number[] {
  return edges.filter(each => each !== edge)
}

function mergeEdges(packed: Uint32Array, { added, dropped }: Incoming): Uint32Array {
  const gone = new Set(dropped)
  const rest = gone.size === 0 ? packed : packed.filter(edge => !gone.has(edge))
  const merged = new Uint32Array(rest.length + added.length)
  let from = 0
  for (const [at, edge] of added.entries()) {
    const to = firstAbove(rest, edge)
    merged.set(rest.subarray(from, to), from + at)
    merged[to + at] = edge
    from = to
  }
  merged.set(rest.subarray(from), from + added.length)
  return merged
}

function firstAbove(sorted: Uint32Array, edge: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) > edge) high = middle
    else low = middle + 1
  }
  return low
}
