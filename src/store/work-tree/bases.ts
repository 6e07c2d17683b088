/**
 * Records the base texts of changed files. Git's index entry holds the base until a write of ours moves the entry past
 * a changed file. The old entry is noted here before the index moves.
 */

import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { makeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { mayHaveOtherNames } from '../../files/same-file.ts'
import { readWorkFile, type WorkTree, workTreeAt } from '../../files/work-file.ts'
import { hashBlob } from '../git/objects.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import type { Repository } from '../repository/repository.ts'
import type { FileMove } from './shared-files.ts'
import type { FollowedPath } from './staged.ts'

/** Texts that the branch had while a changed file stayed the same. Blobs; null: no file. */
export interface Passed {
  /** Text that the file derives from. */
  readonly from: string | null
  /** Last text that the branch got without the file. */
  readonly to: string | null
  /** True if the system refused to let the file follow. It follows later, if it still is that text. */
  readonly isDue?: boolean
}

/** By path, oldest first. More than one if git has, or may have, seen the file in the branch's state in between. */
export type Bases = ReadonlyMap<string, readonly Passed[]>

type Tree = Pick<Repository, 'gitDirectory' | 'workTree'>

/** Maximum entries of one path; then the last one is extended, which makes the base older, never newer. */
const passedLimit = 8

/** Reads the notes; empty if there is no file, or one of another version. */
export function readBases({ gitDirectory }: Pick<Repository, 'gitDirectory'>): Bases {
  const path = basesPath(gitDirectory)
  try {
    // Usually there are none: see `readText`.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return new Map()
    const rows = JSON.parse(readText(path)) as Record<string, Passed[]> | null
    const isSound = (passed: unknown) => Array.isArray(passed) && passed.length > 0 && passed.every(one => one !== null)
    return new Map(Object.entries(rows ?? {}).filter(([, passed]) => isSound(passed)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return new Map()
    throw error
  }
}

/** Returns true if there are notes, or all that there were are settled. */
export function hasBases({ gitDirectory }: Pick<Repository, 'gitDirectory'>): boolean {
  return existsSync(basesPath(gitDirectory))
}

/**
 * Notes the bases of the files that do not follow these moves of the branch. The caller holds `index.lock` and has not moved
 * git's index yet. The oldest base stays, unless git has compared the file with the branch's text since.
 */
export function keepBases(tree: Tree, moves: readonly FileMove[]): void {
  const { workTree } = tree
  if (workTree === null) return
  const top = workTreeAt(workTree)
  const isSettled = (path: string, last: Passed | undefined) =>
    hashOf(top, path) === last?.to && !mayBeTaken(top, path, last)
  const settled = [...readBases(tree)].filter(([path, passed]) => isSettled(path, passed.at(-1)))
  if (settled.length > 0)
    forgetBases(
      tree,
      settled.map(([path]) => path),
    )
  const left = moves.filter(move => !isFollowing(top, move) && !isOwn(move))
  if (left.length > 0) noteLeft(tree, left)
}

/**
 * Returns true if the branch gets a file's own text. If its editor saves it again meanwhile, the file derives from that text, which
 * git's index then has.
 */
export function isOwn({ after, work }: FollowedPath): boolean {
  return after !== null && work === after
}

/** Returns the files that are still to follow, because the system refused to change them: their blobs by path. */
export function dueFiles(tree: Pick<Repository, 'gitDirectory'>): ReadonlyMap<string, string | null> {
  const due = [...readBases(tree)].map(([path, passed]) => [path, passed.at(-1) as Passed] as const)
  return new Map(due.filter(([, { isDue }]) => isDue).map(([path, { from }]) => [path, from]))
}

/** Returns the branch's blobs at paths. */
type BlobsAt = (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Removes the notes of files that now equal the branch's. Does nothing if the index cannot be locked. */
export async function settleBases(tree: Tree, blobsAt: BlobsAt): Promise<void> {
  if ((await settledPaths(tree, blobsAt)).length === 0) return
  try {
    const release = await takeLockFile(join(tree.gitDirectory, 'index'))
    try {
      forgetBases(tree, await settledPaths(tree, blobsAt))
    } finally {
      release()
    }
  } catch (error) {
    if (!isWikiError(error) && (error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

async function settledPaths(tree: Tree, blobsAt: BlobsAt): Promise<string[]> {
  const bases = readBases(tree)
  if (tree.workTree === null || bases.size === 0) return []
  const top = workTreeAt(tree.workTree)
  const paths = [...bases.keys()]
  const blobs = await blobsAt(paths)
  const isOwnFile = (path: string) => blobs.get(path) === undefined || !mayBeTaken(top, path, bases.get(path)?.at(-1))
  return paths.filter(path => hashOf(top, path) === (blobs.get(path) ?? null) && isOwnFile(path))
}

/** Returns true if a page may have no file because another one has it: see `shared-files.ts`. It follows when that is over. */
function mayBeTaken(tree: WorkTree, path: string, last: Passed | undefined): boolean {
  return last?.isDue === true && last.from === null && mayHaveOtherNames(tree, path)
}

/** Notes that files were left unchanged. The caller holds `index.lock`. */
export function noteLeft(tree: Tree, left: readonly FollowedPath[]): void {
  const before = readBases(tree)
  const bases = new Map(before)
  for (const move of left) bases.set(move.path, passedBy(before.get(move.path) ?? [], move))
  write(tree, before, bases)
}

/** Removes the notes of files that equal the branch's. The caller holds `index.lock`. */
export function forgetBases(tree: Tree, paths: readonly string[]): void {
  const before = readBases(tree)
  const gone = new Set(paths)
  write(tree, before, new Map([...before].filter(([path]) => !gone.has(path))))
}

function passedBy(passed: readonly Passed[], move: FollowedPath): readonly Passed[] {
  const { before, after, isSeen = false } = move
  const last = passed.at(-1)
  const due = (move.isDue ?? last?.isDue) ? { isDue: true } : {}
  if (last === undefined) return [{ from: before, to: after, ...due }]
  // A move that never happened may be noted: then the branch still has the file's base.
  const isNew = isSeen && last.from !== before && last.to !== after && passed.length < passedLimit
  const from = isNew ? before : last.from
  return [...(isNew ? passed : passed.slice(0, -1)), { from, to: after, ...due }]
}

/**
 * Returns true if the file follows the branch: its content is the branch's old text, the new one, or the edit that the new one
 * was saved from.
 */
function isFollowing(tree: WorkTree, { path, before, after, work, file = path }: FileMove): boolean {
  const hash = hashOf(tree, file)
  return hash !== undefined && (hash === before || hash === after || hash === work)
}

/** Hash of a file's bytes; null if there is none, undefined if it cannot be read as a file. */
function hashOf(tree: WorkTree, path: string): string | null | undefined {
  try {
    const found = readWorkFile(tree, path)
    if (typeof found === 'string') return undefined
    return found === null ? null : hashBlob(found.content)
  } catch {
    return undefined
  }
}

function write({ gitDirectory }: Tree, before: Bases, after: Bases): void {
  const text = JSON.stringify(Object.fromEntries(after))
  if (text === JSON.stringify(Object.fromEntries(before))) return
  const path = basesPath(gitDirectory)
  makeFolder(dirname(path))
  // An empty file says that all notes are settled; a missing one, that there were none or that somebody removed them.
  replaceDurably(path, text)
}

function basesPath(gitDirectory: string): string {
  return join(gitDirectory, 'wiki', 'bases')
}
