/**
 * Journal of changes to git's index and the work tree, written before they begin, so that a killed process's changes are
 * completed.
 */

import { closeSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contentSynced } from '../../files/durable.ts'
import { makeFolder, openFile, removeFile, writeAll } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import type { GitBackend } from '../git/backend.ts'
import type { Repository } from '../repository/repository.ts'
import { keepBases } from './bases.ts'
import { fileForm } from './conversion/conversion.ts'
import { followPaths, isFollowing, recoverFollowed } from './follow.ts'
import { newMark, noteReplaced, restage } from './index-repair.ts'
import type { FileMove } from './shared-files.ts'
import { type FollowedPath, hashAt, readStaged, type Staged, stagePaths, writeStaged } from './staged.ts'

interface Journal {
  /** Full name of the branch that is about to move. */
  readonly branch: string
  readonly commit: string
  readonly paths: readonly FollowedPath[]
  readonly replaced: readonly FollowedPath[]
  /** Paths whose files follow before the branch moves. */
  readonly ahead: readonly string[]
}

/** A journal that was written. */
export interface WrittenJournal {
  /** Resolves when it is on the disk: until then nothing that it lists may change. */
  readonly synced: Promise<void>
  readonly remove: () => void
}

/** Notes planned entries and files, before either changes, and the skipped ones. `moves`: what the paths are to files. */
export function writeJournal(repository: Repository, journal: Journal, moves: readonly FileMove[]): WrittenJournal {
  const path = journalPath(repository)
  const seen = new Set(journal.replaced.filter(({ isSeen }) => isSeen).map(({ path }) => path))
  keepBases(
    repository,
    moves.map(move => ({ ...move, isSeen: seen.has(move.path) })),
  )
  makeFolder(dirname(path))
  const file = openFile(path, 'w')
  try {
    writeAll(file, JSON.stringify(journal))
  } catch (error) {
    closeSync(file)
    throw error
  }
  const synced = contentSynced(file).finally(() => closeSync(file))
  // An error is thrown to who awaits it. Until then nobody may.
  synced.catch(() => {})
  return { synced, remove: () => removeFile(path) }
}

/**
 * Completes a killed process's changes: paths whose committed content is the journal's are updated; entries and files that were changed
 * but never committed are reverted. The caller holds `index.lock`, as did the writer of the journal.
 */
export async function recover(
  repository: Repository,
  backend: GitBackend,
  blobAt: (path: string) => Promise<string | null>,
): Promise<void> {
  recoverFollowed(repository)
  const { branch, commit, paths, replaced, ahead } = readJournal(repository)
  // Earlier versions did not record the branch.
  if (branch !== '' && branch !== repository.branch) return
  const committed = new Map<string, string | null>()
  for (const { path } of paths) committed.set(path, await blobAt(path))
  const isCurrent = ({ path, after }: FollowedPath) => committed.get(path) === after
  const current = paths.filter(isCurrent)
  const staged = readStaged(repository)
  takeBack(repository, staged, { replaced: replaced.filter(one => !isCurrent(one)), committed })
  const [done, mark] = [stagePaths(repository, staged, current), newMark()]
  noteReplaced(repository, { mark, branch: repository.branch, paths: replaced.filter(isCurrent) })
  await writeStaged(repository, staged, mark)
  const read = (hash: string) => backend.read(hash)
  const form = fileForm({ repository, tree: { commit: commit || null, read }, isFollowing: true })
  const readBlob = async (hash: string) => (await read(hash)).content
  const back = paths
    .filter(one => ahead.includes(one.path) && !isCurrent(one))
    .map(({ path, after }) => ({ path, before: after, after: committed.get(path) ?? null }))
  await followPaths(repository, readBlob, [...current, ...back], { staged, done, mark, form })
  removeFile(journalPath(repository))
}

/** The branch never moved: entries that were written before it return to the branch's state. */
function takeBack(
  repository: Repository,
  staged: Staged,
  {
    replaced,
    committed,
  }: { readonly replaced: readonly FollowedPath[]; readonly committed: Map<string, string | null> },
): void {
  for (const { path, after } of replaced)
    if (hashAt(staged, path) === after) restage(repository, staged, path, committed.get(path) ?? null)
}

/** Returns true if something is left to complete. */
export function hasJournal(repository: Repository): boolean {
  return isFollowing(repository) || lstatSync(journalPath(repository), { throwIfNoEntry: false }) !== undefined
}

const noJournal: Journal = { branch: '', commit: '', paths: [], replaced: [], ahead: [] }

/** Null if its process ended while writing it: nothing else was done then. */
function readJournal(repository: Repository): Journal {
  try {
    return { ...noJournal, ...(JSON.parse(readText(journalPath(repository))) as Partial<Journal>) }
  } catch {
    return noJournal
  }
}

function journalPath(repository: Repository): string {
  return join(repository.gitDirectory, 'wiki', 'journal')
}
