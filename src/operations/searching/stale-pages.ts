/**
 * Finds the pages whose indexed version is out of date. A document is made from:
 *
 * - the page and its text, the redirects to it, and the rules of the wiki: its frame has these, and the index their fingerprint;
 * - the names by which its links find other pages and files: paths, and names in front matter. They change with files that come or go,
 *   and with texts; the index finds the pages with links by a name.
 */

import { crc32 } from 'node:zlib'
import type { SearchIndex } from '../../search/search-index.ts'
import { fingerprintOf, type StoredDocument, titleTerm } from '../../search/segment/document.ts'
import type { SegmentedIndex } from '../../search/segmented-index.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { aliasesOfPages } from '../naming/aliases.ts'
import { isShown, shownPage } from '../resources/find-page.ts'
import { readingRules } from '../resources/reading-rules.ts'
import { pageNames } from './link-terms.ts'
import { aliasTarget, type DocumentFrame, frameMaker } from './search-documents.ts'

/** Number of changed pages above which all pages are compared. */
const maxChanged = 500

/** Pages to index again, and pages to remove. */
export interface StalePages {
  /** Ids of the pages to index. */
  readonly stale: readonly number[]
  /** Ids of deleted pages. */
  readonly gone: readonly number[]
  /** Makes the part of a page's document that needs no text. */
  readonly frame: (page: PageEntry) => DocumentFrame
}

/**
 * Identifies the state of a wiki's pages, in parts that tell what has changed since; the last shows pages that came or went without a
 * revision.
 */
export function pageState(store: Store): string {
  const { repository, state, tip, lineage, lastRevisionId } = store
  const known = states.get(repository)
  if (known?.state === state) return known.pages
  const pages = [tip, lineage, lastRevisionId, rulesOf(store), store.pagesStamp()].join(' ')
  states.set(repository, { state, pages })
  return pages
}

/** The last state of each wiki: a search asks several times, and the stamp takes time where many pages have changed. */
const states = new WeakMap<Store['repository'], { readonly state: string; readonly pages: string }>()

function rulesOf(store: Store): string {
  return `${crc32(store.configText)}-${readingRules(store)}`
}

/** Marks the note of an index that is not complete. Before it is the oldest commit from which a page of it was read. */
const incomplete = ' incomplete'

/** Returns the note of an index that is being brought to the present state. */
export function unfinishedNote(store: Store, note: string): string {
  return note.endsWith(incomplete) ? note : `${note.split(' ', 1)[0] || (store.tip ?? '')}${incomplete}`
}

/** Number of pages that changed since an index was made; the number of all revisions if unknown. */
export function countChanged(store: Store, index: SegmentedIndex): number {
  return changedSince(store, index)?.size ?? store.revisionCount
}

/** Compares an index with the wiki: only the changes since its note if that is still valid, otherwise all pages. */
export async function stalePages(store: Store, index: SegmentedIndex): Promise<StalePages> {
  const changed = changedSince(store, index)
  const isLittle = changed !== null && changed.size <= maxChanged
  const pages = isLittle ? changedPages(store, index, changed) : differentPages(store, index)
  const linking = await pagesLinkingBy(store, index, pages)
  return { ...pages, stale: [...new Set([...pages.stale, ...linking])] }
}

/** Null if the note is missing, or belongs to another history or other rules. */
function changedSince(store: Store, index: SegmentedIndex): Set<number> | null {
  const [tip = '', lineage = '', last, rules] = index.note.split(' ')
  const isGrown = rules === rulesOf(store) && store.follows({ tip, lineage })
  return isGrown ? store.pagesChangedSince(Number(last)) : null
}

function differentPages(store: Store, index: SegmentedIndex): StalePages {
  const redirects = new Map<number, string[]>()
  for (const page of store.pages()) {
    const target = page.redirect === null ? undefined : aliasTarget(store, page)
    if (target !== undefined) redirects.set(target.id, [...(redirects.get(target.id) ?? []), page.title])
  }
  const make = frameMaker(store)
  const frame = (page: PageEntry): DocumentFrame => make(page, redirects.get(page.id) ?? [])
  const stale: number[] = []
  for (const page of store.pages()) if (isStale(index, frame(page))) stale.push(page.id)
  return { stale, gone: gonePages(store, index), frame }
}

function isStale(index: SearchIndex, frame: DocumentFrame): boolean {
  const indexed = index.state(frame.id)
  return indexed === undefined || indexed.revision !== frame.revision || indexed.fingerprint !== fingerprintOf(frame)
}

