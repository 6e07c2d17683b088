/** Pipes in place of git's files: a git that reads one waits until somebody writes to it, so it is not started. */

import { type Dirent, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { damagedFile, readText, withoutEnd } from './repository.ts'

/** Folders whose files git reads by name, from the common git directory. The other ones hold loose objects and refs. */
const folders = ['', 'info', 'logs', 'objects/info', 'objects/pack']

/** Throws `wiki-bad-repository` if there is a pipe among the files that git reads. Takes a tenth of a millisecond. */
export function refusePipes(gitDirectory: string): void {
  const common = readText(join(gitDirectory, 'commondir'))
  const own = common === null ? [] : ['', 'info', 'logs'].map(folder => join(gitDirectory, folder))
  const shared = common === null ? gitDirectory : resolve(gitDirectory, withoutEnd(common))
  for (const folder of [...own, ...folders.map(name => join(shared, name))]) {
    const pipe = entriesOf(folder).find(entry => entry.isFIFO())
    if (pipe !== undefined) throw damagedFile(join(folder, pipe.name), 'is a pipe')
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Git reports what it needs.
    return []
  }
}
