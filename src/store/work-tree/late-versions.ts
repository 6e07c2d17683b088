/** Text that other programs wrote to files of a work tree after the wiki had replaced them. */

import { isAbsolute, relative } from 'node:path'
import { lateTexts } from '../../files/replaced-files.ts'
import { checkoutsOf } from '../repository/checkouts.ts'
import type { Repository } from '../repository/repository.ts'
import { replacedPath } from './follow.ts'
import type { KeptVersion } from './work-tree.ts'

/** Lists such text of all work trees of a repository, with its path from the top of this one where it is below that. */
export function lateVersions(repository: Repository): KeptVersion[] {
  const top = repository.workTree ?? repository.gitDirectory
  return checkoutsOf(repository).flatMap(checkout =>
    lateTexts(replacedPath(checkout)).map(({ path, file }) => ({ path: from(top, file), original: path })),
  )
}

function from(top: string, file: string): string {
  const path = relative(top, file)
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll('\\', '/')
}
