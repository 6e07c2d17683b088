/** The growing part of the index: revisions, their commits, and the comments of these. */

import { lowerBound } from './base-rows.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import {
  blobBytes,
  blobStart,
  type CommitRecord,
  type Counter,
  commitBytes,
  counterIn,
  decodeCommit,
  decodeRevision,
  jumpIn,
  previousIn,
  type RevisionRecord,
  revisionBytes,
  writeCommit,
  writeRevision,
  writeSize,
} from './records.ts'

/** Lengths of the three parts, in bytes. */
export type LogLengths = readonly [revisions: number, commits: number, comments: number]

export class RevisionLog {
  readonly #revisions: GrowingBytes
  readonly #commits: GrowingBytes
  readonly #comments: GrowingBytes

  private constructor(revisions: GrowingBytes, commits: GrowingBytes, comments: GrowingBytes) {
    this.#revisions = revisions
    this.#commits = commits
    this.#comments = comments
  }

  /** Opens the log of a base file. */
  static open(file: BlockFile | null, region: (name: string) => Region): RevisionLog {
    const bytes = (name: string) => new GrowingBytes(file, region(name))
    return new RevisionLog(bytes('revisions'), bytes('commits'), bytes('comments'))
  }

  /** Creates a fork that may grow while this log stays the same: see `GrowingBytes.fork`. */
  fork(): RevisionLog {
    return new RevisionLog(this.#revisions.fork(), this.#commits.fork(), this.#comments.fork())
  }

  get revisionCount(): number {
    return this.#revisions.length / revisionBytes
  }

  get commitCount(): number {
    return this.#commits.length / commitBytes
  }

  revision(ordinal: number): RevisionRecord {
    return decodeRevision(this.#revisionAt(ordinal))
  }

  commit(ordinal: number): CommitRecord {
    return decodeCommit(this.#commits.read(ordinal * commitBytes, commitBytes))
  }

  comment({ comment }: CommitRecord): string {
    return this.#comments.read(comment.offset, comment.length).toString('utf8')
  }

  /** Blob of a revision, without decoding the rest. */
  blobOf(ordinal: number): string {
    return blobBytes(this.#revisionAt(ordinal)).toString('hex')
  }

  /** Ordinal of the page's preceding revision, or null, without decoding the rest. */
  previousOf(ordinal: number): number | null {
    return previousIn(this.#revisionAt(ordinal))
  }

  /** Reads a counter of a page's history up to a revision. */
  counted(ordinal: number, counter: Counter): number {
    return counterIn(this.#revisionAt(ordinal), counter)
  }

  /**
   * Ordinal of the revision at which a counter of its page's history reached its value at `latest`. The steps grow with the
   * logarithm of the history, because each revision also names one much further back. Source: E. Myers, An applicative
   * random-access stack, 1983.
   */
  reaching(latest: number, counter: Counter, count: number): number {
    for (let at = latest; ; ) {
      const bytes = this.#revisionAt(at)
      const [jump, previous] = [jumpIn(bytes), previousIn(bytes)]
      if (jump !== at && this.counted(jump, counter) >= count) at = jump
      else if (previous !== null && this.counted(previous, counter) >= count) at = previous
      else return at
    }
  }

  /** Ordinals of the commits whose hashes start with these hex digits, found by a byte search. */
  commitsWithPrefix(prefix: string): number[] {
    const whole = Buffer.from(prefix.slice(0, prefix.length & ~1), 'hex')
    const found: number[] = []
    let first = 0
    for (const part of this.#commits.parts(commitBytes)) {
      for (let at = part.indexOf(whole); at !== -1 && at < part.length; at = part.indexOf(whole, at + 1)) {
        const ordinal = first + at / commitBytes
        if (at % commitBytes === 0 && this.commit(ordinal).hash.startsWith(prefix)) found.push(ordinal)
      }
      first += part.length / commitBytes
    }
    return found
  }

  /** Returns true if a commit is in the log. The latest commits are compared first, which avoids a search. */
  hasCommit(hash: string): boolean {
    const first = Math.max(0, this.commitCount - 100)
    for (let at = this.commitCount - 1; at >= first; at--) if (this.commit(at).hash === hash) return true
    return this.commitsWithPrefix(hash).length > 0
  }

  /** Returns true if one of the `depth` revisions before this one has the blob. */
  wasBlob(blob: string, latest: number, depth: number): boolean {
    const wanted = Buffer.from(blob, 'hex')
    const start = wanted.readUInt32LE(0)
    let at: number | null = latest
    for (let steps = 0; at !== null && steps < depth; steps++) {
      const bytes = this.#revisionAt(at)
      if (blobStart(bytes) === start && wanted.equals(blobBytes(bytes))) return at !== latest
      at = previousIn(bytes)
    }
    return false
  }

  /** Ordinal of the first revision whose commit is not before this one: revisions stand in order of their commits. */
  firstRevisionOf(commit: number): number {
    return lowerBound(this.revisionCount, at => this.revision(at).commit < commit)
  }

  addRevision(revision: RevisionRecord): number {
    const { previous } = revision
    const before = previous === null ? null : this.#revisionAt(previous)
    const jump = previous === null ? this.revisionCount : this.#jumpAfter(previous)
    this.#revisions.appendWith(revisionBytes, (bytes, at) => writeRevision(bytes, at, revision, { before, jump }))
    return this.revisionCount - 1
  }

  /** Two jumps of one length are followed by one over both. */
  #jumpAfter(previous: number): number {
    const near = jumpIn(this.#revisionAt(previous))
    const far = jumpIn(this.#revisionAt(near))
    const [last, middle, first] = [previous, near, far].map(at => this.counted(at, 'sequence')) as [
      number,
      number,
      number,
    ]
    return last - middle === middle - first ? far : previous
  }

  #revisionAt(ordinal: number): Buffer {
    return this.#revisions.read(ordinal * revisionBytes, revisionBytes)
  }

  /** Sets the size of a revision that is not stored yet. */
  setSize(ordinal: number, size: number): void {
    writeSize(this.#revisionAt(ordinal), size)
  }

  addCommit(commit: Omit<CommitRecord, 'comment'>, comment: string): number {
    const slice = { offset: this.#comments.length, length: this.#comments.appendText(comment) }
    this.#commits.appendWith(commitBytes, (bytes, at) => writeCommit(bytes, at, commit, slice))
    return this.commitCount - 1
  }

  get lengths(): LogLengths {
    return [this.#revisions.length, this.#commits.length, this.#comments.length]
  }

  /** Returns the bytes added since the log had these lengths. */
  since([revisions, commits, comments]: LogLengths): readonly [Buffer, Buffer, Buffer] {
    return [this.#revisions.since(revisions), this.#commits.since(commits), this.#comments.since(comments)]
  }

  /** Adds the result of `since`. */
  append(revisions: Buffer, commits: Buffer, comments: Buffer): void {
    this.#revisions.append(revisions)
    this.#commits.append(commits)
    this.#comments.append(comments)
  }

  /** All of it, in parts: the contents of the next base. */
  parts() {
    return {
      revisions: this.#revisions.parts(),
      commits: this.#commits.parts(),
      comments: this.#comments.parts(),
    }
  }
}
