/** The branch that a server shows for its whole lifetime. */

import { WikiError } from '../../core/errors.ts'
import { headOf } from '../../store/repository/repository.ts'
import { announceServing } from '../../store/repository/served-branch.ts'
import type { Store } from '../../store/store.ts'

export interface ServedBranch {
  /** Short name; `HEAD` if it is detached. */
  readonly branch: string
  /** Branch that HEAD currently names, in the same form. */
  readonly head: string
  /** Stops reporting it as served. */
  readonly end: () => void
}

/** Returns the branch of a store and reports it to `wiki status` as served. Throws `wiki-usage` if there is none. */
export function servedBranch(store: Pick<Store, 'repository' | 'branchTip'>): ServedBranch {
  const { repository } = store
  const { branch } = repository
  const head = headOf(repository)
  if (branch !== head && store.branchTip() === null)
    throw new WikiError('wiki-usage', {
      params: [`There is no branch ${shortName(branch)}`],
      hint: 'git branch --list',
    })
  return { branch: shortName(branch), head: shortName(head), end: announceServing(repository) }
}

/** `refs/heads/main` → `main` */
export function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '')
}
