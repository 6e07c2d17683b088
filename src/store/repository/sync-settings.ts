/**
 * Decides which files of a git directory are synced, here by git's settings, and by every git that is started: all. By default everything is synced that a write must not lose; git
 * itself omits loose objects and its index. Every `core.fsyncMethod` becomes `fsync`, the safest of them. Source: git-config(1), core.fsync,
 * core.fsyncMethod; behaves as git's environment.c, parse_fsync_components.
 */

import { sep } from 'node:path'
import { leaveUnsynced, syncAgain } from '../../files/durable.ts'
import { programPath, settingsEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import type { GitDirectories } from './repository.ts'

/** Parts of a repository that are synced or not. The record of acknowledged commits counts as a reference. */
export type SyncedPart = 'loose-object' | 'pack' | 'pack-metadata' | 'reference' | 'index'

const objectParts: readonly SyncedPart[] = ['loose-object', 'pack']
const allParts: readonly SyncedPart[] = [...objectParts, 'pack-metadata', 'reference', 'index']

/** Parts by their names in the setting. There is no commit graph here. */
const partsByName: Readonly<Record<string, readonly SyncedPart[]>> = {
  'loose-object': ['loose-object'],
  pack: ['pack'],
  'pack-metadata': ['pack-metadata'],
  'derived-metadata': ['pack-metadata'],
  reference: ['reference'],
  index: ['index'],
  objects: objectParts,
  committed: objectParts,
  added: [...objectParts, 'index'],
  all: allParts,
}

/** Returns the parts that a value of `core.fsync` includes; unknown names are ignored, as in git. */
export function syncedParts(value: string | null | undefined): ReadonlySet<SyncedPart> {
  const names = (value ?? '').split(',').map(name => name.trim())
  const partsOf = (wanted: readonly string[]) => wanted.flatMap(name => partsByName[name] ?? [])
  const removed = partsOf(names.flatMap(name => (name.startsWith('-') ? [name.slice(1)] : [])))
  const start = names.includes('none') ? [] : allParts
  return new Set([...start.filter(part => !removed.includes(part)), ...partsOf(names)])
}

/** Git directories whose settings omit parts, with the synced parts. */
const limited = new Map<string, ReadonlySet<SyncedPart>>()

/**
 * Reads which parts are synced in a repository, before anything is written in its git directory. Throws `wiki-bad-repository`.
 */
export function readSyncSettings({ gitDirectory, commonDirectory }: GitDirectories): void {
  const settings = readSettings({ repository: { gitDirectory, commonDirectory }, environment: settingsEnvironment() })
  const parts = syncedParts(lastValue(settings, 'core.fsync'))
  if (parts.size === allParts.length) limited.delete(commonDirectory)
  else limited.set(commonDirectory, parts)
  // The names in a git directory are, above all, those of its refs.
  if (parts.has('reference')) syncAgain(commonDirectory)
  else leaveUnsynced(commonDirectory)
}

/** Returns true if a file or folder in a git directory is synced, by the part that it belongs to. */
export function isSynced(path: string, part: SyncedPart): boolean {
  if (limited.size === 0) return true
  for (const [folder, parts] of limited)
    if (path.startsWith(folder + sep) || path.startsWith(`${folder}/`)) return parts.has(part)
  return true
}

/**
 * Options of every git that is started. By default git syncs packs and refs, but neither loose objects nor its index: after a power
 * failure the branch would name an empty commit. Before 2.36 git has another setting, for loose objects alone, about which later ones
 * warn. Names, and what no setting covers, are for `noteGitWrites`. Source: git-config(1), core.fsync, core.fsyncMethod;
 * core.fsyncObjectFiles in git 2.35.
 */
export function syncOptions(): readonly string[] {
  return hasSyncSettings(knownVersion()) ? syncAll : syncObjects
}

const syncAll = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=fsync']
const syncObjects = ['-c', 'core.fsyncObjectFiles=true']

/** Versions of git by the value of PATH with which it has run: wikis that one process opens start it once to find that out. */
const versions = new Map<string | undefined, string>()

/** Returns the version of git; undefined if it has not run. */
export function knownVersion(): string | undefined {
  return versions.get(programPath())
}

/** Remembers the version in the output of `git --version`, and returns it. */
export function noteVersion(output: string): string {
  const version = /\d+(?:\.\d+)*/.exec(output)?.[0] ?? ''
  versions.set(programPath(), version)
  return version
}

/** Returns true for a git that has `core.fsync`. Each that writes has said its version before; of an unknown one it is assumed. */
export function hasSyncSettings(version = ''): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return version === '' || major > 2 || (major === 2 && minor >= 36)
}
