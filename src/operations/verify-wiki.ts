/** Acknowledged edits that are missing from their branches, or that were undone by a commit that had not seen them. */

import { isWikiError, WikiError } from '../core/errors.ts'
import { shellQuote } from '../core/shell-quote.ts'
import type { BranchRecord } from '../store/acknowledged/branch-record.ts'
import type { Acknowledgement } from '../store/acknowledged/log.ts'
import type { OpenLoss } from '../store/acknowledged/verified.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { hiddenParts } from '../store/format/hidden-revisions.ts'
import { parseMessage } from '../store/format/trailers.ts'
import type { CommitHeader } from '../store/git/backend.ts'
import { missingObject } from '../store/repository/missing-object.ts'
import { isoTime } from '../store/revisions.ts'
import type { Store } from '../store/store.ts'
import type { KeptVersion } from '../store/work-tree/work-tree.ts'
import { shortName } from './access/served-branch.ts'
import { findLosses } from './acknowledged/find-losses.ts'
import type { Wiki } from './wiki.ts'

export interface VerifyRequest {
  /**
   * Commits whose loss is accepted: full hashes or prefixes of at least four characters; `all` for every one that is
   * currently lost.
   */
  readonly accept?: readonly string[] | 'all' | undefined
  /** Looks at the wiki's own branch alone, not at every one that has a record or that a running server serves. */
  readonly onlyOwn?: boolean | undefined
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
  /** Branch on which the edit was made, short name; `HEAD` where it was detached. */
  readonly branch: string
  /** True if that branch is gone, or HEAD is not detached any more. */
  readonly isGone: boolean
  /** Commit that undid it; null if unknown. */
  readonly by: CommitNote | null
  /** Command line that restores it; null if that is impossible. */
  readonly restore: string | null
}

/** A branch that was looked at. */
export interface VerifiedBranch {
  /** Short name; `HEAD` where it is detached. */
  readonly branch: string
  /** The commit that was checked. */
  readonly tip: string | null
  /** Acknowledged commits that were checked. */
  readonly checked: number
  /** The reason for which it could not be checked; null if it was. */
  readonly error: WikiError | null
}

export interface VerifiedWiki {
  /** The commit of the wiki's own branch that was checked. */
  readonly tip: string | null
  /** The wiki's own branch first. */
  readonly branches: readonly VerifiedBranch[]
  /** Acknowledged commits that were checked, of all branches. */
  readonly checked: number
  /** By branch, in the order in which the edits were acknowledged. */
  readonly lost: readonly LostEdit[]
  /** Titles of the pages and files with content that git lacks or that is damaged. */
  readonly unread: readonly string[]
  /** Text that another program wrote to a file that the wiki had replaced: it is neither in the work tree nor committed. */
  readonly kept: readonly KeptVersion[]
  /** Commits whose loss is accepted from now on. */
  readonly accepted: readonly string[]
}

/**
 * Checks branches against their records of acknowledged commits, whatever HEAD names: the wiki's own, and by default every one that has a
 * record or that a running server serves. Errors: wiki-usage for a commit to accept that no record has.
 */
export async function verifyWiki(
  { store }: Wiki,
  { accept = [], onlyOwn = false }: VerifyRequest = {},
): Promise<VerifiedWiki> {
  const own = store.repository.branch
  const names = onlyOwn ? [] : (await store.recordedBranches()).filter(name => name !== own)
  const stores = [store, ...names.map(name => store.openBranch(name))]
  try {
    const accepted = new Set(accept === 'all' ? [] : await acceptLosses(stores, accept))
    const results: BranchResult[] = []
    for (const one of stores) results.push(await checkBranch(one, accept === 'all' ? accepted : null))
    return { ...joined(results), kept: await store.checkout.lateVersions(), accepted: [...accepted] }
  } finally {
    for (const one of stores.slice(1)) one.close()
  }
}

interface BranchResult {
  readonly branch: VerifiedBranch
  readonly lost: readonly LostEdit[]
  readonly unread: readonly string[]
}

/** An edit of a branch that is gone is everybody's concern, and is listed once. */
function joined(results: readonly BranchResult[]): Omit<VerifiedWiki, 'accepted' | 'kept'> {
  const lost = new Map<string, LostEdit>()
  for (const edit of results.flatMap(result => result.lost)) {
    const key = `${edit.branch} ${edit.commit} ${edit.path}`
    if (!lost.has(key)) lost.set(key, edit)
  }
  const branches = results.map(({ branch }) => branch)
  const checked = branches.reduce((sum, branch) => sum + branch.checked, 0)
  return {
    tip: branches[0]?.tip ?? null,
    branches,
    checked,
    lost: [...lost.values()],
    unread: [...new Set(results.flatMap(({ unread }) => unread))],
  }
}

