/** Histories as the index has them: a page's revisions, all revisions, and those that a commit made. */

import type { HistoryFilter } from '../core/revision.ts'
import type { HistoryPart, HistoryQuery, PageEntry, RevisionEntry } from './format/entries.ts'
import type { Counter, RevisionFlag } from './index/records.ts'
import { flagsAt, type IndexView, type RevisionFlags, revisionAt, stampAt } from './revisions.ts'

type Passes = (revision: RevisionFlags) => boolean

const filters: Readonly<Record<HistoryFilter, Passes>> = {
  anonymous: revision => revision.user.id === null && !revision.hidden.includes('user'),
  bot: revision => revision.bot && !revision.hidden.includes('user'),
  minor: revision => revision.minor,
  reverted: revision => revision.reverted,
}

/** Returns a page's revisions, newest first. */
export function* revisionsOfPage(view: IndexView, page: PageEntry): Iterable<RevisionEntry> {
  for (let at = ordinalOf(view, page.latest); at !== null; at = view.index.revision(at).previous)
    yield revisionAt(view, at)
}

/** Yields the times of a revision and of those before it on its page, ISO 8601: a tenth of the work of whole revisions. */
export function* timesFrom(view: IndexView, id: number): Iterable<string> {
  for (let at = ordinalOf(view, id); at !== null; at = view.index.log.previousOf(at)) yield stampAt(view, at).timestamp
}

/** Returns all revisions, oldest first, those of deleted pages among them. */
export function* allRevisions(view: IndexView): Iterable<RevisionEntry> {
  for (let ordinal = 0; ordinal < view.index.revisionCount; ordinal++) yield revisionAt(view, ordinal)
}

/** Returns a segment of a page's history; empty if an id is not one of the page's revisions. */
export function historyPart(view: IndexView, page: PageEntry, query: HistoryQuery): HistoryPart {
  const { olderThan, newerThan, limit } = query
  if (newerThan !== undefined) return newerPart(view, page, newerThan, query)
  const start = olderThan === undefined ? ordinalOf(view, page.latest) : ordinalBefore(view, page, olderThan)
  const found: RevisionEntry[] = []
  for (const at of ordinalsFrom(view, start, counterOf(view, query.filter))) {
    if (!passes(view, at, query)) continue
    if (found.length === limit) return { revisions: found, more: true }
    found.push(revisionAt(view, at))
  }
  return { revisions: found, more: false }
}

/** The nearest newer ones: the index's counters locate the last of them, and the others precede it. */
function newerPart(view: IndexView, page: PageEntry, newerThan: number, query: HistoryQuery): HistoryPart {
  const { limit, filter } = query
  const { log } = view.index
  const [latest, anchor] = [ordinalOf(view, page.latest), ordinalOfPage(view, page, newerThan)]
  if (latest === null || anchor === null) return { revisions: [], more: false }
  const counter = counterOf(view, filter)
  const all = log.counted(latest, counter)
  const found: number[] = []
  for (let done = log.counted(anchor, counter); done < all && found.length <= limit; ) {
    const to = Math.min(all, done + limit + 1)
    const part = firstOf(to - done, ordinalsFrom(view, log.reaching(latest, counter, to), counter))
    found.push(...part.reverse().filter(at => passes(view, at, query)))
    done = to
  }
  const part = found.slice(0, limit).reverse()
  return { revisions: part.map(at => revisionAt(view, at)), more: found.length > limit }
}

function passes(view: IndexView, ordinal: number, { filter, matches }: HistoryQuery): boolean {
  if (filter !== undefined && !filters[filter](flagsAt(view, ordinal))) return false
  return matches === undefined || matches(revisionAt(view, ordinal))
}

/** Returns the counter of revisions that may pass a filter. Bots named in the settings have no counter. */
function counterOf({ config }: IndexView, filter: HistoryFilter | undefined): Counter {
  return filter === undefined || (filter === 'bot' && config.bots.length > 0) ? 'sequence' : filter
}

/** Ordinals from one of a page's revisions back, only those that a counter counts. */
function* ordinalsFrom({ index: { log } }: IndexView, start: number | null, counter: Counter): Generator<number> {
  for (let at = start; at !== null; at = log.previousOf(at)) {
    if (counter !== 'sequence') {
      const count = log.counted(at, counter)
      if (count === 0) return
      at = log.reaching(at, counter, count)
    }
    yield at
  }
}

function firstOf(count: number, ordinals: Iterable<number>): number[] {
  const found: number[] = []
  for (const at of ordinals) if (found.push(at) === count) break
  return found
}

/**
 * Counts a page's revisions with a flag, hidden ones included, or its editors: users and anonymous names, without those
 * that were hidden when they were imported. The settings have no influence.
 */
export function countOf({ index }: IndexView, page: PageEntry, what: RevisionFlag | 'editors'): number {
  const latest = index.revisionOrdinal(page.latest)
  if (latest === undefined) return 0
  return what === 'editors' ? index.editors.count(index.revision(latest).page) : index.log.counted(latest, what)
}

/** Selects a page's revisions: those between two positions in its history, both excluded, or those with a flag. */
export interface VisitedRevisions {
  readonly after: number
  readonly before: number
  /** As the index counts them, regardless of the settings. */
  readonly flag?: RevisionFlag | undefined
}

/** Visits a page's revisions as filters see them, newest first and one in a step, until `visit` returns false. */
export function* visitRevisions(
  view: IndexView,
  page: PageEntry,
  { after, before, flag }: VisitedRevisions,
  visit: (flags: RevisionFlags) => boolean,
): Generator<void> {
  const { log } = view.index
  const latest = ordinalOf(view, page.latest)
  if (latest === null || before <= 1) return
  const start = log.reaching(latest, 'sequence', Math.min(page.edits, before - 1))
  for (const at of ordinalsFrom(view, start, flag ?? 'sequence')) {
    if (log.counted(at, 'sequence') <= after || !visit(flagsAt(view, at))) return
    yield
  }
}

function ordinalOf({ index }: IndexView, id: number): number | null {
  return index.revisionOrdinal(id) ?? null
}

/** Ordinal of one of a page's revisions. */
function ordinalOfPage(view: IndexView, page: PageEntry, id: number): number | null {
  const ordinal = ordinalOf(view, id)
  return ordinal !== null && view.index.pageId(view.index.revision(ordinal).page) === page.id ? ordinal : null
}

function ordinalBefore(view: IndexView, page: PageEntry, id: number): number | null {
  const ordinal = ordinalOfPage(view, page, id)
  return ordinal === null ? null : view.index.log.previousOf(ordinal)
}

/** Returns the ids of the pages that have revisions with ids above this one, including deleted pages. */
export function pagesChangedSince({ index }: IndexView, id: number): Set<number> {
  const changed = new Set<number>()
  for (let ordinal = index.revisionCount - 1; ordinal >= 0 && index.revisionId(ordinal) > id; ordinal--)
    changed.add(index.pageId(index.revision(ordinal).page))
  return changed
}

/** Returns the revisions of the commits with this hash prefix, oldest first. */
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
