/** Collects the records of git's index and of the wiki about the base of a file. */

import type { Repository } from '../repository/repository.ts'
import { hasBases, type Passed, readBases } from './bases.ts'
import { entryAt, readStaged } from './staged.ts'
import { isAnnounced, isSeen, stagedHash } from './staging.ts'

/** See `docs/rooms/store.md`, "What a file was made from". */
export interface WorkTrace {
  /** Blob at the branch's tip; null if it has no such file. */
  readonly latest: string | null
  /** Blob in git's index; null if it has no entry. */
  readonly entry: string | null
  /** True if git has found the file to match the entry at some time since the entry was made. */
  readonly isSeen: boolean
  /** Texts that the branch had without the file, oldest first. */
  readonly passed: readonly Passed[]
  /** True if the branch had texts without the file, and its writer has brought it to the latest of them since. */
  readonly isSettled: boolean
}

/** Reads the index and the notes once, for any number of paths. Throws `wiki-bad-repository`. */
export function workTraces(repository: Repository, latest: ReadonlyMap<string, string>): (path: string) => WorkTrace {
  const bases = readBases(repository)
  const staged = readStaged(repository)
  const hasBaseFile = hasBases(repository)
  return path => {
    const entry = entryAt(staged, path)
    const notes = { latest: latest.get(path) ?? null, passed: bases.get(path) ?? [] }
    if (entry === undefined || isAnnounced(entry)) return { ...notes, entry: null, isSeen: false, isSettled: false }
    const isSettled = hasBaseFile && notes.passed.length === 0 && !isSeen(entry)
    return { ...notes, entry: stagedHash(entry), isSeen: isSeen(entry), isSettled }
  }
}
