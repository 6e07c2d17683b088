/**
 * The work tree follows the branch: after a commit of ours the files it changes get the commit's content, but only if they
 * equalled the previous commit. A file with other content is somebody's work and stays.
 */

import { join } from 'node:path'
import { beginNotes, type ChangeNotes, hasNotes, recoverChanges } from '../../files/change-notes.ts'
import { changeFile, writeBeside } from '../../files/replace-file.ts'
import { readWorkFile, type WorkFile, type WorkTree, workTreeAt } from '../../files/work-file.ts'
import { hashBlob } from '../git/objects.ts'
import type { Repository } from '../repository/repository.ts'
import { isWriteFailure } from '../repository/write-failure.ts'
import { dueFiles, forgetBases, isOwn, noteLeft } from './bases.ts'
import { isFilterNotRun } from './content-filters.ts'
import { type FileMove, SharedFiles } from './shared-files.ts'
import {
  type FollowedPath,
  noteStat,
  type Staged,
  type StagedPaths,
  skipEntry,
  unskipEntry,
  writeStaged,
} from './staged.ts'

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
 * its times are not reliable for git. `left`: it stays unchanged. `due`: it may have to follow, but the system refuses it, or its filter is not
 * run while something is read.
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
  const shared = new SharedFiles(place.tree, staged)
  const { moves, unshown } = shared.moves(paths, done.absent)
  const [leftAlone, without]: [FollowedPath[], FollowedPath[]] = [[], [...unshown]]
  const followed: string[] = [...ahead]
  let isNoted = false
  const beginOne = async (move: FileMove): Promise<Begun> => {
    const content = move.after === null ? null : await readBlob(move.after)
    const isBlocked = done.blocked.has(move.path)
    return { move, step: isBlocked ? 'left' : await tried(() => begin(place, withDue(move, due), content)) }
  }
  const isAbsent = ({ path, file }: FileMove) => done.absent.has(path) && file === undefined
  for (const move of moves)
    if (isAbsent(move) && move.after !== null && shared.takenBy(move.path) !== null) without.push(move)
  const present = moves.filter(move => !isAbsent(move))
  for await (const { move, outcome } of followTogether(place.notes, present, beginOne)) {
    const { path, after, displaced } = move
    const isLeft = outcome === 'left' || outcome === 'due'
    // A full disk may have room later.
    if (isLeft && (displaced !== undefined || hasNoFile(shared, place.tree, move)))
      without.push({ ...move, isDue: outcome === 'due' })
    else if (isLeft) leftAlone.push({ ...move, isDue: outcome === 'due' })
    if (displaced !== undefined) (isLeft ? leftAlone : without).push(displaced)
    if (!isLeft || isOwn(move)) followed.push(path)
    if (isLeft) continue
    if (unskipEntry(staged, path)) isNoted = true
    if (typeof outcome === 'object' && noteStat(staged, path, after, outcome.stat)) isNoted = true
  }
  if (leftAlone.some(({ isDue }) => isDue)) tryToRecover(repository)
  else place.notes.end()
  for (const { path } of without) skipEntry(staged, path)
  if (isNoted || without.length > 0) await writeStaged(repository, staged, mark)
  noteLeft(
    repository,
    leftAlone.filter(move => !isOwn(move)),
  )
  forgetBases(repository, [...followed, ...without.map(({ path }) => path)])
  noteLeft(
    repository,
    without.map(({ path, after, isDue }) => ({
      path,
      before: null,
      after,
      isDue: isDue || shared.takenBy(path) !== null,
    })),
  )
  return [...leftAlone, ...without].map(({ path }) => path)
}

/** Returns true if a new page has no file: another one has it, the disk refuses its name, or something is in the way of its folder. */
function hasNoFile(shared: SharedFiles, tree: WorkTree, { path, before, after }: FileMove): boolean {
  if (after === null) return false
  if (shared.takenBy(path) !== null) return true
  if (before !== null) return false
  try {
    const found = readWorkFile(tree, path, 0)
    return found === null || found === 'behind a link'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return true
  }
}

/** A file whose new content is being written beside it. */
interface Change {
  /** Resolves when that is on the disk. */
  readonly written: Promise<void>
  /** Puts it in place. */
  readonly finish: () => WorkFile | 'followed' | 'left'
}

/** A file that has followed or cannot, or that has its new content beside it. */
interface Begun {
  readonly move: FileMove
  readonly step: Outcome | Change
}

/** Files that are open at a time: their contents are synced together, because each sync alone takes milliseconds. */
const togetherLimit = 128

