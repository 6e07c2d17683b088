/** The pages of a wiki in order of their titles. */

import { namespaceIds } from '../core/namespaces.ts'
import type { PageListItem } from '../core/page.ts'
import { foldTitle, foldTitlePrefix } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { PageQuery } from '../store/pages.ts'
import type { Store } from '../store/store.ts'
import type { Wiki } from './wiki.ts'

export interface ListPagesQuery {
  /** Prefix of the title, in any case. A namespace prefix limits the list to that namespace. */
  readonly prefix?: string | undefined
  /** Id of a namespace. */
  readonly namespace?: number | undefined
  /** True: only redirects; false: no redirects; all pages if omitted. */
  readonly redirects?: boolean | undefined
  /** Maximum number of pages; all if omitted. */
  readonly limit?: number | undefined
  /** Number of pages to skip; 0 if omitted. */
  readonly offset?: number | undefined
}

/** Lists pages; `total` counts all matches, including those beyond the limit. */
export async function listPages(
  { store }: Wiki,
  query: ListPagesQuery = {},
): Promise<{ pages: PageListItem[]; total: number }> {
  await store.refresh()
  const { offset = 0 } = query
  const end = offset + (query.limit ?? Number.POSITIVE_INFINITY)
  const asked = storeQuery(store, query)
  const pages: PageListItem[] = []
  let total = 0
  for (const page of store.pages(asked)) {
    if (total === end) {
      const all = query.redirects === undefined ? countAll(store, asked) : null
      if (all !== null) return { pages, total: all }
    }
    if (query.redirects !== undefined && query.redirects !== (page.redirect !== null)) continue
    if (total >= offset && total < end) pages.push(listItem(store, page))
    total++
  }
  return { pages, total }
}

/** Counts the pages of a list before a title, which a namespace of the query is added to. */
export async function countBefore(
  { store }: Wiki,
  title: string,
  query: Omit<ListPagesQuery, 'offset' | 'limit'>,
): Promise<number> {
  await store.refresh()
  const name = store.titles.namespaces.get(query.namespace ?? namespaceIds.main)?.name ?? ''
  const first = foldTitle(name === '' ? title : `${name}:${title}`)
  let count = 0
  for (const page of store.pages(storeQuery(store, query))) {
    if (query.redirects !== undefined && query.redirects !== (page.redirect !== null)) continue
    if (foldTitle(page.key) >= first) break
    count++
  }
  return count
}

export interface PagesAfterQuery extends Omit<ListPagesQuery, 'offset' | 'limit'> {
  readonly limit: number
  /** Key of the last page of the previous part; the first part if omitted. */
  readonly after?: string | undefined
}

/**
 * Lists pages in parts; `next` is the `after` of the next part, null at the end. Edits between two calls do not shift
 * the list.
 */
export async function pagesAfter(
  { store }: Wiki,
  { after, limit, ...query }: PagesAfterQuery,
): Promise<{ pages: PageListItem[]; next: string | null }> {
  await store.refresh()
  const last = after === undefined ? null : { key: after, folded: foldTitle(after) }
  const pages: PageListItem[] = []
  for (const page of store.pages(storeQuery(store, query))) {
    if (query.redirects !== undefined && query.redirects !== (page.redirect !== null)) continue
    const folded = foldTitle(page.key)
    if (last !== null && (folded < last.folded || (folded === last.folded && page.key <= last.key))) continue
    if (pages.length === limit) return { pages, next: pages.at(-1)!.key }
    pages.push(listItem(store, page))
  }
  return { pages, next: null }
}

/** The titles of a namespace are adjacent, because all start with its name. */
function storeQuery(store: Store, { prefix, namespace }: ListPagesQuery): PageQuery {
  const own = prefix === undefined && namespace !== undefined ? beginningOf(store, namespace) : null
  if (own !== null) return { prefix: own }
  return {
    ...(prefix !== undefined && { prefix: foldTitlePrefix(prefix, store.titles) }),
    ...(namespace !== undefined && { namespace }),
  }
}

/**
 * Returns the prefix of a namespace's folded titles; null for the main namespace, which has none, and for unknown ones.
 */
function beginningOf({ titles }: Store, namespace: number): string | null {
  const name = titles.namespaces.get(namespace)?.name ?? ''
  return name === '' ? null : foldTitle(`${name}:`)
}

/** Returns the number of pages if it is known without reading them; otherwise null. */
function countAll(store: Store, { prefix, namespace }: PageQuery): number | null {
  if (namespace === undefined) return store.countPages(prefix)
  if (namespace !== namespaceIds.main || prefix !== undefined) return null
  const others = [...store.titles.namespaces.keys()].map(id => beginningOf(store, id))
  return others.reduce((all, own) => all - (own === null ? 0 : store.countPages(own)), store.countPages())
}

function listItem(store: Store, page: PageEntry): PageListItem {
  const { timestamp, size } = store.latestOf(page)
  return {
    id: page.id,
    key: page.key,
    title: page.title,
    latest: { id: page.latest, timestamp },
    content_model: page.model,
    redirect: page.redirect,
    size,
  }
}
