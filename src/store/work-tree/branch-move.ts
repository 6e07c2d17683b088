/**
 * The one way a branch moves. Locks are taken in one order: the writers' lock, git's index of every work tree (by the paths of
 * their git directories), the branch. Under them HEAD, the branch and git's state are read again. The index moves before the
 * branch: git reads HEAD first and its index then, so a process that sees the branch moved also sees the matching index.
 */

import { WikiError } from '../../core/errors.ts'
import { workTreeAt } from '../../files/work-file.ts'
import type { Author } from '../format/entries.ts'
import type { LazyBackend } from '../git/open-backend.ts'
import type { ReadObject } from '../git/walk.ts'
import {
  absentCheckouts,
  type Checkout,
  checkoutsOf,
  hasBranch,
  isRebasedFromElsewhere,
  operationInAny,
} from '../repository/checkouts.ts'
import type { PreparedFile } from '../repository/durable-file.ts'
import { logFollowed } from '../repository/head-log.ts'
import { type RefUpdate, updateRef } from '../repository/ref-update.ts'
import { checkWorkTree, type Repository, readRef } from '../repository/repository.ts'
import { isWriteFailure } from '../repository/write-failure.ts'
import { fileForm } from './conversion/conversion.ts'
import { beginAhead, endAhead, type FileAhead, followPaths } from './follow.ts'
import { isSwitchingTo, lockIndex, lockIndexes } from './index-lock.ts'
import { committedIn, followRepaired, newMark, noteReplaced, repairIndex, repairStaged } from './index-repair.ts'
import { hasJournal, recover, type WrittenJournal, writeJournal } from './journal.ts'
import { type FileMove, SharedFiles } from './shared-files.ts'
import {
  type FollowedPath,
  noteStat,
  prepareStaged,
  readStaged,
  type Staged,
  type StagedPaths,
  stagePaths,
  writeStaged,
} from './staged.ts'

/** A move of the branch to existing commits. */
export interface Advance {
  /** Commit that the branch must still name; null if it must not exist. */
  readonly from: string | null
  readonly to: string
  /** Author and reason for the reflog. */
  readonly author: Author
  readonly reason: string
  /** Paths that the work tree follows. */
  readonly paths: readonly FollowedPath[]
  /** Reads objects of the repository, including new ones. */
  readonly read: ReadObject
  /** The branch's new file, if it is written already. */
  readonly prepared?: PreparedFile
  /** Called under the branch's lock, before it moves. */
  readonly keepObjects?: () => void
}

/** A move that has its locks. */
interface Move {
  readonly repository: Repository
  readonly backend: LazyBackend
  readonly update: Omit<RefUpdate, 'beforeMove'>
  readonly paths: readonly FollowedPath[]
  readonly read: ReadObject
  /** Called under the branch's lock, before it moves. */
  readonly keepObjects?: (() => void) | undefined
  /** Called when all is done and the indexes are still locked. */
  readonly beforeUnlock?: () => void
}

/** Result of a move. Paths of the work trees that have the branch checked out. */
export interface Moved {
  /** Files left unchanged. */
  readonly leftAlone: readonly string[]
  /** Files left unchanged, and those for which somebody staged something else: a commit of these has not seen ours. */
  readonly passed: readonly string[]
}

/** A work tree with the branch checked out, and its new index. */
interface Following {
  readonly checkout: Checkout
  readonly staged: Staged
  readonly done: StagedPaths
  readonly mark: number
  /** Files that may follow before the branch moves, and the paths of those that have. */
  readonly ahead: readonly FileAhead[]
  readonly placed: string[]
  readonly journal: WrittenJournal
}

/**
 * Moves the branch, and lets all work trees that have it checked out follow. Returns null, without a change, if the
 * branch does not name `update.from` any more, or git began an operation meanwhile. Throws `wiki-repository-busy`, `wiki-locked`.
 */
export async function moveBranch(move: Move): Promise<Moved | null> {
  const { repository, update } = move
  const checkouts = checkoutsOf(repository)
  const release = await lockIndexes(checkouts, move.read)
  let others: readonly Checkout[] = []
  let moved: Moved | null
  try {
    checkFree(repository, checkouts)
    const having = await followers(move, checkouts)
    others = checkouts.filter(one => !having.includes(one))
    moved = await moveLocked(move, having, others)
    if (moved !== null && update.from !== null && isRebasedFromElsewhere(checkouts, update.to))
      if ((await moveLocked(reversed(move, update.from), having, [])) !== null) moved = null
    move.beforeUnlock?.()
  } finally {
    release()
  }
  // A switch of branches that read this one before it moved may have ended since.
  if (others.some(hasBranch)) await repairIndex(repository, move.read)
  return moved
}

