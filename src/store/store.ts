/**
 * The store: an opened repository as a wiki. Queries go to the index (pages.ts, history.ts, revisions.ts, media-files.ts,
 * problems.ts), texts come from git, writes go through write.ts. Any commit's files are in `trees`, the checked-out ones in
 * `checkout`.
 */

import { type CacheBytes, divideCacheBytes } from '../core/cache-shares.ts'
import type { ContentModel } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import { pathArgument } from '../core/shell-quote.ts'
import type { Title, TitleRules } from '../core/title.ts'
import type { HiddenRevision, WikiConfig } from '../core/wiki-config.ts'
import { AwaitedFiles } from '../files/awaited-files.ts'
import { isSameFile, mayHaveOtherNames, nameOnDisk } from '../files/same-file.ts'
import { workTreeAt } from '../files/work-file.ts'
import type { BranchRecord } from './acknowledged/branch-record.ts'
import type { RepairedBranch } from './acknowledged/repair.ts'
import { type ChangeEntry, type ChangeWalk, countChanges, placeOfChange, visitChanges } from './changes.ts'
import { Checkout } from './checkout.ts'
import { CommitTrees } from './commit-trees.ts'
import type { CommittedRevision } from './committed-revisions.ts'
import { deletedFileWithKey, deletedPagesWithKey, deletionOfPage } from './deleted-pages.ts'
import type {
  Author,
  CommitPlan,
  Committed,
  DeletedFile,
  Deletion,
  FileEntry,
  FileVersion,
  HistoryPart,
  HistoryQuery,
  PageEntry,
  RevisionEntry,
  TitleProblem,
} from './format/entries.ts'
import { guardedKind, isScriptTitle } from './format/guarded-files.ts'
import { legalMeaning, meansPage, type PathRules } from './format/paths.ts'
import { lackingContent, lfsContent, textContent, withLfsContent } from './git/lfs.ts'
import { placesOfObject } from './git/objects.ts'
import { type BackendName, type LazyBackend, openBackend } from './git/open-backend.ts'
import { isUnreadable } from './git/read-past-damage.ts'
import { hiddenState } from './hidden-state.ts'
import {
  allRevisions,
  countOf,
  historyPart,
  pagesChangedSince,
  revisionsOfCommits,
  revisionsOfPage,
  timesFrom,
  type VisitedRevisions,
  visitRevisions,
} from './history.ts'
import type { Import } from './import/import.ts'
import { type FormerRevision, formerRevisions, isOnMainLine } from './index/former-ids.ts'
import { LeftBranches } from './index/left-branches.ts'
import { LiveIndex, type ProvisionalRevisions } from './index/live-index.ts'
import { type IndexSource, PinnedIndex } from './index/pinned-index.ts'
import { kindOfPath } from './index/record-writer.ts'
import type { RevisionFlag } from './index/records.ts'
import type { RevisionIndex } from './index/revision-index.ts'
import { inSlices } from './index/slices.ts'
import { identityOf, lineageOf } from './index/state.ts'
import { type FileMove, type FolderSize, largestFolder, layoutMoves } from './layout.ts'
import { contentOf, filesInOrder, fileWithKey, versionsOfFile } from './media-files.ts'
import { newPath, pathOfItsOwn } from './new-path.ts'
import { keysInOrder, type PageQuery, pageAtPath, pagesInOrder, pageWithId, pageWithKey } from './pages.ts'
import { pagesStamp } from './pages-stamp.ts'
import { titleProblems } from './problems.ts'
import { checkoutsOf, operationInAny } from './repository/checkouts.ts'
import type { CommitPrograms, ProgramChoice } from './repository/commit-programs.ts'
import { lastValue } from './repository/git-config.ts'
import type { Role } from './repository/identity.ts'
import { findRepository, headOf, type Repository, readRef } from './repository/repository.ts'
import { serverMemory } from './repository/server-memory.ts'
import { shareModesOfReaders } from './repository/shared-modes.ts'
import { leaveAloneUnlessTrusted, topOf, trustedSettings } from './repository/trust.ts'
import { wildMatch } from './repository/wild-match.ts'
import { type RevisionFlags, revisionAt, stampAt } from './revisions.ts'
import type { MergeEnding } from './work-tree/finish-merge.ts'
import { OwnNames } from './work-tree/own-names.ts'
import type { Writer } from './write.ts'

