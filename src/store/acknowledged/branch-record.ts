/** Reads the record of a branch together with its history, for `wiki verify`. */

import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isWikiError } from '../../core/errors.ts'
import { type PathRules, titleOfPath } from '../format/paths.ts'
import { descends, findReached, findReachedByAny } from '../git/ancestry.ts'
import type { CommitChanges, CommitHeader, GitObject } from '../git/backend.ts'
import { mergeBase } from '../git/merge-base.ts'
import { parseCommit } from '../git/objects.ts'
import { isUnreadable } from '../git/read-past-damage.ts'
import { blobAt } from '../git/tree-file.ts'
import { changesOfCommit, type ReadObject } from '../git/walk.ts'
import { kindOfPath } from '../index/record-writer.ts'
import type { RevisionIndex } from '../index/revision-index.ts'
import { loggedMoves } from '../repository/branch-log.ts'
import { checkoutsOf } from '../repository/checkouts.ts'
import { listRefs } from '../repository/list-refs.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import { type Repository, readRefIfSound, shallowCommits } from '../repository/repository.ts'
import {
  addEvents,
  endSeries,
  listAcknowledged,
  listOrphaned,
  nameNewest,
  renewRecord,
  settleOrphaned,
} from './acknowledged.ts'
import { type Acknowledgement, isAcknowledged } from './log.ts'
import { withSeries } from './series.ts'
import { readVerified, type Verified, writeVerified } from './verified.ts'

export interface BranchRecordOptions {
  readonly repository: Repository
  /** Index at the tip that the record is compared with. */
  readonly index: RevisionIndex
  readonly rules: PathRules
  readonly read: ReadObject
}

/** Commits of the index that are examined before others get their turn. */
const commitsAtOnce = 2000

export class BranchRecord {
  readonly index: RevisionIndex
  readonly #options: BranchRecordOptions
  /** The commit from which the branch last moved to another one. */
  #moves: Map<string, string> | null = null

  constructor(options: BranchRecordOptions) {
    this.#options = options
    this.index = options.index
  }

  /** Commit that the branch named when the index was updated. */
  get tip(): string | null {
    return this.index.state.tip
  }

  /** Every commit that was noted, oldest first, with its latest state: of this branch, then of branches that are gone. */
  events(): Acknowledgement[] {
    const { repository } = this.#options
    const own = listAcknowledged(repository)
    const recorded = new Set(own.map(({ commit }) => commit))
    return [...own, ...listOrphaned(repository).filter(({ commit }) => !recorded.has(commit))]
  }

