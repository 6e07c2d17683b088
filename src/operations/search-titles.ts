/** Titles that begin as somebody types. Source: SPEC 4.2, REST.md 11.2. */

import { isWikiError } from '../core/errors.ts'
import type { SearchResults } from '../core/search-result.ts'
import { findNamespace, foldTitle, foldTitlePrefix, parseTitle } from '../core/title.ts'
import type { PageEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { requiredParam } from './params.ts'
import { addFound, type FoundPages, searchResult } from './search-results.ts'
import type { Wiki } from './wiki.ts'

/** Pages that are looked at: where more begin so, the first ones in order of their titles have to do. */
const mostCandidates = 5_000

/** Longer than any title. */
const longestQuery = 1_000

const illegal = /[<>[\]{}|\p{Cc}\ufffd]/gu

export interface SearchQuery {
  readonly q: string
  /** 1 to 100; 50 where it is missing. */
  readonly limit?: number | undefined
}

/** Where to look: a folded beginning, in a namespace. */
interface Place {
  readonly namespace: number
  readonly prefix: string
}

/**
 * Finds pages whose title begins so, in any case: the exact title first, then in order of the titles. Without a namespace
 * before it those of wiki.json are searched. A redirect is shown as the page it leads to.
 *
 * Errors: missingparam.
 */
export async function searchTitles({ store }: Wiki, { q, limit = 50 }: SearchQuery): Promise<SearchResults> {
  requiredParam('q', q)
  await store.refresh()
  const typed = q.slice(0, longestQuery).replace(illegal, '').replace(/#.*$/s, '').trim()
  const found: FoundPages = new Map()
  if (typed === '') return { pages: [] }
  for (const page of candidates(store, typed)) {
    if (found.size >= limit) break
    addFound(found, store, page, '')
  }
  return { pages: [...found.values()].map(page => searchResult({ ...page, excerpt: page.title })) }
}

/** The page with exactly this title, then those that begin so. */
function* candidates(store: Store, typed: string): Iterable<PageEntry> {
  const exact = exactPage(store, typed)
  let left = mostCandidates
  const places = placesOf(store, typed)
  if (exact !== undefined && places.some(({ namespace }) => namespace === exact.namespace)) yield exact
  for (const { namespace, prefix } of places) {
    for (const page of store.pages({ prefix })) {
      if (left-- <= 0) return
      if (page.namespace === namespace && page.id !== exact?.id) yield page
    }
  }
}

/** Finds the page that is called what was typed, if it is a title at all. */
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
