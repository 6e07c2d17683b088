/**
 * The one writer. Each write is a commit; writes that wait at the same moment share one move of the branch. Objects are synced
 * to disk first; then the branch moves, and the work trees follow (`branch-move.ts`).
 */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WikiError } from '../core/errors.ts'
import { makeFolder } from '../files/private-files.ts'
import { type Acknowledging, acknowledge, clearRecord, renewRecord } from './acknowledged/acknowledged.ts'
import { syncBelow } from './acknowledged/foreign-objects.ts'
import { recordPaths } from './acknowledged/record-paths.ts'
import { newestAcknowledged } from './acknowledged/refs.ts'
import { dropSettledHeads } from './acknowledged/settled-heads.ts'
import { commitContent, ident } from './format/commit-content.ts'
import type { Author, CommitPlan, Committed } from './format/entries.ts'
import { serializeMessage } from './format/trailers.ts'
import { housekeeping } from './git/housekeeping.ts'
import { NewObjects } from './git/new-objects.ts'
import { ObjectGuard } from './git/object-guard.ts'
import { treeOfCommit } from './git/objects.ts'
import type { LazyBackend } from './git/open-backend.ts'
import type { ReadObject } from './git/walk.ts'
import { checkoutsOf, hasBranch } from './repository/checkouts.ts'
import type { CommitPrograms } from './repository/commit-programs.ts'
import { clearLeftovers, takeLockFile } from './repository/lock-file.ts'
import { missingObject } from './repository/missing-object.ts'
import { prepareMove, refPath } from './repository/ref-update.ts'
import type { Repository } from './repository/repository.ts'
import { shareModes } from './repository/shared-modes.ts'
import { readSyncSettings } from './repository/sync-settings.ts'
import { lasting, writeFailure } from './repository/write-failure.ts'
import { type Advance, checkFree, finishLocked, type Moved, moveBranch } from './work-tree/branch-move.ts'
import { convertChanges } from './work-tree/conversion/changes.ts'
import type { ConversionPlace } from './work-tree/conversion/private-tree.ts'
import { repairIndex } from './work-tree/index-repair.ts'
import { type IndexWatch, indexWatch } from './work-tree/index-watch.ts'
import { hasJournal } from './work-tree/journal.ts'
import { applyChanges, changedPaths } from './work-tree/new-tree.ts'
import type { FollowedPath } from './work-tree/staged.ts'

export type Plan = () => Promise<CommitPlan | null> | CommitPlan | null

export interface WriterOptions {
  readonly repository: Repository
  readonly backend: LazyBackend
  /** Makes the index match the branch; returns the branch's commit. */
  readonly refresh: () => Promise<string | null>
  /** Returns true if the index has a commit. */
  readonly isIndexed: (commit: string) => boolean
  /** Returns the title that a path means, in the current settings; the path itself if it means none. */
  readonly titleAt: (path: string) => string
  /** Refuses a commit whose author may not write one of its files, by the current settings. */
  readonly checkRights: (commit: CommitPlan) => void
  /** Programs that the user runs for each commit; missing if none may run. */
  readonly programs?: (() => CommitPrograms) | undefined
  /** Milliseconds after which a write that others keep waiting is refused. Without it writes wait as long as it takes. */
  readonly patience?: number | undefined
  /** Returns the committer; null for the author of each commit. */
  readonly committer?: (() => Promise<Author | null>) | undefined
}

/** Opens the writer, and completes changes of killed ones. Throws `wiki-locked`, `wiki-cannot-write`. */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  shareModes(options.repository)
  readSyncSettings(options.repository)
  const writer = new Writer(options)
  await writer.recover().catch(error => {
    throw writeFailure(options.repository, error)
  })
  return writer
}

interface Job {
  readonly plan: Plan
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
  readonly turn: Turn
}

/** A write's place among those that wait. */
interface Turn {
  readonly isRefused: () => boolean
  /** Begins the write, which is not refused any more then; false if it was. */
  readonly begin: () => boolean
}

interface PlannedJob extends Job {
  readonly planned: CommitPlan
}

/** A commit without its final message and signature. */
interface Unfinished {
  readonly tree: string
  readonly parent: string | null
  readonly objects: NewObjects
}

/** A commit of a plan, and the paths that it changes. */
interface BuiltCommit {
  readonly commit: string
  readonly followed: readonly FollowedPath[]
}

interface BuiltJob extends PlannedJob {
  /** Oldest first; at least one. */
  readonly commits: readonly BuiltCommit[]
}

