/**
 * The revision index: every page, revision, commit, author and file, as the numbering found them. It is derived from git and
 * may be deleted at any time; `docs/architecture.md` draws the files. Ordinals count from 0; ids are what the wiki shows.
 */

import { rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { WikiConfig } from '../../core/config.ts'
import { type BaseFile, openBase, writeBase } from './base-file.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import { Catalog, lowerBound } from './catalog.ts'
import { Originals } from './originals.ts'
import {
  type AuthorRow,
  authorBytes,
  blobBytes,
  type CommitRecord,
  commitBytes,
  decodeAuthor,
  decodeCommit,
  decodeFile,
  decodePage,
  decodeRevision,
  decodeUser,
  encodeAuthor,
  encodeCommit,
  encodeFile,
  encodePage,
  encodeRevision,
  encodeUser,
  type FileRow,
  fileBytes,
  HeapWriter,
  type PageRow,
  pageBytes,
  previousIn,
  type RevisionRecord,
  revisionBytes,
  userBytes,
  writeSize,
} from './records.ts'
import { appendFrame, type Frame, readTail, tailSize } from './tail-file.ts'

/** Changes whenever the files are read differently: older ones are built anew. */
const formatVersion = 5

/** A tail longer than this is folded into a new base. */
const tailLimit = 256 * 1024

/** From this ordinal on ids count from this id. */
export interface IdJump {
  readonly ordinal: number
  readonly id: number
}

/** What the index answers for. A different `numbering` is a different history: nothing of the index holds. */
export interface IndexState {
  /** Commit that the index answers for; null before the first one. */
  readonly tip: string | null
  /** Everything beside the commits that the numbering depends on: root folder, shallow boundary. */
  readonly numbering: string
  /** Text of wiki.json at the tip, or null. */
  readonly config: string | null
  /** What that text says, checked; null where the index is empty. */
  readonly settings: WikiConfig | null
  readonly revisionJumps: readonly IdJump[]
  readonly pageJumps: readonly IdJump[]
  /** Number of commits of which something was hidden where they were imported from. */
  readonly hiddenCommits: number
}

interface Header extends IndexState {
  readonly version: number
  readonly generation: string
}

interface FrameHead extends IndexState {
  readonly lengths: readonly [revisions: number, commits: number, comments: number, originals: number]
  readonly authors: readonly AuthorRow[]
  readonly users: readonly string[]
  readonly pages: readonly [number, PageRow][]
  readonly files: readonly [number, StoredFile][]
}

/** A file's row; deleted ones leave with the next base. */
export interface StoredFile extends FileRow {
  readonly deleted?: boolean
}

const empty: Region = { offset: 0, length: 0 }

const emptyState: IndexState = {
  tip: null,
  numbering: '',
  config: null,
  settings: null,
  revisionJumps: [{ ordinal: 0, id: 1 }],
  pageJumps: [{ ordinal: 0, id: 1 }],
  hiddenCommits: 0,
}

interface Persisted {
  revisions: number
  commits: number
  comments: number
  originals: number
  authors: number
  users: number
}

export class RevisionIndex {
  state: IndexState
  readonly pages: Catalog<PageRow>
  readonly files: Catalog<StoredFile>
  readonly originals: Originals
  readonly generation: string | null
  readonly #file: BlockFile | null
  readonly #revisions: GrowingBytes
  readonly #commits: GrowingBytes
  readonly #comments: GrowingBytes
  readonly #authors: GrowingBytes
  readonly #users: GrowingBytes
  readonly #heap: GrowingBytes
  readonly #addedAuthors: AuthorRow[] = []
  readonly #addedUsers: string[] = []
  #authorOrdinals: Map<string, number> | null = null
  #userIds: Map<string, number> | null = null
  #persisted: Persisted
  #tailLength = 0

  private constructor(base: BaseFile<Header> | null) {
    const region = (name: string) => base?.regions[name] ?? empty
    this.#file = base?.file ?? null
    this.generation = base?.header.generation ?? null
    this.state = base === null ? emptyState : stateOf(base.header)
    this.#revisions = new GrowingBytes(this.#file, region('revisions'))
    this.#commits = new GrowingBytes(this.#file, region('commits'))
    this.#comments = new GrowingBytes(this.#file, region('comments'))
    this.originals = new Originals(this.#file, region('originals'))
    this.#authors = new GrowingBytes(this.#file, region('authors'))
    this.#users = new GrowingBytes(this.#file, region('users'))
    this.#heap = new GrowingBytes(this.#file, region('heap'))
    const heap = (slice: { offset: number; length: number }) => this.#text(this.#heap, slice)
    const regions = (name: string) => ({
      rows: region(name),
      byKey: region(`${name}ByKey`),
      byPath: region(`${name}ByPath`),
    })
    this.pages = new Catalog(
      { bytes: pageBytes, encode: encodePage, decode: decodePage },
      this.#file,
      regions('pages'),
      heap,
    )
    this.files = new Catalog(
      { bytes: fileBytes, encode: encodeFile, decode: decodeFile },
      this.#file,
      regions('files'),
      heap,
    )
    this.#persisted = this.#counts()
  }

  /** Makes an index that holds nothing. */
  static create(): RevisionIndex {
    return new RevisionIndex(null)
  }

  /** Opens the files in a folder; null where there are none, or they are of another version or not whole. */
  static open(folder: string): RevisionIndex | null {
    const base = openBase<Header>(`${folder}/base`)
    if (base === null) return null
    if (base.header.version !== formatVersion) {
      base.file.close()
      return null
    }
    const index = new RevisionIndex(base)
    index.readTail(folder)
    return index
  }

  /** Generation of the base in a folder; null where there is none that can be read. */
  static generationAt(folder: string): string | null {
    const base = openBase<Header>(`${folder}/base`)
    base?.file.close()
    return base?.header.generation ?? null
  }

  /** Takes in what others appended to the tail since it was read; true where there was something. */
  readTail(folder: string): boolean {
    if (this.generation === null) return false
    const tail = readTail<FrameHead>(`${folder}/tail`, this.generation, this.#tailLength)
    for (const frame of tail.frames) this.#apply(frame)
    if (tail.length > 0) this.#tailLength = tail.length
    this.#persisted = this.#counts()
    return tail.frames.length > 0
  }

  /**
   * Stores what was added since the index was last stored: as a frame of the tail, or all of it as a new base. Only the
   * holder of the index lock may. Gives the index to go on with.
   */
  save(folder: string): RevisionIndex {
    const isLong = this.#tailLength > tailLimit
    // Frames that this index holds may be gone from disk: somebody deleted the tail, or found it damaged.
    const isCut = tailSize(`${folder}/tail`) < this.#tailLength
    if (this.generation === null || isLong || isCut) return this.#rewrite(folder)
    const { revisions, commits, comments, originals, authors, users } = this.#persisted
    const bytes = [
      this.#revisions.since(revisions),
      this.#commits.since(commits),
      this.#comments.since(comments),
      this.originals.since(originals),
    ] as const
    const head: FrameHead = {
      ...this.state,
      lengths: [bytes[0].length, bytes[1].length, bytes[2].length, bytes[3].length],
      authors: this.#addedAuthors.slice(authors),
      users: this.#addedUsers.slice(users),
      pages: this.pages.takeChanged(),
      files: this.files.takeChanged(),
    }
    this.#tailLength = appendFrame(`${folder}/tail`, this.generation, this.#tailLength, head, bytes)
    this.#persisted = this.#counts()
    return this
  }

  /** Reads every block of the base once; throws `wiki-index-damaged`. */
  verify(): void {
    this.#file?.verify()
  }

  /** True once a block was read that is not as it was written: nothing here can be relied on. */
  get isDamaged(): boolean {
    return this.#file?.isDamaged ?? false
  }

  /** Hashes of the chain's commits. */
  *chain(): Iterable<string> {
    for (let ordinal = 0; ordinal < this.commitCount; ordinal++) {
      const commit = this.commit(ordinal)
      if (commit.onChain) yield commit.hash
    }
  }

  close(): void {
    this.#file?.close()
  }

  // Revisions and commits

  get revisionCount(): number {
    return this.#revisions.length / revisionBytes
  }

  get commitCount(): number {
    return this.#commits.length / commitBytes
  }

  revision(ordinal: number): RevisionRecord {
    return decodeRevision(this.#revisions.read(ordinal * revisionBytes, revisionBytes))
  }

  /** Whether one of the `depth` revisions up to this one, but not this one, carries the blob. */
  wasBlob(blob: string, latest: number, depth: number): boolean {
    const wanted = Buffer.from(blob, 'hex')
    let at: number | null = latest
    for (let steps = 0; at !== null && steps < depth; steps++) {
      const bytes = this.#revisions.read(at * revisionBytes, revisionBytes)
      if (wanted.equals(blobBytes(bytes))) return at !== latest
      at = previousIn(bytes)
    }
    return false
  }

  /** Sets the size of a revision that is not stored yet. */
  setSize(ordinal: number, size: number): void {
    writeSize(this.#revisions.read(ordinal * revisionBytes, revisionBytes), size)
  }

  commit(ordinal: number): CommitRecord {
    return decodeCommit(this.#commits.read(ordinal * commitBytes, commitBytes))
  }

  comment(commit: CommitRecord): string {
    return this.#text(this.#comments, commit.comment)
  }

  author(ordinal: number): AuthorRow {
    const inBase = this.#authors.length / authorBytes
    if (ordinal >= inBase) return this.#addedAuthors[ordinal - inBase] as AuthorRow
    return decodeAuthor(this.#authors.read(ordinal * authorBytes, authorBytes), slice => this.#text(this.#heap, slice))
  }

  /** Folded address of a user. */
  address(user: number): string {
    const inBase = this.#users.length / userBytes
    if (user > inBase) return this.#addedUsers[user - 1 - inBase] as string
    return decodeUser(this.#users.read((user - 1) * userBytes, userBytes), slice => this.#text(this.#heap, slice))
  }

  /** Ordinal of the first revision whose commit is not before this one: revisions stand in order of their commits. */
  firstRevisionOf(commit: number): number {
    return lowerBound(this.revisionCount, at => this.revision(at).commit < commit)
  }

  revisionId(ordinal: number): number {
    return idAt(this.state.revisionJumps, ordinal)
  }

  pageId(ordinal: number): number {
    return idAt(this.state.pageJumps, ordinal)
  }

  /** Ordinal of an id; undefined where no revision has it, or has it any more. */
  revisionOrdinal(id: number): number | undefined {
    return ordinalAt(this.state.revisionJumps, id, this.revisionCount)
  }

  pageOrdinal(id: number): number | undefined {
    return ordinalAt(this.state.pageJumps, id, this.pages.count)
  }

  // Adding, in the order of numbering

  addRevision(revision: RevisionRecord): number {
    this.#revisions.append(encodeRevision(revision))
    return this.revisionCount - 1
  }

  addCommit(commit: Omit<CommitRecord, 'comment'>, comment: string): number {
    const bytes = Buffer.from(comment)
    const slice = { offset: this.#comments.length, length: bytes.length }
    this.#comments.append(bytes)
    this.#commits.append(encodeCommit({ ...commit, comment: slice }))
    return this.commitCount - 1
  }

  /** Ordinal of the author of this name and folded address; `address` null for an anonymous one. */
  authorOrdinal(name: string, address: string | null): number {
    const user = address === null ? null : this.#userId(address)
    this.#authorOrdinals ??= new Map(this.#allAuthors().map((row, ordinal) => [authorIdentity(row), ordinal]))
    const identity = authorIdentity({ user, name })
    const known = this.#authorOrdinals.get(identity)
    if (known !== undefined) return known
    const ordinal = this.#authorOrdinals.size
    this.#addedAuthors.push({ user, name })
    this.#authorOrdinals.set(identity, ordinal)
    return ordinal
  }

  #userId(address: string): number {
    const count = () => this.#users.length / userBytes + this.#addedUsers.length
    this.#userIds ??= new Map(Array.from({ length: count() }, (_, at) => [this.address(at + 1), at + 1]))
    const known = this.#userIds.get(address)
    if (known !== undefined) return known
    this.#addedUsers.push(address)
    this.#userIds.set(address, count())
    return count()
  }

  #allAuthors(): AuthorRow[] {
    const count = this.#authors.length / authorBytes + this.#addedAuthors.length
    return Array.from({ length: count }, (_, ordinal) => this.author(ordinal))
  }

  #text(bytes: GrowingBytes, slice: { offset: number; length: number }): string {
    return bytes.read(slice.offset, slice.length).toString('utf8')
  }

  #counts(): Persisted {
    return {
      revisions: this.#revisions.length,
      commits: this.#commits.length,
      comments: this.#comments.length,
      originals: this.originals.length,
      authors: this.#addedAuthors.length,
      users: this.#addedUsers.length,
    }
  }

  #apply({ head, bytes }: Frame<FrameHead>): void {
    const [revisions, commits, comments] = head.lengths
    this.#revisions.append(bytes.subarray(0, revisions))
    this.#commits.append(bytes.subarray(revisions, revisions + commits))
    this.#comments.append(bytes.subarray(revisions + commits, revisions + commits + comments))
    this.originals.append(bytes.subarray(revisions + commits + comments))
    this.#addedAuthors.push(...head.authors)
    this.#addedUsers.push(...head.users)
    this.#authorOrdinals = null
    this.#userIds = null
    this.pages.restore(head.pages)
    this.files.restore(head.files)
    this.state = stateOf(head)
  }

  #rewrite(folder: string): RevisionIndex {
    const heap = new HeapWriter()
    const pages = this.pages.serialize(heap)
    const files = this.#withoutDeletedFiles().serialize(heap)
    const users = Array.from({ length: this.#users.length / userBytes + this.#addedUsers.length }, (_, at) =>
      this.address(at + 1),
    )
    const contents = {
      revisions: this.#revisions.all(),
      commits: this.#commits.all(),
      comments: this.#comments.all(),
      originals: this.originals.sorted(),
      authors: Buffer.concat(this.#allAuthors().map(row => encodeAuthor(row, heap))),
      users: Buffer.concat(users.map(address => encodeUser(address, heap))),
      pages: pages.rows,
      pagesByKey: pages.byKey,
      pagesByPath: pages.byPath,
      files: files.rows,
      filesByKey: files.byKey,
      filesByPath: files.byPath,
      heap: heap.bytes(),
    }
    // Made of the contents alone, so that every clone and both backends write the same bytes.
    const state = JSON.stringify(this.state)
    const generation = (checksum: number) => `${this.state.tip ?? 'empty'}-${crc32(state, checksum).toString(16)}`
    const header = (checksum: number): Header => ({
      version: formatVersion,
      generation: generation(checksum),
      ...this.state,
    })
    // A base of the same contents may have been there before, with a tail that leads elsewhere.
    rmSync(`${folder}/tail`, { force: true })
    writeBase(`${folder}/base`, header, contents)
    this.close()
    return RevisionIndex.open(folder) ?? this
  }

  #withoutDeletedFiles(): Catalog<StoredFile> {
    const kept = RevisionIndex.create().files
    for (let ordinal = 0; ordinal < this.files.count; ordinal++) {
      const row = this.files.at(ordinal)
      if (!row.deleted) kept.push(row)
    }
    return kept
  }
}

function stateOf(state: IndexState): IndexState {
  const { tip, numbering, config, settings, revisionJumps, pageJumps, hiddenCommits } = state
  return { tip, numbering, config, settings, revisionJumps, pageJumps, hiddenCommits }
}

function authorIdentity(row: AuthorRow): string {
  return `${row.user ?? 0} ${row.name}`
}

function idAt(jumps: readonly IdJump[], ordinal: number): number {
  const jump = jumps.findLast(candidate => candidate.ordinal <= ordinal) as IdJump
  return jump.id + ordinal - jump.ordinal
}

function ordinalAt(jumps: readonly IdJump[], id: number, count: number): number | undefined {
  const at = jumps.findLastIndex(candidate => candidate.id <= id)
  const jump = jumps[at]
  if (jump === undefined) return undefined
  const ordinal = jump.ordinal + id - jump.id
  return ordinal < Math.min(jumps[at + 1]?.ordinal ?? count, count) ? ordinal : undefined
}
