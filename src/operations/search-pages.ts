/** Pages that hold the words of a query, in their title or text. Source: SPEC 4.1, REST.md 11.1. */

import type { SearchResults } from '../core/search-result.ts'
import { findNamespace } from '../core/title.ts'
import { excerpt, leadExcerpt } from '../search/excerpt.ts'
import { holdsPhrases } from '../search/match.ts'
import type { SearchHit } from '../search/search-index.ts'
import type { PageEntry, RevisionEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { latestOf } from './page-object.ts'
import { requiredParam } from './params.ts'
import { addFound, type FoundPages, searchResult } from './search-results.ts'
import { exactPage, type SearchQuery } from './search-titles.ts'
import type { Wiki } from './wiki.ts'

export { type SearchQuery, searchTitles } from './search-titles.ts'

/** Hits that are looked at for one answer: phrases and redirects to one page thin them out. */
const mostHits = 1_000

/** What is searched for, and where: in all namespaces where `namespaces` is missing. */
interface Request {
  readonly words: string
  readonly namespaces?: readonly number[]
}

interface Hit {
  readonly page: PageEntry
  readonly latest: RevisionEntry
  readonly query: SearchHit['query']
}

/**
 * Searches titles and texts of the latest revisions, best matches first. A namespace before the words, or `all:`, takes the
 * place of the namespaces in wiki.json. A redirect is shown as the page it leads to; no page is shown twice.
 *
 * Errors: missingparam.
 */
export async function searchPages(wiki: Wiki, { q, limit = 50 }: SearchQuery): Promise<SearchResults> {
  requiredParam('q', q)
  const { store } = wiki
  await store.refresh()
  const request = readRequest(q, store)
  const index = await wiki.search()
  const hits = hitsOf(store, index.search(request.words, { ...request, limit: mostHits }), q)
  const found: FoundPages = new Map()
  for await (const { page, query, text } of withTexts(store, hits)) {
    if (!holdsPhrases(query, [page.title, text])) continue
    addFound(found, store, page, excerpt(text, query) || leadExcerpt(text))
    if (found.size >= limit) break
  }
  return { pages: [...found.values()].map(searchResult) }
}

function readRequest(q: string, { titles, config }: Store): Request {
  const text = q.replace(/^[\s:]+/, '')
  const colon = text.indexOf(':')
  const prefix = colon === -1 ? '' : text.slice(0, colon).trim()
  const rest = text.slice(colon + 1)
  if (prefix.toLowerCase() === 'all') return { words: rest }
  const namespace = prefix === '' ? undefined : findNamespace(prefix, titles)
  return namespace === undefined
    ? { words: text, namespaces: config.searchedNamespaces }
    : { words: rest, namespaces: [namespace] }
}

/** The hits that are pages still; the page that is called what was typed comes first. */
function hitsOf(store: Store, hits: readonly SearchHit[], q: string): Hit[] {
  const exact = exactPage(store, q)?.id
  const isExact = (id: number) => Number(id === exact)
  return hits
    .toSorted((a, b) => isExact(b.id) - isExact(a.id))
    .flatMap(({ id, query }) => {
      const page = store.pageById(id)
      return page === undefined ? [] : [{ page, query, latest: latestOf(store, page) }]
    })
}

/** Reads texts only as far as they are asked for. */
async function* withTexts(store: Store, hits: readonly Hit[]): AsyncIterable<Hit & { readonly text: string }> {
  const byRevision = new Map(hits.map(hit => [hit.latest.id, hit]))
  for await (const [{ id }, text] of store.texts(hits.map(hit => hit.latest))) yield { ...byRevision.get(id)!, text }
}
