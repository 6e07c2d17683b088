/** Resolves commit names, and the merge base of two commits. */

import { WikiError } from '../../core/errors.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import type { Store } from '../../store/store.ts'

export interface CommitRange {
  /** Names in git's syntax: a branch, a tag, a hash, `HEAD~2`. */
  readonly from: string
  readonly to: string
  /** If true, starts at the merge base: includes the changes of `to` since then, and none of `from`. */
  readonly sinceParting?: boolean | undefined
}

/** Finds the two commits of a range. Errors: wiki-bad-revision, with the `git fetch` that brings a missing commit. */
export async function findCommits(
  store: Store,
  range: CommitRange,
): Promise<{ readonly from: string; readonly to: string }> {
  const [named, to] = [await commitOf(store, range.from), await commitOf(store, range.to)]
  return { from: range.sinceParting === true ? await partingOf(store, { from: named, to, query: range }) : named, to }
}

async function commitOf(store: Store, name: string): Promise<string> {
  const commit = await store.trees.commitNamed(name)
  if (commit === null)
    throw new WikiError('wiki-bad-revision', { params: [name], hint: await missingCommitHint(store, name) })
  return commit
}

/** Names of remote branches in git's syntax. Only `origin` is recognised. */
const remoteBranch = /^(?:refs\/remotes\/)?origin\/([^\0-\x20\x7f~^:?*[\\]+)/

/**
 * Tells how to name or fetch a commit that this clone lacks. A clone has the other branches of its remote as `origin/main`; a
 * single-branch clone does not know them.
 */
async function missingCommitHint(store: Store, name: string): Promise<string> {
  if ((await store.trees.commitNamed(`origin/${name}`)) !== null) return `Name the branch of the remote: origin/${name}`
  const branch = remoteBranch.exec(name)?.[1]
  const depth = store.shallow ? '--depth=1 ' : ''
  if (branch !== undefined)
    return `Fetch it: git fetch ${depth}origin ${shellQuote(`+refs/heads/${branch}:refs/remotes/origin/${branch}`)}`
  if (/^[0-9a-f]{40}$/.test(name)) return `Fetch it: git fetch ${depth}origin ${name}`
  const steps = stepsBack(name)
  if (store.shallow && steps > 0)
    return `This clone is shallow and does not hold it: git fetch --deepen=${steps} origin`
  if (store.shallow) return 'This clone is shallow and may not hold it: git fetch --unshallow'
  return 'Name a branch, a tag, a commit, or HEAD~2'
}

/** Counts the steps back in a commit name: 3 for `HEAD^~2`. */
function stepsBack(name: string): number {
  // Names of branches and tags cannot contain these characters, so the first one starts the steps.
  const at = name.search(/[~^]/)
  const steps = /^(?:[~^]\d{0,6})+$/.exec(name.slice(Math.max(at, 0)))?.[0].matchAll(/([~^])(\d*)/g) ?? []
  return [...steps].reduce((sum, [, sign, count]) => sum + (sign === '~' ? Number(count || 1) : 1), 0)
}

interface Parting {
  readonly from: string
  readonly to: string
  readonly query: CommitRange
}

async function partingOf(store: Store, { from, to, query }: Parting): Promise<string> {
  const base = await store.trees.mergeBase(from, to)
  if (base !== null) return base
  throw new WikiError('wiki-bad-revision', {
    params: [`${query.from}...${query.to}`],
    hint: store.shallow
      ? 'This clone is shallow and lacks the merge base: git fetch --unshallow origin, or git fetch --deepen=100 origin'
      : `The two have no common commit; compare them directly: ${query.from}..${query.to}`,
  })
}
