/**
 * Entries of git's index that native git has put back. Git commands such as a plain `git commit` read the index before they
 * lock it, and write all of what they have read: a write of ours in between is taken out of the index again, and the next
 * `git commit` would revert it. So each index that we write has a mark in its entries, and what it changed is noted. An index
 * without the mark of a write, and of any later one, comes of an older index: where it still has what that write replaced, nobody
 * has staged that. What somebody stages (`git restore --staged`, `git rm --cached`) leaves the marks of the other entries as they are.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWikiError } from '../core/errors.ts'
import { appendToFile, makeFolder, writeFile } from '../files/private-files.ts'
import { readWorkFile, workTreeAt } from '../files/work-file.ts'
import { hashBlob } from './git/objects.ts'
import { blobAt } from './git/tree-file.ts'
import type { ReadObject } from './git/walk.ts'
import { takeLockFile } from './lock-file.ts'
import { headOf, type Repository, readRef } from './repository.ts'
import {
  type FollowedPath,
  hashAt,
  isBlocked,
  noteStat,
  readStaged,
  type Staged,
  setEntry,
  writeStaged,
} from './staged.ts'
import { stagedMark } from './staging.ts'

/** What a write changes in git's index. */
interface Note {
  readonly mark: number
  readonly paths: readonly FollowedPath[]
}

/** From this many bytes on only the newer half of the notes, and always the last one, is kept. */
const notesLimit = 128 * 1024

/** Makes the mark of an index. Numbers of devices do not reach so high. */
export function newMark(): number {
  return (randomBytes(4).readUInt32BE() | 0x80000000) >>> 0
}

/** Notes what the index with this mark changes, before it is written. The caller holds `index.lock`. */
export function noteReplaced(repository: Repository, note: Note): void {
  const path = notesPath(repository)
  const line = `${JSON.stringify(note)}\n`
  makeFolder(dirname(path))
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size + line.length <= notesLimit) appendToFile(path, line)
  else writeFile(path, latestOf(readText(path)) + line)
}

function latestOf(text: string): string {
  const half = text.slice(-notesLimit / 2)
  return half.slice(half.indexOf('\n') + 1)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function notesPath({ gitDirectory }: Repository): string {
  return join(gitDirectory, 'wiki', 'replaced')
}

/** The notes that the index does not come of, the newest first. Mostly it comes of the last one, so there are none. */
function missingNotes(repository: Repository, staged: Staged): Note[] {
  const lines = readText(notesPath(repository)).trimEnd().split('\n').reverse()
  const missing: Note[] = []
  let marks: ReadonlySet<number> | undefined
  for (const line of lines) {
    const note = readNote(line)
    if (note === null) continue
    if (missing.length === 0 ? hasMark(staged, note.mark) : marks?.has(note.mark)) break
    marks ??= new Set([...staged.values()].map(stagedMark))
    missing.push(note)
  }
  return missing
}

/** Mostly the first entry has it. */
function hasMark(staged: Staged, mark: number): boolean {
  for (const entry of staged.values()) if (stagedMark(entry) === mark) return true
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

/** Puts right, in the table, what git has put back; gives the paths. */
export async function mendStaged(
  repository: Repository,
  staged: Staged,
  committedAt: (path: string) => Promise<string | null>,
): Promise<string[]> {
  const mended: string[] = []
  for (const { path, before } of takenOut(repository, staged)) {
    const committed = await committedAt(path)
    if (hashAt(staged, path) !== before || committed === before) continue
    if (restage(repository, staged, path, committed)) mended.push(path)
  }
  return mended
}

/** What the writes have changed that the index does not come of. If it has no other entries nothing tells of what it comes. */
function takenOut(repository: Repository, staged: Staged): FollowedPath[] {
  const missing = missingNotes(repository, staged).flatMap(({ paths }) => paths)
  const changed = new Set(missing.map(({ path }) => path).filter(path => hashAt(staged, path) !== null))
  return staged.size > changed.size ? missing : []
}

/** Sets the entry of a path to what the branch has, whatever its file is; false where a conflict or a folder is in the way. */
export function restage(repository: Repository, staged: Staged, path: string, committed: string | null): boolean {
  if (isBlocked(staged, path)) return false
  setEntry(staged, path, committed)
  const { workTree } = repository
  const found = workTree === null ? null : readWorkFile(workTreeAt(workTree), path)
  if (found !== null && typeof found === 'object' && hashBlob(found.content) === committed)
    noteStat(staged, path, committed, found.stat)
  return true
}

/**
 * Looks whether git has put entries back, and puts them right; gives their paths, or null where the index cannot be read or
 * locked. Does nothing where the work tree is of another branch or there is none.
 */
export async function mendIndex(repository: Repository, read: ReadObject): Promise<string[] | null> {
  if (repository.workTree === null || headOf(repository) !== repository.branch) return []
  if (!existsSync(notesPath(repository))) return []
  try {
    // The lock keeps others from writing: it is for those who have something to write.
    const found = await mendStaged(repository, readStaged(repository), committedIn(repository, read))
    return found.length === 0 ? [] : await mendLocked(repository, read)
  } catch (error) {
    if (isWikiError(error) || (error as NodeJS.ErrnoException).code !== undefined) return null
    throw error
  }
}

async function mendLocked(repository: Repository, read: ReadObject): Promise<string[]> {
  const release = await takeLockFile(join(repository.gitDirectory, 'index'))
  try {
    const staged = readStaged(repository)
    const mended = await mendStaged(repository, staged, committedIn(repository, read))
    if (mended.length === 0) return []
    const mark = newMark()
    noteReplaced(repository, { mark, paths: [] })
    writeStaged(repository, staged, mark)
    return mended
  } finally {
    release()
  }
}

/** Gives what tells the blob that the branch has at a path. */
export function committedIn(repository: Repository, read: ReadObject): (path: string) => Promise<string | null> {
  const tip = readRef(repository, repository.branch)
  return async path => (tip === null ? null : blobAt(read, tip, path))
}
