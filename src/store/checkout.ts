/** The checked-out files: the work tree, git's index, and the conversion between files and blobs. */

import { join } from 'node:path'
import { WikiError } from '../core/errors.ts'
import type { CommitTrees } from './commit-trees.ts'
import type { LazyBackend } from './git/open-backend.ts'
import type { ReadObject } from './git/walk.ts'
import type { IndexSource } from './index/pinned-index.ts'
import type { FileMove } from './layout.ts'
import { hasBranch } from './repository/checkouts.ts'
import type { Repository } from './repository/repository.ts'
import type { Conversion } from './work-tree/conversion/conversion.ts'
import type { OwnNames, Unshown } from './work-tree/own-names.ts'
import type { UntouchedFiles } from './work-tree/untouched-files.ts'
import type { WorkTrace } from './work-tree/work-trace.ts'
import type { KeptVersion, WorkTreeChange, WorkTreeFiles } from './work-tree/work-tree.ts'

/** Looks at a work tree whose index others write all the time. */
const maxLooks = 20

interface CheckoutSources {
  readonly repository: Repository
  readonly backend: LazyBackend
  readonly live: IndexSource
  readonly trees: CommitTrees
}

export class Checkout {
  readonly #repository: Repository
  readonly #backend: LazyBackend
  readonly #live: IndexSource
  readonly #trees: CommitTrees
  readonly #read: ReadObject
  #names: OwnNames | undefined
  #untouched: UntouchedFiles | undefined
  #endWatch: (() => void) | undefined

