/**
 * The link graph in numeric form: a node for each key, and edges in both directions. The part read from a file is
 * immutable. Later edits are stored in maps beside it until a table is packed again.
 */

/** Data of a key. */
export interface NodeFacts {
  /** Id of the page with the key; 0 if there is none. */
  readonly page: number
  readonly namespace: number
  /** Bits of `nodeFlags`. */
  readonly flags: number
  /** Size of the page in bytes. */
  readonly size: number
  /** Checksum of the aliases in the page's front matter; 0 for none. */
  readonly aliases: number
  /** Key of a redirect's target; null for other pages. */
  readonly redirect: string | null
}

export const nodeFlags = { page: 1, file: 2, redirect: 4, entryPage: 8, byNames: 16 } as const

/** An edge, by the key of its target. */
export interface KeyEdge {
  readonly kind: number
  readonly key: string
  /** Key of the template that contains the link; null if the page itself does. */
  readonly through: string | null
}

/** The parts of a table, in the layout of its file. An edge is encoded as its other end times 8 plus its kind. */
export interface TableParts {
  /** Start of each key in `keyBytes`, then the end. Keys are sorted. */
  readonly keyStart: Uint32Array
  /** UTF-8. */
  readonly keyBytes: Uint8Array
  readonly page: Uint32Array
  readonly namespace: Int32Array
  readonly flags: Uint8Array
  readonly size: Uint32Array
  readonly aliases: Uint32Array
  /** Target node of a redirect, plus 1; 0 for none. */
  readonly redirect: Uint32Array
  readonly outStart: Uint32Array
  readonly out: Uint32Array
  /** Node of the template that contains an edge of `out`, plus 1; 0 for none. */
  readonly through: Uint32Array
  readonly inStart: Uint32Array
  readonly into: Uint32Array
  /** Node of a page id, plus 1; 0 for none. */
  readonly nodeOfPage: Uint32Array
}

const kindBits = 3
const kindMask = 7

export const otherEnd = (edge: number): number => edge >>> kindBits
export const kindOf = (edge: number): number => edge & kindMask

interface Row {
  readonly page: number
  readonly namespace: number
  readonly flags: number
  readonly size: number
  readonly aliases: number
  readonly redirect: number
}

interface Outgoing {
  readonly edges: Uint32Array
  readonly through: Uint32Array
}

export class LinkTable {
  readonly #parts: TableParts
  readonly #base: number
  readonly #decoder = new TextDecoder()
  #added: string[] = []
  #addedNodes = new Map<string, number>()
  #rows = new Map<number, Row>()
  #out = new Map<number, Outgoing>()
  #in = new Map<number, Uint32Array>()
  #pages = new Map<number, number>()

  constructor(parts: TableParts) {
    this.#parts = parts
    this.#base = parts.keyStart.length - 1
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
    return copy
  }

  get nodeCount(): number {
    return this.#base + this.#added.length
  }

  /** Number of pages whose links changed since the table was packed. */
  get changes(): number {
    return this.#out.size
  }

