/** Creates an empty repository, without git. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeFile } from '../../files/private-files.ts'

export interface InitOptions {
  readonly bare?: boolean
  /** Short name of its first branch. */
  readonly branch?: string
}

/** Creates a repository in a folder, which may exist and hold files; does nothing if there is one already. */
export function initRepository(directory: string, { bare = false, branch = 'main' }: InitOptions = {}): void {
  const gitDirectory = bare ? directory : join(directory, '.git')
  if (existsSync(join(gitDirectory, 'HEAD'))) return
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    makeFolder(join(gitDirectory, folder))
  const settings = ['repositoryformatversion = 0', 'filemode = true', `bare = ${bare}`]
  if (!bare) settings.push('logallrefupdates = true')
  writeFile(join(gitDirectory, 'config'), `[core]\n${settings.map(setting => `\t${setting}\n`).join('')}`)
  writeFile(join(gitDirectory, 'HEAD'), `ref: refs/heads/${branch}\n`)
}
