/**
 * Searches the history of pages for a text, including deleted text, and lists the revisions that added or removed it.
 */

import type { User } from '../core/revision.ts'
import type { RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { isHidden, visiblePeople } from './access/hidden.ts'
import { requiredParam } from './resources/params.ts'
import type { Wiki } from './wiki.ts'

const loneSurrogate = /\p{Surrogate}/gu

/** Number of characters shown on each side of a match. */
const around = 75

export interface HistorySearchQuery {
  /** A text, in any case, or a pattern between slashes, as `/colou?r/` or `/colou?r/i`. */
  readonly q: string
  /** Maximum number of results, the latest ones. */
  readonly limit: number
  /** Called with the progress: revisions read, and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/** A revision in which the number of occurrences of the text changed. */
export interface HistoryMatch {
  readonly id: number
  readonly timestamp: string
  readonly user: User | null
  readonly comment: string | null
  readonly page: { readonly id: number; readonly key: string; readonly title: string }
  /** Difference in the number of occurrences; null if the page was deleted after the revision. */
  readonly change: number | null
  /** A line with the text that this revision added or removed. */
  readonly line: string
}

export interface HistorySearch {
  readonly revisions: readonly HistoryMatch[]
  /** Number of all such revisions. */
  readonly total: number
  /** Number of revisions that were not searched, because this clone lacks their texts, or they are damaged. */
  readonly unread: number
  /** True in a clone that lacks the beginning of the history. */
  readonly shallow?: true
}

/** A change in the number of occurrences of the text in a page. */
interface Change {
  readonly revision: RevisionEntry
  /** The revision of the page that was read before it. */
  readonly previous: RevisionEntry | undefined
  /** Null for text removed by a deletion of the page. */
  readonly change: number | null
}

/**
 * Reads every revision once, oldest first, and returns those that changed how often a text occurs, latest first. Hidden
 * texts and those that cannot be read are not searched; a change in them is reported for the next revision. Errors: missingparam, wiki-bad-pattern.
 */
export async function searchHistory(wiki: Wiki, query: HistorySearchQuery): Promise<HistorySearch> {
  const { store } = wiki
  const count = await textCounter(requiredParam('q', query.q))
  await store.refresh()
  const { changes, total, unread } = await listChanges(store, count, query)
  const revisions: HistoryMatch[] = []
  for (const change of changes) revisions.push(await matchOf(store, change, count))
  return { revisions, total, unread, ...(store.shallow && { shallow: true }) }
}

/** Counts occurrences in a text and locates the first. */
type Counter = (text: string) => { readonly count: number; readonly start: number; readonly end: number }

async function textCounter(q: string): Promise<Counter> {
  const pattern = /^\/(.+)\/(i?)$/s.exec(q)
  const { patternCounter } = await import('../search/query/pattern.ts')
  return patternCounter(pattern === null ? { text: q } : { pattern: pattern[1]!, ignoreCase: pattern[2] === 'i' })
}

async function listChanges(
  store: Store,
  count: Counter,
  { limit, progress }: HistorySearchQuery,
): Promise<{ changes: Change[] } & Pick<HistorySearch, 'total' | 'unread'>> {
  const counts = new Map<number, { count: number; revision: RevisionEntry }>()
  const changes: Change[] = []
  const revisions = [...store.allRevisions()].filter(revision => !isHidden(revision, 'text'))
  let [total, unread, done] = [0, 0, 0]
  const add = (change: Change): void => {
    total++
    if (changes.push(change) > 2 * limit) changes.splice(0, limit)
  }
  for await (const [revision, text] of store.presentTexts(revisions)) {
    progress?.(++done, revisions.length)
    if (text === null) {
      unread++
      continue
    }
    const now = count(text).count
    const { count: before = 0, revision: previous } = counts.get(revision.page) ?? {}
    if (now !== before) add({ revision, previous, change: now - before })
    counts.set(revision.page, { count: now, revision })
  }
  const deleted = [...counts].filter(([page, { count }]) => count > 0 && store.pageById(page) === undefined)
  for (const [, { revision }] of deleted) add({ revision, previous: undefined, change: null })
  changes.sort((a, b) => b.revision.id - a.revision.id || Number(b.change === null) - Number(a.change === null))
  return { changes: changes.slice(0, limit), total, unread }
}

async function matchOf(store: Store, { revision, previous, change }: Change, count: Counter): Promise<HistoryMatch> {
  const { id, timestamp, page } = revision
  const key = store.keyOfPage(page) ?? ''
  const text = await store.text(revision)
  const before = previous === undefined ? '' : await store.text(previous)
  const line = change === null || change > 0 ? changedLine(text, before, count) : changedLine(before, text, count)
  const { user, comment } = visiblePeople(revision)
  return { id, timestamp, user, comment, page: { id: page, key, title: key.replaceAll('_', ' ') }, change, line }
}

/**
 * Returns the first line that contains the text and is not in the other version, or else the first that contains it.
 */
function changedLine(text: string, other: string, count: Counter): string {
  const otherLines = new Set(other.split('\n'))
  const lines = text.split('\n').filter(line => count(line).count > 0)
  const line = lines.find(line => !otherLines.has(line)) ?? lines[0]
  if (line === undefined) return ''
  const { start, end } = count(line)
  const [from, to] = [Math.max(0, start - around), Math.min(line.length, Math.min(end, start + around) + around)]
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`.replace(loneSurrogate, '')
}
