/** The pages of a wiki in order of their titles. */

import type { PageListItem } from '../core/page.ts'
import { foldTitlePrefix } from '../core/title.ts'
import type { PageEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { latestOf } from './page-object.ts'
import type { Wiki } from './wiki.ts'

export interface ListPagesQuery {
  /** Beginning of the title, in any case; a namespace before it narrows to that namespace. */
  readonly prefix?: string | undefined
  /** Id of a namespace. */
  readonly namespace?: number | undefined
  /** True: only redirects; false: no redirects; all pages if omitted. */
  readonly redirects?: boolean | undefined
  /** At most this many; all if omitted. */
  readonly limit?: number | undefined
}

/** Lists pages; `total` counts all that match, also those beyond the limit. */
export async function listPages(
  { store }: Wiki,
  query: ListPagesQuery = {},
): Promise<{ pages: PageListItem[]; total: number }> {
  await store.refresh()
  const limit = query.limit ?? Number.POSITIVE_INFINITY
  const asked = storeQuery(store, query)
  const isCounted = query.namespace === undefined && query.redirects === undefined
  const pages: PageListItem[] = []
  let total = 0
  for (const page of store.pages(asked)) {
    if (isCounted && total >= limit) return { pages, total: store.countPages(asked.prefix) }
    if (query.redirects !== undefined && query.redirects !== (page.redirect !== null)) continue
    if (total++ < limit) pages.push(listItem(store, page))
  }
  return { pages, total }
}

function storeQuery(store: Store, { prefix, namespace }: ListPagesQuery): { prefix?: string; namespace?: number } {
  return {
    ...(prefix !== undefined && { prefix: foldTitlePrefix(prefix, store.titles) }),
    ...(namespace !== undefined && { namespace }),
  }
}

function listItem(store: Store, page: PageEntry): PageListItem {
  const { id, timestamp, size } = latestOf(store, page)
  return {
    id: page.id,
    key: page.key,
    title: page.title,
    latest: { id, timestamp },
    content_model: page.model,
    redirect: page.redirect,
    size,
  }
}