  key(node: number): string {
    if (node >= this.#base) return this.#added[node - this.#base] as string
    const { keyStart, keyBytes } = this.#parts
    return this.#decoder.decode(keyBytes.subarray(keyStart[node], keyStart[node + 1]))
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

  /** Lists the nodes with any of these flags, unordered. */
  withFlags(mask: number): number[] {
    const { flags } = this.#parts
    const found: number[] = []
    for (let node = 0; node < this.#base; node++)
      if (((flags[node] as number) & mask) !== 0 && !this.#rows.has(node)) found.push(node)
    for (const [node, row] of this.#rows) if ((row.flags & mask) !== 0) found.push(node)
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
    if (changed !== undefined) return changed
    const { into, inStart } = this.#parts
    return node < this.#base ? into.subarray(inStart[node], inStart[node + 1]) : none
  }

  /** Returns the node of a key, creating it if necessary. */
  add(key: string): number {
    const known = this.find(key)
    if (known !== undefined) return known
    const node = this.nodeCount
    this.#added.push(key)
    this.#addedNodes.set(key, node)
    this.#rows.set(node, emptyRow)
    return node
  }

  /** Sets the data of a key. */
  setFacts(key: string, facts: NodeFacts): void {
    const node = this.add(key)
    const before = this.row(node).page
    if (before !== 0 && before !== facts.page && this.nodeOfPage(before) === node) this.#pages.set(before, -1)
    if (facts.page !== 0) this.#pages.set(facts.page, node)
    this.#rows.set(node, { ...facts, redirect: facts.redirect === null ? 0 : this.add(facts.redirect) + 1 })
  }

  /** Replaces the edges of a page. Takes time proportional to the edges of the page and of their targets. */
  setEdges(key: string, edges: readonly KeyEdge[]): void {
    const node = this.add(key)
    const before = new Set(this.out(node))
    const ends = edges.map(edge => ((this.add(edge.key) << kindBits) | edge.kind) >>> 0)
    const through = edges.map(edge => (edge.through === null ? 0 : this.add(edge.through) + 1))
    this.#out.set(node, { edges: Uint32Array.from(ends), through: Uint32Array.from(through) })
    // A target of many pages has a long list, which an edit elsewhere in the text leaves unchanged.
    const after = new Set(ends)
    for (const edge of before) if (!after.has(edge)) this.#dropIn(otherEnd(edge), node, kindOf(edge))
    for (const edge of after) if (!before.has(edge)) this.#addIn(otherEnd(edge), node, kindOf(edge))
  }

  #dropIn(node: number, source: number, kind: number): void {
    const edge = ((source << kindBits) | kind) >>> 0
    this.#in.set(
      node,
      this.into(node).filter(each => each !== edge),
    )
  }

  #addIn(node: number, source: number, kind: number): void {
    const edge = ((source << kindBits) | kind) >>> 0
    const before = this.into(node)
    let at = before.length
    while (at > 0 && (before[at - 1] as number) > edge) at--
    if (before[at - 1] === edge) return
    const after = new Uint32Array(before.length + 1)
    after.set(before.subarray(0, at))
    after[at] = edge
    after.set(before.subarray(at), at + 1)
    this.#in.set(node, after)
  }
}

const none = new Uint32Array()
const emptyRow: Row = { page: 0, namespace: 0, flags: 0, size: 0, aliases: 0, redirect: 0 }

/** A key with its data. */
export interface PackedNode {
  readonly key: string
  readonly facts: NodeFacts
  readonly edges: readonly KeyEdge[]
}

/**
 * Packs the parts of a table. Keys that are only targets need not be among the nodes. Takes time proportional to the
 * edges.
 */
export function packTable(nodes: readonly PackedNode[]): TableParts {
  const keys = new Set<string>()
  for (const { key, facts, edges } of nodes) {
    keys.add(key)
    if (facts.redirect !== null) keys.add(facts.redirect)
    for (const edge of edges) {
      keys.add(edge.key)
      if (edge.through !== null) keys.add(edge.through)
    }
  }
  const sorted = [...keys].sort()
  const numbers = new Map(sorted.map((key, at) => [key, at]))
  const numberOf = (key: string): number => numbers.get(key) as number
  const byNode: (PackedNode | undefined)[] = new Array(sorted.length)
  for (const node of nodes) byNode[numberOf(node.key)] = node
  return { ...packKeys(sorted), ...packRows(byNode, numberOf), ...packEdges(byNode, numberOf) }
}

function packKeys(sorted: readonly string[]): Pick<TableParts, 'keyStart' | 'keyBytes'> {
  const keyStart = new Uint32Array(sorted.length + 1)
  let length = 0
  for (const [at, key] of sorted.entries()) {
    length += Buffer.byteLength(key)
    keyStart[at + 1] = length
  }
  const keyBytes = Buffer.alloc(length)
  for (const [at, key] of sorted.entries()) keyBytes.write(key, keyStart[at] as number)
  return { keyStart, keyBytes }
}

type NumberOf = (key: string) => number

function packRows(nodes: readonly (PackedNode | undefined)[], numberOf: NumberOf) {
  const count = nodes.length
  const [page, size, redirect] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  const [namespace, flags, aliases] = [new Int32Array(count), new Uint8Array(count), new Uint32Array(count)]
  let highest = 0
  for (const [at, node] of nodes.entries()) {
    if (node === undefined) continue
    const { facts } = node
    page[at] = facts.page
    size[at] = facts.size
    aliases[at] = facts.aliases
    redirect[at] = facts.redirect === null ? 0 : numberOf(facts.redirect) + 1
    namespace[at] = facts.namespace
    flags[at] = facts.flags
    highest = Math.max(highest, facts.page)
  }
  const nodeOfPage = new Uint32Array(highest + 1)
  for (const [at, id] of page.entries()) if (id !== 0) nodeOfPage[id] = at + 1
  return { page, size, aliases, redirect, namespace, flags, nodeOfPage }
}

function packEdges(nodes: readonly (PackedNode | undefined)[], numberOf: NumberOf) {
  const count = nodes.reduce((sum, node) => sum + (node?.edges.length ?? 0), 0)
  const [outStart, inStart] = [new Uint32Array(nodes.length + 1), new Uint32Array(nodes.length + 1)]
  const [out, through, into] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let next = 0
  for (const [at, node] of nodes.entries()) {
    for (const edge of node?.edges ?? []) {
      const end = numberOf(edge.key)
      out[next] = (end << kindBits) | edge.kind
      through[next++] = edge.through === null ? 0 : numberOf(edge.through) + 1
      inStart[end + 1]!++
    }
    outStart[at + 1] = next
  }
  for (let at = 1; at < inStart.length; at++) inStart[at]! += inStart[at - 1] as number
  const places = inStart.slice()
  for (let at = 0; at < nodes.length; at++)
    for (const edge of out.subarray(outStart[at], outStart[at + 1]))
      into[places[otherEnd(edge)]!++] = (at << kindBits) | kindOf(edge)
  return { outStart, out, through, inStart, into }
}
