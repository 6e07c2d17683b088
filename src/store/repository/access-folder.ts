/** The folder inside the git directory for access data of the server: readable by its owner alone. */

import { dirname, join } from 'node:path'
import { makeFolder, setMode } from '../../files/private-files.ts'
import type { Repository } from './repository.ts'

/** Name of the folder. */
export const privateFolder = '.access'

/** Returns the path of a file in it. It never collides with branch folders, because no branch name begins with a dot. */
export function accessPath({ commonDirectory }: Repository, name: string): string {
  return join(commonDirectory, 'wiki', privateFolder, name)
}

/** Creates the folder of a file. Only this folder is private; the index beside it may be shared with a group. */
export function makeAccessFolder(path: string): void {
  const folder = dirname(path)
  makeFolder(dirname(folder))
  makeFolder(folder)
  setMode(folder, 0o700)
}
