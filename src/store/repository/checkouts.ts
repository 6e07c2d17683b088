/**
 * The work trees of a repository. Each has a HEAD, an index and an operation of its own, so a branch that moves concerns all of
 * them: one that has the branch checked out follows it, one that has another branch may be switching to it.
 */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readText } from '../../files/read-file.ts'
import { booleanOf } from './config-text.ts'
import { hasHead, headOf, operationInProgress, type Repository, settingsOf } from './repository.ts'

/** A work tree of the repository, with the wiki's branch. */
export interface Checkout extends Repository {
  readonly workTree: string
}

/**
 * Finds the work trees of a repository, including linked ones, in the order of their git directories, which is the locking order.
 * Work trees whose folder is missing, for example on an unmounted disk, are left out.
 */
export function checkoutsOf(repository: Repository): readonly Checkout[] {
  const found: Checkout[] = []
  for (const [gitDirectory, workTree] of directoriesOf(repository))
    if (isFolder(workTree)) found.push({ ...repository, gitDirectory, workTree })
  return found.sort((a, b) => (a.gitDirectory < b.gitDirectory ? -1 : 1))
}

/**
 * Finds the git directories that have an index, but no work tree at the moment: `core.bare` is set, or the folder is missing. The
 * work tree may come back, with that index.
 */
export function absentCheckouts(repository: Repository): readonly Repository[] {
  const found: Repository[] = []
  for (const [gitDirectory, workTree] of directoriesOf(repository))
    if (!isFolder(workTree) && existsSync(join(gitDirectory, 'index')))
      found.push({ ...repository, gitDirectory, workTree: null })
  return found
}

/** The git directories of the work trees: the repository's own, the main one, and the linked ones. */
function directoriesOf(repository: Repository): ReadonlyMap<string, string | null> {
  const { commonDirectory, gitDirectory, workTree } = repository
  const found = new Map([[gitDirectory, workTree]])
  const add = (directory: string, folder: string | null) => {
    if (!isFolder(found.get(directory) ?? null)) found.set(directory, folder)
  }
  if (repository.branch === 'HEAD') return found
  add(commonDirectory, mainWorkTree(commonDirectory))
  for (const [directory, folder] of linkedWorkTrees(commonDirectory)) add(directory, folder)
  return found
}

/** Returns true if HEAD names the wiki's branch in this work tree. */
export function hasBranch(checkout: Repository): boolean {
  return headOf(checkout) === checkout.branch
}

/** Returns git's operation in progress on the wiki's branch in any work tree (`merge`, `rebase` ...); null if there is none. */
export function operationInAny(checkouts: readonly Checkout[]): string | null {
  for (const checkout of checkouts) {
    const operation = operationInProgress(checkout)
    if (operation !== null) return operation
  }
  return null
}

/**
 * Returns true if a rebase of the branch that began at another commit is in progress. Aborting it would put the branch back to
 * that commit.
 */
export function isRebasedFromElsewhere(checkouts: readonly Checkout[], tip: string): boolean {
  return checkouts.some(checkout => {
    if (operationInProgress(checkout) !== 'rebase') return false
    const { gitDirectory } = checkout
    const began =
      readLine(join(gitDirectory, 'rebase-merge', 'orig-head')) ??
      readLine(join(gitDirectory, 'rebase-apply', 'orig-head'))
    return began !== tip
  })
}

/**
 * Returns the main work tree from the git directory; null if unknown. A git directory not named `.git` (`git init
 * --separate-git-dir`) does not know its work tree: the folder around it belongs to somebody else.
 */
function mainWorkTree(commonDirectory: string): string | null {
  const config = settingsOf(commonDirectory, commonDirectory)
  const elsewhere = config.get('core.worktree')
  if (elsewhere !== undefined) return resolve(commonDirectory, elsewhere)
  if (booleanOf(config.get('core.bare')) === true || basename(commonDirectory) !== '.git') return null
  return dirname(commonDirectory)
}

/** Source: gitrepository-layout(5), `worktrees/<id>/gitdir`. */
function* linkedWorkTrees(commonDirectory: string): Iterable<[gitDirectory: string, workTree: string]> {
  const folder = join(commonDirectory, 'worktrees')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const directory = join(folder, name)
    const link = readLine(join(directory, 'gitdir'))
    if (link !== null && hasHead(directory)) yield [directory, dirname(resolve(directory, link))]
  }
}

function readLine(path: string): string | null {
  try {
    return readText(path).split('\n')[0] as string
  } catch {
    return null
  }
}

function isFolder(path: string | null): path is string {
  return path !== null && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}
