/**
 * The branches that HEAD has left in recent days. Branches number their revisions independently, so a client that read a text before
 * `git switch` may send an id that names another revision here.
 */

import { existsSync } from 'node:fs'
import { branchesLeft, type LeftBranch } from '../repository/head-log.ts'
import type { Repository } from '../repository/repository.ts'
import { type FormerRevision, formerRevisions, lifetime, readFormerIds } from './former-ids.ts'
import { indexFolder } from './index-folder.ts'
import { openIndex } from './stored-index.ts'

/** Maximum branches whose ids are examined: each has an index to be opened. */
const branchLimit = 8

/** HEAD's log is read once, on first use: a store keeps its branch. */
export class LeftBranches {
  readonly #repository: Repository
  #read: readonly LeftBranch[] | null = null

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** Returns the revisions that an id names, or named, on these branches, as far as their stored indexes tell. */
  revisions(id: number): FormerRevision[] {
    return this.#others
      .slice(0, branchLimit)
      .map(({ branch }) => this.#folderOf(branch))
      .flatMap(folder => [...presentRevision(folder, id), ...formerRevisions(readFormerIds(folder), id)])
  }

  /** Branches without an index do not count: nobody has read ids there. */
  get #others(): readonly LeftBranch[] {
    this.#read ??= branchesLeft(this.#repository, Date.now() - lifetime).filter(
      ({ branch }) => this.#folderOf(branch) !== indexFolder(this.#repository) && existsSync(this.#folderOf(branch)),
    )
    return this.#read
  }

  #folderOf(branch: string): string {
    return indexFolder({ ...this.#repository, branch })
  }
}

function presentRevision(folder: string, id: number): FormerRevision[] {
  const index = openIndex(folder)
  if (index === null) return []
  try {
    const ordinal = index.revisionOrdinal(id)
    if (ordinal === undefined) return []
    const { commit, blob, page } = index.revision(ordinal)
    return [{ id, commit: index.commit(commit).hash, blob, key: index.pages.at(page).key }]
  } finally {
    index.close()
  }
}
