/** Git's index as a table by path, and the parts of a commit that can be staged in it. */

import { type BigIntStats, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { readWorkFile, workTreeAt } from '../../files/work-file.ts'
import { hookIndex } from '../repository/environment.ts'
import type { Repository, RepositoryDirectories } from '../repository/repository.ts'
import type { FollowedPath } from './followed-path.ts'
import { SharedFiles } from './shared-files.ts'
import { sparseFinder } from './sparse.ts'
import {
  asPresent,
  asSkipped,
  flagsOnceStaged,
  isAnnounced,
  isSeen,
  isSkipped,
  type StagedEntry,
  stagedEntry,
  stagedHash,
  stagedMode,
} from './staging.ts'
import { StagingTable } from './staging-table.ts'

export type { FollowedPath }

/** Git's index, by path and stage. */
export type Staged = StagingTable

/** The paths of a commit, by what git's index allows. */
export interface StagedPaths {
  /** Those whose entries were changed. */
  readonly replaced: readonly FollowedPath[]
  /** Paths with an unsettled conflict, or in the way of staging: neither entry nor file can follow. */
  readonly blocked: ReadonlySet<string>
  /** Paths that the work tree is meant to lack, and does lack. */
  readonly absent: ReadonlySet<string>
}

const regularMode = 0o100644
const symbolicLinkMode = 0o120000

/** Reads git's index. An unsupported one must stop a write before it begins: throws `wiki-bad-repository`. */
export function readStaged({ gitDirectory }: Pick<Repository, 'gitDirectory'>): Staged {
  const path = join(gitDirectory, 'index')
  // Git locks and replaces the file that a link leads to, which may be outside of the repository.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return StagingTable.read(path)
  throw new WikiError('wiki-bad-repository', {
    params: [gitDirectory, 'its index is a symbolic link'],
    hint: 'Replace it by the file that it leads to',
  })
}

/** Reads what the next commit of git will hold: in a hook the index of that commit, else git's own. Errors: as `readStaged`. */
export function readNextCommit({ gitDirectory, workTree }: Pick<Repository, 'gitDirectory' | 'workTree'>): Staged {
  const named = hookIndex()
  return StagingTable.read(named === undefined ? join(gitDirectory, 'index') : resolve(workTree ?? gitDirectory, named))
}

/**
 * Writes git's new index, marked as in `StagingTable.prepare`, and resolves to the function that puts it in place. The caller has held
 * `index.lock` since it read it.
 */
export function prepareStaged({ gitDirectory }: Repository, staged: Staged, mark: number): Promise<() => void> {
  return staged.prepare(join(gitDirectory, 'index'), mark)
}

/** Replaces git's index at once. */
export async function writeStaged(repository: Repository, staged: Staged, mark: number): Promise<void> {
  const putInPlace = await prepareStaged(repository, staged, mark)
  putInPlace()
}

/** Entry of a path; undefined if it has none, or the sides of a conflict. */
export function entryAt(staged: Staged, path: string): StagedEntry | undefined {
  return staged.get(Buffer.from(path))
}

/** Hash of the staged blob at a path; null if there is none, also if a file is only announced (`git add -N`). */
export function hashAt(staged: Staged, path: string): string | null {
  const entry = entryAt(staged, path)
  return entry === undefined || isAnnounced(entry) ? null : stagedHash(entry)
}

/** Returns true if the index has a symbolic link at the path. */
export function isLinkAt(staged: Staged, path: string): boolean {
  const entry = entryAt(staged, path)
  return entry !== undefined && stagedMode(entry) === symbolicLinkMode
}

/** Hash of the blob that one side of a conflict has: 2 is ours, 3 theirs; null if it has none. */
export function hashAtStage(staged: Staged, path: string, stage: 2 | 3): string | null {
  const entry = staged.get(Buffer.from(path), stage)
  return entry === undefined ? null : stagedHash(entry)
}

/** Stages a commit's changes in the table if nothing else was staged there, so that a later `git commit` does not undo them. */
export function stagePaths(
  repository: RepositoryDirectories,
  staged: Staged,
  paths: readonly FollowedPath[],
): StagedPaths {
  const isAbsent = absentFinder(repository, staged)
  const replaced: FollowedPath[] = []
  const [blocked, absent] = [new Set<string>(), new Set<string>()]
  for (const followed of paths) {
    const { path, before, after } = followed
    const entry = entryAt(staged, path)
    if (isBlocked(staged, path)) blocked.add(path)
    else {
      if (isAbsent(path)) absent.add(path)
      if (hashAt(staged, path) !== before && followed.work === undefined) continue
      replaced.push({ ...followed, isSeen: entry !== undefined && isSeen(entry) })
      setEntry(staged, path, after)
      if (absent.has(path)) skipEntry(staged, path)
    }
  }
  return { replaced, blocked, absent }
}

/** Returns a function that tests whether the work tree lacks a file that it is meant to lack. A file that is there is somebody's. */
export function absentFinder({ workTree, ...place }: RepositoryDirectories, staged: Staged): (path: string) => boolean {
  const isOutside = sparseFinder(place)
  return path => {
    const entry = entryAt(staged, path)
    if (workTree === null || !(entry === undefined ? isOutside(path) : isSkipped(entry))) return false
    const tree = workTreeAt(workTree)
    return readWorkFile(tree, path, 0) === null || new SharedFiles(tree, staged).takenBy(path) !== null
  }
}

/** Marks the entry of a path, if it has one, as that of a file that the work tree is meant to lack. */
export function skipEntry(staged: Staged, path: string): void {
  const entry = entryAt(staged, path)
  if (entry !== undefined) staged.set(asSkipped(entry))
}

/** Ends that, for a file that is there again. Returns true if its entry was marked. */
export function unskipEntry(staged: Staged, path: string): boolean {
  const entry = entryAt(staged, path)
  if (entry === undefined || !isSkipped(entry)) return false
  staged.set(asPresent(entry))
  return true
}

/** Sets the entry of a path to a blob, keeping its mode and flags; git compares the file's content at its next check. */
export function setEntry(staged: Staged, path: string, hash: string | null): void {
  if (hash === null) staged.delete(Buffer.from(path))
  else staged.set(replacement(path, hash, entryAt(staged, path), null))
}

/** Notes the times of a file in an entry of this blob, which is the file's content; false if there is no such entry. */
export function noteStat(staged: Staged, path: string, hash: string | null, stat: BigIntStats): boolean {
  const entry = entryAt(staged, path)
  if (entry === undefined || hash === null || stagedHash(entry) !== hash) return false
  staged.set(replacement(path, hash, entry, stat))
  return true
}

function replacement(
  path: string,
  hash: string,
  entry: StagedEntry | undefined,
  stat: Parameters<typeof stagedEntry>[3],
): StagedEntry {
  const made = stagedEntry(path, hash, entry === undefined ? regularMode : stagedMode(entry), stat)
  return entry === undefined ? made : { ...made, flags: entry.flags, extendedFlags: flagsOnceStaged(entry) }
}

/** Returns true if a path cannot be staged: it is in conflict, or would be a file and a folder at once. */
export function isBlocked(staged: Staged, path: string): boolean {
  return isUnsettled(staged, path) || (entryAt(staged, path) === undefined && isCrossed(staged, path))
}

/** Returns true if the index holds the sides of a conflict for a path. */
function isUnsettled(staged: Staged, path: string): boolean {
  return [1, 2, 3].some(side => staged.get(Buffer.from(path), side) !== undefined)
}

/** Returns true if the index has a file where the path needs a folder, or files in a folder of this name. */
function isCrossed(staged: Staged, path: string): boolean {
  const names = path.split('/')
  const folders = names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'))
  return folders.some(folder => entryAt(staged, folder) !== undefined) || staged.hasStart(Buffer.from(`${path}/`))
}
