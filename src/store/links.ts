/** Links in the work tree: what lies behind one is not the wiki's, neither to read nor to write. */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** True if a path leads through anything but folders: a link among them could lead out of the work tree. */
export function isBehindLink(workTree: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  return names.some((_, depth) => {
    const stat = lstatSync(join(workTree, ...names.slice(0, depth + 1)), { throwIfNoEntry: false })
    return stat !== undefined && !stat.isDirectory()
  })
}
