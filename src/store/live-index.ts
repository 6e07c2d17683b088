/**
 * The index kept true: compared with the branch before every question, brought up to date from git when the branch has moved,
 * stored when the lock is free. Files, under `<common git directory>/wiki/<branch>/`: base, tail, eras.json, lock.
 */

import { lstatSync, rmSync } from 'node:fs'
import { defaultConfig, parseConfig, type WikiConfig } from '../core/config.ts'
import { isWikiError } from '../core/errors.ts'
import type { GitBackend } from './git/backend.ts'
import { readTreeFile } from './git/tree-file.ts'
import { nextEra, readEras, writeEras } from './index/eras.ts'
import type { Era } from './index/ledger.ts'
import { takeLock } from './index/lock.ts'
import { RevisionIndex } from './index/revision-index.ts'
import { renameAll, type UpdateOptions, updateIndex } from './index/update.ts'
import { type PathRules, pathRules } from './paths.ts'
import { type Repository, readRef, shallowCommits } from './repository.ts'

export interface LiveIndexOptions {
  readonly repository: Repository
  readonly backend: GitBackend
  readonly progress?: UpdateOptions['progress']
  /** Told, once, what a person should know: that ids changed after a history was rewritten. */
  readonly notice?: ((message: string) => void) | undefined
}

/** What is true of the branch at one moment. */
interface Target {
  readonly tip: string | null
  readonly shallow: string
}

/** A branch that moves faster than it is read is a bug, or an attack. */
const roundLimit = 1000

export class LiveIndex {
  index: RevisionIndex
  config: WikiConfig
  rules: PathRules
  readonly folder: string
  readonly #options: LiveIndexOptions
  #configText: string | null = null
  /** A wrong wiki.json that was told of. */
  #refusedText: string | null = null
  /** What the index lacks on disk: it is read again before it is written. */
  #isUnsaved = false
  #running: Promise<void> | null = null
  #trust = 0
  #trustedUntil = 0

  constructor(options: LiveIndexOptions) {
    this.#options = options
    this.folder = indexFolder(options.repository)
    this.index = RevisionIndex.open(this.folder) ?? RevisionIndex.create()
    this.config = this.index.state.settings ?? defaultConfig()
    this.rules = pathRules(this.config)
    this.#configText = this.index.state.config
  }

  /** Whether the index answers for the branch as it is now: a few file reads. */
  isCurrent(): boolean {
    const target = this.#target()
    return (
      !this.index.isDamaged &&
      target.tip === this.index.state.tip &&
      (target.tip === null || this.#numbering(target) === this.index.state.numbering)
    )
  }

  /** Takes what was found true of the branch for true for so long, in milliseconds: a server asks thousands of times. */
  trustFor(milliseconds: number): void {
    this.#trust = milliseconds
  }

  /** Makes the index match the branch; one update runs at a time. `force` looks even where the last look is trusted. */
  async refresh({ force = false } = {}): Promise<void> {
    if (!force && this.#isTrusted()) return
    for (let round = 0; !this.isCurrent(); round++) {
      if (round > roundLimit) throw new Error('the index does not reach the branch')
      this.#running ??= this.#update().finally(() => {
        this.#running = null
      })
      await this.#running
    }
    if (this.#trust > 0) this.#trustedUntil = performance.now() + this.#trust
  }

  /** An index that is being changed, or is damaged, is not, however lately it was looked at. */
  #isTrusted(): boolean {
    return performance.now() < this.#trustedUntil && this.#running === null && !this.index.isDamaged
  }

  /** Reads all of the stored index once, and builds it anew where it is damaged. */
  async verify(): Promise<void> {
    try {
      this.index.verify()
    } catch (error) {
      if (!isWikiError(error, 'wiki-index-damaged')) throw error
      await this.rebuild()
    }
  }

  /** Throws the stored index away and builds it from nothing. */
  async rebuild(): Promise<void> {
    this.#discard()
    await this.refresh()
  }

