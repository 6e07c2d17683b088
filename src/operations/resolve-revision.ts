/**
 * Resolves revision addresses: `42`, `mw:6209`, `3f2a91c`, `commit:1234567`, `Title@latest`, `@prev`, `@{2026-01-31}`,
 * `@work`, or a title for its latest revision.
 */

import { isWikiError, WikiError } from '../core/errors.ts'
import { parseTitle } from '../core/title.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { dateExamples } from './resources/dates.ts'
import { findPage } from './resources/find-page.ts'
import { revisionAtPoint } from './revision-point.ts'
import type { Wiki } from './wiki.ts'
import { readWorkText, type WorkText } from './work-tree/work-text.ts'

export type { WorkText } from './work-tree/work-text.ts'

/** Minimum hexadecimal digits of an abbreviated commit hash. */
const shortestCommit = 7

export interface ResolveOptions {
  /** Page to choose if a commit changed several, or if an address starts with @. */
  readonly title?: string | undefined
}

/**
 * Finds the id of the revision that an address names, or the text of a page's work-tree file. An integer is an id,
 * which need not exist. Dates without a time zone are UTC. Errors: wiki-bad-revision, rest-nonexistent-revision,
 * rest-invalid-title, rest-nonexistent-title.
 */
export async function resolveRevision(
  { store }: Wiki,
  address: string,
  { title }: ResolveOptions = {},
): Promise<number | WorkText> {
  await store.refresh()
  if (/^-?\d{1,15}$/.test(address)) return Number(address)
  const original = /^mw:(\d{1,14})$/i.exec(address)?.[1]
  if (original !== undefined) return chooseRevision(store, store.originals(Number(original)), address, title)
  const at = address.lastIndexOf('@')
  if (at > 0) return resolveInPage(store, pageNamed(store, address.slice(0, at)), address.slice(at + 1), address)
  if (at === 0 && title !== undefined) return resolveInPage(store, pageNamed(store, title), address.slice(1), address)
  const commit = commitPrefix(address)
  const found = commit === null ? [] : store.commits(commit)
  if (found.length > 0) return chooseRevision(store, found, address, title)
  const page = findPageNamed(store, address)
  if (page !== undefined) return page.latest
  if (commit === null) throw badAddress(address, 'See: wiki help revisions')
  return existing(store, undefined, address)
}

/** The same, but throws if there is none. Errors: rest-invalid-title, rest-nonexistent-title. */
function pageNamed(store: Store, title: string): PageEntry {
  return findPageNamed(store, title) ?? findPage(store, { title, deleted: true })
}

/** Returns the page with a title or a file path. */
export function findPageNamed(store: Store, title: string): PageEntry | undefined {
  try {
    return store.findPage(parseTitle(title, store.titles).key) ?? store.pageAtPath(title)
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return store.pageAtPath(title)
  }
}

/** Finds the revision of a page that an address names after its @. Errors: wiki-bad-revision, rest-nonexistent-revision. */
export async function resolveInPage(
  store: Store,
  page: PageEntry,
  point: string,
  address: string,
): Promise<number | WorkText> {
  if (point === 'work') return readWorkText(store, page)
  const revision = revisionAtPoint(store, page, point)
  if (revision === undefined) throw badAddress(address, pointHint)
  return existing(store, revision?.id, address)
}

const pointHint = `After @ comes latest, prev, prev~2, work, an id, a commit or a date in braces: ${dateExamples}`

/**
 * Throws wiki-bad-revision if an id was recently reassigned by a pull or rebase, because a change must not affect the
 * wrong revision.
 */
export function checkCertain(store: Store, id: number): void {
  const present = store.revision(id, { deleted: true })
  const isOther = store.formerRevisions(id).some(one => one.commit !== present?.commit || one.blob !== present.blob)
  if (present === undefined || !isOther) return
  const key = store.keyOfPage(present.page)?.replaceAll('_', ' ')
  const commit = `"${key}@${present.commit.slice(0, shownDigits)}"`
  throw badAddress(
    String(id),
    `Before git pulled or rewrote commits it was another revision. Name its commit: ${commit}`,
  )
}

/** Digits of a displayed commit hash. Ids have fewer. */
const shownDigits = 16

function commitPrefix(address: string): string | null {
  const digits = /^(?:commit:)?([0-9a-f]{1,40})$/i.exec(address)?.[1]
  return digits !== undefined && digits.length >= shortestCommit ? digits.toLowerCase() : null
}

/** Advice where a revision is missing, and the clone has only a part of the history. */
export const shallowHint = 'This clone is shallow and may not hold it: git fetch --unshallow'

/** A commit may have changed several pages, and two imported wikis may have used the same id. */
function chooseRevision(
  store: Store,
  found: readonly RevisionEntry[],
  address: string,
  title: string | undefined,
): number {
  const page = title === undefined ? undefined : findPage(store, { title, deleted: true })
  const made = found.filter(revision => page === undefined || revision.page === page.id)
  if (made.length > 1) throw badAddress(address, severalHint(store, made))
  return existing(store, made[0]?.id, address)
}

/** Lists the revisions that an ambiguous address could mean, in one line. */
function severalHint(store: Store, revisions: readonly RevisionEntry[]): string {
  const shown = revisions.slice(0, 5).map(({ id, page }) => `${id} (${store.pageById(page)?.title ?? 'deleted'})`)
  const rest = revisions.length > shown.length ? `, and ${revisions.length - shown.length} more` : ''
  return `It means several revisions: ${shown.join(', ')}${rest}`
}

function existing(store: Store, id: number | null | undefined, address: string): number {
  if (id !== null && id !== undefined) return id
  const hint = store.shallow ? { hint: shallowHint } : {}
  throw new WikiError('rest-nonexistent-revision', { params: [address], ...hint })
}

function badAddress(address: string, hint: string): WikiError {
  return new WikiError('wiki-bad-revision', { params: [address], hint })
}
