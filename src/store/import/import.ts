/**
 * An import into the store, in two halves. First, texts go into packs and records into a spool, in a folder of the git directory
 * that git ignores. Then the records, sorted by time, become commits; the packs move into git's object store and the branch
 * moves, by compare-and-swap. A kill before that leaves the repository unchanged.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { syncFolder } from '../../files/durable.ts'
import {
  makeFolder,
  removeFile,
  removeFolder,
  removeRemains,
  renameFile,
  setMode,
  writeFile,
} from '../../files/private-files.ts'
import type { Author } from '../format/entries.ts'
import type { PathRules } from '../format/paths.ts'
import type { GitBackend } from '../git/backend.ts'
import { keepNote } from '../git/new-objects.ts'
import { isCollecting } from '../git/object-guard.ts'
import type { PackedObject } from '../git/pack-writer.ts'
import { copyDurably } from '../repository/durable-file.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import { type Repository, readRef } from '../repository/repository.ts'
import type { Advance, Moved } from '../work-tree/branch-move.ts'
import type { Conversion } from '../work-tree/conversion/conversion.ts'
import { isPlain } from '../work-tree/conversion/path-form.ts'
import { CommitSeries, type CommitSeriesOptions } from './commit-series.ts'
import { clearFolder, type ImportState, importVersion, readState, writeState } from './import-state.ts'
import { PackSeries } from './pack-series.ts'
import type { ImportedItem } from './records.ts'
import { readSpool, type SortKey, SpoolWriter } from './spool.ts'

/** Moves the branch for an import, in the same way as every write. */
interface BranchMover {
  /** Throws `wiki-locked` while git is in the middle of an operation, and what a commit would throw now. */
  checkFree(): void
  /** Records commits as acknowledged, with the series that they end, and moves the branch to them. Null if it could not be moved. */
  acknowledge<Done>(
    commits: readonly string[],
    written: Promise<unknown>,
    move: () => Promise<Done | null>,
    options: { readonly series: { readonly first: string; readonly count: number } },
  ): Promise<Done | null>
  /** Resolves when everything that a commit reaches is on the disk. */
  syncBelow(commit: string | null): Promise<void>
  /** Moves the branch. Returns null if another writer was faster. */
  advance(move: Advance): Promise<Moved | null>
}

export interface ImportOptions {
  readonly repository: Repository
  readonly backend: GitBackend
  readonly writer: BranchMover
  /** Folder for intermediate files. */
  readonly folder: string
  /** Commit to continue from. */
  readonly tip: string | null
  /** Git's conversion of the imported content. */
  readonly conversion: Conversion
}

/** A stored text, and the path it was converted for; null if no conversion applies. */
export interface KeptText {
  readonly text: PackedObject
  readonly convertedFor: string | null
}

export interface CommitRequest extends Pick<CommitSeriesOptions, 'pageAt' | 'fileAt'> {
  readonly rules: PathRules
  /** Author of the import. */
  readonly author: Author
  /** New text of wiki.json; null leaves it unchanged. */
  readonly settings: string | null
  /** Called with the number of committed records. */
  readonly progress?: ((done: number) => void) | undefined
}

export interface Imported {
  /** Current commit of the branch. */
  readonly commit: string | null
  /** Media files that were new or changed. */
  readonly files: number
  readonly leftAlone: readonly string[]
}

/** Opens an import. Throws `wiki-locked` during another import, and what a commit would throw now. */
export async function openImport(options: ImportOptions): Promise<Import> {
  options.writer.checkFree()
  makeFolder(options.folder)
  const release = await takeLockFile(options.folder)
  removeRemains(options.folder)
  return new Import(options, release)
}

export class Import {
  readonly #options: ImportOptions
  readonly #release: () => void
  readonly #texts: PackSeries
  #spool: SpoolWriter<ImportedItem>
  #state: ImportState | null = null

  constructor(options: ImportOptions, release: () => void) {
    this.#options = options
    this.#release = release
    this.#texts = new PackSeries(this.#packs)
    this.#spool = new SpoolWriter(options.folder)
  }

  get #objects(): string {
    return join(this.#options.repository.objectDirectory, 'pack')
  }

  get #packs(): string {
    return join(this.#options.folder, 'packs')
  }

