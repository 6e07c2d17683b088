/** The store: an opened repository as a wiki. Reads come from the index and its texts from git; writes go through write.ts. */

import { type HideablePart, hideableParts, type WikiConfig } from '../core/config.ts'
import type { ContentModel } from '../core/content-models.ts'
import { contentModels } from '../core/content-models.ts'
import { isWikiError } from '../core/errors.ts'
import type { HistoryFilter } from '../core/revision.ts'
import type { Title, TitleRules } from '../core/title.ts'
import type { CommittedRevision } from './committed.ts'
import type {
  Author,
  CommitPlan,
  Committed,
  FileEntry,
  HistoryPart,
  HistoryQuery,
  PageEntry,
  RevisionEntry,
  TitleProblem,
} from './entries.ts'
import type { PathChange } from './git/backend.ts'
import { type BackendName, type LazyBackend, openBackend } from './git/open-backend.ts'
import type { Import } from './import/import.ts'
import { kindOfPath } from './index/ledger.ts'
import type { StoredFile } from './index/revision-index.ts'
import { LiveIndex } from './live-index.ts'
import { comparePaths, pathOfTitle, titleOfPath } from './paths.ts'
import { findRepository, type Repository, readRef } from './repository.ts'
import type { WorkTreeChange } from './work-tree.ts'
import type { Writer } from './write.ts'

export interface StoreOptions {
  /** A folder in the repository. */
  readonly directory: string
  /** Branch to use instead of HEAD's. */
  readonly branch?: string | undefined
  /** Backend to use instead of the one that is found. */
  readonly backend?: BackendName | undefined
  /** Told how far a long build of the index is: commits done, of how many. */
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Told what a person should know once. */
  readonly notice?: ((message: string) => void) | undefined
  /** Home folder and environment for git's own configuration; without it only the repository's is read. */
  readonly home?: string | undefined
}

/**
 * Opens the wiki that a folder lies in. Cheap: nothing but a few small files is read before the first question.
 * Throws `wiki-not-found`, `wiki-bad-repository`, `wiki-bad-config`.
 */
export function openStore(options: StoreOptions): Store {
  return new Store(options)
}

export class Store {
  readonly repository: Repository
  readonly #live: LiveIndex
  readonly #backend: LazyBackend
  readonly #options: StoreOptions
  #writer: Promise<Writer> | null = null

  constructor(options: StoreOptions) {
    this.#options = options
    this.repository = findRepository(options.directory, { branch: options.branch })
    this.#backend = openBackend(this.repository, options.backend)
    const { progress, notice } = options
    this.#live = new LiveIndex({ repository: this.repository, backend: this.#backend, progress, notice })
  }

  /** Settings as wiki.json at the tip has them. */
  get config(): WikiConfig {
    return this.#live.config
  }

  /** Text of wiki.json at the tip; "" where there is none. */
  get configText(): string {
    return this.#live.index.state.config ?? ''
  }

  get titles(): TitleRules {
    return this.#live.rules.titles
  }

  /** Commit that answers are given for; null before the first one. */
  get tip(): string | null {
    return this.#live.index.state.tip
  }

  /** Which backend reads git. */
  get backend(): BackendName {
    return this.#backend.name
  }

  /** Folder for what can be derived again: inside the git directory, never tracked. */
  get cacheDirectory(): string {
    return this.#live.folder
  }

  /** True in a clone that does not hold the beginning of its history. */
  get shallow(): boolean {
    return this.#live.index.state.numbering.includes('\n')
  }

  get revisionCount(): number {
    return this.#live.index.revisionCount
  }

  /** Makes the index match the branch; microseconds when it does. */
  async refresh(): Promise<void> {
    await this.#live.refresh()
  }

  /** Lets `refresh` take what it found true of the branch for true for so many milliseconds. Writes look all the same. */
  trustFor(milliseconds: number): void {
    this.#live.trustFor(milliseconds)
  }

  /** Builds the index from nothing. */
  async rebuild(): Promise<void> {
    await this.#live.rebuild()
  }

  // Pages

