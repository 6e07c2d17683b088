/**
 * Repairs git index entries that an older index restored. Git commands such as a plain `git commit` read the index before they
 * lock it, and write everything they have read: a write of ours in between is removed from the index again, and the next `git
 * commit` would revert it. So each index that we write has a mark in its entries, and its change is noted. An index without the
 * mark of a write, and of any later one, derives from an older index: entries that still have the content replaced by that write
 * were not staged by anybody. Staging by people (`git restore --staged`, `git rm --cached`) leaves the marks of the other entries
 * unchanged. A work tree that has another branch checked out is not written to, but its next HEAD may be this branch, with an
 * index that `git switch` read from an older commit. Such a write is noted as pending until an index of this branch was checked.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { linesFromEnd } from '../../files/lines-from-end.ts'
import { appendLines, makeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { readWorkFile, workTreeAt } from '../../files/work-file.ts'
import { hashBlob } from '../git/objects.ts'
import { blobAt } from '../git/tree-file.ts'
import type { ReadObject } from '../git/walk.ts'
import { type Checkout, checkoutsOf, hasBranch } from '../repository/checkouts.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import { logFollowed } from '../repository/head-log.ts'
import { type Repository, readRef } from '../repository/repository.ts'
import { dueFiles } from './bases.ts'
import { fileForm } from './conversion/conversion.ts'
import { followPaths } from './follow.ts'
import { lockIndex, settledState } from './index-lock.ts'
import { SharedFiles } from './shared-files.ts'
import {
  absentFinder,
  type FollowedPath,
  hashAt,
  isBlocked,
  noteStat,
  readStaged,
  type Staged,
  type StagedPaths,
  setEntry,
  skipEntry,
  writeStaged,
} from './staged.ts'
import { lagChanges, type WorkTreeLag, workTreeLag } from './work-tree-lag.ts'

/** A write in the notes of one work tree. */
interface Note {
  /** Mark of the written index; null if the work tree had another branch. */
  readonly mark: number | null
  /** Full name of the branch that was written to. */
  readonly branch: string
  readonly paths: readonly FollowedPath[]
}

/** From this many bytes on only the newer half of the notes, and always the last one, is kept. */
const notesLimit = 1024 * 1024

/** Creates the mark of an index. Device numbers are never this high. */
export function newMark(): number {
  return (randomBytes(4).readUInt32BE() | 0x80000000) >>> 0
}

/**
 * Notes the changes of the index with this mark, before it is written. The caller holds `index.lock`. The notes are for commands of git that
 * run at the same time, and end with the power like this process: they are not synced.
 */
export function noteReplaced(repository: Repository, note: Note): void {
  const path = notesPath(repository)
  const line = `${JSON.stringify(note)}\n`
  makeFolder(dirname(path))
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size + line.length <= notesLimit) appendLines(path, line)
  else replaceDurably(path, latestOf(notesIn(path)) + line)
}

function latestOf(text: string): string {
  const half = text.slice(-notesLimit / 2)
  return half.slice(half.indexOf('\n') + 1)
}

