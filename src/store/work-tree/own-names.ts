/** Files of the work tree that belong to a path under another name: see `shared-files.ts`. For readers, who read git's index if need be. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { mayHaveOtherNames } from '../../files/same-file.ts'
import { readWorkFile, workTreeAt } from '../../files/work-file.ts'
import type { RepositoryDirectories } from '../repository/repository.ts'
import { SharedFiles } from './shared-files.ts'
import { sparseFinder } from './sparse.ts'
import { readStaged } from './staged.ts'
import { isSkipped } from './staging.ts'

/** A page without a file in the work tree. */
export interface Unshown {
  readonly path: string
  /** Path that has its file; null if the disk or the work tree refuses its name. */
  readonly shown: string | null
}

export class OwnNames {
  readonly #place: RepositoryDirectories
  readonly #workTree: string
  #read: { readonly stamp: string; readonly files: SharedFiles } | undefined

  constructor(place: RepositoryDirectories, workTree: string) {
    this.#place = place
    this.#workTree = workTree
  }

  /** Returns the other path that the file at this one belongs to; null if it has a file of its own, or none. */
  takenBy(path: string): string | null {
    if (!mayHaveOtherNames(workTreeAt(this.#workTree), path)) return null
    const stat = statSync(join(this.#place.gitDirectory, 'index'), { bigint: true, throwIfNoEntry: false })
    const stamp = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`
    if (this.#read?.stamp !== stamp)
      this.#read = { stamp, files: new SharedFiles(workTreeAt(this.#workTree), readStaged(this.#place)) }
    return this.#read.files.takenBy(path)
  }

  /** Pages that the work tree lacks although nobody wanted that. Without sparse checkout only `git update-index` marks other entries so. */
  unshown(): Unshown[] {
    const isOutside = sparseFinder(this.#place)
    return readStaged(this.#place)
      .entries()
      .filter(isSkipped)
      .map(({ name }) => name.toString('utf8'))
      .filter(path => !isOutside(path))
      .map(path => ({ path, shown: this.takenBy(path) }))
      .filter(({ path, shown }) => shown !== null || !this.#isThere(path))
  }

  #isThere(path: string): boolean {
    try {
      return readWorkFile(workTreeAt(this.#workTree), path, 0) !== null
    } catch {
      return false
    }
  }
}
