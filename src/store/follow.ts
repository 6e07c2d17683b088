/**
 * The work tree follows the branch: after a commit of ours the files it changes, and git's index, become as the commit has
 * them, but only where they were as the commit before had them. A file with other content is somebody's work and stays.
 */

import { lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GitBackend } from './git/backend.ts'
import { hashBlob } from './git/objects.ts'
import { isBehindLink } from './links.ts'
import type { Repository } from './repository.ts'
import {
  isSkipped,
  readStaging,
  type StagedEntry,
  stagedEntry,
  stagedHash,
  stagedMode,
  stageOf,
  writeStaging,
} from './staging.ts'

/** Blob at a path before and after; null: no file. */
export interface FollowedPath {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

const regularMode = 0o100644

/** Git's index, by stage and path. */
export type Staged = Map<string, StagedEntry>

/** Reads git's index. One that we cannot write back must stop a write before it begins: throws `wiki-bad-repository`. */
export function readStaged({ gitDirectory }: Repository): Staged {
  return new Map(readStaging(join(gitDirectory, 'index')).map(entry => [keyOf(entry.name, stageOf(entry)), entry]))
}

/** What became of a file: it is as the commit has it, or so but for its line ends; or it was left alone. */
type Outcome = 'followed' | 'translated' | 'left'

/**
 * Brings files and git's index along; gives the paths whose files were left alone. May be repeated: what has followed
 * already is not touched. The caller has held `index.lock` since it read the index.
 */
export async function followPaths(
  repository: Repository,
  readBlob: (hash: string) => Promise<Uint8Array>,
  paths: readonly FollowedPath[],
  staged: Staged,
): Promise<string[]> {
  const { workTree, gitDirectory } = repository
  if (workTree === null || paths.length === 0) return []
  const leftAlone: string[] = []
  const holds = folderFinder(staged, paths.length)
  for (const followed of paths) {
    const entry = staged.get(stageKey(followed.path))
    const content = followed.after === null ? null : await readBlob(followed.after)
    const isBlocked =
      isUnsettled(staged, followed.path) || (entry === undefined && isCrossed(staged, followed.path, holds))
    const isAbsent = entry !== undefined && isSkipped(entry)
    const outcome = isBlocked ? 'left' : isAbsent ? 'followed' : tryToFollow(workTree, followed, content)
    if (outcome === 'left') leftAlone.push(followed.path)
    if (!isBlocked) stage(staged, followed, entry, outcome === 'followed' && !isAbsent ? workTree : null)
  }
  writeStaging(join(gitDirectory, 'index'), [...staged.values()])
  return leftAlone
}

/** Whether a path has the sides of a conflict in the index. */
function isUnsettled(staged: Staged, path: string): boolean {
  return [1, 2, 3].some(side => staged.has(stageKey(path, side)))
}

/** Whether the index has a file where the path needs a folder, or files in a folder of this name: it cannot have both. */
function isCrossed(staged: Staged, path: string, holds: (folder: string) => boolean): boolean {
  const names = path.split('/')
  if (names.some((_, depth) => depth > 0 && staged.has(stageKey(names.slice(0, depth).join('/'))))) return true
  return holds(path)
}

/** From this many paths on sorting the index costs less than looking through it for each. */
const manyPaths = 32

/** Gives what tells whether the index has files in a folder of a name. */
function folderFinder(staged: Staged, paths: number): (folder: string) => boolean {
  if (paths < manyPaths) return folder => hasInside(staged, stageKey(`${folder}/`))
  const keys = [...staged.keys()].sort()
  return folder => {
    const inside = stageKey(`${folder}/`)
    for (let at = firstFrom(keys, inside); keys[at]?.startsWith(inside); at++)
      if (staged.has(keys[at] as string)) return true
    return false
  }
}

function hasInside(staged: Staged, inside: string): boolean {
  for (const key of staged.keys()) if (key.startsWith(inside)) return true
  return false
}

function firstFrom(keys: readonly string[], wanted: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The commit stands, whatever the file system says: a name may be too long for it, or a folder closed to us. */
function tryToFollow(workTree: string, followed: FollowedPath, content: Uint8Array | null): Outcome {
  try {
    return followFile(workTree, followed, content)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return 'left'
  }
}

/** Puts the file's new content in place, where it holds the old one. */
function followFile(workTree: string, { path, before, after }: FollowedPath, content: Uint8Array | null): Outcome {
  if (isBehindLink(workTree, path)) return 'left'
  const file = join(workTree, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isFile()) return 'left'
  const found = readFollowed(file, stat, [before, after])
  const outcome = found.isTranslated ? 'translated' : 'followed'
  if (found.hash === after) return outcome
  if (found.hash !== before) return 'left'
  if (content === null) removeFile(workTree, path)
  else replaceFile(file, found.isTranslated ? toWindows(content) : content, stat?.mode ?? regularMode)
  return outcome
}

/**
 * Hash of a file's content, null where there is none. Where that is none of the known ones it is looked at without the
 * carriage returns that git puts before line feeds on Windows (`core.autocrlf`, `eol=crlf`).
 */
function readFollowed(
  file: string,
  stat: Stats | undefined,
  known: readonly (string | null)[],
): { hash: string | null; isTranslated: boolean } {
  if (stat === undefined) return { hash: null, isTranslated: false }
  const content = readFileSync(file)
  const hash = hashBlob(content)
  if (known.includes(hash) || !content.includes('\r\n')) return { hash, isTranslated: false }
  return { hash: hashBlob(fromWindows(content)), isTranslated: true }
}

function fromWindows(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

function toWindows(content: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(content).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

function replaceFile(file: string, content: Uint8Array, mode: number): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = temporaryBeside(file, process.pid)
  writeFileSync(temporary, content, { mode: mode & 0o777 })
  renameSync(temporary, file)
}

function temporaryBeside(file: string, owner: number): string {
  return join(dirname(file), `.wiki-${owner}.tmp`)
}

function removeTemporary(file: string, owner: number): void {
  try {
    rmSync(temporaryBeside(file, owner), { force: true })
  } catch {
    // Its folder is a file now.
  }
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
  staged: Staged,
  { path, before, after }: FollowedPath,
  entry: StagedEntry | undefined,
  workTree: string | null,
): void {
  if ((entry === undefined ? null : stagedHash(entry)) !== before) return
  if (after === null) staged.delete(stageKey(path))
  else {
    const stat = workTree === null ? null : lstatSync(join(workTree, path), { bigint: true })
    const made = stagedEntry(path, after, entry === undefined ? regularMode : stagedMode(entry), stat)
    const kept = entry === undefined ? {} : { flags: entry.flags, extendedFlags: entry.extendedFlags }
    staged.set(stageKey(path), { ...made, ...kept })
  }
}

function stageKey(path: string, stage = 0): string {
  return keyOf(Buffer.from(path), stage)
}

/** Names that are no UTF-8 must not become one another. */
function keyOf(name: Buffer, stage: number): string {
  return `${stage} ${name.toString('latin1')}`
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
 * The caller holds `index.lock`, as did whoever wrote the journal.
 */
export async function recover(
  repository: Repository,
  backend: GitBackend,
  blobAt: (path: string) => Promise<string | null>,
): Promise<void> {
  const { process: owner, paths } = readJournal(repository) ?? { process: 0, paths: [] }
  const current: FollowedPath[] = []
  for (const followed of paths) {
    removeTemporary(join(repository.workTree ?? '', followed.path), owner)
    if ((await blobAt(followed.path)) === followed.after) current.push(followed)
  }
  const readBlob = async (hash: string) => (await backend.read(hash)).content
  await followPaths(repository, readBlob, current, readStaged(repository))
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