/** One branch that cannot be read must not hide what others have lost. `accepted` gets all losses, which count as accepted then. */
async function checkBranch(store: Store, accepted: Set<string> | null): Promise<BranchResult> {
  const branch = shortName(store.repository.branch)
  try {
    await store.refresh()
    if (accepted !== null) for (const commit of await acceptAll(store)) accepted.add(commit)
    const { record, checked, losses } = await findLosses(store)
    const events = await record.everyEvent()
    const gone = new Map(events.map(event => [event.commit, event.branch]))
    const lost: LostEdit[] = []
    for (const loss of losses) {
      const on = gone.get(loss.commit)
      lost.push({ ...(await describe(store, record, loss)), branch: on ?? branch, isGone: on !== undefined })
    }
    const unread = [...new Set([...store.unread(), ...(await lackingTexts(store))].map(({ title }) => title))]
    const error = await holeIn(store, new Set(events.map(({ commit }) => commit)))
    return { branch: { branch, tip: record.tip, checked, error }, lost, unread }
  } catch (error) {
    if (!isWikiError(error) || isWikiError(error, 'wiki-index-damaged')) throw error
    return { branch: { branch, tip: null, checked: 0, error }, lost: [], unread: [] }
  }
}

/** Pages whose text git has lost since it was indexed. */
async function lackingTexts(store: Store): Promise<readonly PageEntry[]> {
  const pages = [...store.pages()]
  const blobs = pages.map(({ latest }) => store.revision(latest)?.blob ?? '')
  const sizes = await store.sizesOf(blobs)
  return pages.filter((_, at) => blobs[at] !== '' && sizes[at] === null)
}

/** The branch's commit, if git lacks a folder of it. */
async function lackingFolder({ trees, tip }: Store): Promise<string | null> {
  if (tip === null) return null
  try {
    await trees.filesOf(tip)
    return null
  } catch (error) {
    if (!isWikiError(error, 'wiki-objects-missing') && !isWikiError(error, 'wiki-bad-repository')) throw error
    return tip
  }
}

/** An error if git has lost an acknowledged commit that the branch is built on, or a folder of its last one; null if it has all of them. */
async function holeIn(store: Store, acknowledged: ReadonlySet<string>): Promise<WikiError | null> {
  const commits = [...acknowledged].filter(commit => store.hasCommit(commit))
  const sizes = await store.sizesOf(commits)
  const lacking = commits.find((_, at) => sizes[at] === null) ?? (await lackingFolder(store))
  if (lacking === null) return null
  const { code, params, cause } = missingObject(lacking)
  const hint = `To put the branch back to its last whole commit, and make the later edits again: ${restoreCommand(store)} --repair`
  return new WikiError(code, { params, hint, cause })
}

async function acceptLosses(stores: readonly Store[], accept: readonly string[]): Promise<readonly string[]> {
  if (accept.length === 0) return []
  const records: BranchRecord[] = []
  for (const store of stores) records.push(await store.record())
  const events: (readonly Acknowledgement[])[] = []
  for (const record of records) events.push(await record.everyEvent())
  const commits = accept.map(prefix => recordedCommit(events.flat(), prefix))
  for (const commit of commits) {
    const at = events.findIndex(some => some.some(event => event.commit === commit))
    await records[at]?.add('settled', [commit])
  }
  return commits
}

async function acceptAll(store: Store): Promise<readonly string[]> {
  const { record, losses } = await findLosses(store)
  const commits = [...new Set(losses.map(({ commit }) => commit))]
  if (commits.length > 0) await record.add('settled', commits)
  return commits
}

/** Finds the single acknowledged commit with this prefix. Errors: wiki-usage. */
export function recordedCommit(events: readonly Acknowledgement[], prefix: string): string {
  const isHash = /^[0-9a-f]{4,40}$/.test(prefix)
  const found = new Set(events.flatMap(({ commit }) => (isHash && commit.startsWith(prefix) ? [commit] : [])))
  const [only] = found
  if (only !== undefined && found.size === 1) return only
  const reason = found.size === 0 ? 'names no acknowledged commit' : 'begins the hashes of several acknowledged commits'
  throw new WikiError('wiki-usage', {
    params: [`"${prefix}" ${reason}`],
    hint: 'wiki verify lists those that were lost',
  })
}

/** The command that restores a commit, or everything, on the branch of a store. */
export function restoreCommand({ repository: { branch, isCheckedOut } }: Store, commit?: string): string {
  const where = isCheckedOut ? '' : ` --branch ${shellQuote(shortName(branch))}`
  return `wiki restore${commit === undefined ? '' : ` ${commit.slice(0, 10)}`}${where}`
}

async function describe(
  store: Store,
  record: BranchRecord,
  { kind, commit, path, by }: OpenLoss,
): Promise<Omit<LostEdit, 'branch' | 'isGone'>> {
  const { hidden } = store.config
  const note = await noteOf(record, hidden, commit)
  return {
    kind,
    ...note,
    title: path === null ? null : record.titleOf(path),
    path,
    by: by === null ? null : await noteOf(record, hidden, by),
    restore: kind === 'missing' ? null : restoreCommand(store, commit),
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
