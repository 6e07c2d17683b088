/**
 * The work tree follows the branch: after a commit of ours the files it changes become as the commit has them, but only where
 * they were as the commit before had them. A file with other content is somebody's work and stays.
 */

import { lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { forgetBases, noteLeft } from './bases.ts'
import { hashBlob } from './git/objects.ts'
import { isBehindLink } from './links.ts'
import type { Repository } from './repository.ts'
import { type FollowedPath, noteTimes, type Staged, type StagedPaths, writeTimes } from './staged.ts'

const regularMode = 0o644

/** What became of a file: it is as the commit has it, or so but for its line ends; or it was left alone. */
type Outcome = 'followed' | 'translated' | 'left'

/**
 * Brings files along, and notes their times in git's index, where they are staged already; gives the paths whose files were
 * left alone. May be repeated: what has followed already is not touched. The caller has held `index.lock` since it read the
 * index.
 */
export async function followPaths(
  repository: Repository,
  readBlob: (hash: string) => Promise<Uint8Array>,
  paths: readonly FollowedPath[],
  { staged, done, mark }: { readonly staged: Staged; readonly done: StagedPaths; readonly mark: number },
): Promise<string[]> {
  const { workTree } = repository
  if (workTree === null || paths.length === 0) return []
  const leftAlone: FollowedPath[] = []
  const followed: string[] = []
  const noted: string[] = []
  for (const move of paths) {
    const { path, after } = move
    if (done.absent.has(path)) continue
    const content = after === null ? null : await readBlob(after)
    const outcome = done.blocked.has(path) ? 'left' : tryToFollow(workTree, move, content)
    if (outcome === 'left') leftAlone.push(move)
    else followed.push(path)
    if (outcome === 'followed' && noteTimes(staged, path, after, workTree)) noted.push(path)
  }
  writeTimes(repository, staged, noted, mark)
  noteLeft(repository, leftAlone)
  forgetBases(repository, followed)
  return leftAlone.map(({ path }) => path)
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
function followFile(
  workTree: string,
  { path, before, after, work }: FollowedPath,
  content: Uint8Array | null,
): Outcome {
  if (isBehindLink(workTree, path)) return 'left'
  const file = join(workTree, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isFile()) return 'left'
  const found = readFollowed(file, stat, [before, after, work ?? null])
  const outcome = found.isTranslated ? 'translated' : 'followed'
  if (found.hash === after) return outcome
  if (found.hash !== before && found.hash !== work) return 'left'
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

/** Name that a file's new content has before it takes its place. */
function temporaryBeside(file: string, owner: number): string {
  return join(dirname(file), `.wiki-${owner}.tmp`)
}

/** Removes what a killed process was about to put in the place of a file. */
export function removeTemporary(file: string, owner: number): void {
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
