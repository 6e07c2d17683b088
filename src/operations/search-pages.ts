/** Searches titles and texts of pages. Source: MediaWiki REST API reference, "Search pages". */

import { setImmediate } from 'node:timers/promises'
import { composed } from '../core/composed-text.ts'
import type { SearchResults } from '../core/search-result.ts'
import { excerptSteps, leadExcerpt, maxMatches } from '../search/excerpt.ts'
import { isTogether, type TextRange } from '../search/query/match.ts'
import { type Query, splitIdentifiers } from '../search/query/query.ts'
import type { SearchHit } from '../search/query/ranking.ts'
import type { IndexResult } from '../search/search-index.ts'
import type { PageText } from '../search/text/page-text.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { shownText } from './access/hidden.ts'
import { picturesOf } from './lead-picture.ts'
import { latestOf } from './resources/find-page.ts'
import { requiredParam } from './resources/params.ts'
import { exactPage } from './search-titles.ts'
import { maxSkipped, readSearch, type SearchQuery, type SearchRequest } from './searching/search-request.ts'
import { addFound, type FoundPages, type Match, searchResults } from './searching/search-results.ts'
import type { Wiki } from './wiki.ts'
import { createPause, type Pause } from './workers/pause.ts'

export { findTitles, matchParam, searchTitles } from './search-titles.ts'
export { maxSkipped, type SearchQuery } from './searching/search-request.ts'

/** Maximum number of hits whose texts are read for one response with conditions on the source. */
const maxRead = 20_000

/** Maximum number of pages with all words whose word positions are examined. */
const maxScattered = 20

/** Maximum milliseconds spent on reading texts. */
const readingTime = 10_000

/** Result of a search, with notes about it. */
export interface PageSearch {
  readonly results: SearchResults
  /** Degree to which the query was relaxed to find results. */
  readonly mode: IndexResult['mode'] | 'scattered'
  /** The query with indexed words instead of those that the index lacks; null if it has all. */
  readonly suggestion: string | null
  /** Pages that are not indexed yet. */
  readonly missing: number
  /** Pages that are indexed. */
  readonly indexed: number
  /** True if some texts that might match were not examined. */
  readonly partial: boolean
  /** True if pictures may be missing, since looking for them takes long. */
  readonly unpictured: boolean
}

/**
 * Searches titles and texts of the latest revisions, best matches first. If no page has all the words, it returns pages
 * that have any. A namespace before the words, or `all:`, overrides the namespaces in wiki.json. A redirect is shown as
 * its target, and no page is shown twice. Errors: missingparam, wiki-bad-pattern, wiki-usage for a choice of insource:.
 */
export async function searchPages(wiki: Wiki, query: SearchQuery): Promise<SearchResults> {
  return (await findPages(wiki, query)).results
}

/** Searches as `searchPages` does, and returns notes about the search. */
export async function findPages(wiki: Wiki, asked: SearchQuery): Promise<PageSearch> {
  const { q, limit = 50, offset = 0, base = '', patience, excerpts } = asked
  requiredParam('q', q)
  const { store } = wiki
  await store.refresh()
  const request = readSearch(asked, store, await wiki.language())
  const source = await sourceOf(request.query, wiki)
  const pause = createPause()
  const skipped = Math.min(offset, maxSkipped)
  const end = skipped + limit
  const most = source !== null ? maxRead : 2 * end
  const { result, missing, indexed, isScattered } = await searchIndex(wiki, request, { most, patience })
  const found: FoundPages = new Map()
  const timeout = source !== null ? performance.now() + readingTime : null
  let partial = false
  for await (const hit of withTexts(store, withExact(store, result.hits, request, q))) {
    const places = source === null ? [] : await source(hit.text)
    if (places === null) continue
    const isShown = found.size >= skipped
    const form = { query: result.query, hasSource: source !== null, places, excerpts, pause }
    addFound(found, store, isShown ? await matchOf(store, hit, form) : { ...hit, excerpt: '' })
    partial = timeout !== null && performance.now() > timeout
    if (found.size >= end || partial) break
  }
  const pictures = picturesOf(wiki)
  const pages = await searchResults(wiki, [...found.values()].slice(skipped), { base, pictures })
  return {
    results: { pages },
    mode: isScattered ? 'scattered' : result.mode,
    suggestion: suggest(q, result),
    missing,
    indexed,
    partial,
    unpictured: !pictures.isWhole(),
  }
}

