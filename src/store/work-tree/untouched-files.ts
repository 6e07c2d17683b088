/**
 * Finds the files that nobody has changed since git's index got their times. Their content is that of the staged blob, whatever a filter
 * makes of it, so reading compares them without the filter. Git itself decides so, but by whole seconds, and runs the filter for a file of
 * the second in which the index was written. Source: git's Documentation/technical/racy-git.txt.
 */

import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from '../repository/repository.ts'
import { entryAt, readStaged, type Staged } from './staged.ts'
import { hasTimesOf, stagedHash } from './staging.ts'

export class UntouchedFiles {
  readonly #repository: Repository
  #index: { readonly stat: BigIntStats; readonly staged: Staged } | undefined

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** Hash of the staged blob of an untouched file; null if the file may have changed. */
  blobOf(path: string): string | null {
    const { workTree } = this.#repository
    const index = this.#read()
    const entry = index && entryAt(index.staged, path)
    if (workTree === null || index === undefined || entry === undefined) return null
    const stat = lstatSync(join(workTree, path), { bigint: true, throwIfNoEntry: false })
    const isUntouched = stat?.isFile() && hasTimesOf(entry, stat) && stat.mtimeNs < index.stat.mtimeNs
    return isUntouched ? stagedHash(entry) : null
  }

  #read(): { readonly stat: BigIntStats; readonly staged: Staged } | undefined {
    const stat = lstatSync(join(this.#repository.gitDirectory, 'index'), { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return undefined
    const known = this.#index?.stat
    if (known?.ino !== stat.ino || known.mtimeNs !== stat.mtimeNs || known.size !== stat.size)
      this.#index = { stat, staged: readStaged(this.#repository) }
    return this.#index
  }
}
