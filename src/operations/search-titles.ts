/** Completes titles. Source: MediaWiki REST API reference, "Autocomplete page title". */

import { isWikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import type { SearchResults } from '../core/search-result.ts'
import { namespaceOfKey, parseTitle, type TitlePrefix, titlePrefix } from '../core/title.ts'
import { foldTitle } from '../core/title-text.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { picturesOf } from './lead-picture.ts'
import { filesWithPrefix } from './list-files.ts'
import { enumParam, type ParamText, requiredParam } from './resources/params.ts'
import { readPlace, type SearchQuery } from './searching/search-request.ts'
import { addFound, type FoundPages, type Match, searchResults } from './searching/search-results.ts'
import type { Wiki } from './wiki.ts'
import { createPause } from './workers/pause.ts'

/** Maximum number of titles examined in a namespace, which takes some milliseconds. If more have the prefix, the first ones in folded order are sorted. */
const maxCandidates = 1_000

/** Maximum length of a query, above that of any title. */
const longestQuery = 1_000

const illegal = /[<>[\]{}|\p{Cc}\ufffd]/gu

/** Milliseconds to wait for the index. */
const usualPatience = 1_000

const titleMatches = ['beginning', 'words'] as const

/** Parses how titles match; `beginning` if omitted. Errors: badvalue. */
export function matchParam(text: ParamText): NonNullable<SearchQuery['match']> {
  return text === undefined ? 'beginning' : enumParam('match', text, titleMatches)
}

/**
 * Finds pages whose title begins with a text, in any case: the exact title first, then those that begin with it as typed, then
 * those in another case, each in order of their keys, then of their namespaces. With `match: 'words'` it also finds titles without
 * their accents, from any of their words, and similar ones, with the most linked first. Without a namespace prefix those of
 * wiki.json are searched. A redirect is shown as its target. Errors: missingparam.
 *
 * Source: MediaWiki PrefixSearch::defaultSearchBackend (order).
 */
export async function searchTitles(wiki: Wiki, query: SearchQuery): Promise<SearchResults> {
  return (await findTitles(wiki, query)).results
}

/** Titles, the number of pages that are not indexed yet, and true if pictures may be missing, since looking for them takes long. */
export interface TitleSearch {
  readonly results: SearchResults
  readonly missing: number
  readonly unpictured: boolean
}

/** Searches as `searchTitles` does, and returns notes about the search. */
export async function findTitles(wiki: Wiki, query: SearchQuery): Promise<TitleSearch> {
  const { q, limit = 50, base = '', patience = usualPatience, namespaces } = query
  const { store, client, turns } = wiki
  requiredParam('q', q)
  await store.refresh()
  const typed = q.slice(0, longestQuery).replace(illegal, '').replace(/#.*$/s, '').trim()
  if (typed === '') return { results: { pages: [] }, missing: 0, unpictured: false }
  const found: FoundPages = new Map()
  const request = { typed, limit, namespaces }
  const { matches, missing } = await wiki.search(
    ({ index, missing }) => ({
      missing,
      matches: missing === 0 && query.match === 'words' ? [...indexed(store, index, request)] : [],
    }),
    { patience, whileAway: wait => turns.whileAway(client, wait) },
  )
  for (const match of matches) if (found.size < limit) addFound(found, store, { ...match, excerpt: '' })
  if (matches.length === 0) await addBeginning(found, store, request)
  const pictures = picturesOf(wiki)
  const pages = await searchResults(wiki, found.values(), { base, pictures })
  const results = { pages: pages.map(page => ({ ...page, excerpt: page.title })) }
  return { results, missing, unpictured: !pictures.isWhole() }
}

interface TitleQuery {
  readonly typed: string
  readonly limit: number
  readonly namespaces: readonly number[] | undefined
}

/** A page or a media file whose title begins with the typed text. */
interface Beginning {
  readonly namespace: number
  /** Key without its namespace, and as bytes: their order is that of the code points. */
  readonly name: string
  readonly bytes: Buffer
  readonly add: (found: FoundPages) => void
}

/** Adds the titles that begin with the typed text, from a snapshot: others may change the wiki in the meantime. */
async function addBeginning(found: FoundPages, store: Store, { typed, limit, namespaces }: TitleQuery): Promise<void> {
  const snapshot = store.snapshot()
  const pause = createPause()
  try {
    const beginnings: Beginning[] = []
    for (const place of placesOf(snapshot, typed, namespaces)) {
      let left = maxCandidates
      for (const beginning of within(snapshot, place)) {
        await pause()
        beginnings.push(beginning)
        if (--left === 0) break
      }
    }
    const { name } = titlePrefix(typed, snapshot.titles)
    const rank = (other: Beginning): number => (other.name === name ? 0 : other.name.startsWith(name) ? 1 : 2)
    beginnings.sort((a, b) => rank(a) - rank(b) || Buffer.compare(a.bytes, b.bytes) || a.namespace - b.namespace)
    for (const { add } of beginnings) if (found.size < limit) add(found)
  } finally {
    snapshot.close()
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

/** A folded prefix in a namespace. */
interface Place {
  readonly namespace: number
  readonly prefix: string
}

/** Yields the pages of a namespace whose title has the prefix, and the media files that have no page. */
function* within(store: Store, { namespace, prefix }: Place): Iterable<Beginning> {
  const start = (store.titles.namespaces.get(namespace)?.name ?? '').length
  const beginning = (key: string, add: Beginning['add']): Beginning => {
    const name = key.slice(start === 0 ? 0 : start + 1)
    return { namespace, name, bytes: Buffer.from(name), add }
  }
  for (const key of store.keys(prefix)) {
    const isInside = namespaceOfKey(key, store.titles) === namespace
    if (isInside) yield beginning(key, found => addPage(found, store, key))
  }
  if (namespace !== namespaceIds.file) return
  for (const { key, title } of filesWithPrefix(store, prefix)) {
    if (store.findPage(key) !== undefined) continue
    // A file without a page has no page id, like a redirect's missing target.
    const image = title.slice(start + 1)
    yield beginning(key, found => found.set(key, { id: 0, key, title, matched: null, excerpt: '', image }))
  }
}

function addPage(found: FoundPages, store: Store, key: string): void {
  const page = store.findPage(key)
  if (page !== undefined) addFound(found, store, { page, redirect: null, excerpt: '' })
}

function placesOf(store: Store, typed: string, namespaces = store.config.searchedNamespaces): Place[] {
  const { namespace, name }: TitlePrefix = titlePrefix(typed, store.titles)
  return (namespace === null ? namespaces : [namespace]).map(id => {
    const prefix = store.titles.namespaces.get(id)?.name ?? ''
    return { namespace: id, prefix: foldTitle(prefix === '' ? name : `${prefix}:${name}`) }
  })
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
