/**
 * A branch that names a commit which git lacks or cannot read, or no commit: what the record still holds of it, and its last whole commit.
 */

import { isWikiError, WikiError } from '../../core/errors.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { LazyBackend } from '../git/open-backend.ts'
import { isUnreadable } from '../git/read-past-damage.ts'
import { checkTreeSize } from '../git/tree-size.ts'
import { loggedMoves } from '../repository/branch-log.ts'
import { updateRef } from '../repository/ref-update.ts'
import { packedDamage, type Repository, readRefIfSound } from '../repository/repository.ts'
import { listAcknowledged } from './acknowledged.ts'
import { isAcknowledged } from './log.ts'
import { recordPaths } from './record-paths.ts'
import { namedHeads, newestAcknowledged } from './refs.ts'

/** A branch that was put back. */
export interface RepairedBranch {
  /** Commit that it named, which git cannot read; null if it named none. */
  readonly from: string | null
  /** Its last whole commit, which it names now. */
  readonly to: string
}

export interface RepairSources {
  readonly backend: LazyBackend
  /** Commits of the stored index's main line, newest first. */
  readonly indexed: Iterable<string>
}

/** Maximum commits to choose from. */
const commitLimit = 10_000

/**
 * Adds to an error what the record of the branch holds and the command that repairs it, if the branch names no commit that can be read;
 * otherwise returns the error itself.
 */
export async function withRepair(repository: Repository, backend: LazyBackend, error: unknown): Promise<unknown> {
  if (!isWikiError(error) || !mayBeRepaired.has(error.code)) return error
  const tip = readRefIfSound(repository, repository.branch)
  if (tip !== null && (await hasFolders(backend, tip))) return error
  const held = heldByRecord(repository)
  if (held === null) return error
  const { code, params, data } = error
  // Git refuses a damaged file of packed refs whatever the branch names, so a person corrects that first.
  const first = packedDamage(repository.commonDirectory) === null ? '' : `${error.hint}. `
  return new WikiError(code, { params, data, hint: `${first}${held}: ${repairCommand(repository)}`, cause: error })
}

const mayBeRepaired: ReadonlySet<string> = new Set(['wiki-objects-missing', 'wiki-bad-repository'])

function heldByRecord(repository: Repository): string | null {
  const place = recordPaths(repository)
  const count = listAcknowledged(repository).filter(isAcknowledged).length
  const newest = newestAcknowledged(repository, place)
  if (count === 0 && newest === null) return null
  const counted = count === 0 ? [] : `The record has ${count} saved edits`
  const kept =
    newest === null
      ? []
      : `${place.newest} keeps ${count === 0 ? 'the saved edits' : 'them'} up to ${shortHash(newest)}`
  return `${[counted, kept].flat().join(', and ')}. This puts the branch back to its last whole commit, and restores them`
}

function repairCommand({ branch, isCheckedOut }: Repository): string {
  return `wiki restore --repair${isCheckedOut ? '' : ` --branch ${shellQuote(branch.replace(/^refs\/heads\//, ''))}`}`
}

/** Returns true if the commit and all its folders can be read. */
async function hasFolders(backend: LazyBackend, commit: string): Promise<boolean> {
  try {
    await checkTreeSize(hash => backend.read(hash), commit)
    return await backend.has(commit)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}

/** Finds what the branch is to name instead of a commit that cannot be read; null if nothing is wrong with it. Errors: wiki-objects-missing. */
export async function findRepair(repository: Repository, sources: RepairSources): Promise<RepairedBranch | null> {
  const { backend } = sources
  const from = readRefIfSound(repository, repository.branch)
  if (from !== null && (await isWhole(backend, from))) return null
  const named = [...candidates(repository, sources.indexed)].filter(commit => commit !== from)
  const to = await firstWhole(named, commit => isWhole(backend, commit))
  if (to !== null) return { from, to }
  throw new WikiError('wiki-objects-missing', {
    params: [from ?? repository.branch],
    hint: 'No commit that the log of the branch, its index and its record name is whole: fetch the branch from another clone',
  })
}

/**
 * Finds the first of these commits that is whole, newest first. A hole is in the history of all commits after it, and each look reads a whole
 * history, so the steps grow until one is whole, and shrink again between the last two.
 */
async function firstWhole(
  commits: readonly string[],
  isWholeAt: (commit: string) => Promise<boolean>,
): Promise<string | null> {
  let [broken, whole] = [-1, 0]
  while (whole < commits.length && !(await isWholeAt(commits[whole] as string)))
    [broken, whole] = [
      whole,
      whole === commits.length - 1 ? commits.length : Math.min(2 * whole + 1, commits.length - 1),
    ]
  while (whole < commits.length && whole - broken > 1) {
    const middle = (broken + whole) >> 1
    if (await isWholeAt(commits[middle] as string)) whole = middle
    else broken = middle
  }
  return commits[whole] ?? null
}

/** Moves the branch, by its lock; false if it has moved meanwhile. Files and git's index stay as they are. */
export function repairBranch(repository: Repository, { from, to }: RepairedBranch): Promise<boolean> {
  const committer = `wiki <> ${Math.floor(Date.now() / 1000)} +0000`
  return updateRef(repository, { from, to, committer, reason: 'repair (wiki)', isBroken: true })
}

/** Git's log of the branch comes first, because plain commits are in no record. */
function candidates(repository: Repository, indexed: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (commits: Iterable<string>) => {
    for (const commit of commits) if (found.size < commitLimit && !/^0+$/.test(commit)) found.add(commit)
  }
  for (const { from: former, to } of loggedMoves(repository)) add([to, former])
  add(indexed)
  add(namedHeads(repository, recordPaths(repository)))
  add(
    listAcknowledged(repository)
      .reverse()
      .flatMap(event => (isAcknowledged(event) ? [event.commit] : [])),
  )
  return found
}

/** Returns true if all commits and folders of the history can be read. */
async function isWhole(backend: LazyBackend, commit: string): Promise<boolean> {
  if (!(await hasFolders(backend, commit))) return false
  try {
    const history = await backend.history(null, commit, () => false)
    if (history !== null) for await (const _ of history.batches);
    return true
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}
