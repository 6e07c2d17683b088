/** Returns one segment of a page's history. Source: MediaWiki REST API reference, "Get page history". */

import { WikiError } from '../core/errors.ts'
import type { Deletion, HistoryFilter, HistoryRevision, HistorySegment } from '../core/revision.ts'
import type { HistoryPart, HistoryQuery, PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { visiblePeople } from './access/hidden.ts'
import { type MadeBy, timeFilter, userFilter } from './resources/change-filter.ts'
import { deletionOf } from './resources/deleted-page.ts'
import { findPage, type TitleQuery } from './resources/find-page.ts'
import { pageRoute } from './resources/routes.ts'
import { lacksBeginning } from './resources/shallow.ts'
import type { Wiki } from './wiki.ts'

/** Number of revisions in a segment of the API. */
const segmentLength = 20

export interface PageHistoryQuery extends TitleQuery, MadeBy {
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
  /** Ids of revisions of the page. Only one of the two may be given. */
  readonly olderThan?: number | undefined
  readonly newerThan?: number | undefined
  readonly filter?: HistoryFilter | undefined
  /** Maximum number of revisions; 20 if omitted. */
  readonly limit?: number | undefined
  /** True to include commits; MediaWiki's revisions have none. */
  readonly commits?: boolean | undefined
}

/**
 * Reads revisions of a page, newest first: the latest ones, those older than a revision, or the nearest newer ones.
 *
 * Errors: rest-pagehistory-incompatible-params, rest-pagehistory-param-range-error, rest-invalid-title,
 * rest-nonexistent-title, rest-nonexistent-title-revision; `TitleRedirect`.
 */
export async function pageHistory({ store }: Wiki, query: PageHistoryQuery): Promise<HistorySegment> {
  checkAnchors(query)
  await store.refresh()
  const page = findPage(store, query)
  checkBelongs(store, page, query)
  const part = store.history(page, storeQuery(query))
  return {
    revisions: part.revisions.map(revision => historyRevision(page, revision, query)),
    ...neighbours(page, part, query),
    ...(lacksBeginning(store, page) && { shallow: true }),
    ...markOf(store, page),
  }
}

/** Returns the deletion of a page, if it is deleted. */
function markOf(store: Store, page: PageEntry): { readonly deletion?: Deletion } {
  const deletion = deletionOf(store, page.id)
  return deletion === null ? {} : { deletion }
}

function checkAnchors({ olderThan, newerThan }: PageHistoryQuery): void {
  if (olderThan !== undefined && newerThan !== undefined) throw new WikiError('rest-pagehistory-incompatible-params')
  const anchor = olderThan ?? newerThan
  if (anchor !== undefined && anchor < 1) throw new WikiError('rest-pagehistory-param-range-error')
}

function checkBelongs(store: Store, page: PageEntry, { olderThan, newerThan, title }: PageHistoryQuery): void {
  const anchor = olderThan ?? newerThan
  if (anchor === undefined || store.revision(anchor, { deleted: true })?.page === page.id) return
  throw new WikiError('rest-nonexistent-title-revision', { params: [anchor, title] })
}

function storeQuery(query: PageHistoryQuery): HistoryQuery {
  const { olderThan, newerThan, filter, limit = segmentLength, user, since, until } = query
  const [ofTime, ofUser] = [timeFilter(query), userFilter(query)]
  const isFiltered = user !== undefined || since !== undefined || until !== undefined
  return {
    limit,
    ...(isFiltered && {
      matches: (revision: RevisionEntry) => ofTime(Date.parse(revision.timestamp)) && ofUser(revision),
    }),
    ...(olderThan !== undefined && { olderThan }),
    ...(newerThan !== undefined && { newerThan }),
    ...(filter !== undefined && { filter }),
  }
}

/** Routes of this segment and its neighbours. A neighbour towards the anchor always exists. */
function neighbours(page: PageEntry, { revisions, more }: HistoryPart, query: PageHistoryQuery) {
  const latest = historyRoute(page, query)
  const first = revisions[0]
  const last = revisions.at(-1)
  if (first === undefined || last === undefined) return { latest }
  const hasOlder = query.newerThan !== undefined || more
  const hasNewer = query.olderThan !== undefined || (query.newerThan !== undefined && more)
  return {
    latest,
    ...(hasOlder && { older: historyRoute(page, query, `older_than=${last.id}`) }),
    ...(hasNewer && { newer: historyRoute(page, query, `newer_than=${first.id}`) }),
  }
}

function historyRoute(page: PageEntry, { base, filter }: PageHistoryQuery, anchor?: string): string {
  const parameters = [filter && `filter=${filter}`, anchor].filter(Boolean).join('&')
  return pageRoute(base, page.key, parameters === '' ? '/history' : `/history?${parameters}`)
}

function historyRevision(page: PageEntry, revision: RevisionEntry, { commits }: PageHistoryQuery): HistoryRevision {
  const { id, timestamp, minor, size, delta } = revision
  const { user, comment } = visiblePeople(revision)
  return {
    id,
    timestamp,
    minor,
    size,
    comment,
    user,
    delta,
    page: { id: page.id, key: page.key, title: page.title },
    ...(commits && { commit: revision.commit }),
  }
}
