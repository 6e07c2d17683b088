/**
 * Configures git to merge and compare the wiki's texts with `wiki`, in this clone only; no tracked file changes. Git takes every exit
 * status of a merge driver from 1 to 127 for a conflict that is marked in the file: it would then drop the other side where `wiki` cannot
 * start, is killed, or cannot read the text. So the configured commands are shell texts that do what git alone does in all these cases.
 *
 * Source: gitattributes(5), "Defining a custom merge driver" and "Defining an external diff driver".
 */

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { contentModels } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { copyFile, makeFolder, removeFile } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { changeFile, copyDurably } from './durable-file.ts'
import { pathBeside, takeLockFile } from './lock-file.ts'
import { runGit } from './process.ts'
import type { Repository } from './repository.ts'

export type DriverName = 'merge' | 'diff'

interface Driver {
  readonly settings: Readonly<Record<string, string>>
  /** Setting whose value shows that a version of this program has installed the driver, and the beginning of what an older one wrote. */
  readonly mark: readonly [key: string, old: string]
}

/**
 * The merge is written to a file of its own, which gets its name when it is whole, so that its existence says that `wiki` has done its
 * work, and an interrupted one leaves the file of git as it was. `%X`, `%S` and `%Y` are labels since git 2.44; earlier versions leave them as
 * they are. `git merge-file` ends with 255 for binary content, of which git keeps ours and records a conflict.
 */
const mergeCommand = [
  'command -v wiki >/dev/null && wiki merge-driver --output %A.out --marker-size %L -- %O %A %B; s=$?',
  'if test $s -le 1 && mv -f %A.out %A 2>/dev/null; then exit $s; fi; rm -f %A.out %A.out.new',
  'l() { case $1 in %%?) echo "$2";; *) printf "%%s" "$1";; esac; }',
  'git merge-file --marker-size=%L -L "$(l %X ours)" -L "$(l %S base)" -L "$(l %Y theirs)" %A %O %B; s=$?',
  'if test $s = 255 && test -r %O && test -r %A && test -r %B; then exit 1; fi; exit $s',
].join('; ')

/** Git names the files of both sides by temporary paths. In folders `a` and `b` they have the names that git shows. */
const diffCommand = [
  'f() { command -v wiki >/dev/null && wiki diff-driver -- "$@" && return',
  'if test $# -lt 7; then printf "* Unmerged path %s\\n" "$1"; return; fi',
  't=$(mktemp -d) || return',
  'p() { if test "$2" = /dev/null; then echo /dev/null; else mkdir -p "$(dirname "$t/$1")" && cat <"$2" >"$t/$1" && printf %s "$1"; fi; }',
  'o=$(p "a/$1" "$2"); n=$(p "b/$1" "$5")',
  '(cd "$t" && git --no-pager diff --no-ext-diff --no-index --no-prefix -- "$o" "$n"); s=$?',
  'rm -rf "$t"; test $s -le 1; }',
  'f',
].join('; ')

const drivers: Readonly<Record<DriverName, Driver>> = {
  merge: {
    settings: { 'merge.wiki.name': 'merge of prose by words', 'merge.wiki.driver': mergeCommand },
    mark: ['merge.wiki.driver', 'wiki merge-driver '],
  },
  diff: { settings: { 'diff.wiki.command': diffCommand }, mark: ['diff.wiki.command', 'wiki diff-driver'] },
}

/** Content models whose texts are merged and compared by words. */
const proseModels = ['wikitext', 'markdown'] as const

/**
 * Installs a driver in a clone: in git's configuration, and for prose files in `info/attributes`. Idempotent. Errors:
 * wiki-usage if there is no git.
 */
export async function installDriver({ commonDirectory }: Repository, name: DriverName): Promise<void> {
  await configure(commonDirectory, drivers[name])
  makeFolder(join(commonDirectory, 'info'))
  const file = join(commonDirectory, 'info', 'attributes')
  await changeFile(file, () => withLines(existsSync(file) ? readText(file) : '', attributeLines(name)))
}

/** Adds the lines that a text lacks; null if it has them all. */
function withLines(text: string, lines: readonly string[]): string | null {
  const present = new Set(text.split('\n').map(line => line.trim()))
  const missing = lines.filter(line => !present.has(line))
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return missing.length === 0 ? null : `${text}${gap}${missing.map(line => `${line}\n`).join('')}`
}

/** Renews the drivers that an earlier version has installed in a clone. Another command there is the user's, and stays. */
export async function renewDrivers({ commonDirectory }: Repository): Promise<void> {
  const path = join(commonDirectory, 'config')
  if (!existsSync(path) || !/\bwiki (?:merge|diff)-driver\b/.test(readText(path))) return
  for (const driver of Object.values(drivers)) {
    const [key, old] = driver.mark
    const value = runGit(['config', '--local', key], { gitDirectory: commonDirectory }).stdout?.toString() ?? ''
    if (value.startsWith(old) && value.trimEnd() !== driver.settings[key]) await configure(commonDirectory, driver)
  }
}

function attributeLines(name: DriverName): string[] {
  return proseModels.flatMap(model => contentModels[model].extensions.map(extension => `*.${extension} ${name}=wiki`))
}

/**
 * Changes the settings in a copy, under git's own lock. `git config` syncs nothing, whatever `core.fsync` says: after a power failure the file
 * of all settings may be empty.
 */
async function configure(commonDirectory: string, { settings }: Driver): Promise<void> {
  const path = realpathSync(join(commonDirectory, 'config'))
  const release = await takeLockFile(path)
  const copy = pathBeside(path, '-copy')
  try {
    copyFile(path, copy)
    for (const [key, value] of Object.entries(settings)) setIn(copy, key, value)
    copyDurably(copy, path)
  } finally {
    removeFile(copy)
    release()
  }
}

function setIn(file: string, key: string, value: string): void {
  const { status, stderr } = runGit(['config', '--file', file, key, value])
  if (status === 0) return
  const reason = stderr?.toString().split('\n')[0] || 'there is no git'
  throw new WikiError('wiki-usage', { params: [`A driver cannot be installed: ${reason}`] })
}

/**
 * Merges three files into the first as git does alone, where an earlier version has installed a command without that. Returns git's exit
 * status: 0, or 1 for a conflict. Binary files stay, as in git.
 */
export function mergeAsGit(
  folder: string,
  [mine, base, theirs]: readonly [string, string, string],
  size: number,
): number {
  const labels = ['ours', 'base', 'theirs'].flatMap(label => ['-L', label])
  const { status } = runGit(['merge-file', `--marker-size=${size}`, ...labels, '--', mine, base, theirs], {
    cwd: folder,
  })
  return status === 0 ? 0 : 1
}
