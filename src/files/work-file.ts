/**
 * Reads files of a work tree, by paths from its top. It never follows a link, and never reads `.git` or anything
 * outside.
 */

import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { isGitsOwn, isUnportableName } from '../core/file-names.ts'
import { type FolderOpener, isRefusedName, type OpenFolder, openFolder } from './open-folder.ts'

/** A work tree: its top folder, and the function that opens its folders. */
export interface WorkTree {
  readonly top: string
  readonly hold: FolderOpener
}

/** A regular file as it was read. Its times belong to this content. */
export interface WorkFile {
  readonly content: Buffer
  readonly stat: BigIntStats
}

/**
 * Reason why a file is not read: its path contains a link or git's own folder, it is not a regular file, or it is
 * larger than allowed.
 */
export type Obstacle = 'behind a link' | 'no regular file' | 'too large'

/** Maximum size in bytes, if the caller gives none. */
const usualLimit = 1024 * 1024 * 1024

/** Returns the work tree with this top folder. */
export function workTreeAt(top: string, hold: FolderOpener = openFolder): WorkTree {
  return { top, hold }
}

/**
 * Reads a file. Returns null if there is none, or if it is not a regular file. Never blocks on a pipe. Throws the system's error
 * if the file cannot be opened.
 */
export function readWorkFile(tree: WorkTree, path: string, limit = usualLimit): WorkFile | Obstacle | null {
  const held = holdParent(tree, path, false)
  if (held === 'absent') return null
  if (held === 'blocked') return 'behind a link'
  try {
    const found = readRegular(held.folder.at(held.name), limit)
    return held.folder.isSame() ? found : 'behind a link'
  } finally {
    held.folder.release()
  }
}

/** Opens the folder of a file. The caller releases it. */
export function holdParent(
  { top, hold }: WorkTree,
  path: string,
  isMade: boolean,
): { readonly folder: OpenFolder; readonly name: string } | 'absent' | 'blocked' {
  const names = path.split('/')
  if (!names.every(isPlainName)) return 'blocked'
  const folder = hold(top, names.slice(0, -1), isMade)
  return typeof folder === 'string' ? folder : { folder, name: names.at(-1) as string }
}

/** Returns true for a name that means an entry of its folder, and not one of git's. */
function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0') || isGitsOwn(name)) return false
  return sep === '/' || !isUnportableName(name)
}

/** Reads a regular file in an open folder. */
export function readRegular(path: string, limit = usualLimit): WorkFile | Obstacle | null {
  const before = statOf(path)
  if (before === undefined) return null
  if (!before.isFile()) return 'no regular file'
  const handle = openToRead(path)
  if (typeof handle !== 'number') return handle
  try {
    return readSettled(handle, limit)
  } finally {
    closeSync(handle)
  }
}

/** Under a name that the system refuses there is no file. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isRefusedName(error)) return undefined
    throw error
  }
}

function openToRead(path: string): number | Obstacle | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'ELOOP' || code === 'ENXIO') return 'no regular file'
    throw error
  }
}

/** Maximum number of attempts to read a file that keeps changing. */
const attempts = 3

/** Reads until the file's times before and after are equal, so that they belong to the content. */
function readSettled(handle: number, limit: number): WorkFile | Obstacle {
  for (let attempt = 1; ; attempt++) {
    const stat = fstatSync(handle, { bigint: true })
    if (!stat.isFile()) return 'no regular file'
    if (stat.size > limit) return 'too large'
    const content = readStart(handle, Number(stat.size))
    const after = fstatSync(handle, { bigint: true })
    const isSettled = after.mtimeNs === stat.mtimeNs && after.ctimeNs === stat.ctimeNs && after.size === stat.size
    if (isSettled || attempt === attempts) return { content, stat }
  }
}

function readStart(handle: number, size: number): Buffer {
  const content = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const read = readSync(handle, content, length, size - length, length)
    if (read === 0) break
    length += read
  }
  return content.subarray(0, length)
}
