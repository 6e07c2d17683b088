/** An open wiki: the object that every operation works on. */

import { join } from 'node:path'
import { createLruCache, type LruCache } from '../core/lru-cache.ts'
import type { Media } from '../media/media.ts'
import type { Language } from '../search/words/language.ts'
import { openStore, type Store, type StoreOptions } from '../store/store.ts'
import { retryIfDamaged } from './access/damaged-index.ts'
import type { Stash } from './caches/stash.ts'
import type { Renders, RendersOptions } from './rendering/renders.ts'
import type { SearchAccess, SearchSync, SearchSyncOptions } from './searching/search-sync.ts'
import { createTurns, type Turns } from './workers/turns.ts'
import type { WorkerPool } from './workers/worker-pool.ts'

/** A count about a history, valid while the wiki only grows, and under these settings: they define hidden revisions and bots. */
export interface CachedCount extends Pick<Store, 'config' | 'tip' | 'lineage'> {
  /** Possibly still in progress; concurrent callers share it. Null if the index was rewritten before it was done. */
  readonly count: Promise<number | null>
}

/** Bytes of a count: a promise and an object. */
const countBytes = 200

export interface Wiki {
  readonly store: Store
  /** Cached counts of pages' histories, by subject. */
  readonly counts: LruCache<CachedCount>
  /** Returns the search index; the first call opens or builds it. */
  readonly search: SearchAccess
  /** Runs long index work in a worker from now on. */
  readonly useSearchWorker: () => void
  /** Returns the language rules of the search; the first call loads them. */
  readonly language: () => Promise<Language>
  /** Returns the reader of media files and thumbnails; the first call loads it. */
  readonly media: () => Promise<Media>
  /** Returns the renderer and its cache; the first call loads it. */
  readonly renders: () => Promise<Renders>
  /** Returns the worker pool for long work; null if there is none, as on the command line. */
  readonly workerPool: () => WorkerPool | null
  /** Runs long work in workers from now on. */
  readonly useWorkers: () => Promise<void>
  /** The client that the request counts for, where clients share the server; "" for nobody. */
  readonly client: string
  /** Counts the requests of each client that are worked on. */
  readonly turns: Turns
  /** Returns the store of HTML that clients intend to send back; the first call loads it. */
  readonly stash: () => Promise<Stash>
  readonly close: () => Promise<void>
}

export interface OpenWikiOptions extends StoreOptions {
  /** Called with the progress of a long build of the search index: pages done, and their total. */
  readonly searchProgress?: ((done: number, total: number) => void) | undefined
}

/** Opens the wiki in a directory. Errors: wiki-not-found, wiki-bad-repository, wiki-bad-config. */
export async function openWiki(options: OpenWikiOptions): Promise<Wiki> {
  const { searchProgress: progress, notice } = options
  return wikiOf(openStore(options), { progress, notice })
}

/** Returns the wiki over an open store; closing it closes the store. */
export function wikiOf(store: Store, options: SearchSyncOptions = {}): Wiki {
  let search: Promise<SearchSync> | undefined
  let searchesInWorker = false
  const language = languageOf(store)
  let media: Promise<Media> | undefined
  let renders: Promise<Renders> | undefined
  let stash: Promise<Stash> | undefined
  let workerPool: WorkerPool | null = null
  const turns = createTurns()
  return {
    store,
    counts: createLruCache({ total: store.cacheBytes('counts'), sizeOf: () => countBytes }),
    search: async (question, access) => {
      search ??= searchOf(store, options, searchesInWorker)
      return (await search).access(question, access)
    },
    useSearchWorker: () => {
      searchesInWorker = true
      // The search that waits for it has the error.
      search?.then(({ useWorker }) => useWorker()).catch(() => {})
    },
    language,
    media: () => {
      media ??= mediaOf(store)
      return media
    },
    renders: () => {
      renders ??= rendersOf(store, { workerPool: () => workerPool, memoryBytes: store.cacheBytes('renders') })
      return renders
    },
    workerPool: () => workerPool,
    useWorkers: async () => {
      const { createWorkerPool } = await import('./workers/worker-pool.ts')
      workerPool ??= createWorkerPool({ turns })
    },
    client: '',
    turns,
    stash: () => {
      stash ??= stashOf(store)
      return stash
    },
    close: async () => {
      ;(await media)?.close()
      await (await search)?.close()
      await workerPool?.close()
      await (await renders)?.stored()

      store.close()
    },
  }
}

/** Settings may change while a wiki is open. */
function languageOf(store: Store): () => Promise<Language> {
  let loaded: { readonly code: string; readonly language: Promise<Language> } | undefined
  return () => {
    const code = store.config.stemming ? store.config.language : ''
    if (loaded?.code !== code) loaded = { code, language: loadLanguageOf(code) }
    return loaded.language
  }
}

async function loadLanguageOf(code: string): Promise<Language> {
  const { loadLanguage } = await import('../search/words/language.ts')
  return loadLanguage(code)
}

/** The word lists and patterns take longer to load than the rest of a cold command. */
async function searchOf(store: Store, options: SearchSyncOptions, inWorker: boolean): Promise<SearchSync> {
  const { searchSync } = await import('./searching/search-sync.ts')
  const search = searchSync(store, options)
  if (inWorker) search.useWorker()
  return search
}

async function mediaOf(store: Store): Promise<Media> {
  const { openMedia } = await import('../media/media.ts')
  return openMedia(join(store.cacheDirectory, 'media'))
}

async function rendersOf(store: Store, options: Omit<RendersOptions, 'folder'>): Promise<Renders> {
  const { openRenders } = await import('./rendering/renders.ts')
  return openRenders(store, { folder: join(store.cacheDirectory, 'html'), ...options })
}

async function stashOf(store: Store): Promise<Stash> {
  const { openStash } = await import('./caches/stash.ts')
  return openStash(join(store.cacheDirectory, 'stash'), store.cacheBytes('stash'))
}

/**
 * Opens a snapshot of the wiki: the branch is read once, and all reads see one commit, one state of the settings and of
 * hidden revisions. Nothing is written through it, and its store must be closed.
 */
export async function openSnapshot(wiki: Wiki): Promise<Wiki> {
  const { store } = wiki
  await retryIfDamaged(store, () => store.refresh())
  return { ...wiki, store: store.snapshot() }
}

/** Runs a query on a snapshot of the wiki; a damaged index is handled as in `retryIfDamaged`. */
export async function atSnapshot<Result>(wiki: Wiki, question: (wiki: Wiki) => Promise<Result>): Promise<Result> {
  const snapshot = await openSnapshot(wiki)
  try {
    return await retryIfDamaged(snapshot.store, () => question(snapshot))
  } finally {
    snapshot.store.close()
  }
}
