/** Counts about a page's history. Source: SPEC 4.16, REST.md 8. */

import { WikiError } from '../core/errors.ts'
import type { CountType, HistoryCount } from '../core/revision.ts'
import type { PageEntry } from '../store/entries.ts'
import type { RevisionMarks } from '../store/revisions.ts'
import type { Store } from '../store/store.ts'
import { findPage, type TitleQuery } from './find-page.ts'
import { isHidden } from './hidden.ts'
import type { Wiki } from './wiki.ts'

/** `temporary` is MediaWiki's since 1.42: edits of accounts that are made for a visitor. No wiki of ours has any. */
type CountedType = CountType | 'temporary'

/** Highest count that is told. Source: SPEC 8. */
const limits: Readonly<Record<CountedType, number>> = {
  anonymous: 10_000,
  bot: 10_000,
  editors: 25_000,
  edits: 30_000,
  minor: 1_000,
  reverted: 30_000,
  temporary: 10_000,
}

/** More minor edits than this are an error. Source: SPEC 4.16. */
const mostMinorEdits = 2_000

type MarkedType = Exclude<CountedType, 'edits' | 'editors'>

/** Source: REST.md 7 and 8: what is hidden is not counted. */
const marks: Readonly<Record<MarkedType, (revision: RevisionMarks) => boolean>> = {
  anonymous: revision => revision.user.id === null && hasPeople(revision),
  bot: revision => revision.bot && hasPeople(revision),
  minor: revision => revision.minor && !isHidden(revision, 'text'),
  reverted: revision => revision.reverted,
  temporary: () => false,
}

function hasPeople(revision: RevisionMarks): boolean {
  return !isHidden(revision, 'text') && !isHidden(revision, 'user')
}

export interface CountHistoryQuery extends TitleQuery {
  readonly type: CountedType
  /** Ids of two revisions of the page, in any order; what lies between them is counted. 0 is the same as missing. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Sequence numbers of a page's revisions, both ends excluded. */
interface Range {
  readonly after: number
  readonly before: number
}

/**
 * Counts edits, editors or marked edits of a page.
 *
 * Errors: rest-pagehistorycount-parameters-invalid, rest-invalid-title, rest-nonexistent-title,
 * rest-nonexistent-revision, rest-nonexistent-title-revision, rest-pagehistorycount-too-many-revisions; `TitleRedirect`.
 */
export async function countHistory({ store, counts }: Wiki, query: CountHistoryQuery): Promise<HistoryCount> {
  const { type } = query
  const ends = endsOf(query)
  await store.refresh()
  const page = findPage(store, query)
  const range = ends === null ? { after: 0, before: page.edits + 1 } : rangeBetween(store, page, ends, query.title)
  const { config } = store
  const name = [type, page.id, page.latest, range.after, range.before].join(' ')
  const known = counts.find(name)
  const count = known?.config === config ? known.count : countIn(store, page, type, range)
  counts.keep(name, { config, count })
  if (type === 'minor' && count > mostMinorEdits) throw new WikiError('rest-pagehistorycount-too-many-revisions')
  return { count: Math.min(count, limits[type]), limit: count > limits[type] }
}

function countIn(store: Store, page: PageEntry, type: CountedType, range: Range): number {
  if (type === 'edits') return countEdits(store, page, range)
  return type === 'editors' ? countEditors(store, page, range) : countMarked(store, page, type)
}

function endsOf({ type, from = 0, to = 0 }: CountHistoryQuery): readonly [number, number] | null {
  if (from === 0 && to === 0) return null
  const isRanged = type === 'edits' || type === 'editors'
  if (!isRanged || from === 0 || to === 0) throw new WikiError('rest-pagehistorycount-parameters-invalid')
  return [from, to]
}

function rangeBetween(store: Store, page: PageEntry, ends: readonly [number, number], title: string): Range {
  const [a, b] = ends.map(id => sequenceOf(store, page, id, title)) as [number, number]
  return { after: Math.min(a, b), before: Math.max(a, b) }
}

function sequenceOf(store: Store, page: PageEntry, id: number, title: string): number {
  const revision = store.revision(id)
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  if (revision.page !== page.id) throw new WikiError('rest-nonexistent-title-revision', { params: [id, title] })
  return revision.sequence
}

function countEdits(store: Store, page: PageEntry, { after, before }: Range): number {
  const all = Math.max(0, before - after - 1)
  if (!store.hidesSomething) return all
  let hidden = 0
  for (const revision of store.marksOf(page)) {
    const { sequence } = revision
    if (sequence > after && sequence < before && isHidden(revision, 'text')) hidden++
  }
  return all - hidden
}

function countEditors(store: Store, page: PageEntry, range: Range): number {
  if (!store.hidesSomething) return store.countEditors(page, range)
  const { after, before } = range
  const editors = new Set<number | string>()
  for (const revision of store.marksOf(page)) {
    const { sequence, user } = revision
    if (sequence <= after || editors.size > limits.editors) break
    if (sequence < before && !isHidden(revision, 'user')) editors.add(user.id ?? user.name)
  }
  return editors.size
}

function countMarked(store: Store, page: PageEntry, type: MarkedType): number {
  const isCounted = marks[type]
  const most = type === 'minor' ? mostMinorEdits : limits[type]
  let count = 0
  for (const revision of store.marksOf(page)) {
    if (isCounted(revision) && ++count > most) break
  }
  return count
}