export interface StoreOptions {
  /** A folder in the repository. */
  readonly directory: string
  /** Branch to use instead of HEAD's. */
  readonly branch?: string | undefined
  /** Backend to use instead of the detected one. */
  readonly backend?: BackendName | undefined
  /** Called with the progress of a long build of the index: commits done, and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Called with messages for people, once each. */
  readonly notice?: ((message: string) => void) | undefined
  /** Programs that git runs for each commit: hooks and signing. Without it nothing runs. */
  readonly programs?: ProgramChoice | undefined
  /** The user's environment, whose committer the commits get. Without it, as in a server, the author of each is its committer. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Bytes of all caches together. By default those of `wiki.serverMemory` for a server, else `usualCacheBytes`. */
  readonly cacheBytes?: number | undefined
}

/**
 * Opens the wiki of a folder. Cheap: only a few small files are read before the first query. Throws `wiki-not-found`,
 * `wiki-bad-repository`, `wiki-bad-config`, `outofrange` for `wiki.serverMemory`.
 */
export function openStore(options: StoreOptions): Store {
  const repository = findRepository(options.directory, { branch: options.branch })
  leaveAloneUnlessTrusted(repository)
  shareModesOfReaders(repository)
  return storeOf(repository, options)
}

function storeOf(repository: Repository, options: StoreOptions): Store {
  const { progress, notice, programs, environment } = options
  const memory = options.cacheBytes ?? (programs?.byServer ? serverMemory(repository) : undefined)
  const cacheBytes = divideCacheBytes(memory)
  const backend = openBackend(repository, options.backend, cacheBytes)
  const lacking = new AwaitedFiles()
  const live = new LiveIndex({ repository, backend, lacking, progress, notice, memory: cacheBytes('indexBlocks') })
  const leftBranches = new LeftBranches(repository)
  const openBranch = (branch: string) =>
    storeOf({ ...repository, branch, isCheckedOut: headOf(repository) === branch }, options)
  const settings = { programs, environment, cacheBytes }
  return new Store({ repository, backend, lacking, ...settings, live, leftBranches, openBranch })
}

/** Parts of a store. */
interface StoreParts {
  readonly repository: Repository
  readonly backend: LazyBackend
  readonly lacking: AwaitedFiles
  readonly programs: ProgramChoice | undefined
  readonly environment?: StoreOptions['environment']
  readonly cacheBytes: CacheBytes
  readonly live: IndexSource
  readonly leftBranches: LeftBranches
  readonly openBranch: (branch: string) => Store
}

export interface PathOptions {
  /** Path of a page that is renamed, and leaves nothing behind. */
  readonly leaving?: string | undefined
  /** Changes the name, such as its extension. */
  readonly named?: (path: string) => string
}

export class Store {
  readonly repository: Repository
  /** Returns the bytes that a cache may take. */
  readonly cacheBytes: CacheBytes
  /** Opens another branch of the repository, by its full name; to be closed. */
  readonly openBranch: (branch: string) => Store
  /** Commits of this clone, and their files. */
  readonly trees: CommitTrees
  /** The work tree and git's index. */
  readonly checkout: Checkout
  readonly #live: IndexSource
  readonly #leftBranches: LeftBranches
  readonly #backend: LazyBackend
  readonly #lacking: AwaitedFiles
  readonly #programs: ProgramChoice | undefined
  readonly #environment: StoreOptions['environment']
  #writer: Promise<Writer> | null = null
  /** Pages that a snapshot has looked up: one response needs its page repeatedly. */
  #found: { readonly index: RevisionIndex; readonly pages: Map<string, PageEntry | undefined> } | null = null

  constructor(parts: StoreParts) {
    const { repository, backend, live } = parts
    this.repository = repository
    this.openBranch = parts.openBranch
    this.cacheBytes = parts.cacheBytes
    this.#backend = backend
    this.#lacking = parts.lacking
    this.#programs = parts.programs
    this.#environment = parts.environment
    this.#live = live
    this.#leftBranches = parts.leftBranches
    this.trees = new CommitTrees({ repository, backend, live })
    this.checkout = new Checkout({ repository, backend, live, trees: this.trees })
  }