/** Path of the settings. */
const settings = 'wiki.json'
/** Writes that share one move of the branch. */
const groupLimit = 64
/** Maximum moves of the branch by others before a group fails. */
const attemptLimit = 50

/** Files that git locks while it commits or packs; also those of its reflogs. */
const lockedByGit = ['HEAD', 'packed-refs', 'config', 'gc.pid', 'gc.log', 'logs/HEAD']

/**
 * After a power failure git would refuse every commit, or never pack again, until a person removes its locks. A `wiki init` that was cut off
 * leaves files about to become HEAD and the settings.
 */
function clearGitLocks({ gitDirectory, commonDirectory, branch }: Repository): void {
  const paths = [...lockedByGit, `logs/${branch}`].flatMap(name => [
    join(gitDirectory, name),
    join(commonDirectory, name),
  ])
  for (const path of new Set(paths)) clearLeftovers(path)
}

export class Writer {
  readonly #options: WriterOptions
  readonly #runHousekeeping: () => void
  readonly #watch: IndexWatch
  readonly #guard: ObjectGuard
  /** The last commit that this writer has acknowledged; null before the first one. */
  lastWritten: string | null = null
  #waiting: Job[] = []
  #isRunning = false

  constructor(options: WriterOptions) {
    this.#options = options
    const beforePacking = () => dropSettledHeads(options.repository, { read: this.#read, isIndexed: options.isIndexed })
    this.#runHousekeeping = housekeeping({ ...options, beforePacking })
    this.#guard = new ObjectGuard(options.repository)
    this.#watch = indexWatch(options.repository, hash => options.backend.read(hash))
  }

  /**
   * Runs a plan against the current index and commits its changes. When the branch moves meanwhile the plan runs again. Resolves
   * when the commit is durable, and the index has it unless the repository cannot be read since. Throws what the plan throws,
   * `protectedpagetext`, `wiki-repository-busy`, `wiki-locked`, `wiki-cannot-write`, `wiki-title-collision`, `wiki-work-limit`; nothing is written then. After
   * `wiki-not-synced` it is written.
   */
  commit(plan: Plan): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ plan, resolve, reject, turn: limitedWait(this.#options.patience, reject) })
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Removes the locks of killed processes, and completes their changes in the work tree. */
  async recover(): Promise<void> {
    const { repository } = this.#options
    clearLeftovers(join(repository.gitDirectory, 'index'))
    clearLeftovers(refPath(repository))
    clearLeftovers(turnPath(repository))
    clearGitLocks(repository)
    clearRecord(repository)
    const tree = { backend: this.#options.backend, read: this.#read }
    for (const checkout of checkoutsOf(repository)) {
      for (const path of ['index', 'wiki/bases']) clearLeftovers(join(checkout.gitDirectory, path))
      if (hasBranch(checkout) && hasJournal(checkout)) await finishLocked(tree, checkout)
    }
    await repairIndex(repository, this.#read)
  }

  readonly #read: ReadObject = hash => this.#options.backend.read(hash)

  /** Stops checking written objects. */
  close(): void {
    this.#watch.end()
    this.#guard.end()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let attempt = 0; this.#waiting.length > 0; ) {
      // One turn of the event loop lets concurrent writes join the group.
      await new Promise(resolve => setImmediate(resolve))
      const release = await this.#takeTurn()
      // If others keep moving the branch, a smaller group is ready sooner.
      const group = this.#waiting.splice(0, Math.max(1, this.#groupLimit() >> (2 * attempt)))
      const { isWritten, left } = await this.#writeGroup(group, attempt, release).catch(error => {
        release()
        for (const job of group) job.reject(writeFailure(this.#options.repository, error))
        return { isWritten: true, left: [] }
      })
      release()
      attempt = isWritten ? 0 : attempt + 1
      this.#waiting.unshift(...left)
    }
    this.#isRunning = false
  }

  /** A hook or a signing program of one write may hang: no other one waits for it with its text already checked. */
  #groupLimit(): number {
    const { patience, programs } = this.#options
    try {
      return patience !== undefined && programs?.().isIdle === false ? 1 : groupLimit
    } catch {
      // Settings that cannot be read are the error of each write.
      return 1
    }
  }

  /**
   * The wiki's processes write one after the other: planning while others move the branch is in vain, and could go on forever.
   * This lock is a courtesy, not what keeps edits safe: after a long wait, or without a lock, the write proceeds.
   */
  async #takeTurn(): Promise<() => void> {
    const { repository } = this.#options
    const path = turnPath(repository)
    // Nothing is created where a repository has been removed.
    if (!existsSync(repository.objectDirectory)) return () => {}
    try {
      makeFolder(dirname(path))
      return once(await takeLockFile(path))
    } catch {
      return () => {}
    }
  }

  /** Returns the jobs that are not done yet: they wait for others of the group, or the branch moved first. */
  async #writeGroup(
    group: readonly Job[],
    attempt: number,
    endTurn: () => void,
  ): Promise<{ isWritten: boolean; left: readonly Job[] }> {
    const { backend, refresh } = this.#options
    const tip = await refresh()
    this.checkFree(attempt)
    const { planned, later } = await this.#plan(group)
    const objects = new NewObjects()
    const built = await this.#build(planned, objects, tip)
    const commits = built.flatMap(job => job.commits.map(({ commit }) => commit))
    const last = commits.at(-1)
    if (last === undefined) return { isWritten: true, left: later }
    // A commit by git may be gone after a collection, although this process remembers it: the edit would have no history.
    if (tip !== null && !(await backend.has(tip))) throw missingObject(tip)
    const read = objects.reader(hash => backend.read(hash))
    const prepared = prepareMove(this.#options.repository, last)
    const written = Promise.all([this.#guard.write(objects), prepared, this.syncBelow(tip)])
    const move = async () => {
      const keepObjects = () => this.#guard.keep(objects)
      const moved = await this.#publish(built, tip, { to: last, read, prepared: await prepared, keepObjects })
      endTurn()
      if (moved === null || !(await this.#isTakenBack(last))) return moved
      // The reflog names them.
      await this.#guard.secure(objects)
      return null
    }
    const passed = (moved: Moved) => passedCommits(built, moved)
    const done = await this.acknowledge(commits, written, move, { passed }).finally(() =>
      prepared.then(
        ({ discard }) => discard(),
        () => {},
      ),
    )
    if (done === null) return { isWritten: false, left: [...built, ...later] }
    await this.#guard.secure(objects)
    await this.#options.programs?.().done()
    resolveAll(built, done)
    this.#runHousekeeping()
    return { isWritten: true, left: later }
  }

  /**
   * Records commits as acknowledged, durably and outside the branch, around the move of the branch to them: see `acknowledge`. When it
   * resolves, the move is on the disk: all locks are released by then.
   */
  async acknowledge<Done>(
    commits: readonly string[],
    written: Promise<unknown>,
    move: () => Promise<Done | null>,
    { passed, series }: Pick<Acknowledging<Done>, 'passed' | 'series'> = {},
  ): Promise<Done | null> {
    const { repository, isIndexed } = this.#options
    // A log that begins with these commits would hide that the former one is gone; so would the ref that names them.
    const renewed = renewRecord(repository, { isIndexed, read: this.#read, newest: 1 })
    const all = Promise.all([written, renewed])
    const done = await acknowledge(repository, { commits, isIndexed, written: all, move, passed, series })
    if (done !== null) this.lastWritten = commits.at(-1) as string
    if (done !== null) await lasting(`commit ${commits.at(-1)}`)
    return done
  }

  /** Resolves when everything that a commit reaches is on the disk, also what others wrote. */
  async syncBelow(commit: string | null): Promise<void> {
    if (commit === null) return
    const { repository } = this.#options
    const durable = newestAcknowledged(repository, recordPaths(repository))
    const isDurable = (one: string) => one === durable
    await syncBelow(commit, { objectDirectory: repository.objectDirectory, read: this.#read, isDurable })
  }

  /**
   * Returns true if a new commit has left the branch again. `git reset` does that, as does a failing `git merge`, by moving the
   * branch back to where it began. The commit is not acknowledged yet, so it may be made again. An error of the index is reported
   * to the next caller.
   */
  async #isTakenBack(commit: string): Promise<boolean> {
    const { refresh, isIndexed } = this.#options
    const tip = await refresh().catch(() => commit)
    return tip !== commit && !isIndexed(commit)
  }

  /** Throws `wiki-repository-busy` if nothing may be written now. */
  checkFree(attempt = 0): void {
    const { repository } = this.#options
    if (attempt > attemptLimit) throw new WikiError('wiki-locked', { params: [repository.branch] })
    checkFree(repository)
  }

  /** The commit may be one of this group, which is not on disk yet. */
  #conversion(commit: string | null, read: ReadObject): ConversionPlace {
    const { repository } = this.#options
    const isFollowing = repository.workTree !== null && hasBranch(repository)
    return { repository, tree: { commit, read }, isFollowing }
  }

  /**
   * Runs the plans. One that touches the same files or titles as an earlier one of the group waits for the next group: it has not seen
   * that change. A change of the settings, which every plan has seen, has a group of its own.
   */
  async #plan(group: readonly Job[]): Promise<{ planned: PlannedJob[]; later: Job[] }> {
    const planned: PlannedJob[] = []
    const later: Job[] = []
    const touched = new Set<string>()
    for (const job of group) {
      if (job.turn.isRefused()) continue
      try {
        const plan = await job.plan()
        if (plan === null) {
          job.resolve({ commit: null, leftAlone: [] })
          continue
        }
        // The plan is judged, not the request: a redirect that a move leaves, or an undone commit, touches other files.
        for (const commit of commitsOf(plan)) this.#options.checkRights(commit)
        const names = this.#namesIn(plan)
        const waits = touched.has(settings) || (names.includes(settings) && planned.length > 0)
        if (waits || names.some(name => touched.has(name))) later.push(job)
        else {
          for (const name of names) touched.add(name)
          planned.push({ ...job, planned: plan })
        }
      } catch (error) {
        job.reject(error)
      }
    }
    return { planned, later }
  }

  /** Names of what a plan changes: its files, as any file system may compare them, their titles, and the settings. */
  #namesIn(plan: CommitPlan): string[] {
    const paths = commitsOf(plan).flatMap(({ changes }) => changes.map(({ path }) => path))
    return paths.flatMap(path => [path === settings ? settings : stemOf(path), `title ${this.#options.titleAt(path)}`])
  }

  async #committer(): Promise<Author | null> {
    return (await this.#options.committer?.()) ?? null
  }

  async #build(group: readonly PlannedJob[], objects: NewObjects, tip: string | null): Promise<BuiltJob[]> {
    const read = objects.reader(hash => this.#options.backend.read(hash))
    const built: BuiltJob[] = []
    let parent = tip
    for (const job of group) {
      if (!job.turn.begin()) continue
      try {
        const commits: BuiltCommit[] = []
        for (const plan of commitsOf(job.planned)) {
          const one = await this.#buildCommit(plan, commits.at(-1)?.commit ?? parent, objects, read)
          if (one !== null) commits.push(one)
        }
        parent = commits.at(-1)?.commit ?? parent
        if (commits.length > 0) built.push({ ...job, commits })
        else job.resolve({ commit: null, leftAlone: [] })
      } catch (error) {
        job.reject(writeFailure(this.#options.repository, error))
      }
    }
    return built
  }

  /** Returns null if the plan changes nothing. */
  async #buildCommit(
    plan: CommitPlan,
    parent: string | null,
    objects: NewObjects,
    read: ReadObject,
  ): Promise<BuiltCommit | null> {
    const changes = await convertChanges(this.#conversion(parent, read), plan.changes)
    const followed = await changedPaths(read, parent, changes, objects)
    if (followed.length === 0) return null
    const root = parent === null ? null : treeOfCommit((await read(parent)).content)
    const tree = await applyChanges(read, root, followed, objects)
    const content = contentOf(plan, { tree, parent, committer: await this.#committer() })
    const commit = objects.add('commit', await this.#afterPrograms(content, { tree, parent, objects }))
    return { commit, followed }
  }

  /** Runs the user's hooks on a commit and signs it, as configured; returns the commit's bytes. */
  async #afterPrograms(content: Buffer, { tree, parent, objects }: Unfinished): Promise<Buffer> {
    const { repository, backend, programs } = this.#options
    const running = programs?.()
    if (running === undefined || running.isIdle) return content
    // Hooks read the objects from disk. Until a ref names them, they have no effect.
    await objects.write(repository.objectDirectory)
    const draft = draftOf(content, { tree, parent })
    const checked = { ...draft, message: await running.check(draft) }
    const signed = await running.sign(checked)
    return signed === null ? commitContent(checked) : (await backend.read(signed)).content
  }

  /** Moves the branch and lets the work tree follow; returns null if the branch moved first. */
  async #publish(
    built: readonly BuiltJob[],
    from: string | null,
    move: Pick<Advance, 'to' | 'read' | 'prepared' | 'keepObjects'>,
  ): Promise<Moved | null> {
    const { planned } = built.at(-1) as BuiltJob
    const paths = built.flatMap(followedBy)
    return this.advance({
      ...move,
      from,
      author: planned.author,
      reason: `commit (wiki): ${subjectOf(planned)}`,
      paths,
    })
  }

  /**
   * Moves the branch to a written commit, and lets the work tree follow; returns null, without a change, if the branch does not
   * name `from` any more. Throws as `commit` does.
   */
  async advance({ from, to, author, reason, paths, read, prepared, keepObjects }: Advance): Promise<Moved | null> {
    const { repository, backend } = this.#options
    const update = {
      from,
      to,
      committer: ident((await this.#committer()) ?? author, new Date()),
      reason,
      ...(prepared && { prepared }),
    }
    const beforeUnlock = this.#watch.written
    return this.#watch.during(() => moveBranch({ repository, backend, update, paths, read, keepObjects, beforeUnlock }))
  }
}

/** Refuses a write that has not begun after some milliseconds. */
function limitedWait(patience: number | undefined, refuse: (error: WikiError) => void): Turn {
  let isRefused = false
  const tooLate = () => {
    isRefused = true
    const reason = `other edits kept it waiting for ${(patience ?? 0) / 1000} seconds; nothing was written`
    refuse(new WikiError('wiki-work-limit', { params: ['edit', reason] }))
  }
  const timer = patience === undefined ? undefined : setTimeout(tooLate, patience).unref()
  return {
    isRefused: () => isRefused,
    begin: () => {
      clearTimeout(timer)
      return !isRefused
    },
  }
}

/** A released lock may belong to another process by now. */
function once(release: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) release()
    isDone = true
  }
}

function turnPath({ commonDirectory }: Repository): string {
  return join(commonDirectory, 'wiki', 'writer')
}

/** Files that could mean one title count as one. */
function stemOf(path: string): string {
  return `stem ${path.replace(/\.[^./]*$/, '').toLowerCase()}`
}

function contentOf(
  plan: CommitPlan,
  { tree, parent, committer }: Pick<Unfinished, 'tree' | 'parent'> & { readonly committer: Author | null },
): Buffer {
  const time = plan.time ?? new Date()
  const people = { author: ident(plan.author, time), committer: ident(committer ?? plan.author, time) }
  const trailers = { minor: plan.minor ?? false, bot: plan.bot ?? false, reverts: plan.reverts ?? null }
  const { comment, layout, moved, restored, subject } = plan
  const message = serializeMessage({ comment, ...trailers, layout, moved, restored }, subject)
  return commitContent({ tree, parent, ...people, message })
}

/** A commit's parts, as the programs get them. */
function draftOf(content: Buffer, { tree, parent }: Pick<Unfinished, 'tree' | 'parent'>) {
  const text = content.toString()
  const end = text.indexOf('\n\n')
  const head = text.slice(0, end)
  const whoOf = (role: string) => new RegExp(`\n${role} ([^\n]*)`).exec(head)?.[1] ?? ''
  return { tree, parent, author: whoOf('author'), committer: whoOf('committer'), message: text.slice(end + 2) }
}

/** The commits of a plan, in order. */
function commitsOf(plan: CommitPlan): CommitPlan[] {
  return plan.first === undefined ? [plan] : [...commitsOf(plan.first), plan]
}

/** The paths that the commits of a plan change together. */
function followedBy({ commits }: BuiltJob): FollowedPath[] {
  const paths = new Map<string, FollowedPath>()
  for (const one of commits.flatMap(({ followed }) => followed))
    paths.set(one.path, { ...one, before: (paths.get(one.path) ?? one).before })
  return [...paths.values()]
}

/** Returns the commits whose files a move of the branch has passed by. */
function passedCommits(built: readonly BuiltJob[], { passed }: Moved): string[] {
  return built
    .flatMap(({ commits }) => commits)
    .filter(({ followed }) => followed.some(({ path }) => passed.includes(path)))
    .map(({ commit }) => commit)
}

/** Resolves the writes of a group, each with its files that were left as their editors saved them. */
function resolveAll(built: readonly BuiltJob[], { leftAlone }: Moved): void {
  for (const job of built) {
    const own = followedBy(job).map(({ path }) => path)
    job.resolve({ commit: job.commits.at(-1)?.commit ?? null, leftAlone: own.filter(path => leftAlone.includes(path)) })
  }
}

function subjectOf(plan: CommitPlan): string {
  return (plan.comment || plan.subject).split('\n')[0] ?? ''
}
