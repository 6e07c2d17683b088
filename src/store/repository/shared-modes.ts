/**
 * Permissions in a git directory shared by users of one group (`core.sharedRepository`): new files and folders get the modes that
 * git would give them, regardless of the umask. Does nothing in any other repository. Source: git-config(1),
 * core.sharedRepository; behaves as git's setup.c and path.c, adjust_shared_perm.
 */

import { readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { fitWhenMade, setMode } from '../../files/private-files.ts'
import { privateFolder } from './access-folder.ts'
import { booleanOf } from './config-text.ts'
import { settingsEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import type { GitDirectories } from './repository.ts'

/** Permissions added to those of the owner, or replacing all of them if `isExact`. */
interface Sharing {
  readonly bits: number
  readonly isExact: boolean
}

const groupBits = 0o660
const everybodyBits = 0o664

const named: Readonly<Record<string, number>> = {
  umask: 0,
  group: groupBits,
  all: everybodyBits,
  world: everybodyBits,
  everybody: everybodyBits,
}

/** Shared git directories and their permissions. */
const shared = new Map<string, Sharing>()

/**
 * Reads how a repository is shared, before anything is created in its git directory. From then on all that is made there gets these
 * modes. Throws `wiki-bad-repository`.
 */
export function shareModes({ gitDirectory, commonDirectory }: GitDirectories): void {
  const repository = { gitDirectory, commonDirectory }
  const value = lastValue(readSettings({ repository, environment: settingsEnvironment() }), 'core.sharedrepository')
  const sharing = sharingOf(value, commonDirectory)
  if (sharing === null) shared.delete(commonDirectory)
  else shared.set(commonDirectory, sharing)
  if (shared.size > 0) fitWhenMade(fitModes)
}

/** The same for readers, who make only the wiki's own files: a value that writers refuse does not count. */
export function shareModesOfReaders(repository: GitDirectories): void {
  try {
    shareModes(repository)
  } catch (error) {
    if (!(error instanceof WikiError)) throw error
  }
}

function sharingOf(value: string | null | undefined, place: string): Sharing | null {
  if (value === undefined) return null
  const isExact = value !== null && /^0[0-7]{3}$/.test(value) && Number.parseInt(value, 8) > 2
  const bits = isExact ? Number.parseInt(value, 8) & 0o666 : bitsOf(value)
  if (isExact && (bits & 0o600) !== 0o600)
    throw new WikiError('wiki-bad-repository', {
      params: [place, `core.sharedRepository is ${value}: the owner must be able to read and write`],
    })
  return bits === 0 ? null : { bits, isExact }
}

function bitsOf(value: string | null): number {
  if (value === null) return groupBits
  if (value === '2') return everybodyBits
  return named[value] ?? (booleanOf(value) ? groupBits : 0)
}

/** Sets the mode of a file or folder in a shared git directory. One that belongs to another user keeps its mode. */
export function fitModes(path: string): void {
  const sharing = sharingAt(path)
  if (sharing === undefined) return
  try {
    const { mode } = statSync(path)
    const wanted = modeOf(mode, sharing)
    if (wanted !== (mode & 0o7777)) setMode(path, wanted)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function sharingAt(path: string): Sharing | undefined {
  if (shared.size === 0) return undefined
  for (const [folder, sharing] of shared)
    if (path === folder || path.startsWith(folder + sep) || path.startsWith(`${folder}/`)) return sharing
  return undefined
}

const folderType = 0o040000

/** Computes the shared mode: readers get the owner's right to execute, and folders pass their group on to new files. */
function modeOf(mode: number, { bits, isExact }: Sharing): number {
  const isFolder = (mode & 0o170000) === folderType
  let added = mode & 0o200 ? bits : bits & ~0o222
  if (mode & 0o100) added |= (added & 0o444) >> 2
  let wanted = isExact ? (mode & 0o7000) | added : (mode & 0o7777) | added
  if (isFolder) wanted |= (wanted & 0o444) >> 2
  return isFolder && (wanted & 0o060) !== 0 ? wanted | 0o2000 : wanted
}

/**
 * Sets the modes of the wiki's own files in a repository, which may be older than the setting: the folders of the index, the record of
 * acknowledged commits, and its refs.
 */
export function fitOwn(repository: GitDirectories): void {
  shareModes(repository)
  fitBelow(join(repository.commonDirectory, 'wiki'), 3)
  fitBelow(join(repository.commonDirectory, 'refs', 'wiki'), 4)
}

/** Sets the modes in a folder, this many levels deep. The folder of tokens is private. */
function fitBelow(folder: string, depth: number): void {
  if (sharingAt(folder) === undefined) return
  fitModes(folder)
  for (const entry of entriesIn(folder)) {
    if (entry.name === privateFolder || entry.isSymbolicLink()) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 1) fitBelow(path, depth - 1)
    else fitModes(path)
  }
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
