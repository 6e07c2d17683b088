/** Finds the pages whose indexed version is out of date. */

import { crc32 } from 'node:zlib'
import type { SearchIndex } from '../../search/search-index.ts'
import { fingerprintOf, type StoredDocument, titleTerm } from '../../search/segment/document.ts'
import type { SegmentedIndex } from '../../search/segmented-index.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { aliasesOfPages } from '../naming/aliases.ts'
import { aliasTarget, type DocumentFrame, frameOf } from './search-documents.ts'
import { pageNames } from './search-links.ts'

/**
 * Largest wiki that is scanned for deleted pages at every change. In larger ones deleted pages are found when a result shows
 * them.
 */
const maxExamined = 20_000

/** Number of changed pages above which all pages are compared. */
const maxChanged = 500

/** Number of pages with links to changed names above which an edit examines no further names. */
const maxRelinked = 1000

/** Pages to index again, and pages to remove. */
export interface StalePages {
  /** Ids of the pages to index. */
  readonly stale: readonly number[]
  /** Ids of deleted pages. */
  readonly gone: readonly number[]
  /** Makes the part of a page's document that needs no text. */
  readonly frame: (page: PageEntry) => DocumentFrame
}

/** Identifies the state of a wiki's pages, in parts that tell what has changed since. */
export function pageState({ tip, lineage, lastRevisionId, configText }: Store): string {
  return [tip, lineage, lastRevisionId, crc32(configText)].join(' ')
}

/** Number of pages that changed since an index was made; the number of all revisions if unknown. */
export function countChanged(store: Store, index: SegmentedIndex): number {
  return changedSince(store, index)?.size ?? store.revisionCount
}

/** Compares an index with the wiki: only the changes since its note if that is still valid, otherwise all pages. */
export async function stalePages(store: Store, index: SegmentedIndex): Promise<StalePages> {
  const changed = changedSince(store, index)
  const isLittle = changed !== null && changed.size <= maxChanged
  return isLittle ? changedPages(store, index, changed) : differentPages(store, index)
}

/** Null if the note is missing, or belongs to another history or other settings. */
function changedSince(store: Store, index: SegmentedIndex): Set<number> | null {
  const [tip = '', lineage = '', last, settings] = index.note.split(' ')
  const isGrown = settings === String(crc32(store.configText)) && store.follows({ tip, lineage })
  return isGrown ? store.pagesChangedSince(Number(last)) : null
}

async function differentPages(store: Store, index: SegmentedIndex): Promise<StalePages> {
  const redirects = new Map<number, string[]>()
  for (const page of store.pages()) {
    const target = page.redirect === null ? undefined : aliasTarget(store, page)
    if (target !== undefined) redirects.set(target.id, [...(redirects.get(target.id) ?? []), page.title])
  }
  const frame = (page: PageEntry): DocumentFrame => frameOf(store, page, redirects.get(page.id) ?? [])
  const stale: number[] = []
  for (const page of store.pages()) if (isStale(index, frame(page))) stale.push(page.id)
  const gone = gonePages(store, index)
  const linking = await pagesLinkingBy(store, index, [...stale, ...gone], Number.POSITIVE_INFINITY)
  return { stale: [...new Set([...stale, ...linking])], gone, frame }
}

function isStale(index: SearchIndex, frame: DocumentFrame): boolean {
  const indexed = index.state(frame.id)
  return indexed === undefined || indexed.revision !== frame.revision || indexed.fingerprint !== fingerprintOf(frame)
}

function gonePages(store: Store, index: SearchIndex): number[] {
  return [...index.ids()].filter(id => store.pageById(id) === undefined)
}

/** Lists pages with new revisions, and pages related to them by a current or former redirect. */
async function changedPages(store: Store, index: SegmentedIndex, changed: ReadonlySet<number>): Promise<StalePages> {
  const isSmall = index.count <= maxExamined
  const gone = isSmall ? gonePages(store, index) : [...changed].filter(id => store.pageById(id) === undefined)
  const affected = new Set(changed)
  for (const id of [...changed, ...gone]) for (const other of relatedPages(store, index, id)) affected.add(other)
  const frame = (page: PageEntry): DocumentFrame => frameOf(store, page, redirectsTo(store, index, page, changed))
  const pages = [...affected].flatMap(id => store.pageById(id) ?? [])
  const stale = pages.filter(page => isStale(index, frame(page))).map(({ id }) => id)
  const linking = await pagesLinkingBy(store, index, [...changed, ...gone], maxRelinked)
  return { stale: [...new Set([...stale, ...linking])], gone, frame }
}

/** Lists pages whose links may lead elsewhere, because others got or lost a name; of more than `most` only some. */
async function pagesLinkingBy(
  store: Store,
  index: SegmentedIndex,
  ids: readonly number[],
  most: number,
): Promise<readonly number[]> {
  if (index.count === 0) return []
  const aliases = await aliasesOfPages(
    store,
    ids.flatMap(id => store.pageById(id) ?? []),
  )
  const found = new Set<number>()
  for (const id of ids) {
    for (const name of changedNames(store.pageById(id), index.stored(id), aliases))
      for (const part of pageNames(name)) for (const other of index.linkingBy(part)) found.add(other)
    if (found.size > most) break
  }
  return [...found].filter(id => store.pageById(id) !== undefined)
}

/** Lists the names that only the page or only its document has. */
function changedNames(
  page: PageEntry | undefined,
  document: StoredDocument | undefined,
  aliases: ReadonlyMap<string, readonly string[]>,
): string[] {
  const now = page === undefined ? [] : [page.title, ...(aliases.get(page.key) ?? [])]
  const before = document === undefined ? [] : [document.title, ...(document.aliases ?? [])]
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
  const redirects = [...candidates].flatMap(id => store.pageById(id) ?? [])
  return redirects
    .filter(other => other.redirect !== null && aliasTarget(store, other)?.id === page.id)
    .map(({ title }) => title)
}
