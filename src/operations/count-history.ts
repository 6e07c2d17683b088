/** Counts the revisions in a page's history. Source: MediaWiki REST API reference, "Get page history counts". */

import { WikiError } from '../core/errors.ts'
import type { CountType, HistoryCount } from '../core/revision.ts'
import type { HideablePart } from '../core/wiki-config.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { RevisionFlags } from '../store/revisions.ts'
import type { Store } from '../store/store.ts'
import { isHidden } from './access/hidden.ts'
import { findPage, type TitleQuery } from './resources/find-page.ts'
import { lacksBeginning } from './resources/shallow.ts'
import type { Wiki } from './wiki.ts'

/** `temporary` exists in MediaWiki since 1.42: edits of accounts created for a visitor. Wikis here have none. */
type CountedType = CountType | 'temporary'

/** Maximum count reported. Source: MediaWiki PageHistoryCountHandler. */
const limits: Readonly<Record<CountedType, number>> = {
  anonymous: 10_000,
  bot: 10_000,
  editors: 25_000,
  edits: 30_000,
  minor: 1_000,
  reverted: 30_000,
  temporary: 10_000,
}

/** Maximum number of minor edits counted; more are an error. Source: MediaWiki PageHistoryCountHandler. */
const maxMinorEdits = 2_000

type MarkedType = Exclude<CountedType, 'editors' | 'temporary'>

/** Revisions that each type counts, and the parts of them that must be visible. */
const kinds: Readonly<
  Record<MarkedType, { is: (revision: RevisionFlags) => boolean; shows: readonly HideablePart[] }>
> = {
  anonymous: { is: ({ user }) => user.id === null, shows: ['text', 'user'] },
  bot: { is: ({ bot }) => bot, shows: ['text', 'user'] },
  edits: { is: () => true, shows: ['text'] },
  minor: { is: ({ minor }) => minor, shows: ['text'] },
  reverted: { is: ({ reverted }) => reverted, shows: [] },
}

export interface CountHistoryQuery extends TitleQuery {
  readonly type: CountedType
  /** Ids of two revisions of the page, in any order. The revisions between them are counted. 0 counts as omitted. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Ids of revisions, in any order. */
type Ends = readonly [number, number]

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
export async function countHistory(wiki: Wiki, query: CountHistoryQuery): Promise<HistoryCount> {
  const { type } = query
  const count = await counted(wiki, query, endsOf(query))
  if (type === 'minor' && count > maxMinorEdits) throw new WikiError('rest-pagehistorycount-too-many-revisions')
  const lacks = lacksBeginning(wiki.store, findPage(wiki.store, query))
  return { count: Math.min(count, limits[type]), limit: count > limits[type], ...(lacks && { shallow: true }) }
}

/** Starts again if the index was rewritten meanwhile. */
async function counted(wiki: Wiki, query: CountHistoryQuery, ends: Ends | null): Promise<number> {
  const { store, counts, client } = wiki
  for (;;) {
    await store.refresh()
    const page = findPage(store, query)
    const range = ends === null ? { after: 0, before: page.edits + 1 } : rangeBetween(store, page, ends, query.title)
    const { config, tip, lineage } = store
    const name = [query.type, page.id, page.latest, range.after, range.before].join(' ')
    const cached = counts.get(name)
    const isValid = cached?.config === config && store.follows(cached)
    const count = isValid ? cached.count : countIn(store, page, query.type, range)
    counts.set(name, { config, tip, lineage, count }, { client })
    const done = await count.catch(error => {
      counts.delete(name)
      throw error
    })
    if (done !== null) return done
    counts.delete(name)
  }
}

/** Null if the index was rewritten meanwhile. */
async function countIn(store: Store, page: PageEntry, type: CountedType, range: Range): Promise<number | null> {
  if (type === 'temporary') return 0
  return type === 'editors' ? countEditors(store, page, range) : countMarked(store, page, type, range)
}

function endsOf({ type, from = 0, to = 0 }: CountHistoryQuery): Ends | null {
  if (from === 0 && to === 0) return null
  const isRanged = type === 'edits' || type === 'editors'
  if (!isRanged || from === 0 || to === 0) throw new WikiError('rest-pagehistorycount-parameters-invalid')
  return [from, to]
}

function rangeBetween(store: Store, page: PageEntry, ends: Ends, title: string): Range {
  const [a, b] = ends.map(id => sequenceOf(store, page, id, title)) as [number, number]
  return { after: Math.min(a, b), before: Math.max(a, b) }
}

function sequenceOf(store: Store, page: PageEntry, id: number, title: string): number {
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  if (revision.page !== page.id) throw new WikiError('rest-nonexistent-title-revision', { params: [id, title] })
  return revision.sequence
}

/**
 * Uses the count of the index and subtracts hidden revisions. The index does not know which revisions settings hide and which
 * users they name as bots.
 */
async function countMarked(store: Store, page: PageEntry, type: MarkedType, range: Range): Promise<number | null> {
  const { is, shows } = kinds[type]
  const isStored = !hidesSomething(store) && (type !== 'bot' || store.config.bots.length === 0)
  const most = type === 'minor' ? maxMinorEdits : limits[type]
  let count = isStored ? storedCount(store, page, type, range) : 0
  const isDone = await store.visitRevisions(page, { ...range, flag: isStored ? 'hidden' : undefined }, revision => {
    const isShown = !shows.some(part => isHidden(revision, part))
    if (is(revision) && isShown !== isStored) count += isStored ? -1 : 1
    return isStored || count <= most
  })
  return isDone ? count : null
}

function hidesSomething({ config }: Store): boolean {
  return Object.keys(config.hidden).length > 0
}

function storedCount(store: Store, page: PageEntry, type: MarkedType, { after, before }: Range): number {
  return type === 'edits' ? Math.max(0, before - after - 1) : store.countOf(page, type)
}

async function countEditors(store: Store, page: PageEntry, range: Range): Promise<number | null> {
  const isWhole = range.after === 0 && range.before > page.edits
  if (isWhole && !hidesSomething(store)) return store.countOf(page, 'editors')
  const editors = new Set<number | string>()
  const isDone = await store.visitRevisions(page, range, revision => {
    const { id, name } = revision.user
    if (!isHidden(revision, 'user')) editors.add(id ?? name)
    return editors.size <= limits.editors
  })
  return isDone ? editors.size : null
}
