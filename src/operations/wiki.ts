/** What every operation works on: one open wiki. */

import { join } from 'node:path'
import { isWikiError } from '../core/errors.ts'
import type { Media } from '../media/media.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { openStore, type Store, type StoreOptions } from '../store/store.ts'
import { searchIndexOf } from './search-cache.ts'

export interface Wiki {
  readonly store: Store
  /** Gives the search index of the pages as they are now; the first call loads or builds it. */
  readonly search: () => Promise<SearchIndex>
  /** Gives what knows the facts of media files and makes their thumbnails; loaded at the first call. */
  readonly media: () => Promise<Media>
  readonly close: () => Promise<void>
}

export type OpenWikiOptions = StoreOptions

/** Opens the wiki in a directory. Errors: wiki-not-found, wiki-bad-repository, wiki-bad-config. */
export async function openWiki(options: OpenWikiOptions): Promise<Wiki> {
  return wikiOf(openStore(options))
}

/** Gives the wiki over an open store; closing it closes the store. */
export function wikiOf(store: Store): Wiki {
  let media: Promise<Media> | undefined
  return {
    store,
    search: searchIndexOf(store),
    media: () => {
      media ??= mediaOf(store)
      return media
    },
    close: async () => {
      ;(await media)?.close()
      store.close()
    },
  }
}

async function mediaOf(store: Store): Promise<Media> {
  const { openMedia } = await import('../media/media.ts')
  return openMedia(join(store.cacheDirectory, 'media'))
}

/** Asks a question; where the index turns out to be damaged, builds it anew and asks once more. */
export async function askSoundly<Answer>(
  store: Pick<Store, 'rebuild'>,
  question: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (!isWikiError(error, 'wiki-index-damaged')) throw error
    await store.rebuild()
    return question()
  }
}