  /** A folder or a link in the place of a file could not be replaced. */
  #removeForeign(): void {
    for (const path of [`${this.folder}/base`, `${this.folder}/tail`])
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true, force: true })
  }

  #discard(): void {
    rmSync(`${this.folder}/base`, { force: true })
    rmSync(`${this.folder}/tail`, { force: true })
    this.index.close()
    this.index = RevisionIndex.create()
    this.#trustedUntil = 0
  }

  #target(): Target {
    const { repository } = this.#options
    return { tip: readRef(repository, repository.branch), shallow: [...shallowCommits(repository)].sort().join(' ') }
  }

  #numbering({ shallow }: Target): string {
    return shallow === '' ? this.rules.root : `${this.rules.root}\n${shallow}`
  }

  async #update(): Promise<void> {
    const release = takeLock(`${this.folder}/lock`)
    try {
      if (release !== null) this.#removeForeign()
      this.#reload(release !== null)
      if (this.isCurrent()) return
      await this.#advance(this.#target(), release !== null)
      this.#isUnsaved = release === null
      if (release !== null && this.index.state.tip !== null) this.index = this.index.save(this.folder)
    } catch (error) {
      if (isWikiError(error, 'wiki-index-damaged')) return this.#discard()
      // Half an update must not be seen: what is on disk is whole.
      this.#open()
      throw error
    } finally {
      release?.()
    }
  }

  /** Takes in what other processes stored meanwhile. */
  #reload(isLocked: boolean): void {
    const stored =
      this.#isUnsaved || this.index.isDamaged || RevisionIndex.generationAt(this.folder) !== this.index.generation
    if (stored) this.#open()
    else if (isLocked || this.index.generation !== null) this.index.readTail(this.folder)
    this.#isUnsaved = false
    this.#useConfig(this.index.state.config)
  }

  #open(): void {
    this.index.close()
    this.index = RevisionIndex.open(this.folder) ?? RevisionIndex.create()
  }

  async #advance(target: Target, isLocked: boolean): Promise<void> {
    if (target.tip === null) {
      this.index = RevisionIndex.create()
      this.#useConfig(null)
      return
    }
    const { backend, progress } = this.#options
    const config = await readTreeFile(hash => backend.read(hash), target.tip, 'wiki.json')
    const before = this.index.state
    const known = this.rules
    this.#useConfig(config, before.tip !== null)
    const numbering = this.#numbering(target)
    const eras = readEras(this.folder)
    const isSameNumbering = before.tip === null || before.numbering === numbering
    const update = { rules: this.rules, eras, progress }
    if (!isSameNumbering || !(await updateIndex(this.index, backend, target.tip, update))) {
      await this.#rewrite(target.tip, eras, isSameNumbering, isLocked)
    } else if (known !== this.rules) renameAll(this.index, this.rules)
    this.index.state = { ...this.index.state, numbering, config: this.#configText, settings: this.config }
  }

  /** The old tip is not on the new chain: what both chains share keeps its ids, the rest gets ids never used before. */
  async #rewrite(tip: string, eras: readonly Era[], keepsPrefix: boolean, isLocked: boolean): Promise<void> {
    const { backend, progress, notice } = this.#options
    const after = keepsPrefix ? await this.#lastCommon(tip) : null
    const era = nextEra(this.index, eras, after)
    const all = [...eras, era]
    if (isLocked) {
      writeEras(this.folder, all)
      notice?.(
        `The history was rewritten after ${after?.slice(0, 7) ?? 'its beginning'}: revisions there have new ids, from ${era.revision} on; the old ids are retired.`,
      )
    }
    this.index.close()
    this.index = RevisionIndex.create()
    await updateIndex(this.index, backend, tip, { rules: this.rules, eras: all, progress })
  }

  async #lastCommon(tip: string): Promise<string | null> {
    const known = new Set(this.index.chain())
    for await (const hash of this.#options.backend.chain(tip)) if (known.has(hash)) return hash
    return null
  }

  /** Takes over a wiki.json. A wrong one is an error at first; a wiki that has had a right one goes on with that. */
  #useConfig(text: string | null, isRunning = false): void {
    if (text === this.#configText) return
    try {
      this.config = text === null ? defaultConfig() : parseConfig(text)
    } catch (error) {
      if (!isRunning || !isWikiError(error)) throw error
      if (text !== this.#refusedText) this.#options.notice?.(`${error.message}; the settings before it stay in use`)
      this.#refusedText = text
      return
    }
    this.#configText = text
    this.rules = pathRules(this.config)
  }
}

/** One for each branch; where HEAD is detached, one for each work tree. */
function indexFolder({ branch, gitDirectory, commonDirectory }: Repository): string {
  if (branch === 'HEAD') return `${gitDirectory}/wiki/@`
  return `${commonDirectory}/wiki/${encodeURIComponent(branch.replace(/^refs\/heads\//, ''))}`
}
