/**
 * The work tree follows the branch: after a commit of ours the files it changes get the commit's content, but only if they
 * equalled the previous commit. A file with other content is somebody's work and stays.
 */

import { join } from 'node:path'
import { beginNotes, type ChangeNotes, hasNotes, recoverChanges } from '../../files/change-notes.ts'
import { changeFile } from '../../files/replace-file.ts'
import { readWorkFile, type WorkFile, type WorkTree, workTreeAt } from '../../files/work-file.ts'
import { hashBlob } from '../git/objects.ts'
import type { Repository } from '../repository/repository.ts'
import { isWriteFailure } from '../repository/write-failure.ts'
import { dueFiles, forgetBases, isOwn, noteLeft } from './bases.ts'
import { type FollowedPath, noteStat, type Staged, type StagedPaths, writeStaged } from './staged.ts'

/** Converts between the bytes of files and those of blobs. */
export interface FileForm {
  /** Returns true if files of a path may differ from their blobs. */
  readonly applies?: (path: string) => Promise<boolean>
  readonly fromFile: (path: string, content: Uint8Array) => Uint8Array | Promise<Uint8Array>
  readonly toFile: (path: string, content: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** Ends what converts. */
  readonly end?: () => void
}

/** The carriage returns that git puts before line feeds on Windows (`core.autocrlf`, `eol=crlf`). */
export const lineEnds: FileForm = {
  fromFile: (_, content) => fromWindows(content),
  toFile: (_, content) => toWindows(content),
}

/** Git's index and the conversion of files, for the files that follow. */
export interface Following {
  readonly staged: Staged
  readonly done: StagedPaths
  readonly mark: number
  readonly form?: FileForm | undefined
  /** Paths whose files have followed already. */
  readonly ahead?: readonly string[] | undefined
}

interface Place {
  readonly tree: WorkTree
  /** Folder for old files. */
  readonly replaced: string
  readonly notes: ChangeNotes
  readonly form: FileForm
}

/**
 * Result of updating a file. `WorkFile`: the file equals the commit and has these times. `followed`: it equals the commit, but
 * its times are not reliable for git. `left`: it stays unchanged. `due`: it may have to follow, but the system refuses it.
 */
type Outcome = WorkFile | 'followed' | 'left' | 'due'

/**
 * Updates files, and notes their times in git's index, where they are staged already; returns the paths whose files stay
 * unchanged. Idempotent. The caller has held `index.lock` since it read the index.
 */
export async function followPaths(
  repository: Repository,
  readBlob: (hash: string) => Promise<Uint8Array>,
  paths: readonly FollowedPath[],
  { staged, done, mark, form = lineEnds, ahead = [] }: Following,
): Promise<string[]> {
  try {
    if (paths.length > 0) return await followEach(repository, readBlob, paths, { staged, done, mark, form, ahead })
    forgetBases(repository, ahead)
    return []
  } finally {
    form.end?.()
  }
}

async function followEach(
  repository: Repository,
  readBlob: (hash: string) => Promise<Uint8Array>,
  paths: readonly FollowedPath[],
  { staged, done, mark, form = lineEnds, ahead = [] }: Following,
): Promise<string[]> {
  const { workTree } = repository
  if (workTree === null) return []
  recoverFollowed(repository)
  const tree = workTreeAt(workTree)
  const place: Place = { tree, notes: beginNotes(notesPath(repository)), form, replaced: replacedPath(repository) }
  const due = dueFiles(repository)
  const leftAlone: FollowedPath[] = []
  const followed: string[] = [...ahead]
  let isNoted = false
  for (const move of paths) {
    const { path, after } = move
    if (done.absent.has(path)) continue
    const content = after === null ? null : await readBlob(after)
    const outcome = done.blocked.has(path) ? 'left' : await tryToFollow(place, withDue(move, due), content)
    const isLeft = outcome === 'left' || outcome === 'due'
    if (isLeft) leftAlone.push({ ...move, isDue: outcome === 'due' })
    if (!isLeft || isOwn(move)) followed.push(path)
    if (typeof outcome === 'object' && noteStat(staged, path, after, outcome.stat)) isNoted = true
  }
  if (leftAlone.some(({ isDue }) => isDue)) tryToRecover(repository)
  else place.notes.end()
  if (isNoted) writeStaged(repository, staged, mark)
  noteLeft(
    repository,
    leftAlone.filter(move => !isOwn(move)),
  )
  forgetBases(repository, followed)
  return leftAlone.map(({ path }) => path)
}

/** A plain file that may follow before the branch moves: its blob, and its new content. */
export interface FileAhead {
  readonly path: string
  readonly before: string
  readonly content: Uint8Array
}

/**
 * Updates an unedited file before the branch moves, so that the index is written once; returns null if it has to follow later. The caller
 * holds `index.lock`, and has noted in the journal that the file goes back if the branch does not move.
 */
export function followAhead(
  repository: Repository,
  { path, before, content }: FileAhead,
): WorkFile | 'followed' | null {
  const tree = workTreeAt(repository.workTree as string)
  try {
    const found = readWorkFile(tree, path)
    if (found === null || typeof found === 'string' || hashBlob(found.content) !== before) return null
    const notes = beginNotes(notesPath(repository))
    const isDone = changeFile(tree, path, {
      ...{ found, content, id: notes.add(path, [found.content, content]) },
      replaced: replacedPath(repository),
    })
    notes.end()
    return isDone ? settled(tree, path, content) : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    tryToRecover(repository)
    return null
  }
}

/** A file that could not follow earlier moves is unedited if it still has the text from before them. */
function withDue(move: FollowedPath, due: ReadonlyMap<string, string | null>): FollowedPath {
  const work = due.get(move.path)
  return work === undefined || move.work !== undefined ? move : { ...move, work }
}

/** Undoes what the system has interrupted. If it refuses that, too, the next writer does it. */
function tryToRecover(repository: Repository): void {
  try {
    recoverFollowed(repository)
  } catch (error) {
    if (!isWriteFailure(error)) throw error
  }
}

/** Completes a killed process's changes to files of the work tree. The caller holds `index.lock`. */
export function recoverFollowed(repository: Repository): void {
  const { workTree } = repository
  if (workTree !== null && isFollowing(repository))
    recoverChanges(workTreeAt(workTree), notesPath(repository), replacedPath(repository))
}

/** Returns true if a process is changing files of the work tree, or was killed while doing so. */
export function isFollowing(repository: Repository): boolean {
  return hasNotes(notesPath(repository))
}

/** Folder of a work tree's old files: see `src/files/replaced-files.ts`. */
export function replacedPath({ gitDirectory }: Repository): string {
  return join(gitDirectory, 'wiki', 'old-files')
}

function notesPath({ gitDirectory }: Repository): string {
  return join(gitDirectory, 'wiki', 'changes')
}

/** The commit stands, whatever the file system reports: a name may be too long for it, or the disk full. */
async function tryToFollow(place: Place, followed: FollowedPath, content: Uint8Array | null): Promise<Outcome> {
  try {
    return await followFile(place, followed, content)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return isWriteFailure(error) ? 'due' : 'left'
  }
}

/** Puts the file's new content in place, if the file has the old one. */
async function followFile(
  place: Place,
  { path, before, after, work }: FollowedPath,
  content: Uint8Array | null,
): Promise<Outcome> {
  const { tree, notes, form, replaced } = place
  const found = readWorkFile(tree, path)
  if (typeof found === 'string') return 'left'
  const hashed = await hashFound(place, path, found, [before, after, work ?? null])
  const { hash } = hashed
  const isConverted = hashed.isConverted || ((await form.applies?.(path)) ?? false)
  if (hash === after) return isConverted || found === null ? 'followed' : found
  if (hash !== before && hash !== work) return 'left'
  const wanted = content !== null && isConverted ? await form.toFile(path, content) : content
  const contents = [found?.content, wanted].filter(one => one != null)
  if (!changeFile(tree, path, { found, content: wanted, id: notes.add(path, contents), replaced })) return 'left'
  return wanted === null || isConverted ? 'followed' : settled(tree, path, wanted)
}

/** Returns the file with its times if it holds the new content: somebody may have written into it since. */
function settled(tree: WorkTree, path: string, content: Uint8Array): WorkFile | 'followed' {
  const file = readWorkFile(tree, path, content.length)
  return file !== null && typeof file === 'object' && file.content.equals(content) ? file : 'followed'
}

/**
 * Returns the hash of a file's content, null if there is no file: unconverted, or converted if that is not one of the expected ones.
 */
async function hashFound(
  { form }: Place,
  path: string,
  found: WorkFile | null,
  expected: readonly (string | null)[],
): Promise<{ hash: string | null; isConverted: boolean }> {
  if (found === null) return { hash: null, isConverted: false }
  const hash = hashBlob(found.content)
  if (expected.includes(hash)) return { hash, isConverted: false }
  return { hash: hashBlob(await form.fromFile(path, found.content)), isConverted: true }
}

function fromWindows(content: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

function toWindows(content: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(content).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}