interface SearchOutcome {
  readonly result: IndexResult
  readonly missing: number
  readonly indexed: number
}

/** Asks the index for pages with all words, and for pages with any of them if those are scattered over the pages. */
async function searchIndex(
  wiki: Wiki,
  request: ReturnType<typeof readSearch>,
  { most, patience }: { readonly most: number } & Pick<SearchQuery, 'patience'>,
): Promise<SearchOutcome & { readonly isScattered: boolean }> {
  const ask = (any: boolean): Promise<SearchOutcome> =>
    wiki.search(
      ({ index, missing }) => ({
        missing,
        indexed: index.count,
        result: index.search(request.query, { ...request, limit: most, any }),
      }),
      { patience, whileAway: wait => wiki.turns.whileAway(wiki.client, wait) },
    )
  const whole = await ask(false)
  const isScattered = await areScattered(wiki.store, whole.result)
  return { ...(isScattered ? await ask(true) : whole), isScattered }
}

/**
 * Returns true if the few pages with all the words only mention them in scattered positions. Pages about some of the
 * words are then as good, and come first. With many complete matches some are likely to be relevant.
 */
async function areScattered(store: Store, { hits, mode, query }: IndexResult): Promise<boolean> {
  const isOfWords = query.text !== '' && query.parts.length > 1
  if (mode !== 'all' || !isOfWords || hits.length === 0 || hits.length > maxScattered) return false
  for await (const { page, redirect, text } of withTexts(store, pagesOf(store, hits))) {
    const { title, headings, lead, body } = await startOf(store, text, page.model)
    const head = [page.title, title ?? '', redirect ?? '', ...headings, lead].join('\n')
    if (isTogether(query, { head, text: `${lead}\n${body}` })) return false
  }
  return true
}

interface Hit {
  readonly page: PageEntry
  readonly redirect: string | null
}

interface ReadHit extends Hit {
  readonly text: string
}

function* pagesOf(store: Store, hits: readonly SearchHit[]): Iterable<Hit> {
  for (const { id, redirect } of hits) {
    const page = store.pageById(id)
    if (page !== undefined) yield { page, redirect }
  }
}

/** A page with exactly the typed title comes first, even if its title contains no words. */
function* withExact(
  store: Store,
  hits: readonly SearchHit[],
  { query, namespaces }: SearchRequest,
  q: string,
): Iterable<Hit> {
  const page = query.text === '' ? undefined : exactPage(store, q)
  if (page === undefined || !namespaces.includes(page.namespace)) return yield* pagesOf(store, hits)
  yield { page, redirect: hits.find(({ id }) => id === page.id)?.redirect ?? null }
  yield* pagesOf(
    store,
    hits.filter(({ id }) => id !== page.id),
  )
}

/** UTF-16 units of a page that are read for its words, which takes a hundred times as long as a search of its source. */
const maxReadUnits = 100_000

/** Reads the words of a page, or of the beginning of a long one. */
async function startOf(store: Store, text: string, model: PageEntry['model']): Promise<PageText> {
  return (await reader()).readPageWords(store, text.slice(0, maxReadUnits), model)
}

/** The engine is loaded for it, and few searches read a page. */
const reader = () => import('./searching/page-words.ts')

/** Milliseconds between yields to the event loop, because texts on disk are read synchronously. */
const turnTime = 10

/** Reads pages and texts lazily. */
async function* withTexts(store: Store, hits: Iterable<Hit>): AsyncIterable<ReadHit> {
  const waiting: Hit[] = []
  const revisions = function* () {
    for (const hit of hits) {
      waiting.push(hit)
      yield latestOf(store, hit.page)
    }
  }
  let turnEnd = performance.now() + turnTime
  for await (const [revision, text] of store.presentTexts(revisions())) {
    yield { ...waiting.shift()!, text: shownText(revision, text ?? '') }
    if (performance.now() < turnEnd) continue
    await setImmediate()
    turnEnd = performance.now() + turnTime
  }
}