  /** Page with a canonical key. */
  findPage(key: string): PageEntry | undefined {
    const same = this.#live.index.pages.withKey(key)
    return same.length === 0 ? undefined : this.#page(this.#shown(same))
  }

  pageById(id: number): PageEntry | undefined {
    const ordinal = this.#live.index.pageOrdinal(id)
    if (ordinal === undefined || this.#live.index.pages.at(ordinal).deleted) return undefined
    return this.#page(ordinal)
  }

  /** Canonical key of a page, or what it was when the page was deleted; undefined for ids that were never given. */
  keyOfPage(id: number): string | undefined {
    const ordinal = this.#live.index.pageOrdinal(id)
    return ordinal === undefined ? undefined : this.#live.index.pages.at(ordinal).key
  }

  pageAtPath(path: string): PageEntry | undefined {
    const ordinal = this.#live.index.pages.atPath(path)
    return ordinal === undefined ? undefined : this.#page(ordinal)
  }

  /**
   * Pages in order of their folded titles, to be taken before the next write or refresh. `prefix` is folded too, and holds
   * the namespace: see `foldTitlePrefix`.
   */
  *pages(query: { readonly prefix?: string; readonly namespace?: number } = {}): Iterable<PageEntry> {
    const { pages } = this.#live.index
    const same: number[] = []
    let key: string | null = null
    for (const ordinal of pages.withPrefix(query.prefix ?? '')) {
      const row = pages.at(ordinal)
      if (query.namespace !== undefined && row.namespace !== query.namespace) continue
      if (row.key !== key && same.length > 0) yield this.#page(this.#shown(same.splice(0)))
      key = row.key
      same.push(ordinal)
    }
    if (same.length > 0) yield this.#page(this.#shown(same))
  }

  /** Files that are not shown as pages or media, and why. */
  *problems(): Iterable<TitleProblem> {
    const { pages, files } = this.#live.index
    for (const catalog of [pages, files]) {
      for (let ordinal = 0; ordinal < catalog.count; ordinal++) {
        const row = catalog.at(ordinal)
        if (!row.deleted) yield* this.#problem(row.path, row.key, catalog.withKey(row.key), at => catalog.at(at).path)
      }
    }
  }

  *#problem(path: string, key: string, same: number[], pathOf: (ordinal: number) => string): Iterable<TitleProblem> {
    if (key === '') {
      yield { path, shownAs: null, reason: this.#flawOf(path) }
      return
    }
    if (same.length < 2) return
    const shownAs = pathOf(same.sort((a, b) => comparePrecedence(pathOf(a), pathOf(b)))[0] as number)
    if (shownAs !== path) yield { path, shownAs, reason: `it has the same title as ${shownAs}` }
  }

  #flawOf(path: string): string {
    try {
      titleOfPath(path, this.#live.rules)
    } catch (error) {
      if (isWikiError(error)) return error.message
      throw error
    }
    return 'its name makes no title'
  }

  /** Of pages with one title the one that is shown: the content model's order decides, then the path's. */
  #shown(ordinals: readonly number[]): number {
    const { pages } = this.#live.index
    return ordinals.reduce((best, next) =>
      comparePrecedence(pages.at(next).path, pages.at(best).path) < 0 ? next : best,
    )
  }

