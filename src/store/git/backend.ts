/** The store's interface to git. Two implementations give the same results: native.ts and isomorphic.ts. */

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

export interface GitObject {
  readonly type: ObjectType
  readonly content: Buffer
}

/** A path whose content differs between a commit and its parent(s). Hashes are of blobs; null: the path is not there. */
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

/** A commit and what it changes. */
export interface CommitChanges extends CommitHeader {
  /** True on the main line (`main-line.ts`): then the parent on which that goes on is the first one here. */
  readonly onChain: boolean
  /**
   * On the main line: the paths that differ from that parent (every path, where there is no parent). Elsewhere: the paths
   * that differ from each parent, `before` as in the first one. In bytewise order of the paths.
   */
  readonly changes: readonly PathChange[]
}

/** Selects the paths of a history; the others are left out of `changes`. */
export type PathFilter = (path: string) => boolean

/** A part of the history, oldest first. */
export interface History {
  /** Number of its commits on the main line. */
  readonly chainLength: number
  /** Parents before children; in batches, for a promise a commit is dear. */
  readonly batches: AsyncIterable<readonly CommitChanges[]>
}

export interface GitBackend {
  readonly name: 'git' | 'isomorphic-git'
  /** Reads one object; throws if it is missing. */
  read(hash: string): Promise<GitObject>
  /** Reads a blob piece by piece, so that one of any size takes little memory where git can do so; throws if it is missing. */
  stream(hash: string): AsyncIterable<Buffer>
  /** Reads many blobs, in the order asked for, with many requests under way at once. A missing one is null. */
  readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null>
  /** Sizes in bytes of many blobs, in the order asked for, many at a time. A missing one is null. */
  sizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]>
  /**
   * Gives the commits that `to` reaches and `from` does not; null if `from` is not on the main line of `to`.
   * `from` null: from the root on.
   */
  history(from: string | null, to: string, filter: PathFilter): Promise<History | null>
  /** Hashes of the main line, newest first. */
  chain(tip: string): AsyncIterable<string>
  /** Ends whatever processes it has running. */
  close(): void
}
