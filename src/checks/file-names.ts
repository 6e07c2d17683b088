/** Checks the paths of a repository for names that other systems do not support. */

import { foldedPath, isUnportableName } from '../core/file-names.ts'

/** Returns true if Windows does not support a path: see `isUnportableName`. */
export function isUnportable(path: string): boolean {
  return path.split('/').some(isUnportableName)
}

/** Lists paths that a disk may take for an earlier one, in another case or Unicode form, together with the earlier one. */
export function caseCollisions(paths: Iterable<string>): { readonly path: string; readonly other: string }[] {
  const seen = new Map<string, string>()
  const found: { path: string; other: string }[] = []
  for (const path of paths) {
    const folded = foldedPath(path)
    const other = seen.get(folded)
    if (other === undefined) seen.set(folded, path)
    else found.push({ path, other })
  }
  return found
}
