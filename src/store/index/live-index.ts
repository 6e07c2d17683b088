/**
 * The index kept up to date: compared with the branch before every query, updated from git when the branch has moved, stored when
 * the lock is free. Files, under `<common git directory>/wiki/<branch>/`: base, tail, eras.json, lock.
 */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { configKeys, defaultConfig, parseConfig } from '../../core/config.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { lastArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { AwaitedFiles } from '../../files/awaited-files.ts'
import { leaveUnsynced } from '../../files/durable.ts'
import { removeFile, removeFolder } from '../../files/private-files.ts'
import { type PathRules, pathRules, vaultFolder } from '../format/paths.ts'
import type { GitBackend } from '../git/backend.ts'
import { textContent } from '../git/lfs.ts'
import { placesOfObject } from '../git/objects.ts'
import { blobAt, hasFolder } from '../git/tree-file.ts'
import type { ReadObject } from '../git/walk.ts'
import { formerNames, lastCommit } from '../repository/branch-log.ts'
import { clearLeftovers, removeLeftovers, tryFolderLock } from '../repository/lock-file.ts'
import { type Repository, readRef, shallowCommits } from '../repository/repository.ts'
import { fitOwn } from '../repository/shared-modes.ts'
import { publishedTips, upstreamRef } from '../repository/upstream.ts'
import { CompactionSchedule } from './compaction-schedule.ts'
import { adoptEras, nextEra, readEras, writeEras } from './eras.ts'
import { type FormerIds, isOnMainLine, readFormerIds, withRenumbering, writeFormerIds } from './former-ids.ts'
import { indexFolder } from './index-folder.ts'
import type { Era } from './record-writer.ts'
import { RevisionIndex } from './revision-index.ts'
import { inSlices } from './slices.ts'
import { stateOf } from './state.ts'
import { generationOf, isOutdated, openIndex, readOn, saveIndex } from './stored-index.ts'
import { renameAll, type UpdateOptions, updateIndex } from './update.ts'
import { isVerified, recordVerified, verifiedName } from './verified-base.ts'

export interface LiveIndexOptions {
  readonly repository: Repository
  readonly backend: GitBackend
  readonly lacking: AwaitedFiles
  readonly progress?: UpdateOptions['progress']
  /** Called, once, with messages for people: that ids changed after a history was rewritten. */
  readonly notice?: ((message: string) => void) | undefined
  /** Bytes of the index's block cache. */
  readonly memory?: number
}

/** Revisions whose ids are provisional: the last ones of a clone. */
export interface ProvisionalRevisions {
  /** Remote-tracking branch, such as `origin/main`. */
  readonly upstream: string
  readonly count: number
  /** Ids; null if there is none. */
  readonly first: number | null
  readonly last: number | null
}

/** State of the branch at one moment. */
interface Target {
  readonly tip: string | null
  readonly shallow: string
}

/** The text of wiki.json, and the settings and rules that it defines. */
interface Settings {
  readonly text: string | null
  readonly config: WikiConfig
  readonly rules: PathRules
}

/** A branch that moves faster than it is read is a bug, or an attack. */
const roundLimit = 1000

export class LiveIndex {
  index: RevisionIndex
  config: WikiConfig
  rules: PathRules
  /** Revisions that ids named before: see `former-ids.ts`. */
  formerIds: FormerIds
  readonly folder: string
  readonly #options: LiveIndexOptions
  readonly #compaction: CompactionSchedule
  #configText: string | null
  /** Last reported reason why the settings are not those of the branch. */
  #keptFor = ''
  /** True if the index lacks something on disk. It is read again before it is written. */
  #isUnsaved = false
  /** True if the index must not be extended: it is damaged, or was discarded. */
  #isDiscarded = false
  /** Generation of a stored index that is damaged and could not be removed: it is ignored. */
  #unusable: string | null = null
  #running: Promise<void> | null = null
  /** True while one check of the branch serves all refreshes, and whether it was made. */
  #isShared = false
  #isChecked = false
  /** A tip that was found too large to be indexed: each further request would take minutes to find it again. */
  #refused: { readonly tip: string | null; readonly error: WikiError } | null = null
  /** Number of arrivals when what the index lacks was last searched. */
  #searchedAt = -1
  /** The index whose lacking blobs are noted. */
  #noted: RevisionIndex | null = null

