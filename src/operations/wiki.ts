/** What every operation works on: one open wiki. */

import type { SearchIndex } from '../search/search-index.ts'
import { openStore, type Store, type StoreOptions } from '../store/store.ts'
import { searchIndexOf } from './search-cache.ts'

export interface Wiki {
  readonly store: Store
  /** Gives the search index of the pages as they are now; the first call loads or builds it. */
  readonly search: () => Promise<SearchIndex>
  readonly close: () => Promise<void>
}

export type OpenWikiOptions = StoreOptions

/** Opens the wiki in a directory. Errors: wiki-not-found, wiki-bad-repository, wiki-bad-config. */
export async function openWiki(options: OpenWikiOptions): Promise<Wiki> {
  return wikiOf(openStore(options))
}

/** Gives the wiki over an open store; closing it closes the store. */
export function wikiOf(store: Store): Wiki {
  return { store, search: searchIndexOf(store), close: async () => store.close() }
}
