/**
 * The revision index: every page, revision, commit, author and file, as numbering found them. It is derived from git and may be
 * deleted at any time; `docs/reference/storage.md` draws the files. Ordinals count from 0; ids are what the wiki shows. Its parts
 * have files of their own beside this one; `stored-index.ts` reads and writes it.
 */

import type { BaseFile } from './base-file.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import { Catalog } from './catalog.ts'
import { Pairs } from './pairs.ts'
import { People, type PeopleCounts } from './people.ts'
import {
  type AuthorRow,
  type CommitRecord,
  decodeFile,
  decodePage,
  encodeFile,
  encodePage,
  type FileRow,
  fileBytes,
  fileSlots,
  fileTexts,
  heapReader,
  isDeletedPage,
  type PageRow,
  pageBytes,
  pageSlots,
  pageTexts,
  type RevisionRecord,
} from './records.ts'
import { type LogLengths, RevisionLog } from './revision-log.ts'
import { emptyState, type IndexState, idAt, ordinalAt, stateOf } from './state.ts'

/** Header of the base file. */
export interface Header extends IndexState {
  readonly version: number
  readonly generation: string
}

/** A file's row; deleted ones are omitted from the next base. */
export interface StoredFile extends FileRow {
  readonly deleted?: boolean
}

/** Lengths of the parts of an index that are on disk. */
export interface StoredPart {
  readonly log: LogLengths
  readonly originals: number
  readonly editors: number
  readonly deletions: number
  readonly people: PeopleCounts
  /** Bytes of the tail. */
  readonly tail: number
  /** Text of wiki.json. */
  readonly config: string | null
}

interface Parts {
  readonly file: BlockFile | null
  readonly generation: string | null
  readonly state: IndexState
  readonly log: RevisionLog
  readonly people: People
  /** Ordinals of imported revisions by their original ids. */
  readonly originals: Pairs
  /** Editors of pages, see `People.editor`, by the page's ordinal. */
  readonly editors: Pairs
  /** Ordinals of deleted pages by lookup key: see `deletions.ts`. */
  readonly deletions: Pairs
  readonly pages: Catalog<PageRow>
  readonly files: Catalog<StoredFile>
}

const empty: Region = { offset: 0, length: 0 }

const pageFormat = {
  bytes: pageBytes,
  encode: encodePage,
  decode: decodePage,
  texts: pageTexts,
  slots: pageSlots,
  isDeleted: isDeletedPage,
}
const fileFormat = {
  bytes: fileBytes,
  encode: encodeFile,
  decode: decodeFile,
  texts: fileTexts,
  slots: fileSlots,
  // Rows of deleted files are omitted from the next base.
  isDeleted: () => false,
}

export class RevisionIndex {
  state: IndexState
  /** Kept by `stored-index.ts`. */
  stored: StoredPart
  readonly generation: string | null
  readonly log: RevisionLog
  readonly people: People
  /** Ordinals of imported revisions by their original ids. */
  readonly originals: Pairs
  /** Editors of pages, see `People.editor`, by the page's ordinal. */
  readonly editors: Pairs
  /** Ordinals of deleted pages by lookup key: see `deletions.ts`. */
  readonly deletions: Pairs
  readonly pages: Catalog<PageRow>
  readonly files: Catalog<StoredFile>
  readonly #file: BlockFile | null

  private constructor(parts: Parts, stored?: StoredPart) {
    this.#file = parts.file
    this.generation = parts.generation
    this.state = parts.state
    this.log = parts.log
    this.people = parts.people
    this.originals = parts.originals
    this.editors = parts.editors
    this.deletions = parts.deletions
    this.pages = parts.pages
    this.files = parts.files
    this.stored = stored ?? this.extent(0)
  }

  /** Creates an empty index. */
  static create(): RevisionIndex {
    return new RevisionIndex(partsOf(null))
  }

  /** Opens the index of a base file. */
  static of(base: BaseFile<Header>): RevisionIndex {
    return new RevisionIndex(partsOf(base))
  }

