/** Full-text search, with excerpts. */

import { possibleTitle } from '../../core/title.ts'
import { boundedInteger, limitParam, namespacesParam } from '../../operations/resources/params.ts'
import { findPages, maxSkipped } from '../../operations/search-pages.ts'
import { apiBase, pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup, trusted } from '../markup.ts'
import { namespaceField } from '../parts/fields.ts'
import { notice } from '../parts/notice.ts'
import { sizeText } from '../parts/sizes.ts'
import { redirectReply, type WebReply, type WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'

/** Milliseconds to wait for an index that is being built. After that its finished part is searched. */
const patience = 500
/** Results per page. */
const usualLimit = '20'
const offsets = { min: 0, max: maxSkipped }

/** Shows the results of a search. With `go`, redirects to the page of exactly this title. */
export async function searchPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const asked = (query('search') ?? request.title).trim().slice(0, 1000)
  const exact = asked === '' ? undefined : possibleTitle(asked, wiki.store.titles)?.key
  const page = exact === undefined ? undefined : wiki.store.findPage(exact)
  if (query('go') !== undefined && page !== undefined) return redirectReply(302, pageAddress(page.key))
  const body = asked === '' ? html`` : await results(request, asked, page)
  const title = asked === '' ? words.text('search') : words.text('searchResults', asked)
  return { view: { title, unlisted: true, body: html`${searchForm(request, asked)}${body}` } }
}

function searchForm(request: WebRequest, asked: string): Markup {
  const { words, query } = request
  return html`<form class="filters" action="${specialAddress('Search')}">
<label>${words.say('searchWords')} <input type="search" name="search" value="${asked}"></label>
${namespaceField(request, 'ns', query('ns') ?? '', words.say('usualNamespaces'))}
<button type="submit" class="primary">${words.say('search')}</button>
</form>`
}

type Page = NonNullable<ReturnType<WebRequest['wiki']['store']['findPage']>>

async function results(request: WebRequest, asked: string, exact: Page | undefined): Promise<Markup> {
  const { wiki, words, query } = request
  const namespaces = query('ns') === undefined ? undefined : namespacesParam(query('ns'))
  const limit = limitParam(query('limit') ?? usualLimit)
  const offset = boundedInteger('offset', query('offset') ?? '0', offsets)
  // One result more than is shown reveals whether there are more.
  const asking = {
    q: asked,
    limit: limit + 1,
    offset,
    namespaces,
    base: apiBase(),
    patience,
    excerpts: 'words',
  } as const
  const { results: found, missing, suggestion, partial, unpictured } = await findPages(wiki, asking)
  const rows = found.pages.slice(0, limit).map(result => resultRow(request, result))
  const isIncomplete = missing > 0 || partial
  if (isIncomplete || unpictured) request.onIncomplete()
  const hasMore = found.pages.length > limit && offset + limit <= maxSkipped
  return html`${isIncomplete ? notice(words.say('searchIncomplete'), 'warning') : null}
${offset > 0 ? null : exactNote(request, asked, exact)}
${suggestion === null ? null : html`<p>${words.say('didYouMean', html`<a href="${specialAddress('Search', { search: suggestion })}">${suggestion}</a>`)}</p>`}
${rows.length === 0 ? html`<p>${words.say('nothingFound')}</p>` : html`<ol class="results" start="${offset + 1}">${rows}</ol>`}
${partsOf(request, asked, { offset, limit, hasMore })}`
}

interface Part {
  readonly offset: number
  readonly limit: number
  readonly hasMore: boolean
}

/** Writes the links to the previous and next results. */
function partsOf({ words, query }: WebRequest, search: string, { offset, limit, hasMore }: Part): Markup | null {
  if (offset === 0 && !hasMore) return null
  const address = (start: number): string =>
    specialAddress('Search', {
      search,
      ns: query('ns'),
      limit: query('limit'),
      offset: start === 0 ? undefined : start,
    })
  return html`<nav class="pager" aria-label="${words.say('pages')}">${offset === 0 ? null : html`<a rel="prev" href="${address(Math.max(0, offset - limit))}">${words.say('previousResults')}</a>`}${hasMore ? html`<a rel="next" href="${address(offset + limit)}">${words.say('moreResults')}</a>` : null}</nav>`
}

/** Signs and words of a search that nobody means as a title. */
const operators =
  /(?:^|\s)(?:[-!](?=[^\s-])|(?:AND|OR|NOT)\s|(?:intitle|incategory|linksto|hastemplate|insource|prefix):)|["“”*]/

function exactNote(request: WebRequest, asked: string, exact: Page | undefined): Markup | null {
  const { words, wiki } = request
  if (exact !== undefined)
    return html`<p>${words.say('exactPage', html`<a href="${pageAddress(exact.key)}"><bdi>${exact.title}</bdi></a>`)}</p>`
  const title = possibleTitle(asked, wiki.store.titles)
  // A title ends at a number sign, so the page would not be the requested one.
  const isTitle = !asked.includes('#') && !operators.test(asked)
  if (title === null || title.namespace < 0 || !isTitle || !canWrite(request, title.key)) return null
  return html`<p>${words.say('noSuchPageCreate', html`<a class="new" href="${pageAddress(title.key, { action: 'edit' })}"><bdi>${title.text}</bdi></a>`)}</p>`
}

type Result = Awaited<ReturnType<typeof findPages>>['results']['pages'][number]

function resultRow(
  { wiki, words }: WebRequest,
  { key, title, excerpt, matched_title, anchor, thumbnail }: Result,
): Markup {
  const page = wiki.store.findPage(key)
  const latest = page === undefined ? null : wiki.store.latestOf(page)
  const place = anchor ? `#${encodeURIComponent(anchor)}` : ''
  return html`<li>
${thumbnail === null ? null : html`<img src="${thumbnail.url}" alt="" loading="lazy" width="60">`}
<div><h2><a href="${pageAddress(key)}${place}"><bdi>${title}</bdi></a></h2>
${matched_title === null ? null : html`<p class="subtitle">${words.say('matchedTitle', matched_title)}</p>`}
<p class="excerpt">${trusted(excerpt)}</p>
${latest === null ? null : html`<p class="meta">${sizeText(latest.size, words)} · ${words.time(latest.timestamp)}</p>`}</div>
</li>`
}
