/** Search, of pages and of titles. */

import { limitParam, requiredParam } from '../../operations/resources/params.ts'
import { findPages, findTitles } from '../../operations/search-pages.ts'
import type { SearchQuery } from '../../operations/searching/search-request.ts'
import { escapeHtml } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Milliseconds that an index which is being built is waited for: then what it has is searched. */
const patience = 500

/** Source: MediaWiki REST API reference, "Search pages". */
export async function pageSearch(request: RestRequest): Promise<Reply> {
  const { results, missing } = await findPages(request.wiki, searchParams(request))
  return { body: results, uncached: missing > 0 }
}

/** Source: MediaWiki REST API reference, "Autocomplete page title". */
export async function titleSearch(request: RestRequest): Promise<Reply> {
  const { results, missing } = await findTitles(request.wiki, searchParams(request))
  return { body: results, uncached: missing > 0 }
}

/** Describes the search to browsers. Source: OpenSearch 1.1 draft 6; MediaWiki 1.43 serves it at the same route. */
export async function searchDescription({ wiki, base }: RestRequest): Promise<Reply> {
  await wiki.store.refresh()
  const { name, language } = wiki.store.config
  const title = escapeHtml(name === '' ? 'Wiki' : `${name} (${language})`)
  const url = (kind: string, relation: string): string =>
    `<Url type="application/json" rel="${relation}" template="${escapeHtml(`${base}/search/${kind}?q=`)}{searchTerms}"/>`
  const body =
    '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">' +
    `<ShortName>${title}</ShortName><Description>${title}</Description>` +
    `${url('page', 'results')}${url('title', 'suggestions')}</OpenSearchDescription>`
  return { type: 'application/opensearchdescription+xml', body }
}

function searchParams({ query, base }: RestRequest): SearchQuery {
  return { q: requiredParam('q', query('q')), limit: limitParam(query('limit')), base, patience }
}