function gonePages(store: Store, index: SearchIndex): number[] {
  return [...index.ids()].filter(id => !isShown(store, id))
}

/** Lists pages with new revisions, that came or went, and pages related to them by a current or former redirect. */
function changedPages(store: Store, index: SegmentedIndex, revised: ReadonlySet<number>): StalePages {
  const { changed, gone } = comings(store, index, revised)
  const affected = new Set(changed)
  for (const id of [...changed, ...gone]) for (const other of relatedPages(store, index, id)) affected.add(other)
  const make = frameMaker(store)
  const frame = (page: PageEntry): DocumentFrame => make(page, redirectsTo(store, index, page, changed))
  const pages = [...affected].flatMap(id => shownPage(store, id) ?? [])
  return { stale: pages.filter(page => isStale(index, frame(page))).map(({ id }) => id), gone, frame }
}

/** Adds the pages that came or went without a revision: all pages are compared unless the stamp rules that out. */
function comings(store: Store, index: SegmentedIndex, revised: ReadonlySet<number>) {
  const isIndexed = (id: number) => index.state(id) !== undefined
  if (index.note.split(' ').at(-1) === store.pagesStamp())
    return { changed: revised, gone: [...revised].filter(id => !isShown(store, id) && isIndexed(id)) }
  const changed = new Set(revised)
  for (const { id } of store.pages()) if (!isIndexed(id)) changed.add(id)
  return { changed, gone: gonePages(store, index) }
}

/** Lists pages whose links may lead elsewhere, because a page or a file got or lost a name. */
async function pagesLinkingBy(
  store: Store,
  index: SegmentedIndex,
  { stale, gone }: Pick<StalePages, 'stale' | 'gone'>,
): Promise<readonly number[]> {
  if (!index.hasLinkNames()) return []
  const since = index.note.split(' ', 1)[0]
  const { movedSince } = await import('../naming/wiki-names.ts')
  const moved = since ? await movedSince(store, since) : []
  // Git no longer has the commit: any name may have come or gone.
  if (moved === null) return [...index.ids()].filter(id => isShown(store, id))
  const ids = [...stale, ...gone]
  const aliases = await aliasesOfPages(
    store,
    ids.flatMap(id => shownPage(store, id) ?? []),
  )
  const names = function* () {
    yield* moved
    for (const id of ids) yield* changedNames(shownPage(store, id), index.stored(id), aliases)
  }
  const found = new Set<number>()
  for (const name of names())
    for (const part of pageNames(name)) for (const other of index.linkingBy(part)) found.add(other)
  return [...found].filter(id => isShown(store, id))
}

/** Lists the names that only the page or only its document has, and all names of a page with another title. */
function changedNames(
  page: PageEntry | undefined,
  document: StoredDocument | undefined,
  aliases: ReadonlyMap<string, readonly string[]>,
): string[] {
  const now = page === undefined ? [] : [page.title, ...(aliases.get(page.key) ?? [])]
  const before = document === undefined ? [] : [document.title, ...(document.aliases ?? [])]
  // Under another title all of its names lead elsewhere.
  if (page?.title !== document?.title) return [...now, ...before]
  return [...now.filter(name => !before.includes(name)), ...before.filter(name => !now.includes(name))]
}

/** Lists current and former redirect targets of a page, and redirects to its current and former titles. */
function relatedPages(store: Store, index: SegmentedIndex, id: number): number[] {
  const page = store.pageById(id)
  const before = index.stored(id)
  const target = before?.target == null ? undefined : store.findPage(before.target.replaceAll(' ', '_'))
  const alias = page === undefined ? undefined : aliasTarget(store, page)
  const titles = [page?.title, before?.title].filter(title => title !== undefined)
  const redirects = titles.flatMap(title => index.redirectsTo(titleTerm(title)))
  return [...redirects, ...(target ? [target.id] : []), ...(alias ? [alias.id] : [])]
}

function redirectsTo(store: Store, index: SegmentedIndex, page: PageEntry, changed: ReadonlySet<number>): string[] {
  const candidates = new Set([...index.redirectsTo(titleTerm(page.title)), ...changed])
  const redirects = [...candidates].flatMap(id => shownPage(store, id) ?? [])
  return redirects
    .filter(other => other.redirect !== null && aliasTarget(store, other)?.id === page.id)
    .map(({ title }) => title)
}