  #page(ordinal: number): PageEntry {
    const { index } = this.#live
    const row = index.pages.at(ordinal)
    return {
      id: index.pageId(ordinal),
      key: row.key,
      title: row.key.replaceAll('_', ' '),
      namespace: row.namespace,
      path: row.path,
      model: row.model,
      latest: index.revisionId(row.latest),
      first: index.revisionId(row.first),
      edits: row.edits,
      redirect: row.redirect,
    }
  }

  // Revisions

  /**
   * Revision with an id; undefined for ids that were never given or are retired, and, unless `deleted` is set, for those of
   * a deleted page.
   */
  revision(id: number, { deleted = false } = {}): RevisionEntry | undefined {
    const { index } = this.#live
    const ordinal = index.revisionOrdinal(id)
    if (ordinal === undefined || (!deleted && index.pages.at(index.revision(ordinal).page).deleted)) return undefined
    return this.#revision(ordinal)
  }

  /** Ids of the pages that have revisions with ids above this one; deleted pages among them. */
  pagesChangedSince(id: number): Set<number> {
    const { index } = this.#live
    const changed = new Set<number>()
    for (let ordinal = this.revisionCount - 1; ordinal >= 0 && index.revisionId(ordinal) > id; ordinal--) {
      changed.add(index.pageId(index.revision(ordinal).page))
    }
    return changed
  }

  /** All revisions, oldest first, those of deleted pages among them; to be taken before the next write or refresh. */
  *allRevisions(): Iterable<RevisionEntry> {
    for (let ordinal = 0; ordinal < this.revisionCount; ordinal++) yield this.#revision(ordinal)
  }

  /** Highest id that a revision has; 0 where there is none. */
  get lastRevisionId(): number {
    return this.revisionCount === 0 ? 0 : this.#live.index.revisionId(this.revisionCount - 1)
  }

  /** A page's revisions, newest first, to be taken before the next write or refresh. */
  *revisionsOf(page: PageEntry): Iterable<RevisionEntry> {
    const { index } = this.#live
    for (let at = index.revisionOrdinal(page.latest) ?? null; at !== null; at = index.revision(at).previous)
      yield this.#revision(at)
  }

  /** A part of a page's history. An id that is not one of the page's revisions gives an empty part. */
  history(page: PageEntry, query: HistoryQuery): HistoryPart {
    const { olderThan, newerThan, limit } = query
    const passes = filters[query.filter ?? 'all']
    if (newerThan !== undefined) return this.#newer(page, newerThan, limit, passes)
    const start = olderThan === undefined ? this.#ordinalOf(page.latest) : this.#before(page, olderThan)
    const found: RevisionEntry[] = []
    for (let at = start; at !== null; at = this.#live.index.revision(at).previous) {
      const revision = this.#revision(at)
      if (!passes(revision)) continue
      if (found.length === limit) return { revisions: found, more: true }
      found.push(revision)
    }
    return { revisions: found, more: false }
  }

  #ordinalOf(id: number): number | null {
    return this.#live.index.revisionOrdinal(id) ?? null
  }

  #before(page: PageEntry, id: number): number | null {
    const ordinal = this.#ordinalOf(id)
    if (ordinal === null) return null
    const record = this.#live.index.revision(ordinal)
    return this.#live.index.pageId(record.page) === page.id ? record.previous : null
  }

  #newer(page: PageEntry, newerThan: number, limit: number, passes: (revision: RevisionEntry) => boolean): HistoryPart {
    const found: RevisionEntry[] = []
    for (const revision of this.revisionsOf(page)) {
      if (revision.id <= newerThan) break
      if (passes(revision)) found.push(revision)
    }
    return { revisions: limit === 0 ? [] : found.slice(-limit), more: found.length > limit }
  }

  #revision(ordinal: number): RevisionEntry {
    const { index } = this.#live
    const record = index.revision(ordinal)
    const commit = index.commit(record.commit)
    const author = index.author(commit.author)
    const previous = record.previous === null ? null : index.revision(record.previous)
    return {
      id: index.revisionId(ordinal),
      page: index.pageId(record.page),
      previous: record.previous === null ? null : index.revisionId(record.previous),
      sequence: record.sequence,
      commit: commit.hash,
      blob: record.blob,
      model: record.model,
      size: record.size,
      delta: previous === null ? null : record.size - previous.size,
      timestamp: isoTime(commit.time),
      user: { id: author.user, name: author.name },
      comment: index.comment(commit),
      minor: commit.minor,
      bot: commit.bot || this.#isBotAuthor(author.user, author.name),
      hidden: hiddenParts(commit.hidden, this.config.hidden[`${commit.hash}/${record.blob}`]?.parts),
      reverted: record.reverted || commit.reverts,
    }
  }

  #isBotAuthor(user: number | null, name: string): boolean {
    const { bots } = this.config
    if (bots.length === 0) return false
    return (
      bots.includes(name) || (user !== null && bots.some(bot => bot.toLowerCase() === this.#live.index.address(user)))
    )
  }

  /** Whether something of any revision may be hidden. */
  get hidesSomething(): boolean {
    return this.#live.index.state.hiddenCommits > 0 || Object.keys(this.config.hidden).length > 0
  }

  /** Address of a user, lower case. */
  addressOf(user: number): string {
    return this.#live.index.address(user)
  }

  /** Revisions that had an id in the wiki they were imported from, oldest first. */
  originals(id: number): RevisionEntry[] {
    return this.#live.index.originals.find(id).map(ordinal => this.#revision(ordinal))
  }

  /** Highest id that an imported revision had where it comes from; 0 where none was imported. */
  get lastOriginal(): number {
    return this.#live.index.originals.last
  }

  /** Revisions that the commits whose hashes start so made, oldest first. */
  commits(prefix: string): RevisionEntry[] {
    const { index } = this.#live
    const found: RevisionEntry[] = []
    for (let commit = 0; commit < index.commitCount; commit++) {
      if (!index.commit(commit).hash.startsWith(prefix)) continue
      for (
        let at = index.firstRevisionOf(commit);
        at < index.revisionCount && index.revision(at).commit === commit;
        at++
      )
        found.push(this.#revision(at))
    }
    return found
  }

  // Files

  /** Media files in order of their folded titles. */
  *files(): Iterable<FileEntry> {
    const { files } = this.#live.index
    let last = ''
    for (const ordinal of files.withPrefix('')) {
      const { key } = files.at(ordinal)
      if (key !== last) yield this.findFile(key) as FileEntry
      last = key
    }
  }

  findFile(key: string): FileEntry | undefined {
    const { files } = this.#live.index
    const rows = files.withKey(key).map(ordinal => files.at(ordinal))
    const first = rows.sort((a, b) => comparePaths(a.path, b.path))[0]
    return first === undefined ? undefined : this.#file(first)
  }

  #file(row: StoredFile): FileEntry {
    const { index } = this.#live
    const commit = index.commit(row.commit)
    const author = index.author(commit.author)
    return {
      key: row.key,
      title: row.key.replaceAll('_', ' '),
      path: row.path,
      blob: row.blob,
      size: row.size,
      timestamp: isoTime(commit.time),
      user: { id: author.user, name: author.name },
    }
  }

  // Texts

  /** Text of a revision; invalid UTF-8 is replaced by U+FFFD. */
  async text(revision: RevisionEntry): Promise<string> {
    return (await this.bytes(revision.blob)).toString('utf8')
  }

  /** Texts of many revisions, in their order. */
  async *texts(revisions: Iterable<RevisionEntry>): AsyncIterable<[RevisionEntry, string]> {
    const asked: RevisionEntry[] = []
    const blobs = function* () {
      for (const revision of revisions) {
        asked.push(revision)
        yield revision.blob
      }
    }
    for await (const content of this.#backend.readBlobs(blobs())) {
      const revision = asked.shift() as RevisionEntry
      yield [revision, content?.toString('utf8') ?? '']
    }
  }

  /** Revisions with the bytes of their texts and what only their commits say, in their order. */
  async *committed(revisions: Iterable<RevisionEntry>): AsyncIterable<CommittedRevision> {
    const { readCommitted } = await import('./committed.ts')
    yield* readCommitted(this.#backend, revisions)
  }

  async bytes(blob: string): Promise<Buffer> {
    return (await this.#backend.read(blob)).content
  }

  /** Bytes of a media file, piece by piece where it is large. */
  content({ blob, size }: Pick<FileEntry, 'blob' | 'size'>): AsyncIterable<Buffer> {
    return size > streamedBytes ? this.#backend.stream(blob) : this.#whole(blob)
  }

  async *#whole(blob: string): AsyncIterable<Buffer> {
    yield await this.bytes(blob)
  }

  /** Commit that a name of git's means (a branch, a tag, a hash, `HEAD~2`); null where there is none in this clone. */
  async commitNamed(name: string): Promise<string | null> {
    const { resolveCommit } = await import('./commit-name.ts')
    return resolveCommit(this.repository, hash => this.#backend.read(hash), name)
  }

  /** Page files that differ between two commits of this clone, in bytewise order of their paths. */
  async changesBetween(from: string, to: string): Promise<readonly PathChange[]> {
    const { root } = this.#live.rules
    const isPage = (path: string): boolean => kindOfPath(path, root) === 'page'
    const { compareCommits } = await import('./git/walk.ts')
    return compareCommits(hash => this.#backend.read(hash), from, to, isPage)
  }

  // Writing

  /** Path that a new page is written to. */
  newPath(title: Title, model: ContentModel): string {
    return pathOfTitle(title, model, this.#live.rules)
  }

  /** The one way to write: see `Writer.commit`. */
  async commit(plan: () => Promise<CommitPlan | null> | CommitPlan | null): Promise<Committed> {
    return (await this.#openedWriter()).commit(plan)
  }

  /** Opens an import on top of the tip: see `Import`. */
  async openImport(): Promise<Import> {
    const writer = await this.#openedWriter()
    const { openImport } = await import('./import/import.ts')
    const folder = `${this.cacheDirectory}/import`
    const { repository, tip } = this
    return openImport({ repository, backend: this.#backend, writer, folder, tip })
  }

  /** One that could not be opened, for a lock or a full disk, is opened anew by the next write. */
  #openedWriter(): Promise<Writer> {
    this.#writer ??= this.#openWriter().catch(error => {
      this.#writer = null
      throw error
    })
    return this.#writer
  }

  async #openWriter(): Promise<Writer> {
    // Damage must show before anything is written: after a commit its question could not be asked again.
    await this.#live.verify()
    const { openWriter } = await import('./write.ts')
    return openWriter({
      repository: this.repository,
      backend: this.#backend,
      refresh: async () => {
        await this.#live.refresh({ force: true })
        return this.tip
      },
    })
  }

  /** Pages and media of the work tree that differ from the tip. Empty in a bare repository. */
  async workTreeChanges(): Promise<WorkTreeChange[]> {
    const { listWorkTreeChanges } = await import('./work-tree.ts')
    return listWorkTreeChanges(this.repository, this.#live.rules.root, await this.#backend.choose())
  }

  /** Name and address that git's configuration gives for commits made here, or null. */
  async author(): Promise<Author | null> {
    const { configuredAuthor } = await import('./identity.ts')
    return configuredAuthor(this.repository, this.#options.home)
  }

  /** Commit that the branch names now, whether or not the index knows it. */
  branchTip(): string | null {
    return readRef(this.repository, this.repository.branch)
  }

  close(): void {
    this.#backend.close()
    this.#live.index.close()
  }
}

/** Smaller blobs are read whole: quicker, and bounded all the same. */
const streamedBytes = 4 * 1024 * 1024

/** Seconds since 1970 as ISO 8601, UTC. Times beyond what a date can hold show as 1970. */
function isoTime(seconds: number): string {
  const milliseconds = seconds * 1000
  const date = Number.isFinite(milliseconds) && Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds) : new Date(0)
  return `${date.toISOString().slice(0, -5)}Z`
}

/** What was hidden in the wiki that a revision comes from is hidden for good: it is not here. */
function hiddenParts(
  there: readonly HideablePart[],
  here: readonly HideablePart[] | undefined,
): readonly HideablePart[] {
  if (here === undefined || there.length === 0) return here ?? there
  return hideableParts.filter(part => there.includes(part) || here.includes(part))
}

const filters: Readonly<Record<HistoryFilter | 'all', (revision: RevisionEntry) => boolean>> = {
  all: () => true,
  anonymous: revision => revision.user.id === null && !revision.hidden.includes('user'),
  bot: revision => revision.bot && !revision.hidden.includes('user'),
  minor: revision => revision.minor,
  reverted: revision => revision.reverted,
}

const extensionOrder = Object.values(contentModels).flatMap(({ extensions }) => extensions as readonly string[])

/** Which of two files with one title is shown. */
function comparePrecedence(a: string, b: string): number {
  const rank = (path: string) => extensionOrder.indexOf(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  return rank(a) - rank(b) || comparePaths(a, b)
}
