/** The store's interface to git. Both implementations, native.ts and isomorphic.ts, give the same results. */

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

export interface GitObject {
  readonly type: ObjectType
  readonly content: Buffer
}

/** A path whose content differs between a commit and its parent(s). Hashes are of blobs; null: the path does not exist. */
export interface PathChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export interface CommitHeader {
  readonly hash: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorAddress: string
  /** Author time, seconds since 1970, UTC. */
  readonly time: number
  readonly message: string
}

/** A commit and its changes. */
export interface CommitChanges extends CommitHeader {
  /** True on the main line (`main-line.ts`): then its first parent here is the one that continues the line. */
  readonly onChain: boolean
  /**
   * On the main line: the paths that differ from that parent (every path, if there is no parent). Elsewhere: the paths that
   * differ from each parent, `before` as in the first one. In bytewise order of the paths.
   */
  readonly changes: readonly PathChange[]
}

/** Selects the paths of a history; the others are left out of `changes`. */
export type PathFilter = (path: string) => boolean

/** A part of the history, oldest first. */
export interface History {
  /** Number of its commits on the main line. */
  readonly chainLength: number
  /** Parents before children; in batches, because a promise for each commit is expensive. */
  readonly batches: AsyncIterable<readonly CommitChanges[]>
}

export interface GitBackend {
  readonly name: 'git' | 'isomorphic-git'
  /** Reads one object; throws if it is missing. */
  read(hash: string): Promise<GitObject>
  /** Reads a blob in pieces, so that one of any size takes little memory if git supports it; throws if it is missing. */
  stream(hash: string): AsyncIterable<Buffer>
  /** Reads many blobs, in the requested order, with many requests in flight. One that is missing, or larger than can be held, is null. */
  readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null>
  /** Reads the first bytes of many blobs, `startBytes` of each, in the requested order. A missing one is null. */
  starts(hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]>
  /** Sizes in bytes of many blobs, in the requested order. A missing one is null. */
  sizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]>
  /** Sizes as `sizes` has them, without the line feed that ends a text: see `sourceOfFile`. */
  textSizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]>
  /**
   * Returns the commits that `to` reaches and `from` does not; null if `from` is not on the main line of `to`. `from` null: from
   * the root on.
   */
  history(from: string | null, to: string, filter: PathFilter): Promise<History | null>
  /** Hashes of the main line, newest first. */
  chain(tip: string): AsyncIterable<string>
  /** Reads from now on also what has become readable by new settings of the repository, such as borrowed objects. */
  renew(): Promise<void>
  /** Ends its running processes. */
  close(): void
}
