/** The parts of a link table: nodes, edges, and their encoding as numbers. */

/** Properties of a key. */
export interface NodeProperties {
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

/** Kinds of links, in the order of their numbers. */
export const linkKinds = ['link', 'redirect', 'template', 'file', 'category'] as const
export type LinkKind = (typeof linkKinds)[number]

/** Number of each kind. */
export const kindNumbers = { link: 0, redirect: 1, template: 2, file: 3, category: 4 } as const satisfies Record<
  LinkKind,
  number
>

/** A list that a node is in, by its number, and the value by which it is sorted: the highest first. */
export type ListMembership = readonly [list: number, rank: number]

/** Members of a list in order: by descending rank, then by key. */
export interface Segment {
  readonly nodes: Uint32Array
  /** Null if all ranks are 0. */
  readonly ranks: Int32Array | null
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
  /** Members of the lists, by the names that `segmentName` gives. */
  readonly lists: ReadonlyMap<string, Segment>
}

/** The numbers of a table, without its lists. */
export type GraphParts = Omit<TableParts, 'lists'>

const kindBits = 3
const kindMask = 7

/** Encodes an edge by its other end and its kind. */
export const edgeTo = (node: number, kind: number): number => ((node << kindBits) | kind) >>> 0

export const otherEnd = (edge: number): number => edge >>> kindBits
export const kindOf = (edge: number): number => edge & kindMask

export interface Row {
  readonly page: number
  readonly namespace: number
  readonly flags: number
  readonly size: number
  readonly aliases: number
  readonly redirect: number
}

/** Data of a key that only links name. */
export const emptyRow: Row = { page: 0, namespace: 0, flags: 0, size: 0, aliases: 0, redirect: 0 }