/** Returns the work trees that follow: those with the branch, and those that git is switching to it. */
async function followers({ update: { from }, read }: Move, checkouts: readonly Checkout[]): Promise<Checkout[]> {
  const found: Checkout[] = []
  for (const checkout of checkouts)
    if (hasBranch(checkout) || (from !== null && (await isSwitchingTo(checkout, from, read)))) found.push(checkout)
  return found
}

/**
 * Throws `wiki-repository-busy` if git is in the middle of an operation on the branch: the commit that ends it would undo ours.
 * Throws `wiki-bad-repository` if the work tree is missing: nothing says which attributes its files have.
 */
export function checkFree(repository: Repository, checkouts: readonly Checkout[] = checkoutsOf(repository)): void {
  checkWorkTree(repository)
  const operation = operationInAny(checkouts)
  if (operation === null) return
  throw new WikiError('wiki-repository-busy', {
    params: [operation === 'am' ? 'git am' : operation],
    hint: `Finish it, or abort it with: git ${operation} ${operation === 'bisect' ? 'reset' : '--abort'}`,
  })
}

/** The move is not acknowledged yet, so it may be reverted: see `isRebasedFromElsewhere`. */
function reversed(move: Move, from: string): Move {
  const { to, committer } = move.update
  const paths = move.paths.map(({ path, before, after }) => ({ path, before: after, after: before }))
  return { ...move, paths, update: { from: to, to: from, committer, reason: 'reset (wiki): git began an operation' } }
}

async function moveLocked(move: Move, having: readonly Checkout[], others: readonly Checkout[]): Promise<Moved | null> {
  const { repository, update } = move
  const absent = absentCheckouts(repository)
  const following: Following[] = []
  let isAhead = false
  // If the branch does not move, neither an index nor a file may stay ahead of it. If the disk refuses that too, the next writer does it.
  const takeBack = async () => {
    for (const one of following)
      if (isAhead) await finishJournal(move, one.checkout).catch(() => {})
      else one.journal.remove()
  }
  try {
    for (const checkout of having) following.push(await prepare(move, checkout))
    // A branch that others have moved must not be written without these, even if they move it back in the next moment.
    if (readRef(repository, repository.branch) !== update.from) {
      await takeBack()
      return null
    }
    isAhead = following.length > 0
    // All contents are on the disk before the branch is locked: under its lock there are only renames.
    const indexes = await Promise.all(following.map(one => stage(one, move.paths)))
    const beforeMove = () => {
      move.keepObjects?.()
      for (const one of [...others, ...absent]) noteReplaced(one, { mark: null, branch: one.branch, paths: move.paths })
      for (const putInPlace of indexes) putInPlace()
    }
    if (!(await updateRef(repository, { ...update, beforeMove }))) {
      await takeBack()
      return null
    }
  } catch (error) {
    await takeBack()
    throw error
  }
  const leftAlone = new Set<string>()
  for (const one of following) for (const path of await follow(move, one)) leftAlone.add(path)
  return { leftAlone: [...leftAlone], passed: [...leftAlone, ...following.flatMap(one => unstaged(one, move.paths))] }
}

/** Updates a work tree to the branch, prepares the index for the move, and writes the journal. */
async function prepare(move: Move, checkout: Checkout): Promise<Following> {
  await finishJournal(move, checkout)
  const staged = readStaged(checkout)
  const mark = newMark()
  const { pending, past } = await repairStaged(checkout, staged, move.read)
  if (pending.length > 0) {
    noteReplaced(checkout, { mark, branch: checkout.branch, paths: pending })
    await writeStaged(checkout, staged, mark)
    await followRepaired(checkout, move.read, pending, { staged, mark })
  }
  if (past !== null) logFollowed(checkout, past.from, past.to)
  const done = stagePaths(checkout, staged, move.paths)
  const { workTree } = checkout
  const moves =
    workTree === null ? move.paths : new SharedFiles(workTreeAt(workTree), staged).moves(move.paths, done.absent).moves
  const ahead = await filesAhead(move, checkout, done, moves)
  const journal = {
    branch: checkout.branch,
    commit: move.update.to,
    paths: move.paths,
    replaced: done.replaced,
    ahead: ahead.map(({ path }) => path),
  }
  return {
    checkout,
    staged,
    done,
    mark: newMark(),
    ahead,
    placed: [],
    journal: writeJournal(checkout, journal, moves),
  }
}

