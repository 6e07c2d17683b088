/** Lists changes of the whole wiki, newest first, in the order in which they reached the branch. */

import type { ChangeList, WikiChange } from '../core/change.ts'
import { WikiError } from '../core/errors.ts'
import { foldTitle, foldTitlePrefix } from '../core/title.ts'
import type { ChangeEntry, ChangeWalk } from '../store/changes.ts'
import type { Deletion, PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { isHidden, visiblePeople } from './access/hidden.ts'
import { type MadeBy, timeFilter, userFilter } from './resources/change-filter.ts'
import { findPage } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/** Default number of changes in a list. */
const defaultLimit = 50

/** Default number of changes examined for one request. The list may then end early, and its `older` continues it. */
const defaultLookAt = 200_000

export interface RecentChangesQuery extends MadeBy {
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
  /** Only changes before this cursor: the id of a revision, or a cursor of an earlier list. */
  readonly olderThan?: string | undefined
  /** Only the nearest changes after this cursor. Only one of the two may be given. */
  readonly newerThan?: string | undefined
  /** Maximum number of changes; 50 if omitted. */
  readonly limit?: number | undefined
  /** Title of the only page. Its changes under former titles count. */
  readonly title?: string | undefined
  /** Prefix of the page's current title, in any case. */
  readonly prefix?: string | undefined
  /** Keys of the only pages. */
  readonly pages?: ReadonlySet<string> | undefined
  /** Id of the page's namespace. */
  readonly namespace?: number | undefined
  /** True: only minor edits; false: no minor edits. */
  readonly minor?: boolean | undefined
  /** True: only edits by bots; false: none by bots. */
  readonly bot?: boolean | undefined
  /** Maximum number of changes examined; 200,000 if omitted. */
  readonly lookAt?: number | undefined
  /** Names of the filters as the caller sent them, for the routes of the list. */
  readonly filters?: Readonly<Record<string, string>> | undefined
}

/**
 * Lists changes of all pages. With selective filters a list may be shorter than its limit although older changes exist; then
 * `older` is set. Errors: rest-pagehistory-incompatible-params, rest-nonexistent-revision, rest-invalid-title,
 * rest-nonexistent-title.
 */
export async function recentChanges({ store }: Wiki, query: RecentChangesQuery): Promise<ChangeList> {
  if (query.olderThan !== undefined && query.newerThan !== undefined)
    throw new WikiError('rest-pagehistory-incompatible-params')
  for (;;) {
    await store.refresh()
    const found = await collect(store, query)
    if (found !== null) return changeList(found, query, store.boundary)
  }
}

interface FoundChanges {
  /** Newest first. */
  readonly changes: readonly WikiChange[]
  readonly first: string | null
  readonly last: string | null
  /** True if there may be more changes beyond the last one examined. */
  readonly more: boolean
}

/** Null if the index was rewritten meanwhile. */
async function collect(store: Store, query: RecentChangesQuery): Promise<FoundChanges | null> {
  const walk = walkOf(store, query)
  const passes = filterOf(store, query)
  const { limit = defaultLimit, lookAt = defaultLookAt } = query
  const found: { readonly change: WikiChange; readonly cursor: string }[] = []
  let looked = 0
  let begun: string | null = null
  let reached: ChangeEntry | null = null
  let more = false
  const isDone = await store.visitChanges(walk, entry => {
    more = looked === lookAt || (found.length === limit && passes(entry))
    if (more) return false
    looked++
    begun ??= entry.cursor
    reached = entry
    if (found.length < limit && passes(entry)) found.push({ change: changeOf(entry), cursor: entry.cursor })
    return true
  })
  if (!isDone) return null
  const last = found.length === limit ? (found.at(-1)?.cursor ?? null) : lastCursor(reached)
  // If nothing passed, a later list begins after the newest change.
  const first = found[0]?.cursor ?? null
  const ends = walk.step < 0 ? [first ?? (query.olderThan === undefined ? begun : null), last] : [last, first]
  const changes = found.map(({ change }) => change)
  return { changes: walk.step < 0 ? changes : changes.reverse(), first: ends[0] ?? null, last: ends[1] ?? null, more }
}

function lastCursor(entry: ChangeEntry | null): string | null {
  return entry?.cursor ?? null
}

function walkOf(store: Store, { olderThan, newerThan }: RecentChangesQuery): ChangeWalk {
  const newest = store.countChanges() - 1
  if (newerThan !== undefined) return { from: placeOf(store, newerThan) + 1, to: newest, step: 1 }
  return { from: olderThan === undefined ? newest : placeOf(store, olderThan) - 1, to: 0, step: -1 }
}

function placeOf(store: Store, cursor: string): number {
  const place = store.placeOfChange(cursor)
  if (place === undefined) throw new WikiError('rest-nonexistent-revision', { params: [cursor] })
  return place
}

type Filter = (change: ChangeEntry) => boolean

/** Combines all requested filters into one. Results of filters by page are remembered for each page. */
function filterOf(store: Store, query: RecentChangesQuery): Filter {
  const { minor, bot, user, since, until } = query
  const isTimed = since !== undefined || until !== undefined
  const [ofPage, ofTime, ofUser] = [pageFilter(store, query), timeFilter(query), userFilter(query)]
  return change => {
    if (!ofPage(change)) return false
    if (isTimed && !ofTime(change.time)) return false
    if (minor !== undefined && minor !== (change.flags?.minor ?? false)) return false
    if (bot !== undefined && bot !== isShownBot(change)) return false
    const made = user === undefined ? null : (change.flags ?? change.deletion)
    return made === null || ofUser(made)
  }
}

function isShownBot({ flags }: ChangeEntry): boolean {
  return flags?.bot === true && !isHidden(flags, 'user')
}

function pageFilter(store: Store, { title, prefix, pages, namespace }: RecentChangesQuery): Filter {
  const only = title === undefined ? undefined : findPage(store, { title, deleted: true }).id
  const beginning = prefix === undefined ? '' : foldTitlePrefix(prefix, store.titles)
  const passes = ({ key, namespace: own }: PageEntry) =>
    key !== '' &&
    foldTitle(key).startsWith(beginning) &&
    (pages === undefined || pages.has(key)) &&
    (namespace === undefined || namespace === own)
  const answers = new Map<number, boolean>()
  return change => {
    if (only !== undefined) return change.pageId === only
    const answer = answers.get(change.pageId) ?? passes(change.page)
    answers.set(change.pageId, answer)
    return answer
  }
}

function changeOf({ page, revision, deletion }: ChangeEntry): WikiChange {
  const { id, key, title } = page
  const own = revision === null ? deletionFields(page, deletion as Deletion) : revisionFields(revision)
  return { ...own, page: { id, key, title } }
}

function revisionFields(revision: RevisionEntry): Omit<WikiChange, 'page'> {
  const { id, previous, timestamp, minor, bot, reverted, size, delta, commit } = revision
  return {
    type: previous === null ? 'new' : 'edit',
    id,
    previous,
    timestamp,
    minor,
    bot: bot && !isHidden(revision, 'user'),
    reverted,
    size,
    delta,
    ...peopleOf(revision),
    commit,
  }
}

function deletionFields(page: PageEntry, deletion: Deletion): Omit<WikiChange, 'page'> {
  const { timestamp, commit } = deletion
  const flags = { minor: false, bot: false, reverted: false }
  return {
    type: 'delete',
    id: null,
    previous: page.latest,
    timestamp,
    ...flags,
    size: 0,
    delta: null,
    ...peopleOf(deletion),
    commit,
  }
}

function peopleOf(made: Pick<RevisionEntry, 'user' | 'comment' | 'hidden'>): Pick<WikiChange, 'user' | 'comment'> {
  const { user, comment } = visiblePeople(made)
  return { comment, user }
}

function changeList(
  { changes, first, last, more }: FoundChanges,
  query: RecentChangesQuery,
  boundary: ReadonlySet<string>,
): ChangeList {
  const { newerThan } = query
  const hasOlder = newerThan !== undefined || more
  const newest = first ?? newerThan
  const isCut = (boundary.size > 0 && !hasOlder) || changes.some(({ commit }) => boundary.has(commit))
  return {
    changes,
    latest: changesRoute(query),
    ...(isCut && { shallow: true }),
    ...(hasOlder && { older: changesRoute(query, 'older_than', last ?? newerThan) }),
    ...(newest !== undefined && { newer: changesRoute(query, 'newer_than', newest) }),
  }
}

function changesRoute({ base, filters = {} }: RecentChangesQuery, anchor?: string, cursor = ''): string {
  const parameters = new URLSearchParams({ ...filters, ...(anchor !== undefined && { [anchor]: cursor }) }).toString()
  return `${base}/changes${parameters === '' ? '' : `?${parameters}`}`
}
