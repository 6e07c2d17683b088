/**
 * Syncs what others have written below a new commit. By default git does not sync loose objects (git-config(1),
 * core.fsync), so after a power failure a plain `git commit` may be empty files, and a commit upon it cannot be read.
 */

import { closeSync, lstatSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { contentSynced, namesSynced, noteName } from '../../files/durable.ts'
import { openFile } from '../../files/private-files.ts'
import { loosePath, parseCommit, parseTree, treeMode, treeOfCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import { isSynced } from '../repository/sync-settings.ts'

/** Milliseconds after which every system has written a file to the disk by itself. Linux does after half a minute. */
const settledAfter = 3_600_000

/** Files that are open at once. */
const filesAtOnce = 64

export interface ForeignOptions {
  readonly objectDirectory: string
  readonly read: ReadObject
  /** Returns true for a commit that is on the disk with all that it reaches. */
  readonly isDurable: (commit: string) => boolean
}

/**
 * Resolves when a commit is on the disk with all that it reaches. Objects that are packed, or loose for an hour, are: git syncs
 * packs. Rejects with the system's error.
 */
export async function syncBelow(commit: string, options: ForeignOptions): Promise<void> {
  const { objectDirectory, isDurable } = options
  if (isDurable(commit) || !isSynced(`${objectDirectory}/`, 'loose-object')) return
  const paths = await new Unsynced(options).below(commit)
  for (let at = 0; at < paths.length; at += filesAtOnce)
    await Promise.all(paths.slice(at, at + filesAtOnce).map(syncObject))
  // A fetch leaves a pack.
  noteName(join(objectDirectory, 'pack/.'))
  await namesSynced(objectDirectory)
}

async function syncObject(path: string): Promise<void> {
  const file = openThere(path)
  if (file === null) return
  try {
    await contentSynced(file)
  } finally {
    closeSync(file)
  }
  noteName(path)
  noteName(dirname(path))
}

/** Null if git has packed it meanwhile, and where a file that nobody may write cannot be synced: Windows. */
function openThere(path: string): number | null {
  try {
    return openFile(path, sep === '\\' ? 'r+' : 'r')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'EPERM', 'EACCES'].includes(code)) return null
    throw error
  }
}

/** Lists the loose objects that may be in memory only. It descends into those alone, and into trees only where they differ. */
class Unsynced {
  readonly #options: ForeignOptions
  readonly #seen = new Set<string>()
  readonly #found: string[] = []

  constructor(options: ForeignOptions) {
    this.#options = options
  }

  async below(tip: string): Promise<readonly string[]> {
    const left = [tip]
    for (let commit = left.pop(); commit !== undefined; commit = left.pop()) {
      if (this.#options.isDurable(commit) || !this.#add(commit)) continue
      const content = await this.#read(commit)
      if (content === null) continue
      const { parents } = parseCommit(commit, content)
      await this.#addTree(treeOfCommit(content), await this.#treeOf(parents[0]))
      left.push(...parents)
    }
    return this.#found
  }

  /** Returns true if the object is new to the walk, loose, and may be in memory only. */
  #add(hash: string): boolean {
    if (this.#seen.has(hash)) return false
    this.#seen.add(hash)
    const path = loosePath(this.#options.objectDirectory, hash)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // A clock that was set back makes files of the future.
    if (stat === undefined || Date.now() - stat.mtimeMs > settledAfter) return false
    this.#found.push(path)
    return true
  }

  async #addTree(tree: string, before: string | null): Promise<void> {
    if (tree === before || !this.#add(tree)) return
    const known = new Map((await this.#entries(before)).map(({ name, hash }) => [name, hash]))
    for (const { name, mode, hash } of await this.#entries(tree)) {
      const old = known.get(name) ?? null
      if (old === hash) continue
      if (mode === treeMode) await this.#addTree(hash, old)
      else this.#add(hash)
    }
  }

  async #treeOf(commit: string | undefined): Promise<string | null> {
    const content = commit === undefined ? null : await this.#read(commit)
    return content === null ? null : treeOfCommit(content)
  }

  async #entries(tree: string | null) {
    const content = tree === null ? null : await this.#read(tree)
    return content === null ? [] : parseTree(content)
  }

  /** Null if git lacks it, as at the boundary of a shallow clone. */
  async #read(hash: string): Promise<Buffer | null> {
    return this.#options.read(hash).then(
      ({ content }) => content,
      () => null,
    )
  }
}
