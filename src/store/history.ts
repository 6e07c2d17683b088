/** Histories as the index has them: a page's revisions, all revisions, and those that a commit made. */

import type { HistoryFilter } from '../core/revision.ts'
import type { HistoryPart, HistoryQuery, PageEntry, RevisionEntry } from './entries.ts'
import { type IndexView, marksAt, type RevisionMarks, revisionAt } from './revisions.ts'

type Passes = (revision: RevisionMarks) => boolean

const filters: Readonly<Record<HistoryFilter, Passes>> = {
  anonymous: revision => revision.user.id === null && !revision.hidden.includes('user'),
  bot: revision => revision.bot && !revision.hidden.includes('user'),
  minor: revision => revision.minor,
  reverted: revision => revision.reverted,
}

/** Gives a page's revisions, newest first. */
export function* revisionsOfPage(view: IndexView, page: PageEntry): Iterable<RevisionEntry> {
  for (let at = ordinalOf(view, page.latest); at !== null; at = view.index.revision(at).previous)
    yield revisionAt(view, at)
}

/** Gives all revisions, oldest first, those of deleted pages among them. */
export function* allRevisions(view: IndexView): Iterable<RevisionEntry> {
  for (let ordinal = 0; ordinal < view.index.revisionCount; ordinal++) yield revisionAt(view, ordinal)
}

/** Gives a part of a page's history. An id that is not one of the page's revisions gives an empty part. */
export function historyPart(view: IndexView, page: PageEntry, query: HistoryQuery): HistoryPart {
  const { olderThan, newerThan, limit, filter } = query
  const passes = filter === undefined ? null : filters[filter]
  if (newerThan !== undefined) return newerPart(view, page, newerThan, limit, passes)
  const start = olderThan === undefined ? ordinalOf(view, page.latest) : ordinalBefore(view, page, olderThan)
  const found: RevisionEntry[] = []
  for (const at of ordinalsFrom(view, start)) {
    if (passes !== null && !passes(marksAt(view, at))) continue
    if (found.length === limit) return { revisions: found, more: true }
    found.push(revisionAt(view, at))
  }
  return { revisions: found, more: false }
}

/** Those after an id are known only when all after them have been passed: the way back is quick, for nothing is decoded. */
function newerPart(
  view: IndexView,
  page: PageEntry,
  newerThan: number,
  limit: number,
  passes: Passes | null,
): HistoryPart {
  const found: number[] = []
  for (const at of ordinalsFrom(view, ordinalOf(view, page.latest))) {
    if (view.index.revisionId(at) <= newerThan) break
    if (passes === null || passes(marksAt(view, at))) found.push(at)
  }
  const part = limit === 0 ? [] : found.slice(-limit)
  return { revisions: part.map(at => revisionAt(view, at)), more: found.length > limit }
}

function* ordinalsFrom({ index }: IndexView, start: number | null): Iterable<number> {
  for (let at = start; at !== null; at = index.log.previousOf(at)) yield at
}

/** Gives what filters and counts look at of a page's revisions, newest first. */
export function* marksOfPage(view: IndexView, page: PageEntry): Iterable<RevisionMarks> {
  for (const at of ordinalsFrom(view, ordinalOf(view, page.latest))) yield marksAt(view, at)
}

/** Counts the users and anonymous names behind a page's revisions between two places in its history, both excluded. */
export function countEditors(
  { index }: IndexView,
  page: PageEntry,
  range: { readonly after: number; readonly before: number },
): number {
  const latest = index.revisionOrdinal(page.latest)
  if (latest === undefined) return 0
  const authors = [...index.log.authorsFrom(latest, range)].map(ordinal => index.author(ordinal))
  return new Set(authors.map(({ user, name }) => user ?? name)).size
}

function ordinalOf({ index }: IndexView, id: number): number | null {
  return index.revisionOrdinal(id) ?? null
}

function ordinalBefore(view: IndexView, page: PageEntry, id: number): number | null {
  const ordinal = ordinalOf(view, id)
  if (ordinal === null) return null
  const record = view.index.revision(ordinal)
  return view.index.pageId(record.page) === page.id ? record.previous : null
}

/** Gives the ids of the pages that have revisions with ids above this one; deleted pages among them. */
export function pagesChangedSince({ index }: IndexView, id: number): Set<number> {
  const changed = new Set<number>()
  for (let ordinal = index.revisionCount - 1; ordinal >= 0 && index.revisionId(ordinal) > id; ordinal--)
    changed.add(index.pageId(index.revision(ordinal).page))
  return changed
}

/** Gives the revisions that the commits whose hashes start so made, oldest first. */
export function revisionsOfCommits(view: IndexView, prefix: string): RevisionEntry[] {
  const { index } = view
  const found: RevisionEntry[] = []
  for (const commit of index.log.commitsWithPrefix(prefix)) {
    const first = index.firstRevisionOf(commit)
    for (let at = first; at < index.revisionCount && index.revision(at).commit === commit; at++)
      found.push(revisionAt(view, at))
  }
  return found
}