  /** The same, with each commit of a series. */
  async everyEvent(): Promise<Acknowledgement[]> {
    return withSeries(this.events(), { index: this.index, read: this.#options.read })
  }

  /**
   * The events that concern this branch. An edit of a branch that is gone (renamed, deleted) concerns the branches that have it; one
   * that no branch and no tag has concerns every branch.
   */
  async concerns(events: readonly Acknowledgement[]): Promise<Acknowledgement[]> {
    const orphaned = events.filter(({ branch }) => branch !== undefined)
    if (orphaned.length === 0) return [...events]
    const here = await this.#onBranch(new Set(orphaned.map(({ commit }) => commit)))
    const away = new Set(
      orphaned.filter(event => isAcknowledged(event) && !here.has(event.commit)).map(({ commit }) => commit),
    )
    const tips = away.size === 0 ? new Set<string>() : this.#otherTips()
    const reachesNone = (commit: string) => this.index.log.hasCommit(commit)
    const elsewhere = await findReachedByAny(this.#options.read, tips, away, reachesNone)
    const isOurs = (commit: string) => here.has(commit) || (away.has(commit) && !elsewhere.has(commit))
    return events.filter(({ branch, commit }) => branch === undefined || isOurs(commit))
  }

  /** Completes a deleted or damaged record: see `renewRecord`. */
  async recover(): Promise<void> {
    const { repository, read } = this.#options
    const isIndexed = (commit: string) => this.index.log.hasCommit(commit)
    await renewRecord(repository, { read, isIndexed, newest: Number.POSITIVE_INFINITY })
  }

  /** Returns those of the commits that the index has. */
  async #onBranch(commits: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { index } = this
    const found = new Set<string>()
    for (let ordinal = 0; ordinal < index.commitCount; ordinal++) {
      if (ordinal % commitsAtOnce === 0) await turn()
      const { hash } = index.commit(ordinal)
      if (commits.has(hash)) found.add(hash)
    }
    return found
  }

  /** Commits that branches, remote-tracking branches, tags and detached HEADs name. */
  #otherTips(): ReadonlySet<string> {
    const { repository } = this.#options
    const heads = checkoutsOf(repository).map(checkout => readRefIfSound(checkout, 'HEAD'))
    const tips = [...heads, ...[...listRefs(repository)].map(name => readRefIfSound(repository, name))]
    return new Set(tips.filter(tip => tip !== null && tip !== this.tip) as string[])
  }

  verified(): Verified {
    return readVerified(this.#options.repository)
  }

  /** Stores the result; in a read-only repository everything is checked again each time. */
  keep(verified: Verified): void {
    try {
      writeVerified(this.#options.repository, verified)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }

  /** Notes commits of the branch as acknowledged instead of others (`moved`: with the same change), or commits as settled. */
  async add(kind: 'moved' | 'replay' | 'settled', commits: readonly string[]): Promise<void> {
    const { repository } = this.#options
    const orphaned = new Set(listOrphaned(repository).map(({ commit }) => commit))
    const own = new Set(listAcknowledged(repository).map(({ commit }) => commit))
    const isOwn = (commit: string) => kind !== 'settled' || own.has(commit) || !orphaned.has(commit)
    const left = kind === 'settled' ? await this.#settleSeries(commits) : commits
    await addEvents(repository, kind, left.filter(isOwn))
    if (kind === 'settled' && orphaned.size > 0) await settleOrphaned(repository, commits)
    if (kind !== 'settled' && commits.length > 0) await this.#nameReplays(commits)
  }

  /**
   * Settles each series whose commits are all among these as a whole: lines for each of them would push others out of the log. Returns
   * the commits that are left to settle.
   */
  async #settleSeries(commits: readonly string[]): Promise<readonly string[]> {
    const { repository, read } = this.#options
    const left = new Set(commits)
    for (const event of commits.length > 1 ? listAcknowledged(repository) : []) {
      const { commit, series } = event
      if (series === undefined || series.count < 2 || !left.has(commit)) continue
      const others = (await withSeries([event], { index: this.index, read })).filter(one => one.commit !== commit)
      if (others.length === 0 || !others.every(one => left.has(one.commit))) continue
      await endSeries(repository, commit)
      for (const one of [commit, ...others.map(other => other.commit)]) left.delete(one)
    }
    return [...left]
  }

  /**
   * Points the refs of the record at the newest acknowledged commit of the branch, and at replays that it does not reach. The tip may
   * be a commit by plain git: a ref to it would add it to the record later.
   */
  async #nameReplays(replays: readonly string[]): Promise<void> {
    const { repository, read } = this.#options
    const acknowledged = new Set(this.events().flatMap(event => (isAcknowledged(event) ? [event.commit] : [])))
    let newest: string | undefined
    for (let ordinal = this.index.commitCount - 1; ordinal >= 0 && newest === undefined; ordinal--) {
      const { hash } = this.index.commit(ordinal)
      if (acknowledged.has(hash)) newest = hash
    }
    if (newest === undefined) return
    const reached = await findReached(read, newest, new Set(replays))
    const left = replays.filter(commit => !reached.has(commit))
    await nameNewest(repository, newest, commit => this.index.log.hasCommit(commit), left)
  }

  /** Waits until a concurrent writer has moved the branch, or cancelled its notes. */
  async waitForWriter(): Promise<void> {
    try {
      // The writers' lock: see `Writer`.
      const release = await takeLockFile(join(this.#options.repository.commonDirectory, 'wiki', 'writer'))
      release()
    } catch {
      // The lock is optional here: without it the check goes on.
    }
  }

  /** Reads a commit; null if git lacks it. */
  header(commit: string): Promise<CommitHeader | null> {
    return orNull(async () => parseCommit(commit, (await this.#options.read(commit)).content))
  }

  /**
   * Reads a commit, and the pages, media files and settings that it changes against its first parent; null if git lacks it. In place of a
   * parent that is gone it is compared with the commit from which the branch had moved there, by git's log.
   */
  changes(commit: string): Promise<CommitChanges | null> {
    const { rules, repository } = this.#options
    const read: ReadObject = hash => (hash === commit ? this.#options.read(hash) : this.#readOrFormer(hash))
    const filter = (path: string) => path === 'wiki.json' || kindOfPath(path, rules.root) !== null
    return orNull(() => changesOfCommit(read, commit, { shallow: shallowCommits(repository), filter }))
  }

  async #readOrFormer(hash: string): Promise<GitObject> {
    try {
      return await this.#options.read(hash)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#moves ??= new Map([...loggedMoves(this.#options.repository)].map(({ from, to }) => [to, from]))
      const former = this.#moves.get(hash)
      if (former === undefined) throw error
      // Each is followed once: a branch that moved back and forth has no end.
      this.#moves.delete(hash)
      return this.#readOrFormer(former)
    }
  }

  /** Blob at a path of a commit; null if there is none. */
  blobAt(commit: string, path: string): Promise<string | null> {
    return orNull(() => blobAt(this.#options.read, commit, path))
  }

  /** Content of a blob; null if git lacks it. */
  content(blob: string): Promise<Buffer | null> {
    return orNull(async () => (await this.#options.read(blob)).content)
  }

  /** Returns those of the commits that the tip reaches: see `findReached`. */
  async reached(commits: ReadonlySet<string>): Promise<Map<string, string | null>> {
    return this.tip === null || commits.size === 0 ? new Map() : findReached(this.#options.read, this.tip, commits)
  }

  descends(from: string, ancestor: string): Promise<boolean> {
    return descends(this.#options.read, from, ancestor)
  }

  /** Returns the newest common commit of two; null if this clone may lack it. */
  mergeBase(one: string, other: string): Promise<string | null> {
    const { read, repository } = this.#options
    return orNull(() => mergeBase({ read, shallow: shallowCommits(repository) }, one, other))
  }

  /** Title that a path has, reading form; null for other files. */
  titleOf(path: string): string | null {
    try {
      return titleOfPath(path, this.#options.rules)?.title.text ?? null
    } catch (error) {
      if (isWikiError(error)) return null
      throw error
    }
  }

  /** Kind of a path: a page, a media file, or null for `wiki.json` and files outside the wiki. */
  kindOf(path: string): 'page' | 'file' | null {
    return kindOfPath(path, this.#options.rules.root)
  }
}

async function orNull<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask()
  } catch (error) {
    if (isWikiError(error, 'wiki-objects-missing')) return null
    throw error
  }
}
