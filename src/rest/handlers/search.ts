/** Searches pages and titles. */

import { WikiError } from '../../core/errors.ts'
import type { SearchResults } from '../../core/search-result.ts'
import { limitParam, requiredParam } from '../../operations/resources/params.ts'
import { findPages, findTitles, matchParam } from '../../operations/search-pages.ts'
import type { SearchQuery } from '../../operations/searching/search-request.ts'
import { missingHeader } from '../log.ts'
import { escapeHtml } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/**
 * Milliseconds that a full-text search waits for an index that is being built. After that it searches the indexed part.
 */
const pagePatience = 5000

/** Milliseconds that autocompletion waits for the index. After that only the beginnings of titles match. */
const titlePatience = 10

/**
 * Responds with 503 while no page is indexed, and reports in a header how many pages a result omits. Source: MediaWiki
 * REST API reference, "Search pages".
 */
export async function pageSearch(request: RestRequest): Promise<Reply> {
  const { results, missing, indexed, partial, unpictured } = await findPages(
    request.wiki,
    searchParams(request, pagePatience),
  )
  if (missing > 0 && indexed === 0) throw new WikiError('wiki-search-building', { params: [missing] })
  const reply = searchReply(results, missing)
  return partial || unpictured ? { ...reply, lasts: 'incomplete' } : reply
}

/** Source: MediaWiki REST API reference, "Autocomplete page title". */
export async function titleSearch(request: RestRequest): Promise<Reply> {
  const match = matchParam(request.query('match'))
  const query = { ...searchParams(request, titlePatience), match }
  const { results, missing, unpictured } = await findTitles(request.wiki, query)
  const reply = searchReply(results, missing)
  return unpictured ? { ...reply, lasts: 'incomplete' } : reply
}

function searchReply(body: SearchResults, missing: number): Reply {
  return missing > 0 ? { body, lasts: 'incomplete', headers: { [missingHeader]: String(missing) } } : { body }
}

/** Describes the search to browsers. Source: OpenSearch 1.1 draft 6; MediaWiki 1.43 serves it at the same route. */
export async function searchDescription({ wiki, base, query }: RestRequest): Promise<Reply> {
  await wiki.store.refresh()
  const { name, language } = wiki.store.config
  const title = escapeHtml(name === '' ? 'Wiki' : `${name} (${language})`)
  const url = (kind: string, relation: string): string =>
    `<Url type="application/json" rel="${relation}" template="${escapeHtml(`${base}/search/${kind}?q=`)}{searchTerms}"/>`
  const body =
    '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">' +
    `<ShortName>${title}</ShortName><Description>${title}</Description>` +
    `${url('page', 'results')}${url('title', 'suggestions')}</OpenSearchDescription>`
  // Some clients display only types that they recognise as XML.
  return { type: query('ctype') === xmlType ? xmlType : openSearchType, body }
}

const openSearchType = 'application/opensearchdescription+xml'
const xmlType = 'application/xml'

function searchParams({ query, base }: RestRequest, patience: number): SearchQuery {
  return { q: requiredParam('q', query('q')), limit: limitParam(query('limit')), base, patience }
}