/** Writes the new contents of many files, syncs them and their notes, and puts them in place. */
async function* followTogether(
  notes: ChangeNotes,
  paths: readonly FileMove[],
  beginOne: (move: FileMove) => Promise<Begun>,
): AsyncIterable<{ readonly move: FileMove; readonly outcome: Outcome }> {
  for (let at = 0; at < paths.length; at += togetherLimit) {
    const begun: Begun[] = []
    for (const move of paths.slice(at, at + togetherLimit)) begun.push(await beginOne(move))
    await notes.synced()
    for (const { move, step } of begun) yield { move, outcome: isChange(step) ? await finishedChange(step) : step }
  }
}

function isChange(step: Outcome | Change): step is Change {
  return typeof step === 'object' && 'finish' in step
}

function finishedChange({ written, finish }: Change): Promise<Outcome> {
  return tried<Outcome>(async () => {
    await written
    return finish()
  })
}

/** A plain file that may follow before the branch moves: its blob, and its new content. */
export interface FileAhead {
  readonly path: string
  readonly before: string
  readonly content: Uint8Array
}

/** A file that follows before the branch moves, with its new content beside it. */
export interface AheadChange {
  readonly path: string
  /** Puts it in place; returns null if it has to follow later. */
  readonly finish: () => WorkFile | 'followed' | null
}

/**
 * Writes the new contents of unedited files beside them, so that they can follow before the branch moves, and the index is written once.
 * Resolves when they are on the disk. The caller holds `index.lock`, has noted in the journal that the files go back if the branch does
 * not move, and calls `endAhead`.
 */
export async function beginAhead(repository: Repository, files: readonly FileAhead[]): Promise<AheadChange[]> {
  if (files.length === 0) return []
  const tree = workTreeAt(repository.workTree as string)
  const notes = beginNotes(notesPath(repository))
  try {
    const changes = files.flatMap(file => aheadChange(repository, tree, notes, file) ?? [])
    await Promise.all([notes.synced(), ...changes.map(({ written }) => written)])
    return changes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    tryToRecover(repository)
    return []
  }
}

function aheadChange(
  repository: Repository,
  tree: WorkTree,
  notes: ChangeNotes,
  { path, before, content }: FileAhead,
): (AheadChange & { readonly written: Promise<void> }) | null {
  const found = readWorkFile(tree, path)
  if (found === null || typeof found === 'string' || hashBlob(found.content) !== before) return null
  const id = notes.add(path, [found.content, content])
  const change = { found, content, id, replaced: replacedPath(repository) }
  const finish = () => {
    try {
      return changeFile(tree, path, change) ? settled(tree, path, content) : null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      tryToRecover(repository)
      return null
    }
  }
  return { path, finish, written: handled(writeBeside(tree, path, change)) }
}

/** An error is thrown to who awaits the promise. Until then nobody may. */
function handled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {})
  return promise
}

/** Ends what `beginAhead` began. */
export function endAhead(repository: Repository): void {
  recoverFollowed(repository)
}

/** A file that could not follow earlier moves is unedited if it still has the text from before them. */
function withDue(move: FileMove, due: ReadonlyMap<string, string | null>): FileMove {
  const work = due.get(move.path)
  return work === undefined || move.work !== undefined || move.file !== undefined ? move : { ...move, work }
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
async function tried<Step>(follow: () => Step | Promise<Step>): Promise<Step | 'due' | 'left'> {
  try {
    return await follow()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return isWriteFailure(error) || isFilterNotRun(error) ? 'due' : 'left'
  }
}

/** Begins to put a file's new content in place, if the file has the old one. */
async function begin(
  place: Place,
  { path, before, after, work, file = path }: FileMove,
  content: Uint8Array | null,
): Promise<Outcome | Change> {
  const { tree, notes, form, replaced } = place
  const found = readWorkFile(tree, file)
  if (typeof found === 'string') return 'left'
  const hashed = await hashFound(place, path, found, [before, after, work ?? null])
  const { hash } = hashed
  const isConverted = hashed.isConverted || ((await form.applies?.(path)) ?? false)
  if (hash === after && file === path) return isConverted || found === null ? 'followed' : found
  if (hash !== before && hash !== work && hash !== after) return 'left'
  const wanted = content !== null && isConverted ? await form.toFile(path, content) : content
  const contents = [found?.content, wanted].filter(one => one != null)
  const change = { found, content: wanted, id: notes.add(file, contents), replaced, as: path }
  const finish = () => {
    if (!changeFile(tree, file, change)) return 'left'
    return wanted === null || isConverted ? 'followed' : settled(tree, path, wanted)
  }
  return { finish, written: handled(writeBeside(tree, file, change)) }
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
