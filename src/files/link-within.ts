/** Finds symbolic links of a work tree in a path, which may come from the author of the repository. */

import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, parse, relative, sep } from 'node:path'

/**
 * Returns the first symbolic link inside a folder that an absolute path leads through, or ends at; null if there is
 * none. Links elsewhere are followed. Throws the system's error.
 */
export function linkWithin(folder: string, path: string): string | null {
  const top = realpathSync(folder)
  let { root: at } = parse(path)
  for (const name of path.slice(at.length).split(sep)) {
    const next = join(at, name)
    const stat = lstatSync(next, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isSymbolicLink() && isInside(top, at)) return next
    at = stat.isSymbolicLink() ? realpathSync(next) : next
  }
  return null
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
