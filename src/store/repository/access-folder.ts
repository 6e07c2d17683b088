/** The folder inside the git directory that holds who may write through the server: for its owner's eyes only. */

import { dirname, join } from 'node:path'
import { makeFolder, setMode } from '../../files/private-files.ts'
import type { Repository } from './repository.ts'

/** Returns the path of a file in it. Branch folders stand beside it: no branch has a name that begins with a dot. */
export function accessPath({ commonDirectory }: Repository, name: string): string {
  return join(commonDirectory, 'wiki', '.access', name)
}

/** Makes the folder of a file. Only this folder is its owner's alone: the index beside it may be a group's. */
export function makeAccessFolder(path: string): void {
  const folder = dirname(path)
  makeFolder(dirname(folder))
  makeFolder(folder)
  setMode(folder, 0o700)
}
