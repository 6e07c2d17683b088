/** Checks the paths of a repository for names that other systems do not support. */

import { composed } from '../core/composed-text.ts'
import { isUnportableName } from '../core/file-names.ts'

/** Returns true if Windows does not support a path: see `isUnportableName`. */
export function isUnportable(path: string): boolean {
  return path.split('/').some(isUnportableName)
}

/** Lists paths that differ from an earlier one only in case or Unicode form, together with the earlier one. */
export function caseCollisions(paths: Iterable<string>): { readonly path: string; readonly other: string }[] {
  const seen = new Map<string, string>()
  const found: { path: string; other: string }[] = []
  for (const path of [...paths].sort()) {
    const folded = composed(path).toLowerCase()
    const other = seen.get(folded)
    if (other === undefined) seen.set(folded, path)
    else found.push({ path, other })
  }
  return found
}