  /**
   * Creates a fork that may be changed while readers use this index. Either it replaces this one, or it is discarded: both must
   * not be changed. The time grows with the changes since the base was written.
   */
  fork(): RevisionIndex {
    const { generation, state, stored } = this
    const [log, people, pages, files] = [this.log.fork(), this.people.fork(), this.pages.fork(), this.files.fork()]
    const [originals, editors, deletions] = [this.originals.fork(), this.editors.fork(), this.deletions.fork()]
    const parts = { file: this.#file, generation, state, log, people, originals, editors, deletions, pages, files }
    return new RevisionIndex(parts, stored)
  }

  /** Lengths of the index's parts, with a tail of this many bytes. */
  extent(tail: number): StoredPart {
    return {
      log: this.log.lengths,
      originals: this.originals.length,
      editors: this.editors.length,
      deletions: this.deletions.length,
      people: this.people.counts,
      tail,
      config: this.state.config,
    }
  }

  /** Verifies every block of the base once, and pauses after each step; throws `wiki-index-damaged`. */
  *verify(): Generator<void> {
    if (this.#file !== null) yield* this.#file.verify()
  }

  /** Generation of the base's file, which identifies it for other processes; null if all of it is in memory. */
  get identity(): string | null {
    return this.#file?.identity ?? null
  }

  /** True once a block failed its checksum: nothing here can be relied on. */
  get isDamaged(): boolean {
    return this.#file?.isDamaged ?? false
  }

  /** False once its file is closed: another index has replaced it. */
  get isOpen(): boolean {
    return this.#file?.isOpen ?? true
  }

  /** Returns true if closing one index would close the other. */
  sharesFileWith(other: RevisionIndex): boolean {
    return this.#file === other.#file
  }

  close(): void {
    this.#file?.close()
  }

  /** Keeps the index readable after `close`, until every caller has called `release`. */
  hold(): void {
    this.#file?.hold()
  }

  release(): void {
    this.#file?.release()
  }

  // Revisions and commits

  get revisionCount(): number {
    return this.log.revisionCount
  }

  get commitCount(): number {
    return this.log.commitCount
  }

  revision(ordinal: number): RevisionRecord {
    return this.log.revision(ordinal)
  }

  commit(ordinal: number): CommitRecord {
    return this.log.commit(ordinal)
  }

  comment(commit: CommitRecord): string {
    return this.log.comment(commit)
  }

  /** Ordinal of the first revision whose commit is not before this one: revisions stand in order of their commits. */
  firstRevisionOf(commit: number): number {
    return this.log.firstRevisionOf(commit)
  }

  /** Hashes of the chain's commits. */
  *chain(): Iterable<string> {
    for (let ordinal = 0; ordinal < this.commitCount; ordinal++) {
      const commit = this.commit(ordinal)
      if (commit.onChain) yield commit.hash
    }
  }

  author(ordinal: number): AuthorRow {
    return this.people.author(ordinal)
  }

  /** Folded address of a user. */
  address(user: number): string {
    return this.people.address(user)
  }

  // Ids

  revisionId(ordinal: number): number {
    return idAt(this.state.revisionJumps, ordinal)
  }

  pageId(ordinal: number): number {
    return idAt(this.state.pageJumps, ordinal)
  }

  /** Ordinal of an id; undefined if no revision has it now. */
  revisionOrdinal(id: number): number | undefined {
    return ordinalAt(this.state.revisionJumps, id, this.revisionCount)
  }

  pageOrdinal(id: number): number | undefined {
    return ordinalAt(this.state.pageJumps, id, this.pages.count)
  }
}

function partsOf(base: BaseFile<Header> | null): Parts {
  const file = base?.file ?? null
  const region = (name: string) => base?.regions[name] ?? empty
  const heap = new GrowingBytes(file, region('heap'))
  const places = (name: string) => ({
    rows: region(name),
    byKey: region(`${name}ByKey`),
    byPath: region(`${name}ByPath`),
    twins: region(`${name}Twins`),
  })
  return {
    file,
    generation: base?.header.generation ?? null,
    state: base === null ? emptyState : stateOf(base.header),
    log: RevisionLog.open(file, region),
    people: People.open(file, region, heapReader(heap)),
    originals: new Pairs(file, region('originals')),
    editors: new Pairs(file, region('editors')),
    deletions: new Pairs(file, region('deletions')),
    pages: Catalog.open(pageFormat, file, places('pages'), heap),
    files: Catalog.open(fileFormat, file, places('files'), heap),
  }
}