  constructor(options: LiveIndexOptions) {
    this.#options = options
    this.folder = indexFolder(options.repository)
    // Git has all of it; a file with more than that is written by `replaceDurably`.
    leaveUnsynced(this.folder)
    this.index = openIndex(this.folder, options.memory) ?? RevisionIndex.create()
    this.config = completed(this.index.state.settings)
    this.rules = pathRules(this.config)
    this.#configText = this.index.state.config
    this.formerIds = readFormerIds(this.folder)
    const stored = () => (this.#isStored ? this.index : null)
    this.#compaction = new CompactionSchedule({ folder: this.folder, stored, notice: options.notice })
  }

  /** Returns true if the index is up to date with the branch, at the cost of a few file reads. */
  isCurrent(): boolean {
    return !this.#isDiscarded && answersFor(this.index, this.rules, this.#target())
  }

  /** Lets one check of the branch serve every `refresh` until the returned function is called. */
  shareCheck(): () => void {
    this.#isShared = true
    return () => {
      this.#isShared = false
      this.#isChecked = false
    }
  }

  /** Makes the index match the branch; one update runs at a time. `force` checks even if a shared check was made. */
  async refresh({ force = false } = {}): Promise<void> {
    // An index that is being changed, or is damaged, is always checked.
    if (!force && this.#isChecked && this.#running === null && !this.index.isDamaged) return
    if (await this.#isComplete()) this.#discard()
    for (let round = 0; !this.isCurrent(); round++) {
      if (round > roundLimit) throw new Error('the index does not reach the branch')
      this.#running ??= this.#update().finally(() => {
        this.#running = null
      })
      await this.#running
    }
    this.#isChecked = this.#isShared
  }

  /** Number of times that content which reads lacked may have arrived. */
  get arrivals(): number {
    return this.#options.lacking.arrivals
  }

  /** Returns true if a blob that the index lacks can be read by now: then it has to be built again. */
  async #isComplete(): Promise<boolean> {
    const { backend, lacking, repository } = this.#options
    const { unread = [], pointers = [] } = this.index.state
    if (this.#noted !== this.index)
      for (const blob of unread) lacking.add(...placesOfObject(repository.objectDirectory, blob))
    this.#noted = this.index
    lacking.check()
    if (this.#running !== null || this.#searchedAt === lacking.arrivals) return false
    this.#searchedAt = lacking.arrivals
    await backend.renew()
    for await (const content of backend.readBlobs(unread)) if (content !== null) return true
    const place = { directory: repository.commonDirectory, lacking }
    for await (const pointer of backend.readBlobs(pointers))
      if (pointer !== null && (await textContent(pointer, place).catch(() => null)) !== null) return true
    return false
  }

  /**
   * Reads all stored data, except for a base that was verified since its last change: rebuilds a damaged index, and throws if the
   * eras cannot be read.
   */
  async verify(): Promise<void> {
    readEras(this.folder)
    try {
      for (let isDone = false; !isDone; ) {
        const { index } = this
        const { identity } = index
        if (identity === null || isVerified(this.folder, identity)) return
        isDone = await inSlices(index.verify(), () => index.sharesFileWith(this.index))
        if (isDone) recordVerified(this.folder, identity)
      }
    } catch (error) {
      if (!isWikiError(error, 'wiki-index-damaged')) throw error
      await this.rebuild()
    }
  }

  /** Loads the stored files into the system's cache. */
  async readAhead(): Promise<void> {
    const { readAhead } = await import('./read-ahead.ts')
    await readAhead(`${this.folder}/base`, () => this.index.isOpen)
  }

  /** Ends the work on the files; no query may follow. */
  close(): void {
    this.#compaction.end()
    this.index.close()
  }

  /** True if the index equals the stored one, apart from additions of other processes. */
  get #isStored(): boolean {
    const isAtRest = this.#running === null && !this.#isUnsaved && !this.#isDiscarded
    return isAtRest && this.index.generation !== null && !this.index.isDamaged
  }

  /** Removes the locks that killed processes left in the folder. */
  clearLeftovers(): void {
    for (const name of ['lock', 'search/lock']) removeLeftovers(`${this.folder}/${name}`)
    for (const name of ['lock', 'search/lock', 'compaction', 'import', 'import/state.json', verifiedName])
      clearLeftovers(`${this.folder}/${name}`)
  }

  /** Deletes the stored index and rebuilds it. */
  async rebuild(): Promise<void> {
    this.#discard()
    await this.refresh()
  }

  /** A folder or a link instead of a file could not be replaced. */
  #removeForeign(): void {
    for (const path of [`${this.folder}/base`, `${this.folder}/tail`])
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) removeFolder(path)
  }

  #discard(): void {
    for (const name of ['base', 'tail']) removeIfPossible(`${this.folder}/${name}`)
    this.#unusable = generationOf(`${this.folder}/base`)
    this.#isDiscarded = true
    this.#isChecked = false
  }

  #target(): Target {
    const { repository } = this.#options
    const tip = readRef(repository, repository.branch)
    if (tip === null && this.index.state.tip === null) this.#checkUnborn()
    return { tip, shallow: [...shallowCommits(repository)].sort().join(' ') }
  }

  /** Readers see the former index until the whole update is done; a failed update is discarded. */
  async #update(): Promise<void> {
    const { tip } = this.#target()
    if (this.#refused !== null && this.#refused.tip === tip) throw this.#refused.error
    const release = this.#takeLock()
    try {
      if (release !== null) this.#removeForeign()
      const start = this.#start(release !== null)
      const settings = this.#settingsOf(start.state.config)
      const target = this.#target()
      if (answersFor(start, settings.rules, target)) return this.#adopt(start, settings)
      const maySave = await this.#advanceFrom(start, settings, target, release !== null)
      this.#isUnsaved = !maySave || !(await this.#save())
    } catch (error) {
      if (isWikiError(error, 'wiki-too-large')) this.#refused = { tip, error }
      if (!isWikiError(error, 'wiki-index-damaged')) throw error
      this.#discard()
    } finally {
      release?.()
    }
  }

  /** Null if another process has it, or the folder is read-only: results come from memory then. */
  #takeLock(): (() => void) | null {
    try {
      return tryFolderLock(`${this.folder}/lock`)
    } catch (error) {
      return ignoreSystemError(error, null)
    }
  }

  /** False if the disk is full, for example: unstored parts are still in memory. */
  async #save(): Promise<boolean> {
    if (this.index.state.tip === null) return true
    try {
      const putInPlace = await saveIndex(this.index, this.folder)
      this.index = putInPlace()
      fitOwn(this.#options.repository)
      this.#unusable = null
      this.#compaction.saved()
      return true
    } catch (error) {
      return ignoreSystemError(error, false)
    }
  }

  /** The index to extend, with the additions of other processes. */
  #start(isLocked: boolean): RevisionIndex {
    const found = generationOf(`${this.folder}/base`)
    const stored = found === this.#unusable ? null : found
    const isOther = stored !== this.index.generation || (isLocked && this.#isUnsaved && stored !== null)
    if (this.#isDiscarded || this.index.isDamaged || isOther) return this.#open(stored)
    return this.#isUnsaved ? this.index : readOn(this.index, this.folder)
  }

  /** Opens the stored index. */
  #open(generation: string | null): RevisionIndex {
    const stored = generation === null ? null : openIndex(this.folder, this.#options.memory)
    return stored ?? RevisionIndex.create()
  }

  async #advanceFrom(
    start: RevisionIndex,
    settingsBefore: Settings,
    target: Target,
    isLocked: boolean,
  ): Promise<boolean> {
    try {
      return await this.#advance(start, settingsBefore, target, isLocked)
    } catch (error) {
      if (!start.sharesFileWith(this.index)) start.close()
      throw error
    }
  }

  /** Updates an index to the branch, and adopts it; false if it must not be stored. */
  async #advance(start: RevisionIndex, settingsBefore: Settings, target: Target, isLocked: boolean): Promise<boolean> {
    const { tip } = target
    if (tip === null) throw this.#branchMissing(start.state.tip, this.folder)
    const { backend, lacking, progress } = this.#options
    const isRunning = start.state.tip !== null
    const settings = this.#settingsOf(await this.#configAt(tip, { current: settingsBefore, isRunning }), {
      current: settingsBefore,
      isRunning,
    })
    const numbering = numberingOf(settings.rules, target)
    const isVault = await this.#isVaultAt(tip, settings.config)
    if (start.state.tip === null && isLocked) this.#adoptEras()
    const isMigration = start.state.tip === null && isLocked && isOutdated(this.folder)
    const eras = isMigration ? this.#erasToMigrate() : readEras(this.folder)
    const isSameNumbering = start.state.tip === null || start.state.numbering === numbering
    const next = start.fork()
    const directory = this.#options.repository.commonDirectory
    const isOtherLanguage = settings.config.language !== settingsBefore.config.language
    const update = { rules: settings.rules, eras, directory, lacking, progress, isOtherLanguage }
    const isBuilt = isSameNumbering && (await updateIndex(next, backend, tip, update))
    const isReplaced = isBuilt && start.state.tip === null && this.#isOfOther(next)
    if (isBuilt && !isReplaced) {
      if (settings.rules !== settingsBefore.rules && start.state.tip !== null)
        await inSlices(renameAll(next, settings.rules))
      if (isMigration) this.#sayMigrated()
      next.state = stateOf({ ...next.state, isVault })
      this.#adopt(next, settings, numbering)
      return isLocked
    }
    const before = isReplaced ? this.index : start
    const after = isSameNumbering ? await this.#lastCommon(before, tip) : null
    const isRenumbered = isSameNumbering && (this.#isUnshared(before, after) || (await this.#isGrown(before, target)))
    const all = isRenumbered ? eras : [...eras, nextEra(before, eras, after)]
    const isDeepened = !isSameNumbering && isOtherCut(start.state.numbering, numbering)
    const isRecorded = isLocked && (isRenumbered ? this.#sayRenumbered(after) : this.#keepEras(all, isDeepened))
    const built = RevisionIndex.create()
    await updateIndex(built, backend, tip, { ...update, eras: all })
    built.state = stateOf({ ...built.state, isVault })
    if (!start.sharesFileWith(this.index)) start.close()
    this.#adopt(built, settings, numbering)
    return isRecorded
  }

  /**
   * Returns true if another repository has taken the place of the one that this process knows, with its stored index: the ids
   * that clients have are of that one.
   */
  #isOfOther(next: RevisionIndex): boolean {
    const { index } = this
    const { tip } = index.state
    return index.isOpen && !index.isDamaged && !this.#isDiscarded && tip !== null && !isOnMainLine(next, tip)
  }

  /** Throws `wiki-branch-missing` for a branch that had commits by its log, though there is no index of them. */
  #checkUnborn(): void {
    const { repository } = this.#options
    const last = lastCommit(repository)
    if (last !== null) throw this.#branchMissing(last, join(repository.commonDirectory, 'logs', repository.branch))
  }

  /** A branch that had commits is not a wiki without commits: the next write would begin a new history. */
  #branchMissing(commit: string | null, trace: string): WikiError {
    const { branch, commonDirectory } = this.#options.repository
    const name = branch.replace(/^refs\/heads\//, '')
    return new WikiError('wiki-branch-missing', {
      params: [name, commonDirectory],
      hint: `Restore it with: git branch ${lastArgument(name)} ${commit}. To start over, delete ${trace}`,
    })
  }

  /**
   * The old tip is not on the new chain: commits that both chains share keep their ids, the rest get ids never used before. The
   * used ones must be on disk before an index that relies on them: false if that is impossible.
   */
  #keepEras(eras: readonly Era[], isDeepened: boolean): boolean {
    const { after, revision } = eras.at(-1) as Era
    try {
      writeEras(this.folder, eras)
    } catch (error) {
      return ignoreSystemError(error, false)
    }
    const reason = isDeepened
      ? 'The clone has more or less history than before: revisions'
      : `The history was rewritten after ${after === null ? 'its beginning' : shortHash(after)}: revisions there`
    this.#options.notice?.(`${reason} have new ids, from ${revision} on; the old ids are retired.`)
    return true
  }

  /**
   * Returns true if nobody can have seen the revisions that a rewrite removes after a commit. Revisions that were never shared
   * have provisional ids, which any clone may reassign. Without an upstream branch everything counts as seen.
   */
  #isUnshared(index: RevisionIndex, after: string | null): boolean {
    const published = publishedTips(this.#options.repository)
    if (published.size === 0) return false
    let isLost = after === null
    for (const hash of index.chain()) {
      if (isLost && published.has(hash)) return false
      isLost ||= hash === after
    }
    return true
  }

  #adoptEras(): void {
    const { repository } = this.#options
    const former = formerNames(repository).map(branch => indexFolder({ ...repository, branch }))
    try {
      adoptEras(this.folder, former)
    } catch (error) {
      // A read-only repository.
      ignoreSystemError(error, null)
    }
  }

  /** Before the present rule each pull with a merge began an era in one clone alone; clones of one history must agree. */
  #erasToMigrate(): Era[] {
    const eras = readEras(this.folder)
    if (eras.length === 0 || publishedTips(this.#options.repository).size === 0) return eras
    writeEras(this.folder, [])
    return []
  }

  #sayMigrated(): void {
    this.#options.notice?.(
      'The index was rebuilt by the current rule for ids: after a pull with a merge, revisions have other ids than before, the same in every clone.',
    )
  }

  /** Returns true if the rewrite lost no commit. Only the order has changed then, in the same way in every clone. */
  async #isGrown({ state }: RevisionIndex, { tip, shallow }: Target): Promise<boolean> {
    if (tip === null || state.tip === null || shallow !== '') return false
    const { descends } = await import('../git/ancestry.ts')
    return descends(hash => this.#options.backend.read(hash), tip, state.tip)
  }

  #sayRenumbered(after: string | null): true {
    this.#options.notice?.(
      `Revisions after ${after === null ? 'the beginning' : shortHash(after)} have new ids: what others had shared before comes before them.`,
    )
    return true
  }

  /**
   * Revisions missing from the upstream branch's main line: shared ones may still come before them. Null without an upstream
   * branch.
   */
  async provisional(): Promise<ProvisionalRevisions | null> {
    const ref = upstreamRef(this.#options.repository)
    if (ref === null) return null
    const { index } = this
    const common = await this.#lastCommon(index, readRef(this.#options.repository, ref) as string)
    const [commit] = common === null ? [] : index.log.commitsWithPrefix(common)
    const start = commit === undefined ? 0 : index.firstRevisionOf(commit + 1)
    const count = index.revisionCount - start
    return {
      upstream: ref.slice('refs/remotes/'.length),
      count,
      first: count === 0 ? null : index.revisionId(start),
      last: count === 0 ? null : index.revisionId(index.revisionCount - 1),
    }
  }

  async #lastCommon(index: RevisionIndex, tip: string): Promise<string | null> {
    const chain = new Set(index.chain())
    for await (const hash of this.#options.backend.chain(tip)) if (chain.has(hash)) return hash
    return null
  }

  get #settings(): Settings {
    return { text: this.#configText, config: this.config, rules: this.rules }
  }

  /** Text of a commit's wiki.json. A missing or damaged one is an error at first; a wiki that has had a valid one keeps that. */
  async #configAt(
    commit: string,
    { current, isRunning }: { readonly current: Settings; readonly isRunning: boolean },
  ): Promise<string | null> {
    const read: ReadObject = hash => this.#options.backend.read(hash)
    const blob = await blobAt(read, commit, 'wiki.json')
    try {
      return blob === null ? null : (await read(blob)).content.toString()
    } catch (error) {
      if (!isRunning || !isWikiError(error)) throw error
      this.#sayKept(`wiki.json cannot be read: ${error.message}`)
      return current.text
    }
  }

  /** A folder that this clone lacks has no say. */
  async #isVaultAt(commit: string, { root }: WikiConfig): Promise<boolean> {
    const read: ReadObject = hash => this.#options.backend.read(hash)
    return hasFolder(read, commit, vaultFolder(root)).catch(() => false)
  }

  /** Reads a wiki.json. An invalid one is an error at first; a wiki that has had a valid one keeps that. */
  #settingsOf(text: string | null, { current = this.#settings, isRunning = false } = {}): Settings {
    if (text === current.text) return current
    try {
      const config = text === null ? defaultConfig() : parseConfig(text)
      return { text, config, rules: pathRules(config) }
    } catch (error) {
      if (!isRunning || !isWikiError(error)) throw error
      this.#sayKept(error.message)
      return current
    }
  }

  /** Reports, once, why the settings are not those of the branch. */
  #sayKept(reason: string): void {
    if (reason !== this.#keptFor) this.#options.notice?.(`${reason}; the settings before it stay in use`)
    this.#keptFor = reason
  }

  /** Notes the ids of the current index that name other revisions in the next one, before that one is used or stored. */
  #noteFormerIds(next: RevisionIndex): void {
    const { index } = this
    const stored = readFormerIds(this.folder)
    // Entries that could not be written exist in memory alone.
    if (stored.last >= this.formerIds.last) this.formerIds = stored
    if (index.isDamaged || !index.isOpen || index.state.tip === null || isOnMainLine(next, index.state.tip)) return
    this.formerIds = withRenumbering(this.formerIds, index, next)
    try {
      writeFormerIds(this.folder, this.formerIds)
    } catch (error) {
      ignoreSystemError(error, undefined)
    }
  }

  /** From here on this index is used. */
  #adopt(index: RevisionIndex, { text, config, rules }: Settings, numbering?: string): void {
    if (numbering !== undefined) index.state = { ...index.state, numbering, config: text, settings: config }
    if (index !== this.index) this.#isUnsaved = false
    this.#noteFormerIds(index)
    if (!index.sharesFileWith(this.index)) this.index.close()
    this.index = index
    this.config = config
    this.rules = rules
    this.#configText = text
    this.#isDiscarded = false
  }
}

function answersFor(index: RevisionIndex, rules: PathRules, target: Target): boolean {
  const { tip, numbering } = index.state
  return !index.isDamaged && tip === target.tip && (tip === null || numbering === numberingOf(rules, target))
}

/** All inputs of the numbering besides the commits. */
function numberingOf({ root }: PathRules, { shallow }: Target): string {
  return shallow === '' ? root : `${root}\n${shallow}`
}

/** Returns true if two numberings differ only in where a shallow clone is cut off. */
function isOtherCut(one: string, other: string): boolean {
  const rootOf = (numbering: string): string => numbering.split('\n', 1)[0]!
  return one !== other && rootOf(one) === rootOf(other)
}

function ignoreSystemError<Value>(error: unknown, value: Value): Value {
  if ((error as NodeJS.ErrnoException).code === undefined || isWikiError(error)) throw error
  return value
}

function removeIfPossible(path: string): void {
  try {
    removeFile(path)
  } catch (error) {
    ignoreSystemError(error, undefined)
  }
}

/** Settings stored by an older release lack newer members. */
function completed(settings: WikiConfig | null): WikiConfig {
  if (settings !== null && configKeys.every(key => settings[key] !== undefined)) return settings
  return { ...defaultConfig(), ...settings }
}
