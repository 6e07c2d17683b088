/** Revisions as people name them: `42`, `mw:6209`, `3f2a91c`, `commit:1234567`, `Title@latest`, `@prev`, `@{2026-01-31}`, `@work`, or a title for its latest. */

import { isWikiError, WikiError } from '../core/errors.ts'
import { parseTitle } from '../core/title.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { findPage } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'
import { readWorkText, type WorkText } from './work-tree/work-text.ts'

export type { WorkText } from './work-tree/work-text.ts'

/** Least hexadecimal digits of a commit that are taken for one. */
const shortestCommit = 7

const dateForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/

export interface ResolveOptions {
  /** Page that is meant where a commit changed several. */
  readonly title?: string | undefined
}

/**
 * Finds the id of the revision that an address names, or the text that a page's file has in the work tree. An integer is
 * an id; whether it exists is not asked. Dates without a zone are UTC.
 *
 * Errors: wiki-bad-revision, rest-nonexistent-revision, rest-invalid-title, rest-nonexistent-title.
 */
export async function resolveRevision(
  { store }: Wiki,
  address: string,
  { title }: ResolveOptions = {},
): Promise<number | WorkText> {
  await store.refresh()
  if (/^\d{1,15}$/.test(address)) return Number(address)
  const original = /^mw:(\d{1,14})$/i.exec(address)?.[1]
  if (original !== undefined) return chooseRevision(store, store.originals(Number(original)), address, title)
  const at = address.lastIndexOf('@')
  if (at > 0) return resolveInPage(store, pageNamed(store, address.slice(0, at)), address.slice(at + 1), address)
  const commit = commitPrefix(address)
  const found = commit === null ? [] : store.commits(commit)
  if (found.length > 0) return chooseRevision(store, found, address, title)
  const page = findPageNamed(store, address)
  if (page !== undefined) return page.latest
  if (commit === null) throw badAddress(address, 'See: wiki help revisions')
  return existing(undefined, address)
}

/** The same, or an error. Errors: rest-invalid-title, rest-nonexistent-title. */
function pageNamed(store: Store, title: string): PageEntry {
  return findPageNamed(store, title) ?? findPage(store, { title, deleted: true })
}

/** Returns the page with a title, or the one whose file this is. */
export function findPageNamed(store: Store, title: string): PageEntry | undefined {
  try {
    return store.findPage(parseTitle(title, store.titles).key) ?? store.pageAtPath(title)
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return store.pageAtPath(title)
  }
}

/** Finds the revision of a page that an address names behind its @. Errors: wiki-bad-revision, rest-nonexistent-revision. */
export async function resolveInPage(
  store: Store,
  page: PageEntry,
  point: string,
  address: string,
): Promise<number | WorkText> {
  if (point === 'latest') return page.latest
  if (point === 'work') return readWorkText(store, page)
  if (point === 'prev') return existing(store.revision(page.latest, { deleted: true })?.previous, address)
  const date = /^\{(.*)\}$/s.exec(point)?.[1]
  if (date === undefined) throw badAddress(address, 'After @ comes latest, prev, work or a date in braces')
  return existing(lastBefore(store, page, timestampOf(date, address))?.id, address)
}

/** The last revision before a time: timestamps need not ascend, the first one found from the end is meant. */
function lastBefore(store: Store, page: PageEntry, timestamp: string): RevisionEntry | undefined {
  for (const revision of store.revisionsOf(page)) if (revision.timestamp < timestamp) return revision
  return undefined
}

function timestampOf(date: string, address: string): string {
  const form = dateForm.test(date) ? date.replace(' ', 'T') : ''
  const time = Date.parse(/T[\d:]+$/.test(form) ? `${form}Z` : form)
  if (Number.isNaN(time)) throw badAddress(address, 'A date is 2026-01-31 or 2026-01-31T12:00:00Z')
  return new Date(time).toISOString()
}

function commitPrefix(address: string): string | null {
  const digits = /^(?:commit:)?([0-9a-f]{1,40})$/i.exec(address)?.[1]
  return digits !== undefined && digits.length >= shortestCommit ? digits.toLowerCase() : null
}

/** A commit may have changed several pages, and two wikis that were imported may have had the same id. */
function chooseRevision(
  store: Store,
  found: readonly RevisionEntry[],
  address: string,
  title: string | undefined,
): number {
  const page = title === undefined ? undefined : findPage(store, { title, deleted: true })
  const made = found.filter(revision => page === undefined || revision.page === page.id)
  if (made.length > 1) throw badAddress(address, severalHint(store, made))
  return existing(made[0]?.id, address)
}

/** What an address that is not unique could mean, in a line. */
function severalHint(store: Store, revisions: readonly RevisionEntry[]): string {
  const shown = revisions.slice(0, 5).map(({ id, page }) => `${id} (${store.pageById(page)?.title ?? 'deleted'})`)
  const rest = revisions.length > shown.length ? `, and ${revisions.length - shown.length} more` : ''
  return `It means several revisions: ${shown.join(', ')}${rest}`
}

function existing(id: number | null | undefined, address: string): number {
  if (id === null || id === undefined) throw new WikiError('rest-nonexistent-revision', { params: [address] })
  return id
}

function badAddress(address: string, hint: string): WikiError {
  return new WikiError('wiki-bad-revision', { params: [address], hint })
}