  /** Returns a snapshot of the wiki, for one response. It does not follow the branch and is read-only; to be closed. */
  snapshot(): Store {
    const { repository, cacheBytes, openBranch } = this
    const live = new PinnedIndex(this.#live)
    const shared = {
      backend: this.#backend,
      lacking: this.#lacking,
      programs: this.#programs,
      leftBranches: this.#leftBranches,
    }
    return new Store({ repository, cacheBytes, openBranch, live, ...shared })
  }

  /** True for what `snapshot` returns. */
  get isSnapshot(): boolean {
    return this.#live instanceof PinnedIndex
  }

  /** Settings as wiki.json at the tip has them. */
  get config(): WikiConfig {
    return this.#live.config
  }

  /** Text of wiki.json at the tip; "" if there is none. */
  get configText(): string {
    return this.#live.index.state.config ?? ''
  }

  /** True if the wiki's folder is a vault of Obsidian. */
  get isVault(): boolean {
    return this.#live.index.state.isVault ?? false
  }

  get titles(): TitleRules {
    return this.#live.rules.titles
  }

  /** Commit of the index; null before the first one. */
  get tip(): string | null {
    return this.#live.index.state.tip
  }

  /** Identifies the state of the wiki, for keys of caches: see `identityOf`. */
  get state(): string {
    return this.#sinceArrivals(identityOf(this.#live.index.state))
  }

  /** Changes whenever the wiki does more than grow, whatever its settings: see `lineageOf`. For what is kept across commits. */
  get lineage(): string {
    return this.#sinceArrivals(lineageOf(this.#live.index.state))
  }

  /** An answer that was made without content which may have arrived meanwhile counts as of another state. */
  #sinceArrivals(state: string): string {
    const { arrivals } = this.#live
    return arrivals === 0 ? state : `${state}+${arrivals}`
  }

  /** Number of reads, of all snapshots, that lacked content: what was made meanwhile is not kept beyond this process. */
  get lackingReads(): number {
    return this.#lacking.misses
  }