  /**
   * The same for a write, which runs content filters as git does. Reading runs none, unless the user trusts the repository: see
   * `content-filters.ts`.
   */
  written(isWritten = true): Checkout {
    if (!isWritten) return this
    const [repository, backend, live, trees] = [this.#repository, this.#backend, this.#live, this.#trees]
    return new Checkout({ repository: { ...repository, isWritten: true }, backend, live, trees })
  }

  constructor({ repository, backend, live, trees }: CheckoutSources) {
    this.#repository = repository
    this.#backend = backend
    this.#live = live
    this.#trees = trees
    this.#read = hash => backend.read(hash)
  }

  // Files

  /** Pages and media of the work tree that differ from the tip. Empty in a bare repository. */
  async changes(): Promise<WorkTreeChange[]> {
    return (await this.files()).changes
  }

  /** The same, with the versions that other programs saved beside their files. */
  async files(): Promise<WorkTreeFiles> {
    const { listWorkTree } = await import('./work-tree/work-tree.ts')
    const [backend, conversion] = [await this.#backend.choose(), await this.conversion()]
    return listWorkTree(this.#repository, { root: this.#live.rules.root, backend, conversion })
  }

  /** Lists text that other programs wrote to files after the wiki had replaced them: see `replaced-files.ts`. */
  async lateVersions(): Promise<KeptVersion[]> {
    const { lateVersions } = await import('./work-tree/late-versions.ts')
    return lateVersions(this.#repository)
  }

  /** Returns the other path that the file at this one belongs to; null if it has a file of its own, or none: see `own-names.ts`. */
  async takenBy(path: string): Promise<string | null> {
    return (await this.#ownNames())?.takenBy(path) ?? null
  }

  /** Pages that have no file in the work tree, because another one has it or the disk refuses it. */
  async unshown(): Promise<Unshown[]> {
    return (await this.#ownNames())?.unshown() ?? []
  }

  async #ownNames(): Promise<OwnNames | null> {
    const { workTree } = this.#repository
    if (workTree === null || !hasBranch(this.#repository)) return null
    const { OwnNames } = await import('./work-tree/own-names.ts')
    this.#names ??= new OwnNames(this.#repository, workTree)
    return this.#names
  }

  /** Returns the recorded bases of these files. Throws `wiki-bad-repository`. */
  async traces(paths: readonly string[]): Promise<(path: string) => WorkTrace> {
    const { workTraces } = await import('./work-tree/work-trace.ts')
    return workTraces(this.#repository, await this.#trees.blobsAtTip(paths))
  }

  /** Removes the recorded bases of files that now equal the branch's: see `bases.ts`. */
  async settleBases(): Promise<void> {
    const { settleBases } = await import('./work-tree/bases.ts')
    if (this.#repository.isCheckedOut) await settleBases(this.#repository, paths => this.#trees.blobsAtTip(paths))
  }

  /** Returns true if the tip's text at a path reached the branch without this work tree: see `head-log.ts`. */
  async isFromElsewhere(path: string, blob: string): Promise<boolean> {
    const { isFromElsewhere } = await import('./repository/head-log.ts')
    return isFromElsewhere(this.#repository, async commit => (await this.#blobIfKept(commit, path)) === blob)
  }

  /** Blob at a path of the commit that the branch named here at a time, in milliseconds; null if unknown, or without such a file. */
  async blobHereAt(path: string, time: number): Promise<string | null> {
    const { tipAt } = await import('./repository/branch-log.ts')
    const commit = tipAt(this.#repository, time)
    return commit === null ? null : this.#blobIfKept(commit, path)
  }

  /** Git may have pruned a commit that left the branch. */
  #blobIfKept(commit: string, path: string): Promise<string | null> {
    return this.#trees.blobAt(commit, path).catch(() => null)
  }

  // Git's index

  /**
   * Files as the next commit of git will have them: path to blob, and the paths of symbolic links. What a conflict has left out is
   * not there.
   */
  async staged(): Promise<{ readonly files: Map<string, string>; readonly links: readonly string[] }> {
    const { hashAt, isLinkAt, readNextCommit } = await import('./work-tree/staged.ts')
    const staged = readNextCommit(this.#repository)
    const files = new Map<string, string>()
    const links: string[] = []
    for (const { name } of staged.entries()) {
      const path = name.toString('utf8')
      const blob = hashAt(staged, path)
      if (blob === null) continue
      if (isLinkAt(staged, path)) links.push(path)
      else files.set(path, blob)
    }
    return { files, links }
  }

  /** Bytes, as Latin-1, of the paths of git's next commit that are not UTF-8. */
  async misnamedPaths(): Promise<string[]> {
    const [{ isMisnamed }, { readNextCommit }] = await Promise.all([
      import('./git/misnamed.ts'),
      import('./work-tree/staged.ts'),
    ])
    const names = readNextCommit(this.#repository)
      .entries()
      .map(({ name }) => name.toString('latin1'))
    return [...new Set(names.filter(isMisnamed))].sort()
  }

  /** Returns the reason why a conflicting file is not known to be settled; null if it is settled. */
  async unsettledReason(path: string, file: Buffer | null): Promise<string | null> {
    const { unsettledReason } = await import('./work-tree/finish-merge.ts')
    return unsettledReason(this.#repository, path, file)
  }

  /** Repairs entries that native git reverted in its index; returns the paths. See `index-repair.ts`. */
  async repairIndex(): Promise<readonly string[]> {
    const { repairIndex } = await import('./work-tree/index-repair.ts')
    return (await repairIndex(this.#repository, this.#read)) ?? []
  }

  /**
   * Reads the work tree for a commit, once git's index and the files have followed the branch, and again if the index is written
   * meanwhile. A repair writes the index before the files: in between, a page of others looks deleted. Throws `wiki-locked`.
   */
  async whenFollowed<Result>(read: () => Promise<Result>): Promise<Result> {
    const { settledState } = await import('./work-tree/index-lock.ts')
    const { workTree } = this.#repository
    if (workTree === null) return read()
    const own = { ...this.#repository, workTree }
    for (let look = 0; look < maxLooks; look++) {
      await this.repairIndex()
      const state = await settledState(own, this.#read)
      const result = await read()
      if (state === (await settledState(own, this.#read))) return result
    }
    throw new WikiError('wiki-locked', { params: [join(this.#repository.gitDirectory, 'index.lock')] })
  }

  /** Repairs git's index whenever another git changes it or HEAD, until `close`. For a server. */
  async watchIndex(): Promise<void> {
    const { watchIndex } = await import('./work-tree/index-watch.ts')
    this.#endWatch?.()
    this.#endWatch = watchIndex(this.#repository, this.#read)
  }

  // Contents

  /**
   * Returns a file's content as its blob would hold it: see `conversion.ts`. Where that takes a filter that is not run, an untouched file has
   * the content of its staged blob. Throws `wiki-conversion-failed`.
   */
  async toBlob(path: string, content: Buffer): Promise<Buffer> {
    const conversion = await this.conversion()
    const staged = (await conversion.filterNotRun(path)) === null ? null : await this.#untouchedBlob(path)
    return staged === null
      ? Buffer.from(await conversion.toBlob(path, content, 'file'))
      : (await this.#read(staged)).content
  }

  async #untouchedBlob(path: string): Promise<string | null> {
    const { UntouchedFiles } = await import('./work-tree/untouched-files.ts')
    this.#untouched ??= new UntouchedFiles(this.#repository)
    return this.#untouched.blobOf(path)
  }

  /** Returns the content of a page's blob at another path: unchanged, unless another filter applies there. Throws `wiki-conversion-failed`. */
  async movedContent(content: Buffer, from: string, to: string): Promise<Buffer> {
    const conversion = await this.written().conversion()
    try {
      return Buffer.from(await conversion.moved(content, from, to))
    } finally {
      conversion.end()
    }
  }

  /** Throws `wiki-conversion-failed` if an unchanged blob would move to a path with another filter. */
  async checkMoves(moves: readonly FileMove[]): Promise<void> {
    const conversion = await this.conversion()
    for (const { from, to } of moves) await conversion.checkMove(from, to)
  }

  /** Returns the conversion by the attributes and filters of the tip's paths; call `end` when done. */
  async conversion(): Promise<Conversion> {
    const isFollowing = this.#repository.workTree !== null && hasBranch(this.#repository)
    const { Conversion } = await import('./work-tree/conversion/conversion.ts')
    const tree = { commit: this.#live.index.state.tip, read: this.#read }
    return new Conversion({ repository: this.#repository, tree, isFollowing })
  }

  close(): void {
    this.#endWatch?.()
  }
}
