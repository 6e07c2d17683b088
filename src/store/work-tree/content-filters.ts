/**
 * Decides when content filters run. A filter is a program that the settings name, and those of a repository that was unpacked from an
 * archive are somebody else's; one of the user's own, such as `git-lfs`, reads them as well. A write runs filters, as `git add` and
 * `git checkout` do. Reading runs none, unless the user has named the repository in settings of their own. Source: docs/git.md, "Programs".
 */

import { isWikiError, WikiError } from '../../core/errors.ts'
import { pathArgument } from '../../core/shell-quote.ts'
import { runGit } from '../repository/process.ts'
import type { Repository } from '../repository/repository.ts'
import { isListed, topOf } from '../repository/trust.ts'

/** Setting of the user that lists the folders whose filters reading may run, in the form of `safe.directory`. */
const trustSetting = 'wiki.trustedDirectory'

/** Returns true for a write, and in a repository that the user has named. */
export function mayRunFilters(repository: Repository): boolean {
  return repository.isWritten === true || isListed(repository, trustSetting)
}

/** Maximum bytes of the names of all filters. */
const namesLimit = 16 * 1024 * 1024

/**
 * Returns options with which git runs no content filter. Git itself lists their names, because it is git that would run one which this
 * program has read in another way. Throws `wiki-bad-repository` if that is impossible.
 */
export function withoutFilters({ gitDirectory }: Repository): string[] {
  const question = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']
  const { status, stdout, stderr } = runGit(question, { gitDirectory, limit: namesLimit })
  // Status 1: there is none.
  if (status === 1) return []
  if (status !== 0) throw cannotSwitchOff(gitDirectory, stderr?.toString().split('\n')[0] || 'git failed')
  const keys = stdout.toString().split('\0').filter(Boolean)
  const names = new Set(keys.map(key => key.slice('filter.'.length, key.lastIndexOf('.'))))
  return [...names].flatMap(name => {
    // In `-c` the value begins after the first sign of equality.
    if (name.includes('=')) throw cannotSwitchOff(gitDirectory, `the name of its filter "${name}" has "="`)
    return ['clean=', 'smudge=', 'process=', 'required=false'].flatMap(end => ['-c', `filter.${name}.${end}`])
  })
}

function cannotSwitchOff(gitDirectory: string, reason: string): WikiError {
  return new WikiError('wiki-bad-repository', {
    params: [gitDirectory, `its filters cannot be switched off: ${reason}`],
  })
}

/** Error of a text that only a filter can make: `wiki-conversion-failed`. */
export function filterNotRun(repository: Repository, path: string, filter: string): WikiError {
  return new WikiError('wiki-conversion-failed', {
    params: [path, `reading runs no program that git's settings name, and its filter "${filter}" is one`],
    hint: trustHint(repository),
    data: { path, filter },
  })
}

/** Returns true for an error of `filterNotRun`. */
export function isFilterNotRun(error: unknown): boolean {
  return isWikiError(error, 'wiki-conversion-failed') && 'filter' in error.data
}

/** Command with which the user names the repository. */
export function trustHint(repository: Repository): string {
  return `If you trust it: git config --global --add ${trustSetting} ${pathArgument(topOf(repository))}`
}
