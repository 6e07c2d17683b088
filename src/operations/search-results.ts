/** Putting search results together: redirects become the pages they lead to, and no page is shown twice. */

import type { SearchResult } from '../core/search-result.ts'
import type { PageEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { redirectTarget } from './redirect.ts'

/** A result in the making. */
export interface FoundPage {
  /** 0 where a redirect leads to a page that does not exist. */
  readonly id: number
  readonly key: string
  readonly title: string
  /** Title of the redirect that matched. */
  readonly matched: string | null
  excerpt: string
}

/** Results in their order, by key. */
export type FoundPages = Map<string, FoundPage>

/**
 * Adds a page that matched, unless it is there: whether it was found by a redirect is decided by what comes first, but the
 * excerpt of a redirect gives way to that of the page. One step is followed; redirects to special pages and other wikis are
 * shown as themselves.
 */
export function addFound(found: FoundPages, store: Store, page: PageEntry, excerpt: string): void {
  const target = redirectTarget(store, page)
  const leadsOn = target?.local === true
  const { key, title } = leadsOn ? target : page
  const known = found.get(key)
  if (known === undefined) {
    const id = leadsOn ? (target.page?.id ?? 0) : page.id
    found.set(key, { id, key, title, matched: leadsOn ? page.title : null, excerpt })
  } else if (!leadsOn) known.excerpt = excerpt
}

/** Gives a result as the API sends it. Source: SPEC 2.1. */
export function searchResult({ id, key, title, matched, excerpt }: FoundPage): SearchResult {
  return { id, key, title, excerpt, matched_title: matched, description: null, thumbnail: null }
}
