/**
 * Decides whether git would work in a repository. Its configuration may name programs, and git does not run those of another
 * user's repository. Source: git-config(1), safe.directory.
 */

import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keepUnchanged, permitChanges } from '../../files/private-files.ts'
import { commandSettings, readingEnvironment } from './environment.ts'
import { type ConfigPlace, readSettings, type ScopedEntry } from './git-config.ts'
import { runGit } from './process.ts'
import type { Repository, RepositoryDirectories } from './repository.ts'

/**
 * True if everything belongs to this user, or git opens it: as root by `sudo` the repository of the user who called it, and
 * repositories that `safe.directory` names. Starts git only for a repository of another user. Without git, its settings are read.
 */
export function isTrusted(repository: RepositoryDirectories): boolean {
  if (isOwn(repository)) return true
  const settings = commandSettings('safe.directory').flatMap(value => ['-c', `safe.directory=${value}`])
  const { status } = runGit([...settings, 'rev-parse', '--git-dir'], { cwd: topOf(repository) })
  return status === null ? isListed(repository, 'safe.directory') : status === 0
}

/**
 * Returns `isTrusted`. In a repository that is not, nothing is changed, not even the wiki's own files: those of root, or of another
 * member of the group, would be in its owner's way.
 */
export function leaveAloneUnlessTrusted(repository: RepositoryDirectories): boolean {
  const trusted = isTrusted(repository)
  for (const folder of [repository.gitDirectory, repository.commonDirectory])
    if (trusted) permitChanges(folder)
    else keepUnchanged(folder)
  return trusted
}

/** Reads the settings that may name a program to run: of a repository that git does not trust, only those of the user. */
export function trustedSettings(repository: Repository, environment: ConfigPlace['environment']): ScopedEntry[] {
  return readSettings({ repository: isTrusted(repository) ? repository : null, environment })
}

/** Folder that `safe.directory` has to name. */
export function topOf({ workTree, gitDirectory }: RepositoryDirectories): string {
  return workTree ?? gitDirectory
}

function isOwn({ gitDirectory, commonDirectory, workTree }: RepositoryDirectories): boolean {
  const user = process.geteuid?.()
  const parts = [gitDirectory, commonDirectory]
  // In a linked work tree and a submodule `.git` is a file.
  if (workTree !== null) parts.push(workTree, join(workTree, '.git'))
  return parts.every(part => {
    const stat = lstatSync(part, { throwIfNoEntry: false })
    return stat === undefined || stat.uid === user
  })
}

/**
 * Returns true if a setting of the user lists a repository, in the form of `safe.directory`. Only settings outside the repository count; an
 * empty one clears those before it.
 */
export function isListed(repository: RepositoryDirectories, setting: string): boolean {
  const environment = readingEnvironment()
  const settings = readSettings({ repository: null, environment })
  const named = settings.filter(({ key }) => key === setting.toLowerCase()).map(({ value }) => value ?? '')
  let isSafe = false
  for (const value of [...named, ...commandSettings(setting.toLowerCase())]) {
    const path = value.startsWith('~/') ? join(environment.HOME ?? '/', value.slice(2)) : value
    if (value === '') isSafe = false
    else if (value === '*' || resolve(path) === resolve(topOf(repository))) isSafe = true
    else if (path.endsWith('/*') && topOf(repository).startsWith(path.slice(0, -1))) isSafe = true
  }
  return isSafe
}
