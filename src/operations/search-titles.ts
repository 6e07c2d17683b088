/** Completes titles. Source: MediaWiki REST API reference, "Autocomplete page title". */

import { isWikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import type { SearchResults } from '../core/search-result.ts'
import { findNamespace, foldTitle, foldTitlePrefix, parseTitle } from '../core/title.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { filesWithPrefix } from './list-files.ts'
import { requiredParam } from './resources/params.ts'
import { readPlace, type SearchQuery } from './searching/search-request.ts'
import { addFound, type FoundPages, type Match, searchResults } from './searching/search-results.ts'
import type { Wiki } from './wiki.ts'
import { createPause } from './workers/pause.ts'

/** Maximum number of pages examined. If more titles have the prefix, the first ones in title order are used. */
const maxCandidates = 5_000

/** Maximum number of pages examined for words inside their titles while there is no index. Takes some hundred milliseconds. */
const maxListed = 20_000

/** Maximum length of a query, above that of any title. */
const longestQuery = 1_000

const illegal = /[<>[\]{}|\p{Cc}\ufffd]/gu

/** Range of titles to search: a folded prefix in a namespace. */
interface Place {
  readonly namespace: number
  readonly prefix: string
}

/** Milliseconds to wait for the index. Without it titles are in alphabetical order. */
const usualPatience = 1_000

/**
 * Finds pages by title prefix, ignoring case and accents: the exact title first, then prefixes, then titles with a word that has
 * the prefix, then similar ones; within each group by number of backlinks. Without a namespace prefix those of wiki.json are
 * searched. A redirect is shown as its target. Errors: missingparam.
 */
export async function searchTitles(wiki: Wiki, query: SearchQuery): Promise<SearchResults> {
  return (await findTitles(wiki, query)).results
}

/** Searches as `searchTitles` does, and reports how many pages are not indexed yet. */
export async function findTitles(wiki: Wiki, query: SearchQuery): Promise<{ results: SearchResults; missing: number }> {
  const { q, limit = 50, base = '', patience = usualPatience, namespaces } = query
  const { store } = wiki
  requiredParam('q', q)
  await store.refresh()
  const typed = q.slice(0, longestQuery).replace(illegal, '').replace(/#.*$/s, '').trim()
  if (typed === '') return { results: { pages: [] }, missing: 0 }
  const hasWords = readPlace(typed.replaceAll('_', ' '), store.titles).words.trim() !== ''
  const found: FoundPages = new Map()
  const { matches, missing } = await wiki.search(
    ({ index, missing }) => ({
      missing,
      matches: missing === 0 && hasWords ? [...indexed(store, index, { typed, limit, namespaces })] : null,
    }),
    { patience },
  )
  if (matches === null) await addListed(found, store, { typed, limit })
  else for (const match of matches) if (found.size < limit) addFound(found, store, { ...match, excerpt: '' })
  if (readPlace(typed, store.titles).place?.join() === `${namespaceIds.file}`) addFiles(found, store, { typed, limit })
  const pages = await searchResults(wiki, found.values(), { base })
  return { results: { pages: pages.map(page => ({ ...page, excerpt: page.title })) }, missing }
}

/** Adds titles without the index, from a snapshot: others may change the wiki between two of them. */
async function addListed(
  found: FoundPages,
  store: Store,
  { typed, limit }: { typed: string; limit: number },
): Promise<void> {
  const snapshot = store.snapshot()
  const pause = createPause()
  try {
    for (const page of listed(snapshot, typed)) {
      await pause()
      if (found.size >= limit) return
      if (page !== null) addFound(found, snapshot, { page, redirect: null, excerpt: '' })
    }
  } finally {
    snapshot.close()
  }
}

/** Adds media files without a page of their own. They have no page id, like a redirect's missing target. */
function addFiles(found: FoundPages, store: Store, { typed, limit }: { typed: string; limit: number }): void {
  for (const { key, title } of filesWithPrefix(store, typed)) {
    if (found.size >= limit) return
    if (found.has(key) || store.findPage(key) !== undefined) continue
    found.set(key, { id: 0, key, title, matched: null, excerpt: '', image: title.slice(title.indexOf(':') + 1) })
  }
}

type TitleMatch = Pick<Match, 'page' | 'redirect'>

function* indexed(
  store: Store,
  index: SearchIndex,
  { typed, limit, namespaces }: { typed: string; limit: number; namespaces: readonly number[] | undefined },
): Iterable<TitleMatch> {
  const { words, place } = readPlace(typed.replaceAll('_', ' '), store.titles)
  const searched = place ?? namespaces ?? store.config.searchedNamespaces
  const exact = exactPage(store, typed)
  if (exact !== undefined && searched.includes(exact.namespace)) yield { page: exact, redirect: null }
  for (const { id, matched } of index.titles({ typed: words.trim(), namespaces: searched, limit: limit + 1 })) {
    const page = store.pageById(id)
    if (page === undefined) continue
    const redirect = matched === 0 ? null : (index.stored(id)?.redirects[matched - 1] ?? null)
    yield { page, redirect }
  }
}

/**
 * Without the index: yields titles that start with the query, then those with a word that does, each in title order; null for
 * every other title that it looks at.
 */
function* listed(store: Store, typed: string): Iterable<PageEntry | null> {
  yield* candidates(store, typed)
  yield* withWord(store, typed)
}

function* withWord(store: Store, typed: string): Iterable<PageEntry | null> {
  const { words, place } = readPlace(typed.replaceAll('_', ' '), store.titles)
  const searched = new Set<number>(place ?? store.config.searchedNamespaces)
  const word = foldTitle(words.trim())
  if (word === '') return
  let left = maxListed
  for (const page of store.pages()) {
    if (left-- <= 0) return
    yield searched.has(page.namespace) && hasWord(foldTitle(page.title), word) ? page : null
  }
}

/** Returns true if a word of the folded title has the prefix. */
function hasWord(title: string, beginning: string): boolean {
  for (let at = title.indexOf(beginning); at !== -1; at = title.indexOf(beginning, at + 1)) {
    if (at === 0 || !wordEnd.test(title.slice(at - 2, at))) return true
  }
  return false
}

const wordEnd = /[\p{L}\p{N}\p{M}]$/u

/** Yields the page with exactly this title, then those that start with it. */
function* candidates(store: Store, typed: string): Iterable<PageEntry | null> {
  const exact = exactPage(store, typed)
  let left = maxCandidates
  const places = placesOf(store, typed)
  if (exact !== undefined && places.some(({ namespace }) => namespace === exact.namespace)) yield exact
  for (const { namespace, prefix } of places) {
    for (const page of store.pages({ prefix })) {
      if (left-- <= 0) return
      yield page.namespace === namespace && page.id !== exact?.id ? page : null
    }
  }
}

/** Finds the page with the typed title, if the query is a valid title. */
export function exactPage(store: Store, typed: string): PageEntry | undefined {
  try {
    return store.findPage(parseTitle(typed, store.titles).key)
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return undefined
    throw error
  }
}

function placesOf(store: Store, typed: string): Place[] {
  const prefix = foldTitlePrefix(typed, store.titles)
  const colon = prefix.indexOf(':')
  const named = colon === -1 ? undefined : findNamespace(prefix.slice(0, colon), store.titles)
  if (named !== undefined) return [{ namespace: named, prefix }]
  return store.config.searchedNamespaces.map(namespace => {
    const name = store.titles.namespaces.get(namespace)?.name ?? ''
    return { namespace, prefix: name === '' ? prefix : foldTitle(`${name}:`) + prefix }
  })
}
