/** Creates an empty repository, without git. */

import { existsSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { lastArgument, pathArgument } from '../../core/shell-quote.ts'
import { syncFolder } from '../../files/durable.ts'
import { makeNewFolder, writeFile } from '../../files/private-files.ts'
import { replaceDurably } from './durable-file.ts'
import { hasHead, repositoryAbove } from './repository.ts'

export interface InitOptions {
  readonly bare?: boolean
  /** Allows a repository of its own inside the work tree of another one. */
  readonly nested?: boolean
  /** Short name of its first branch. */
  readonly branch?: string
}

/**
 * Creates a repository in a folder, which may exist and hold files; does nothing if there is one already. HEAD comes last, because it makes
 * the folder a repository: after a power failure there is a whole one, or none. The caller awaits `namesSynced`. Errors: wiki-usage for
 * a folder inside another repository, and for a bare repository where there is one with a work tree.
 */
export function initRepository(directory: string, options: InitOptions = {}): void {
  const { bare = false, branch = 'main' } = options
  const gitDirectory = bare ? directory : join(directory, '.git')
  if (isThere(directory, options) || hasHead(gitDirectory)) return
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    makeNewFolder(join(gitDirectory, folder))
  const config = join(gitDirectory, 'config')
  writeConfig(config, { bare, fileMode: true })
  // The file system keeps no modes if each file may be executed.
  if (platform() !== 'win32' && (statSync(config).mode & 0o111) !== 0) writeConfig(config, { bare, fileMode: false })
  writeFile(join(gitDirectory, 'info/exclude'), unfinishedExcluded, { isSynced: true })
  syncFolder(gitDirectory)
  replaceDurably(join(gitDirectory, 'HEAD'), `ref: refs/heads/${branch}\n`)
}

/** Lets git sync what a person commits here: by default a power failure leaves loose objects, the index and refs empty. */
const everythingSynced = 'fsync = all'

/** Tells git, as `git init` does, what the file system does with names and modes. Source: git-config(1), core.ignoreCase. */
function writeConfig(path: string, { bare, fileMode }: { readonly bare: boolean; readonly fileMode: boolean }): void {
  const settings = ['repositoryformatversion = 0', `filemode = ${fileMode}`, `bare = ${bare}`, everythingSynced]
  if (!bare) settings.push('logallrefupdates = true')
  if (existsSync(join(dirname(path), 'ObJeCtS'))) settings.push('ignorecase = true')
  if (platform() === 'darwin') settings.push('precomposeunicode = true')
  replaceDurably(path, `[core]\n${settings.map(setting => `\t${setting}\n`).join('')}${recordHidden}`)
}

/** A power failure may leave new content beside a file of the work tree, and `git add -A` would add it. */
const unfinishedExcluded = '.wiki-*.tmp\n'

/** Keeps `git push --mirror` of a clone from deleting the refs of the record of acknowledged commits. */
const recordHidden = '[receive]\n\thideRefs = refs/wiki\n'

/** Returns true if the folder is the top of a repository; throws if a new one there would be inside another one. */
function isThere(directory: string, { bare = false, nested = false }: InitOptions): boolean {
  const found = repositoryAbove(directory)
  if (found === null) return false
  const { folder: top, gitDirectory, workTree } = found
  const isTop = resolve(directory) === top && basename(top) !== '.git'
  if (isTop && bare && workTree !== null) throw usage(`${top} is a repository with a work tree`, withoutBare(top))
  if (isTop) return hasHead(gitDirectory)
  if (workTree === null || top === gitDirectory)
    throw usage(`${directory} is inside the git directory ${gitDirectory}`, 'Choose a folder outside of it')
  if (!nested) throw usage(`${directory} is inside the repository ${top}`, insteadOf(top, relative(top, directory)))
  return false
}

function usage(sentence: string, hint: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence], hint })
}

function withoutBare(top: string): string {
  return `To make it a wiki: wiki init ${pathArgument(top)}`
}

function insteadOf(top: string, folder: string): string {
  return (
    `To make all of that a wiki: wiki init ${pathArgument(top)}. For its pages in this folder alone, before that: ` +
    `wiki -C ${pathArgument(top)} config set root ${lastArgument(folder.replaceAll('\\', '/'))}. For a repository of its own here: --nested`
  )
}
