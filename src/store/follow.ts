/**
 * The work tree follows the branch: after a commit of ours the files it changes, and git's index, become as the commit has
 * them, but only where they were as the commit before had them. A file with other content is somebody's work and stays.
 */

import { lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GitBackend } from './git/backend.ts'
import { hashBlob } from './git/objects.ts'
import { isRunning } from './lock-file.ts'
import type { Repository } from './repository.ts'
import { readStaging, type StagedEntry, stagedEntry, stagedMode, writeStaging } from './staging.ts'

/** Blob at a path before and after; null: no file. */
export interface FollowedPath {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

const regularMode = 0o100644

/**
 * Brings files and git's index along; gives the paths whose files were left alone. May be repeated: what has followed
 * already is not touched. The caller holds `index.lock`.
 */
export async function followPaths(
  repository: Repository,
  readBlob: (hash: string) => Promise<Uint8Array>,
  paths: readonly FollowedPath[],
): Promise<string[]> {
  const { workTree, gitDirectory } = repository
  if (workTree === null || paths.length === 0) return []
  const index = join(gitDirectory, 'index')
  const staged = new Map(readStaging(index).map(entry => [stageKey(entry.path, entry.stage), entry]))
  const leftAlone: string[] = []
  for (const followed of paths) {
    const entry = staged.get(stageKey(followed.path))
    const content = followed.after === null ? null : await readBlob(followed.after)
    const followedFile = entry?.isSkipped || followFile(workTree, followed, content)
    if (!followedFile) leftAlone.push(followed.path)
    stage(staged, followed, entry, followedFile && !entry?.isSkipped ? workTree : null)
  }
  writeStaging(index, [...staged.values()])
  return leftAlone
}

/** Puts the file's new content in place; false where the file holds anything but the old one. */
function followFile(workTree: string, { path, before, after }: FollowedPath, content: Uint8Array | null): boolean {
  if (isBehindLink(workTree, path)) return false
  const file = join(workTree, path)
  const now = hashOfFile(file)
  if (now === after) return true
  if (now !== before) return false
  if (content === null) removeFile(workTree, path)
  else replaceFile(file, content, now === null ? regularMode : lstatSync(file).mode)
  return true
}

/** A link among the folders of a path could lead out of the work tree. */
function isBehindLink(workTree: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  return names.some((_, depth) => {
    const stat = lstatSync(join(workTree, ...names.slice(0, depth + 1)), { throwIfNoEntry: false })
    return stat !== undefined && !stat.isDirectory()
  })
}

/** Blob hash of a file's content; null where there is none, "other" where it is no plain file. */
function hashOfFile(file: string): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return null
  return stat.isFile() ? hashBlob(readFileSync(file)) : 'other'
}

function replaceFile(file: string, content: Uint8Array, mode: number): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = join(dirname(file), `.wiki-${process.pid}.tmp`)
  writeFileSync(temporary, content, { mode: mode & 0o777 })
  renameSync(temporary, file)
}

function removeFile(workTree: string, path: string): void {
  rmSync(join(workTree, path), { force: true })
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(workTree, folder))
    } catch {
      return
    }
  }
}

/** The index follows where nothing else was staged, so that a later `git commit` does not undo ours. */
function stage(
  staged: Map<string, StagedEntry>,
  { path, before, after }: FollowedPath,
  entry: StagedEntry | undefined,
  workTree: string | null,
): void {
  if ((entry?.hash ?? null) !== before) return
  if (after === null) staged.delete(stageKey(path))
  else {
    const stat = workTree === null ? null : lstatSync(join(workTree, path), { bigint: true })
    const made = stagedEntry(path, after, entry === undefined ? regularMode : stagedMode(entry), stat)
    const kept =
      entry === undefined ? {} : { flags: entry.flags, extendedFlags: entry.extendedFlags, isSkipped: entry.isSkipped }
    staged.set(stageKey(path), { ...made, ...kept })
  }
}

function stageKey(path: string, stage = 0): string {
  return `${stage} ${path}`
}

interface Journal {
  readonly process: number
  readonly commit: string
  readonly paths: readonly FollowedPath[]
}

/** Notes what is about to follow, before the branch moves: a kill in between is made good by `recover`. */
export function writeJournal(repository: Repository, commit: string, paths: readonly FollowedPath[]): () => void {
  const path = journalPath(repository)
  mkdirSync(dirname(path), { recursive: true })
  const journal: Journal = { process: process.pid, commit, paths }
  writeFileSync(path, JSON.stringify(journal))
  return () => rmSync(path, { force: true })
}

/**
 * Finishes what a killed process began: paths whose committed content is the journal's are brought along, others are past.
 * The caller holds `index.lock`.
 */
export async function recover(
  repository: Repository,
  backend: GitBackend,
  blobAt: (path: string) => Promise<string | null>,
): Promise<void> {
  const journal = readJournal(repository)
  if (journal === null || (journal.process !== process.pid && isRunning(journal.process))) return
  const current: FollowedPath[] = []
  for (const followed of journal.paths) if ((await blobAt(followed.path)) === followed.after) current.push(followed)
  await followPaths(repository, async hash => (await backend.read(hash)).content, current)
  rmSync(journalPath(repository), { force: true })
}

/** Whether a journal lies there. */
export function hasJournal(repository: Repository): boolean {
  return lstatSync(journalPath(repository), { throwIfNoEntry: false }) !== undefined
}

function readJournal(repository: Repository): Journal | null {
  try {
    return JSON.parse(readFileSync(journalPath(repository), 'utf8')) as Journal
  } catch {
    return null
  }
}

function journalPath(repository: Repository): string {
  return join(repository.gitDirectory, 'wiki', 'journal')
}