interface ExcerptForm {
  readonly query: Query
  /** True if the query has conditions on the source, and their places. */
  readonly hasSource: boolean
  readonly places: readonly TextRange[]
  readonly excerpts: SearchQuery['excerpts']
  readonly pause: Pause
}

/** A page found through a redirect shows the redirect's text; other pages show their beginning. */
async function matchOf(store: Store, { page, redirect, text }: ReadHit, form: ExcerptForm): Promise<Match> {
  const own = await ownExcerpt(store, text, page, form)
  const other = own === '' && redirect !== null ? store.findPage(redirect.replaceAll(' ', '_')) : undefined
  const shown = own || (other === undefined ? '' : await cut(await latestText(store, other), form.query, form))
  return { page, redirect, excerpt: shown || (await beginning(store, text, page)) }
}

async function ownExcerpt(store: Store, text: string, { model }: PageEntry, form: ExcerptForm): Promise<string> {
  const { query, hasSource, places, excerpts } = form
  const hasWords = excerpts === 'words' && !hasSource && text.length <= maxReadUnits
  const words = hasWords ? await wordsOf(store, text, model) : null
  const isSplit = query.parts.some(({ kind }) => kind === 'identifier')
  const cutOf = async (from: string): Promise<string> =>
    (await cut(from, query, form, places)) || (isSplit ? cut(from, splitIdentifiers(query), form) : '')
  return (words === null ? '' : await cutOf(words)) || cutOf(text)
}

/** Cuts an excerpt, with pauses between the parts of a long text. */
async function cut(
  text: string,
  query: Query,
  { pause }: ExcerptForm,
  places: readonly TextRange[] = [],
): Promise<string> {
  const steps = excerptSteps(text, query, places)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** The words that readers see, one line for each of the page's. */
async function wordsOf(store: Store, text: string, model: PageEntry['model']): Promise<string> {
  const { lead, headings, body } = await (await reader()).readPageWords(store, text, model)
  return [lead, body, ...headings].join('\n').replace(/[^\S\n]+/g, ' ')
}

async function latestText(store: Store, page: PageEntry): Promise<string> {
  const latest = latestOf(store, page)
  for await (const [, text] of store.presentTexts([latest])) return shownText(latest, text ?? '')
  return ''
}

async function beginning(store: Store, text: string, page: PageEntry): Promise<string> {
  const { lead, body } = await startOf(store, text, page.model)
  return leadExcerpt(lead) || leadExcerpt(body)
}

/** Finds the places of a text that conditions of `insource:` match; null if it does not satisfy them. */
type SoughtSource = (text: string) => Promise<readonly TextRange[] | null>

/** UTF-16 units of a text above which a worker finds the places: a pattern takes a second for some megabytes. */
const longText = 100_000

/** Null if the query has no condition on the source. Errors: wiki-bad-pattern. */
async function sourceOf({ filters: all }: Query, { client, workerPool }: Wiki): Promise<SoughtSource | null> {
  const filters = all.filter(({ kind }) => kind === 'source')
  if (filters.length === 0) return null
  const { satisfyingPlaces, sourceMatches } = await import('../search/query/pattern.ts')
  // A wrong pattern is an error even if there is no text.
  for (const filter of filters) sourceMatches(filter)
  return async text => {
    const workers = text.length > longText ? workerPool() : null
    const most = maxMatches
    return workers === null
      ? satisfyingPlaces(text, filters, most)
      : workers.run({ task: 'places', client, text, filters, most })
  }
}

/** Returns the query as typed, with words that are in the index. */
function suggest(q: string, { corrections }: IndexResult): string | null {
  if (corrections.size === 0) return null
  return q.replace(/[\p{L}\p{M}\p{N}]+/gu, word => corrections.get(composed(word.toLowerCase())) ?? word)
}