function notesIn(path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

function notesPath({ gitDirectory }: Repository): string {
  return join(gitDirectory, 'wiki', 'replaced')
}

/**
 * The notes of this branch that the index does not derive from, the newest first. Usually it derives from the last one, so there
 * are none. A pending note counts until an index of its branch was written, because by then git's index was checked.
 */
function missingNotes(repository: Repository, staged: Staged): Note[] {
  const missing: Note[] = []
  let [isLookedAt, isDescended] = [false, false]
  const has = markFinder(staged)
  for (const note of readNotes(repository)) {
    const isOurs = note.branch === repository.branch
    if (note.mark === null) {
      if (isOurs && !isLookedAt) missing.push(note)
      continue
    }
    isDescended ||= has(note.mark)
    isLookedAt ||= isOurs
    if (isDescended && isLookedAt) break
    if (isOurs && !isDescended) missing.push(note)
  }
  return missing
}

/** Usually the first entry has the last mark; then no table is built. */
function markFinder(staged: Staged): (mark: number) => boolean {
  let marks: Set<number> | undefined
  return mark => {
    const [first] = staged.marks()
    if (first === mark) return true
    marks ??= new Set(staged.marks())
    return marks.has(mark)
  }
}

/** The notes, the newest first. Those of older versions have no branch: it was the one that HEAD named. */
function* readNotes(repository: Repository): Iterable<Note> {
  for (const line of linesFromEnd(notesPath(repository))) {
    const note = readNote(line)
    if (note !== null) yield { ...note, branch: note.branch ?? repository.branch }
  }
}

/** Returns true if a noted write cannot be in any index of the branch yet. */
function hasPending(repository: Repository): boolean {
  for (const { mark, branch } of readNotes(repository)) if (branch === repository.branch) return mark === null
  return false
}

/** Null for a line that was being written when its process ended. */
function readNote(line: string): Note | null {
  try {
    const note = JSON.parse(line) as Note
    return note.paths.every(({ path }) => typeof path === 'string') ? note : null
  } catch {
    return null
  }
}

/** A repaired entry: its former content, and the branch's. */
export interface Repaired {
  /** All of them. */
  readonly paths: readonly FollowedPath[]
  /** Files that are to follow: those that git took from the older commit, and those that an earlier write could not change. */
  readonly pending: readonly FollowedPath[]
  /** The move of the branch past this work tree, to be logged when the index is written. */
  readonly past: WorkTreeLag | null
}

/**
 * Repairs, in the table, entries that an older index restored, and entries that it never got because the branch moved past this
 * work tree.
 */
export async function repairStaged(repository: Repository, staged: Staged, read: ReadObject): Promise<Repaired> {
  const past = await workTreeLag(repository)
  const repaired = { paths: [] as FollowedPath[], pending: [] as FollowedPath[], past }
  const committedAt = committedIn(repository, read)
  const passed = past === null ? [] : await lagChanges(read, past)
  for (const { path, before, isPending } of [
    ...takenOut(repository, staged),
    ...passed.map(change => ({ ...change, isPending: true })),
  ]) {
    const committed = await committedAt(path)
    if (hashAt(staged, path) !== before || committed === before) continue
    if (!restage(repository, staged, path, committed)) continue
    repaired.paths.push({ path, before, after: committed })
    if (isPending) repaired.pending.push({ path, before, after: committed })
  }
  for (const [path, before] of dueFiles(repository)) {
    const after = await committedAt(path)
    if (before === null && isTaken(repository, staged, path)) continue
    if (before !== after && hashAt(staged, path) === after) repaired.pending.push({ path, before, after })
  }
  return repaired
}

/** Returns true if the file of a path is that of another page: see `shared-files.ts`. */
function isTaken({ workTree }: Repository, staged: Staged, path: string): boolean {
  return workTree !== null && new SharedFiles(workTreeAt(workTree), staged).takenBy(path) !== null
}

/**
 * Returns the changes of our writes that the index does not include. An index that contains only our changes has no known origin,
 * so only pending writes count there.
 */
function takenOut(repository: Repository, staged: Staged): (FollowedPath & { readonly isPending: boolean })[] {
  const missing = missingNotes(repository, staged).flatMap(({ mark, paths }) =>
    paths.map(path => ({ ...path, isPending: mark === null })),
  )
  const changed = new Set(missing.map(({ path }) => path).filter(path => hashAt(staged, path) !== null))
  return staged.size > changed.size ? missing : missing.filter(({ isPending }) => isPending)
}

/** Sets the entry of a path to the branch's content, regardless of its file; false if a conflict or a folder is in the way. */
export function restage(repository: Repository, staged: Staged, path: string, committed: string | null): boolean {
  if (isBlocked(staged, path)) return false
  const isAbsent = absentFinder(repository, staged)(path)
  setEntry(staged, path, committed)
  if (isAbsent) skipEntry(staged, path)
  const { workTree } = repository
  const found = workTree === null ? null : readWorkFile(workTreeAt(workTree), path)
  if (found !== null && typeof found === 'object' && hashBlob(found.content) === committed)
    noteStat(staged, path, committed, found.stat)
  return true
}

/**
 * Repairs entries that older indexes restored, in all work trees that have the branch checked out; returns the paths, or null if
 * an index cannot be read or locked.
 */
export async function repairIndex(repository: Repository, read: ReadObject): Promise<string[] | null> {
  try {
    const repaired: string[] = []
    for (const checkout of checkoutsOf(repository)) repaired.push(...(await repairCheckout(checkout, read)))
    return [...new Set(repaired)]
  } catch (error) {
    if (isWikiError(error) || (error as NodeJS.ErrnoException).code !== undefined) return null
    throw error
  }
}

/** Looks at an index that a command of git is changing. A killed one leaves its lock, which is settled under our own. */
const maxChecks = 20

/**
 * The lock blocks other writers, and git's commands fail where they find it, so it is taken only if there is something to write. In
 * the middle of a command of git there always seems to be.
 */
async function repairCheckout(checkout: Checkout, read: ReadObject): Promise<string[]> {
  for (let look = 0; look < maxChecks; look++) {
    const state = await settledState(checkout, read)
    if (!hasBranch(checkout) || !(await needsRepair(checkout, read))) return []
    if (state === (await settledState(checkout, read))) break
  }
  return mendLocked(checkout, read)
}

async function needsRepair(checkout: Checkout, read: ReadObject): Promise<boolean> {
  if (hasPending(checkout)) return true
  if (!existsSync(notesPath(checkout)) && (await workTreeLag(checkout)) === null) return false
  const { paths, pending, past } = await repairStaged(checkout, readStaged(checkout), read)
  return paths.length > 0 || pending.length > 0 || past !== null
}

async function mendLocked(checkout: Checkout, read: ReadObject): Promise<string[]> {
  const release = await lockIndex(checkout, read)
  try {
    // HEAD may have moved during the wait for the lock.
    if (!hasBranch(checkout)) return []
    const staged = readStaged(checkout)
    const { paths, pending, past } = await repairStaged(checkout, staged, read)
    const isLookedAt = hasPending(checkout)
    const changed = [...new Set([...paths, ...pending])]
    if (changed.length === 0 && !isLookedAt && past === null) return []
    const mark = newMark()
    if (changed.length > 0 || isLookedAt) noteReplaced(checkout, { mark, branch: checkout.branch, paths: changed })
    if (paths.length > 0) await writeStaged(checkout, staged, mark)
    if (past !== null) logFollowed(checkout, past.from, past.to)
    await followRepaired(checkout, read, pending, { staged, mark })
    return paths.map(({ path }) => path)
  } finally {
    release()
  }
}

/** Files that git took from the older commit get the branch's content, if nobody changed them since. */
export async function followRepaired(
  checkout: Checkout,
  read: ReadObject,
  paths: readonly FollowedPath[],
  { staged, mark }: { readonly staged: Staged; readonly mark: number },
): Promise<void> {
  const [isAbsent, due] = [absentFinder(checkout, staged), dueFiles(checkout)]
  const absent = new Set(paths.map(({ path }) => path).filter(path => !due.has(path) && isAbsent(path)))
  const done: StagedPaths = { replaced: paths, blocked: new Set(), absent }
  const form = fileForm({
    repository: checkout,
    tree: { commit: readRef(checkout, checkout.branch), read },
    isFollowing: true,
  })
  await followPaths(checkout, async hash => (await read(hash)).content, paths, { staged, done, mark, form })
}

/** Returns a function from a path to the blob of the branch, which is read at the first call. */
export function committedIn(repository: Repository, read: ReadObject): (path: string) => Promise<string | null> {
  let tip: string | null | undefined
  return async path => {
    if (tip === undefined) tip = readRef(repository, repository.branch)
    return tip === null ? null : blobAt(read, tip, path)
  }
}