  /** Returns true if the wiki has only grown since an earlier state: `pagesChangedSince` then names every page with another text. */
  follows({ tip, lineage }: Pick<Store, 'tip' | 'lineage'>): boolean {
    return tip !== null && lineage === this.lineage && (tip === this.tip || isOnMainLine(this.#live.index, tip))
  }

  /** Name of the backend that reads git. */
  get backend(): BackendName {
    return this.#backend.name
  }

  /** Folder for derived data: inside the git directory, never tracked. */
  get cacheDirectory(): string {
    return this.#live.folder
  }

  /** Hashes of the commits whose parents a shallow clone lacks. */
  get boundary(): ReadonlySet<string> {
    const [, hashes] = this.#live.index.state.numbering.split('\n')
    return new Set(hashes?.split(' '))
  }

  /** True in a clone that lacks the beginning of its history. */
  get shallow(): boolean {
    return this.#live.index.state.numbering.includes('\n')
  }

  get revisionCount(): number {
    return this.#live.index.revisionCount
  }

  /** Makes the index match the branch; takes microseconds if it does. `force` checks the branch even during `shareCheck`. */
  async refresh(options: { readonly force?: boolean } = {}): Promise<void> {
    await this.#explained(() => this.#live.refresh(options))
  }

  /** An error says how a branch that names no whole commit is repaired. */
  async #explained<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask()
    } catch (error) {
      const { withRepair } = await import('./acknowledged/repair.ts')
      throw await withRepair(this.repository, this.#backend, error)
    }
  }

  /** Lets one check of the branch serve every `refresh` until the returned function is called. Writes check all the same. */
  shareCheck(): () => void {
    return this.#live.shareCheck()
  }

  /**
   * Loads the stored index into the system's cache in the background: a server's first responses need not wait for the disk block
   * by block.
   */
  async readAhead(): Promise<void> {
    await this.#live.readAhead()
  }

  /** Rebuilds the index. */
  async rebuild(): Promise<void> {
    await this.#live.rebuild()
  }

  // Pages

  /** Page with a canonical key. */
  findPage(key: string): PageEntry | undefined {
    const { index } = this.#live
    if (!this.isSnapshot) return pageWithKey(index, key)
    if (this.#found?.index !== index) this.#found = { index, pages: new Map() }
    const { pages } = this.#found
    if (!pages.has(key)) pages.set(key, pageWithKey(index, key))
    return pages.get(key)
  }

  /** Page with an id; a deleted one only if `deleted` is set. */
  pageById(id: number, { deleted = false } = {}): PageEntry | undefined {
    return pageWithId(this.#live.index, id, deleted)
  }

  /** Pages that were deleted under a canonical key, the last deleted one first. */
  deletedPages(key: string): PageEntry[] {
    return deletedPagesWithKey(this.#live.index, key)
  }

  /** Returns the deletion of a page; null if the page exists. */
  deletion(page: number): Deletion | null {
    return deletionOfPage(this.#live, page)
  }

  /** Media file last deleted under a canonical key; null if there is none. */
  async deletedFile(key: string): Promise<DeletedFile | null> {
    return deletedFileWithKey(this.#live, hash => this.#backend.read(hash), key)
  }

  /** Canonical key of a page, or its last key if it is deleted; undefined for unknown ids. */
  keyOfPage(id: number): string | undefined {
    const ordinal = this.#live.index.pageOrdinal(id)
    return ordinal === undefined ? undefined : this.#live.index.pages.at(ordinal).key
  }

  /** Returns true if the branch has a commit, as of the last refresh. */
  hasCommit(commit: string): boolean {
    return this.#live.index.log.hasCommit(commit)
  }

  pageAtPath(path: string): PageEntry | undefined {
    return pageAtPath(this.#live.index, path)
  }

  /** Pages in order of their folded titles; valid until the next write or refresh. */
  pages(query: PageQuery = {}): Iterable<PageEntry> {
    return pagesInOrder(this.#live.index, query)
  }

  /** Keys of the pages whose folded title has the prefix, in order of the folded titles; a tenth of the time of `pages`. */
  keys(prefix: string): Iterable<string> {
    return keysInOrder(this.#live.index, prefix)
  }

  /** Number of shown pages, one for each title, whose folded title has the prefix; reads no page. */
  countPages(prefix = ''): number {
    return this.#live.index.pages.countTitles(prefix)
  }

  /** Stamp of what shows or hides pages without a revision: see `pages-stamp.ts`. */
  pagesStamp(): string {
    return pagesStamp(this.#live.index)
  }

  /** Files that are not shown as pages or media, and why. */
  problems(): Iterable<TitleProblem> {
    return titleProblems(this.#live)
  }

  /** Objects that the index could not read, because git lacks them or they are damaged, with the pages and files that they belong to. */
  *unread(): Iterable<{ readonly title: string; readonly path: string; readonly blob: string }> {
    const unread = new Set(this.#live.index.state.unread)
    if (unread.size === 0) return
    for (const { page, blob } of this.allRevisions()) {
      const { title, path } = (unread.has(blob) && this.pageById(page)) || {}
      if (title !== undefined && path !== undefined) yield { title, path, blob }
    }
    for (const { title, path, blob } of this.files()) if (unread.has(blob)) yield { title, path, blob }
  }

  // Revisions

  /**
   * Revision with an id; undefined for ids that were never assigned or are retired, and, unless `deleted` is set, for those of a
   * deleted page.
   */
  revision(id: number, { deleted = false } = {}): RevisionEntry | undefined {
    const { index } = this.#live
    const ordinal = index.revisionOrdinal(id)
    if (ordinal === undefined || (!deleted && index.pages.at(index.revision(ordinal).page).deleted)) return undefined
    return revisionAt(this.#live, ordinal)
  }

  /** Time of a page's last edit, and its bytes. */
  latestOf({ latest }: PageEntry): Pick<RevisionEntry, 'timestamp' | 'size'> {
    return stampAt(this.#live, this.#live.index.revisionOrdinal(latest) as number)
  }

  /** Ids of the pages that have revisions with ids above this one, including deleted pages. */
  pagesChangedSince(id: number): Set<number> {
    return pagesChangedSince(this.#live, id)
  }

  /** All revisions, oldest first, including those of deleted pages; valid until the next write or refresh. */
  allRevisions(): Iterable<RevisionEntry> {
    return allRevisions(this.#live)
  }

  /** Highest id of a revision; 0 if there is none. */
  get lastRevisionId(): number {
    return this.revisionCount === 0 ? 0 : this.#live.index.revisionId(this.revisionCount - 1)
  }

  /** Revisions that an id named before a pull or a rebase reassigned it, as far as known. */
  formerRevisions(id: number): FormerRevision[] {
    return formerRevisions(this.#live.formerIds, id)
  }

  /** Revisions that an id names on branches that HEAD has left in recent days, as far as known. */
  revisionsOnLeftBranches(id: number): FormerRevision[] {
    return this.#leftBranches.revisions(id)
  }

  /** Revisions that are not shared yet, whose ids may change; null without an upstream branch. */
  provisional(): Promise<ProvisionalRevisions | null> {
    return this.#live.provisional()
  }

  /** The times of a revision and of those before it on its page, ISO 8601. */
  timesFrom(id: number): Iterable<string> {
    return timesFrom(this.#live, id)
  }

  /** A page's revisions, newest first; valid until the next write or refresh. */
  revisionsOf(page: PageEntry): Iterable<RevisionEntry> {
    return revisionsOfPage(this.#live, page)
  }

  /** Counts revisions or editors of a page: see `countOf`. */
  countOf(page: PageEntry, what: RevisionFlag | 'editors'): number {
    return countOf(this.#live, page, what)
  }

  /**
   * Visits a page's revisions as filters see them, newest first, until `visit` returns false; yields to the event loop every few
   * milliseconds. Returns false if the index was rewritten meanwhile, so that the visit cannot continue.
   */
  async visitRevisions(
    page: PageEntry,
    query: VisitedRevisions,
    visit: (flags: RevisionFlags) => boolean,
  ): Promise<boolean> {
    const { index, config, rules } = this.#live
    const steps = visitRevisions({ index, config, rules }, page, query, visit)
    return inSlices(steps, () => index.sharesFileWith(this.#live.index))
  }

  /** A segment of a page's history; empty if an id is not one of the page's revisions. */
  history(page: PageEntry, query: HistoryQuery): HistoryPart {
    return historyPart(this.#live, page, query)
  }

  /** Number of changes of the whole wiki: see `changes.ts`. */
  countChanges(): number {
    return countChanges(this.#live)
  }

  /** Place of the change that a cursor names; undefined for an invalid cursor. */
  placeOfChange(cursor: string): number | undefined {
    return placeOfChange(this.#live, cursor)
  }

  /**
   * Visits changes of the whole wiki until `visit` returns false; yields to the event loop every few milliseconds. Returns false
   * if the index was rewritten meanwhile, so that the visit cannot continue.
   */
  async visitChanges(walk: ChangeWalk, visit: (change: ChangeEntry) => boolean): Promise<boolean> {
    const { index, config, rules } = this.#live
    const steps = visitChanges({ index, config, rules }, walk, visit)
    return inSlices(steps, () => index.sharesFileWith(this.#live.index))
  }

  /** Address of a user, lower case. */
  addressOf(user: number): string {
    return this.#live.index.address(user)
  }

  /** Revisions that had an id in the wiki they were imported from, oldest first. */
  originals(id: number): RevisionEntry[] {
    return this.#live.index.originals.find(id).map(ordinal => revisionAt(this.#live, ordinal))
  }

  /** Highest original id of an imported revision; 0 if none was imported. */
  get lastOriginal(): number {
    return this.#live.index.originals.last
  }

  /** Revisions of the commits with this hash prefix, oldest first. */
  commits(prefix: string): RevisionEntry[] {
    return revisionsOfCommits(this.#live, prefix)
  }

  // Files

  /** Media files in order of their folded titles. */
  files(): Iterable<FileEntry> {
    return filesInOrder(this.#live)
  }

  /** Number of shown media files: one for each title. */
  countFiles(): number {
    return this.#live.index.files.countTitles()
  }

  /**
   * Returns a stamp that differs after a title of a media file has come or gone. Two stamps may differ although none has; null
   * if the index is not stored. Takes time proportional to the files that changed since the index was compacted.
   */
  filesStamp(): string | null {
    const { generation, files } = this.#live.index
    return generation === null ? null : `${generation} ${files.changedTitles().join('|')}`
  }

  findFile(key: string): FileEntry | undefined {
    return fileWithKey(this.#live, key)
  }

  /** Versions of a media file, the latest first, at most `limit`: see `versionsOfFile`. */
  fileVersions(file: Pick<FileEntry, 'path'>, limit: number): Promise<FileVersion[]> {
    return versionsOfFile(this.#live, hash => this.#backend.read(hash), file, limit)
  }

  /** Hidden parts of a revision: see `hidden-state.ts`. */
  hiddenState(revision: Pick<RevisionEntry, 'commit' | 'blob'>): HiddenRevision | undefined {
    return hiddenState(this.#live, revision)
  }

  /** Files whose paths differ in a layout; valid until the next write or refresh. */
  layoutMoves(layout: WikiConfig['layout']): Iterable<FileMove> {
    return layoutMoves(this.#live, layout)
  }

  /** Largest folder of the wiki. */
  largestFolder(): FolderSize {
    return largestFolder(this.#live)
  }

  // Texts

  /** Text of a revision; invalid UTF-8 is replaced by U+FFFD. Throws as `bytes`. */
  async text(revision: RevisionEntry): Promise<string> {
    return (await this.bytes(revision.blob, this.#nameOf(revision))).toString('utf8')
  }

  /** Texts of many revisions, in order. Throws as `bytes`. */
  async *texts(revisions: Iterable<RevisionEntry>): AsyncIterable<[RevisionEntry, string]> {
    for await (const [revision, text] of this.presentTexts(revisions)) {
      // Reading it alone throws the error of its own.
      yield [revision, text ?? (await this.text(revision))]
    }
  }

  /** As `texts`, for what reads all pages of a wiki: null for a text that this clone lacks, in git or in Git LFS, or that is damaged. */
  async *presentTexts(revisions: Iterable<RevisionEntry>): AsyncIterable<[RevisionEntry, string | null]> {
    const asked: RevisionEntry[] = []
    const blobs = function* () {
      for (const revision of revisions) {
        asked.push(revision)
        yield revision.blob
      }
    }
    for await (const blob of this.#backend.readBlobs(blobs())) {
      const revision = asked.shift() as RevisionEntry
      if (blob === null) this.#lacks(revision.blob)
      const content = blob && (await this.#contentOf(blob))
      yield [revision, content?.toString('utf8') ?? null]
    }
  }

  /** Revisions with the bytes of their texts and details of their commits, in order. Throws as `bytes`. */
  async *committed(revisions: Iterable<RevisionEntry>): AsyncIterable<CommittedRevision> {
    const { readCommitted } = await import('./committed-revisions.ts')
    for await (const read of readCommitted(this.#backend, revisions)) {
      const content = await this.#contentOf(read.content)
      if (content === null) throw lackingContent(this.#nameOf(read.revision))
      yield { ...read, content }
    }
  }

  /**
   * Bytes of a page's text: of a pointer of Git LFS, those of its content. Throws `wiki-lfs-missing` with the name,
   * `rest-resource-limit-exceeded`, `wiki-objects-missing`.
   */
  async bytes(blob: string, name = blob.slice(0, 10)): Promise<Buffer> {
    const content = await this.presentBytes(blob)
    if (content === null) throw lackingContent(name)
    return content
  }

  /** As `bytes`; null if the content is in Git LFS and missing in this clone. */
  async presentBytes(blob: string): Promise<Buffer | null> {
    return this.#contentOf(await this.blob(blob))
  }

  /** As `presentBytes`; null also if git lacks the object or cannot read it. */
  async readableBytes(blob: string): Promise<Buffer | null> {
    try {
      return await this.presentBytes(blob)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#lacks(blob)
      return null
    }
  }

  /** Bytes of a blob, as git has them. Throws `wiki-objects-missing`. */
  async blob(hash: string): Promise<Buffer> {
    return (await this.#backend.read(hash)).content
  }

  /** As `bytes` for many blobs, in the requested order, with many requests in flight; null for a missing one. */
  async *manyBytes(blobs: Iterable<string>): AsyncIterable<Buffer | null> {
    for await (const blob of this.#backend.readBlobs(blobs)) yield blob === null ? null : await this.#contentOf(blob)
  }

  #contentOf(blob: Buffer): Promise<Buffer | null> {
    return textContent(blob, { directory: this.repository.commonDirectory, lacking: this.#lacking })
  }

  /** Notes an object that git could not read. */
  #lacks(hash: string): void {
    this.#lacking.add(...placesOfObject(this.repository.objectDirectory, hash))
  }

  #nameOf({ page }: RevisionEntry): string {
    return (this.keyOfPage(page) ?? `${page}`).replaceAll('_', ' ')
  }

  /** Sizes in bytes of blobs, in the requested order; null for one that is missing. */
  async sizesOf(blobs: readonly string[]): Promise<readonly (number | null)[]> {
    const sizes: (number | null)[] = []
    for await (const some of this.#backend.sizes(blobs)) sizes.push(...some)
    return sizes
  }

  /** Reads blobs; returns those that git lacks or that are damaged, also since they were indexed. */
  async unreadable(blobs: Iterable<string>): Promise<ReadonlySet<string>> {
    const { unreadableBlobs } = await import('./git/unreadable-blobs.ts')
    return unreadableBlobs(blobs, this.#backend)
  }

  /** Returns those of the blobs that are pointers of Git LFS whose content this clone does not have. */
  async lackingContent(blobs: readonly string[]): Promise<ReadonlySet<string>> {
    const { lackingLfsContent } = await import('./git/lfs.ts')
    return lackingLfsContent(blobs, { backend: this.#backend, directory: this.repository.commonDirectory })
  }

  /** Detects whether a media file is a pointer of Git LFS; returns it with the size and the location of its content then. */
  async withContent(file: FileEntry): Promise<FileEntry> {
    return withLfsContent(file, {
      backend: this.#backend,
      directory: this.repository.commonDirectory,
      lacking: this.#lacking,
    })
  }

  /** Bytes of a media file, in pieces if it is large. Throws `wiki-lfs-missing` for content that this clone lacks. */
  content(file: FileEntry): AsyncIterable<Buffer> {
    return file.lfs === undefined ? contentOf(this.#backend, file) : lfsContent(file, file.lfs)
  }

  /** Returns true for the path of a page or a media file. */
  isPageOrFile(path: string): boolean {
    return kindOfPath(path, this.#live.rules.root) !== null
  }

  /** Returns true for a file that only an owner may write: see `format/guarded-files.ts`, and the setting `editableFiles`. */
  isGuarded(path: string): boolean {
    const { root, editableFiles } = this.config
    const kind = guardedKind(path, root) ?? (isScriptTitle(path, this.#live.rules) ? 'script title' : null)
    // A writer of the settings could open everything else.
    if (kind === null || kind === 'settings') return kind !== null
    return !editableFiles.some(pattern => wildMatch(pattern, path))
  }

  // Writing

  /**
   * Refuses an editor's change of a file that only an owner may write. Deleting one changes what machines do, too. Throws
   * `protectedpagetext`.
   */
  checkRights({
    author,
    changes,
  }: Pick<CommitPlan, 'author'> & { readonly changes: readonly { path: string }[] }): void {
    const guarded = author.isOwner === false ? changes.find(({ path }) => this.isGuarded(path)) : undefined
    if (guarded !== undefined) throw new WikiError('protectedpagetext', { params: [guarded.path] })
  }

  /** Path of a new page, named as the files around it are. See `PathOptions`. */
  newPath(title: Title, model: ContentModel, { leaving, named = path => path }: PathOptions = {}): string {
    const neighbours = { pages: (query: PageQuery) => this.pages(query), files: () => this.files() }
    const path = named(newPath(title, model, this.#live.rules, neighbours))
    const own = pathOfItsOwn(path, one => this.#isTaken(one, leaving))
    return meansPage(own, { title, model }, this.#live.rules) ? own : path
  }

  /** Returns true if the disk takes a new path for that of another file. */
  #isTaken(path: string, leaving: string | undefined): boolean {
    const { workTree, isCheckedOut } = this.repository
    if (workTree === null || !isCheckedOut) return false
    const tree = workTreeAt(workTree)
    if (!mayHaveOtherNames(tree, path)) return false
    if (leaving !== undefined && isSameFile(tree, path, leaving)) return false
    return nameOnDisk(tree, path) !== path || new OwnNames(this.repository, workTree).takenBy(path) !== null
  }

  /** The one way to write: see `Writer.commit`. */
  async commit(plan: () => Promise<CommitPlan | null> | CommitPlan | null): Promise<Committed> {
    const writer = await this.#openedWriter()
    return this.#explained(() => writer.commit(plan))
  }

  /** Returns the last commit that was written through this store; null if nothing was. */
  async lastWritten(): Promise<string | null> {
    return (await this.#writer?.catch(() => null))?.lastWritten ?? null
  }

  /** Opens an import on top of the tip: see `Import`. */
  async openImport(): Promise<Import> {
    const writer = await this.#openedWriter()
    const { openImport } = await import('./import/import.ts')
    const folder = `${this.cacheDirectory}/import`
    const { repository, tip } = this
    const conversion = await this.checkout.written().conversion()
    return openImport({ repository, backend: this.#backend, writer, folder, tip, conversion })
  }

  /** A writer that could not be opened, because of a lock or a full disk, is opened again by the next write. */
  #openedWriter(): Promise<Writer> {
    this.#writer ??= this.#openWriter().catch(error => {
      this.#writer = null
      throw error
    })
    return this.#writer
  }

  async #openWriter(): Promise<Writer> {
    if (this.isSnapshot) throw new Error('a snapshot of a wiki is not written to')
    // Damage must show before anything is written: after a commit the query could not be repeated.
    await this.#live.verify()
    const { openWriter } = await import('./write.ts')
    const programs = await this.#commitPrograms()
    const { signsAnswered } = await import('../files/life-sign.ts')
    await signsAnswered(this.repository.commonDirectory)
    try {
      this.#live.clearLeftovers()
    } catch (error) {
      const { writeFailure } = await import('./repository/write-failure.ts')
      throw writeFailure(this.repository, error)
    }
    return openWriter({
      repository: { ...this.repository, isWritten: true },
      backend: this.#backend,
      refresh: async () => {
        await this.#live.refresh({ force: true })
        return this.tip
      },
      isIndexed: commit => this.#live.index.log.hasCommit(commit),
      checkRights: commit => this.checkRights(commit),
      titleAt: path => meaningOf(path, this.#live.rules),
      programs,
      patience: this.#programs?.byServer ? this.#programs.patience / 2 : undefined,
      committer: this.#committerFinder(),
    })
  }

  /** Git runs once. */
  #committerFinder(): (() => Promise<Author | null>) | undefined {
    const environment = this.#environment
    let found: Promise<Author | null> | undefined
    return environment && (() => (found ??= this.#identity('committer', environment)))
  }

  /** Throws `wiki-unsafe-repository` if git would refuse the repository. */
  async #commitPrograms(): Promise<(() => CommitPrograms) | undefined> {
    const { repository } = this
    if (!leaveAloneUnlessTrusted(repository)) {
      const hint = `If you trust it: git config --global --add safe.directory ${pathArgument(topOf(repository))}`
      throw new WikiError('wiki-unsafe-repository', { params: [topOf(repository)], hint })
    }
    const choice = this.#programs
    if (choice === undefined) return undefined
    const { commitPrograms } = await import('./repository/commit-programs.ts')
    // A hook may be installed while a server runs.
    return () => commitPrograms(repository, choice)
  }

  /** Returns the programs that run for each commit made here, as currently configured; null if none may run. */
  async commitPrograms(): Promise<CommitPrograms | null> {
    return (await this.#commitPrograms().catch(() => undefined))?.() ?? null
  }

  /**
   * Returns git's operation in progress on the branch (`merge`, `rebase` ...); null if the branch may be written to.
   */
  operation(): string | null {
    return operationInAny(checkoutsOf(this.repository))
  }

  /**
   * Lets git finish its current merge, with these files as they are; returns the commit. Errors: wiki-merge-unfinished;
   * wiki-repository-busy if there is no git to finish it, or it is not a merge.
   */
  async finishMerge(ending: Omit<MergeEnding, 'programs'>): Promise<string> {
    const operation = this.operation() ?? 'merge'
    if (operation !== 'merge' || (await this.#backend.choose()) !== 'git')
      throw new WikiError('wiki-repository-busy', { params: [operation] })
    await this.#commitPrograms()
    // It removes what a power failure has left of git's locks.
    const writer = await this.#openedWriter()
    const { finishMerge } = await import('./work-tree/finish-merge.ts')
    await finishMerge(this.repository, { ...ending, programs: this.#programs })
    await this.refresh()
    const commit = this.tip as string
    await writer.acknowledge([commit], writer.syncBelow(commit), async () => true)
    return commit
  }

  /** Name and address that git would use for a commit made here, in this environment of the user; null if there is none. */
  async author(environment: Readonly<Record<string, string | undefined>> = {}): Promise<Author | null> {
    return this.#identity('author', environment)
  }

  /** Value of a setting of git that names a program of this user, in this environment; null if it is not set. */
  programSetting(key: string, environment: Readonly<Record<string, string | undefined>>): string | null {
    return lastValue(trustedSettings(this.repository, environment), key) ?? null
  }

  async #identity(role: Role, environment: Readonly<Record<string, string | undefined>>): Promise<Author | null> {
    const { gitIdentity } = await import('./repository/identity.ts')
    const mayRunGit = (await this.#backend.choose()) === 'git'
    return gitIdentity({ repository: this.repository, role, environment, mayRunGit })
  }

  /** Current commit of the branch, whether or not the index has it. */
  branchTip(): string | null {
    return readRef(this.repository, this.repository.branch)
  }

  /**
   * Puts a branch that names no whole commit back to its last one; null if nothing is wrong with it. Files and git's index stay as they are.
   * `dryRun` only looks. Errors: wiki-objects-missing, wiki-locked.
   */
  async repair({ dryRun = false } = {}): Promise<RepairedBranch | null> {
    const { findRepair, repairBranch } = await import('./acknowledged/repair.ts')
    const { index } = this.#live
    const indexed = index.state.tip === null ? [] : [...index.chain()].reverse()
    const found = await findRepair(this.repository, { backend: this.#backend, indexed })
    return found === null || dryRun || (await repairBranch(this.repository, found)) ? found : this.repair()
  }

  /** Full names of the branches that have a record of acknowledged commits, or that a running server serves. */
  async recordedBranches(): Promise<readonly string[]> {
    const { recordedBranches } = await import('./acknowledged/record-paths.ts')
    const { servedBranches } = await import('./repository/served-branch.ts')
    const served = servedBranches(this.repository.commonDirectory).filter(name => name !== 'HEAD')
    return [...new Set([...recordedBranches(this.repository), ...served])]
  }

  /** Opens the record of acknowledged commits beside the current index: see `BranchRecord`. */
  async record(): Promise<BranchRecord> {
    const { BranchRecord } = await import('./acknowledged/branch-record.ts')
    const { index, rules } = this.#live
    const { repository } = this
    return new BranchRecord({ repository, index, rules, read: hash => this.#backend.read(hash) })
  }

  close(): void {
    if (!this.isSnapshot) this.#closeAll()
    this.#live.close()
  }

  #closeAll(): void {
    this.checkout.close()
    void this.#writer?.then(writer => writer.close()).catch(() => {})
    this.#backend.close()
  }
}

/** A page and a media file may have the same title. */
function meaningOf(path: string, rules: PathRules): string {
  const meaning = legalMeaning(path, rules)
  return meaning === null ? path : `${meaning.kind} ${meaning.title.key}`
}
