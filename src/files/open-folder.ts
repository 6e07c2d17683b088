/**
 * Opens folders of a work tree one name at a time, without following links. On Linux each folder is opened with
 * O_NOFOLLOW relative to its parent, and its files are reached through the open handle, so a link that is swapped in
 * afterwards has no effect. On other systems the folders on the path are checked before and after.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/** An open folder. */
export interface OpenFolder {
  /** Returns the path through which the system reaches a name in the folder. */
  readonly at: (name: string) => string
  /** Returns true if the path still leads to the same folder. Always true for a folder opened by handle. */
  readonly isSame: () => boolean
  readonly release: () => void
}

/** Reason why a folder cannot be opened: it is missing, or a link or a file is in its place. */
export type FolderObstacle = 'absent' | 'blocked'

/** Opens a folder below `top` by its path components. Creates missing folders if `isMade` is true. */
export type FolderOpener = (top: string, names: readonly string[], isMade: boolean) => OpenFolder | FolderObstacle

/** Opens a folder by handle if the system has paths for handles, otherwise by path. */
export const openFolder: FolderOpener = (top, names, isMade) =>
  (hasHandlePaths() ? openByHandle : openByPath)(top, names, isMade)

let hasPaths: boolean | undefined

/** `/proc` may be missing in a container, and `O_DIRECTORY` is unknown to Windows. */
function hasHandlePaths(): boolean {
  hasPaths ??= constants.O_DIRECTORY !== undefined && leadsToHandle()
  return hasPaths
}

function leadsToHandle(): boolean {
  if (!existsSync('/proc/self/fd')) return false
  const handle = openSync('/', constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const [own, reached] = [fstatSync(handle), statSync(handlePath(handle, '.'))]
    return own.ino === reached.ino && own.dev === reached.dev
  } catch {
    return false
  } finally {
    closeSync(handle)
  }
}

function handlePath(handle: number, name: string): string {
  return `/proc/self/fd/${handle}/${name}`
}

/** Opens a folder by handle. Throws the system's error if opening is not permitted. */
export const openByHandle: FolderOpener = (top, names, isMade) => {
  let handle = openSync(top, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const name of names) {
    const outer = handle
    try {
      const inner = openInside(handlePath(outer, name), isMade)
      if (typeof inner === 'string') return inner
      handle = inner
    } finally {
      closeSync(outer)
    }
  }
  return { at: (name: string) => handlePath(handle, name), isSame: () => true, release: () => closeSync(handle) }
}

function openInside(path: string, isMade: boolean): number | FolderObstacle {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  try {
    return openSync(path, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR' || code === 'ELOOP') return 'blocked'
    if (!isMade && isRefusedName(error)) return 'absent'
    if (code !== 'ENOENT') throw error
    if (!isMade) return 'absent'
    makeFolder(path)
    return openInside(path, false)
  }
}

/** Opens a folder by path, and checks it before and after. */
export const openByPath: FolderOpener = (top, names, isMade) => {
  const found: { readonly path: string; readonly id: string }[] = []
  for (let depth = 1; depth <= names.length; depth++) {
    const path = join(top, ...names.slice(0, depth))
    const stat = folderStat(path, isMade)
    if (stat === undefined) return 'absent'
    if (!stat.isDirectory()) return 'blocked'
    found.push({ path, id: `${stat.dev} ${stat.ino}` })
  }
  return {
    at: (name: string) => join(top, ...names, name),
    isSame: () => found.every(({ path, id }) => folderId(path) === id),
    release: () => {},
  }
}

function folderStat(path: string, isMade: boolean): BigIntStats | undefined {
  const read = () => lstatSync(path, { throwIfNoEntry: false, bigint: true })
  try {
    if (isMade && read() === undefined) makeFolder(path)
    return read()
  } catch (error) {
    if (!isMade && isRefusedName(error)) return undefined
    throw error
  }
}

/** Returns true for an error about a name that the file system cannot have: too long, or with characters that it refuses. */
export function isRefusedName(error: unknown): boolean {
  return ['ENAMETOOLONG', 'EINVAL', 'EILSEQ'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function folderId(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stat?.isDirectory() ? `${stat.dev} ${stat.ino}` : null
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
