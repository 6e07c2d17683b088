/** The folder of a branch's index. */

import type { Repository } from '../repository/repository.ts'

/** Returns the path of the index of a branch: one for each branch; for a detached HEAD, one for each work tree. */
export function indexFolder({
  branch,
  gitDirectory,
  commonDirectory,
}: Pick<Repository, 'branch' | 'gitDirectory' | 'commonDirectory'>): string {
  if (branch === 'HEAD') return `${gitDirectory}/wiki/@`
  return `${commonDirectory}/wiki/${encodeURIComponent(branch.replace(/^refs\/heads\//, ''))}`
}