/** Maximum paths of a move whose files follow before the branch: it is locked meanwhile. */
const aheadLimit = 16

/**
 * Returns the files that may follow before the branch moves: those that only get another text, without a conversion. A commit that
 * changes attributes decides again which files are converted.
 */
async function filesAhead(
  move: Move,
  checkout: Checkout,
  { replaced, blocked, absent }: StagedPaths,
  moves: readonly FileMove[],
): Promise<FileAhead[]> {
  if (move.paths.length > aheadLimit || move.paths.some(({ path }) => path.endsWith('.gitattributes'))) return []
  const form = formOf(move, checkout)
  const own = new Set(moves.filter(({ file }) => file === undefined).map(({ path }) => path))
  const found: FileAhead[] = []
  for (const { path, before, after, work } of replaced) {
    if (before === null || after === null || work !== undefined || blocked.has(path) || absent.has(path)) continue
    if (!own.has(path)) continue
    if (await form.applies?.(path).catch(() => true)) continue
    found.push({ path, before, content: (await move.read(after)).content })
  }
  return found
}

/** The index gets the times of these files when it is written for the move. */
async function placeAhead({ checkout, staged, done, ahead, placed, journal }: Following): Promise<void> {
  const [changes] = await Promise.all([beginAhead(checkout, ahead), journal.synced])
  for (const { path, finish } of changes) {
    const outcome = finish()
    if (outcome === null) continue
    placed.push(path)
    const after = done.replaced.find(one => one.path === path)?.after ?? null
    if (typeof outcome === 'object') noteStat(staged, path, after, outcome.stat)
  }
  if (ahead.length > 0) endAhead(checkout)
}

function formOf({ update, read }: Move, checkout: Checkout) {
  return fileForm({ repository: checkout, tree: { commit: update.to, read }, isFollowing: true })
}

/** Paths for which the index has something that somebody else staged. */
function unstaged({ done }: Following, paths: readonly FollowedPath[]): readonly string[] {
  const staged = new Set(done.replaced.map(({ path }) => path))
  return paths.map(({ path }) => path).filter(path => !staged.has(path))
}

/**
 * Puts files in place that follow before the branch moves, and prepares the index. All paths are noted: another git may restore an index with
 * entries that this move did not have to replace.
 */
async function stage(following: Following, paths: readonly FollowedPath[]): Promise<() => void> {
  const { checkout, staged, mark } = following
  await placeAhead(following)
  noteReplaced(checkout, { mark, branch: checkout.branch, paths })
  return prepareStaged(checkout, staged, mark)
}

/** The branch has moved: failures of the disk are left to the journal and the next writer. */
async function follow(
  move: Move,
  { checkout, staged, done, mark, placed, journal }: Following,
): Promise<readonly string[]> {
  const { from, to } = move.update
  try {
    // The log of the work tree that the wiki was opened in was written with the branch.
    if (from !== null && checkout.gitDirectory !== move.repository.gitDirectory) logFollowed(checkout, from, to)
    const readBlob = async (hash: string) => (await move.read(hash)).content
    const left = move.paths.filter(({ path }) => !placed.includes(path))
    const form = left.length === 0 ? undefined : formOf(move, checkout)
    const leftAlone = await followPaths(checkout, readBlob, left, { staged, done, mark, form, ahead: placed })
    journal.remove()
    return leftAlone
  } catch (error) {
    if (!isWriteFailure(error)) throw error
    return move.paths.map(({ path }) => path)
  }
}

/** Completes a killed process's changes in a work tree. Throws `wiki-locked`. */
export async function finishLocked(tree: Pick<Move, 'backend' | 'read'>, checkout: Checkout): Promise<void> {
  const release = await lockIndex(checkout, tree.read)
  try {
    if (hasBranch(checkout)) await finishJournal(tree, checkout)
  } finally {
    release()
  }
}

/** The caller holds `index.lock`. */
async function finishJournal({ backend, read }: Pick<Move, 'backend' | 'read'>, checkout: Checkout): Promise<void> {
  if (hasJournal(checkout)) await recover(checkout, backend, committedIn(checkout, read))
}
