/**
 * The part of a revision address after the @: `latest`, `prev`, `prev~2`, `{yesterday}`, `{2026-01-31}`, an id or a
 * commit.
 */

import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { parseMoment } from './resources/dates.ts'

/** Maximum number of steps back in an address. */
const maxSteps = 1_000_000

/**
 * Finds the revision of a page that the part after the @ names: null if the page has none, undefined if it is invalid. `now` is
 * in milliseconds since 1970.
 */
export function revisionAtPoint(
  store: Store,
  page: PageEntry,
  point: string,
  now: number = Date.now(),
): RevisionEntry | null | undefined {
  const [, word, steps = '0'] = /^(latest|prev)(?:~(\d{1,7}))?$/.exec(point) ?? []
  if (word !== undefined) return stepsBack(store, page, Number(steps) + (word === 'prev' ? 1 : 0))
  const date = /^\{(.*)\}$/s.exec(point)?.[1]
  if (date !== undefined) {
    const moment = parseMoment(date, now)
    return moment === null ? undefined : lastBefore(store, page, moment)
  }
  if (/^\d{1,15}$/.test(point)) return ofPage(store.revision(Number(point), { deleted: true }), page)
  return /^[0-9a-f]{7,40}$/.test(point)
    ? ofPage(
        store.commits(point).find(made => made.page === page.id),
        page,
      )
    : undefined
}

function ofPage(revision: RevisionEntry | undefined, page: PageEntry): RevisionEntry | null {
  return revision?.page === page.id ? revision : null
}

function stepsBack(store: Store, page: PageEntry, steps: number): RevisionEntry | null {
  let left = Math.min(steps, maxSteps)
  for (const revision of store.revisionsOf(page)) if (left-- === 0) return revision
  return null
}

/** Returns the last revision before a time. Times need not ascend, so the search starts from the end. */
function lastBefore(store: Store, page: PageEntry, moment: number): RevisionEntry | null {
  for (const revision of store.revisionsOf(page)) if (Date.parse(revision.timestamp) < moment) return revision
  return null
}