  /**
   * Resumes a killed import of the same identity on the same commit; returns the summary passed to `endReading`, or null if
   * reading starts again.
   */
  resume(identity: string): unknown {
    const whole = `${identity} ${this.#options.tip ?? ''}`
    this.#state = this.#wholeState(readState(this.#options.folder, whole))
    if (this.#state === null) clearFolder(this.#options.folder)
    return this.#state?.summary ?? null
  }

  /** Texts that were moved into git's object store before a kill may have been pruned: nothing named them. */
  #wholeState(state: ImportState | null): ImportState | null {
    const folders = [this.#packs, this.#objects]
    const isThere = (name: string) => folders.some(folder => existsSync(join(folder, `${name}.idx`)))
    return state?.packs.every(isThere) ? state : null
  }

  /**
   * Stores a text as the blob at a path; as a delta against `base`, if given. It becomes an object of git's, so text that a
   * filter must clean is never stored unfiltered. Throws `wiki-conversion-failed`.
   */
  async addText(path: string, content: Buffer, base: PackedObject | null = null): Promise<KeptText> {
    const { conversion } = this.#options
    const isUnconverted = isPlain(await conversion.form(path))
    const converted = isUnconverted ? content : Buffer.from(await conversion.toBlobOfMany(path, content))
    return { text: this.#texts.add('blob', converted, base), convertedFor: isUnconverted ? null : path }
  }

  /** Stores a record, to be committed in the order of the keys. */
  addRecord(key: SortKey, item: ImportedItem): void {
    this.#spool.add(key, item)
  }

  /** Marks reading as complete: from now on a kill loses only later work. */
  endReading(identity: string, summary: unknown): void {
    this.#texts.finish()
    const whole = `${identity} ${this.#options.tip ?? ''}`
    this.#state = {
      version: importVersion,
      identity: whole,
      runs: this.#spool.finish(),
      packs: this.#texts.names,
      summary,
    }
    writeState(this.#options.folder, this.#state)
  }

  /**
   * Makes the commits and moves the branch. Throws `wiki-import-overtaken` if the branch moved meanwhile; nothing is changed
   * then.
   */
  async commit(request: CommitRequest): Promise<Imported> {
    const { writer, tip } = this.#options
    const series = await this.#makeCommits(request)
    if (series.tip === null || series.tip === tip) return { commit: null, files: 0, leftAlone: [] }
    this.#checkStill()
    const keepFiles = this.#publishPacks()
    const read = this.#read
    const { author } = request
    const move = { from: tip, to: series.tip, author, reason: 'import (wiki)', paths: series.changed, read }
    const { first, count } = series
    const moved = await writer.acknowledge([series.tip], writer.syncBelow(tip), () => writer.advance(move), {
      series: { first: first ?? series.tip, count },
    })
    // Otherwise a later write releases them.
    if (!isCollecting(this.#options.repository)) for (const file of keepFiles) removeFile(file)
    if (moved === null) throw overtaken()
    return { commit: series.tip, files: series.files, leftAlone: moved.leftAlone }
  }

  readonly #read = (hash: string) => this.#options.backend.read(hash)

  async #makeCommits({ rules, author, settings, progress, pageAt, fileAt }: CommitRequest): Promise<CommitSeries> {
    const { tip, folder } = this.#options
    const packs = new PackSeries(this.#packs)
    try {
      const { conversion } = this.#options
      const series = await CommitSeries.begin({ packs, read: this.#read, tip, rules, conversion, pageAt, fileAt })
      if (settings !== null) await series.addSettings(settings, author, new Date())
      let done = 0
      for await (const items of readSpool<ImportedItem>(folder, this.#state?.runs ?? 0)) {
        for (const item of items) await series.add(item)
        done += items.length
        progress?.(done)
      }
      packs.finish()
      return series
    } catch (error) {
      packs.abandon()
      throw error
    }
  }

  /** Checked before packs are moved: a later obstacle would leave them there. */
  #checkStill(): void {
    const { writer, repository, tip } = this.#options
    writer.checkFree()
    if (readRef(repository, repository.branch) !== tip) throw overtaken()
  }

  /**
   * Moves the packs into git's object store. A pack comes before its index, which makes git read it. Returns the files that make
   * git keep the packs while no branch names their commits.
   */
  #publishPacks(): string[] {
    const target = this.#objects
    makeFolder(target)
    const names = readdirSync(this.#packs).filter(name => /^pack-.*\.(?:pack|idx)$/.test(name))
    const indexes = names.filter(name => name.endsWith('.idx'))
    const keepFiles = indexes.map(name => join(target, name.replace(/idx$/, 'keep')))
    for (const file of keepFiles) writeFile(file, keepNote)
    for (const name of names.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx'))))
      moveFile(join(this.#packs, name), join(target, name))
    syncFolder(target)
    return keepFiles
  }

  /** Deletes the intermediate files. */
  discard(): void {
    this.#texts.abandon()
    removeFolder(this.#options.folder)
  }

  /** Releases the import lock; intermediate files stay for the next attempt. */
  close(): void {
    this.#options.conversion.end()
    this.#release()
  }
}

function overtaken(): WikiError {
  return new WikiError('wiki-import-overtaken', { hint: 'Run the same command again' })
}

function moveFile(from: string, to: string): void {
  if (existsSync(to)) {
    removeFile(from)
    return
  }
  setMode(from, 0o444)
  try {
    renameFile(from, to)
  } catch (error) {
    // The objects may lie on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    copyDurably(from, to)
  }
}
