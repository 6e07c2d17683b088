/** Acknowledged edits that are missing from the branch, or that were undone by a commit that had not seen them. */

import { WikiError } from '../core/errors.ts'
import type { BranchRecord } from '../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../store/acknowledged/verified.ts'
import { hiddenParts } from '../store/format/hidden-revisions.ts'
import { parseMessage } from '../store/format/trailers.ts'
import type { CommitHeader } from '../store/git/backend.ts'
import { isoTime } from '../store/revisions.ts'
import type { Store } from '../store/store.ts'
import { findLosses } from './acknowledged/find-losses.ts'
import type { Wiki } from './wiki.ts'

export interface VerifyRequest {
  /**
   * Commits whose loss is accepted: full hashes or prefixes of at least four characters; `all` for every one that is
   * currently lost.
   */
  readonly accept?: readonly string[] | 'all' | undefined
}

/** The visible data of a commit. */
export interface CommitNote {
  readonly commit: string
  /** Null if it is hidden, or git lacks the commit. */
  readonly user: string | null
  readonly comment: string | null
  /** Author time, ISO 8601, UTC; null if git lacks the commit. */
  readonly time: string | null
}

/** One page of one acknowledged edit that was lost. */
export interface LostEdit extends CommitNote {
  /**
   * `lost`: the commit is not on the branch. `undone`: a later commit reverted it. `missing`: git has no such object.
   */
  readonly kind: OpenLoss['kind']
  /** Title of the page or file, reading form; null for settings, and if git lacks the commit. */
  readonly title: string | null
  readonly path: string | null
  /** Branch on which the edit was made, if that branch is gone (`HEAD`: it was detached); otherwise null. */
  readonly branch: string | null
  /** Commit that undid it; null if unknown. */
  readonly by: CommitNote | null
  /** Command line that restores it; null if that is impossible. */
  readonly restore: string | null
}

export interface VerifiedWiki {
  /** The commit that was checked. */
  readonly tip: string | null
  /** Acknowledged commits that were checked. */
  readonly checked: number
  /** In the order in which the edits were acknowledged. */
  readonly lost: readonly LostEdit[]
  /** Titles of the pages and files with content that git lacks or that is damaged. */
  readonly unread: readonly string[]
  /** Commits whose loss is accepted from now on. */
  readonly accepted: readonly string[]
}

/** Checks the branch against the record of acknowledged commits. Errors: wiki-usage for a commit to accept that is not recorded. */
export async function verifyWiki({ store }: Wiki, { accept = [] }: VerifyRequest = {}): Promise<VerifiedWiki> {
  await store.refresh()
  const accepted = accept === 'all' ? await acceptAll(store) : await acceptLosses(await store.record(), accept)
  const { record, checked, losses } = await findLosses(store)
  const lost: LostEdit[] = []
  const branches = new Map(record.events().map(({ commit, branch = null }) => [commit, branch]))
  for (const loss of losses)
    lost.push({
      ...(await describe(record, store.config.hidden, loss)),
      branch: branches.get(loss.commit) ?? null,
    })
  const unread = [...new Set([...store.unread()].map(({ title }) => title))]
  return { tip: record.tip, checked, lost, unread, accepted }
}

async function acceptLosses(record: BranchRecord, accept: readonly string[]): Promise<readonly string[]> {
  const commits = accept.map(prefix => recordedCommit(record, prefix))
  if (commits.length > 0) await record.add('settled', commits)
  return commits
}

async function acceptAll(store: Store): Promise<readonly string[]> {
  const { record, losses } = await findLosses(store)
  const commits = [...new Set(losses.map(({ commit }) => commit))]
  if (commits.length > 0) await record.add('settled', commits)
  return commits
}

/** Finds the single acknowledged commit with this prefix. Errors: wiki-usage. */
export function recordedCommit(record: BranchRecord, prefix: string): string {
  const isHash = /^[0-9a-f]{4,40}$/.test(prefix)
  const found = record.events().filter(({ commit }) => isHash && commit.startsWith(prefix))
  if (found.length === 1) return (found[0] as { commit: string }).commit
  const reason =
    found.length === 0 ? 'names no acknowledged commit' : 'begins the hashes of several acknowledged commits'
  throw new WikiError('wiki-usage', {
    params: [`"${prefix}" ${reason}`],
    hint: 'wiki verify lists those that were lost',
  })
}

async function describe(
  record: BranchRecord,
  hidden: Parameters<typeof hiddenParts>[0],
  { kind, commit, path, by }: OpenLoss,
): Promise<Omit<LostEdit, 'branch'>> {
  const note = await noteOf(record, hidden, commit)
  return {
    kind,
    ...note,
    title: path === null ? null : record.titleOf(path),
    path,
    by: by === null ? null : await noteOf(record, hidden, by),
    restore: kind === 'missing' ? null : `wiki restore ${commit.slice(0, 10)}`,
  }
}

async function noteOf(
  record: BranchRecord,
  hidden: Parameters<typeof hiddenParts>[0],
  commit: string,
): Promise<CommitNote> {
  const header: CommitHeader | null = await record.header(commit)
  if (header === null) return { commit, user: null, comment: null, time: null }
  const parts = hiddenParts(hidden, commit)
  return {
    commit,
    user: parts.includes('user') ? null : header.authorName,
    comment: parts.includes('comment') ? null : parseMessage(header.message).comment,
    time: isoTime(header.time),
  }
}
