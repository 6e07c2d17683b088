/** Pages that link to a page, and the members of a category: as the search index knows them. */

import { parseTitle } from '../../core/title.ts'
import { findPages } from '../../operations/search-pages.ts'
import { pageAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { notice } from '../parts/notice.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Milliseconds that an index which is being built is waited for. */
const patience = 500
const mostPages = 100

/** Lists the pages that link to the page of the request's title. Errors: rest-invalid-title. */
export async function whatLinksHere(request: WebRequest): Promise<WebReply> {
  const { wiki, words } = request
  const { key, text } = parseTitle(request.title, wiki.store.titles)
  const found = await titlesWith(request, 'linksto', text)
  const body = html`${found.note}${found.rows.length === 0 ? html`<p>${words.say('nothingLinksHere')}</p>` : html`<ul>${found.rows}</ul>`}`
  return {
    view: {
      title: words.text('linksTo', text),
      heading: words.say('linksTo', html`<bdi>${text}</bdi>`),
      key,
      tab: 'other',
      unlisted: true,
      body,
    },
  }
}

interface FoundTitles {
  readonly rows: readonly Markup[]
  /** Said where there may be more. */
  readonly note: Markup | null
}

/** Finds pages by a filter of the search. */
export async function titlesWith(
  { wiki, words }: WebRequest,
  filter: 'linksto' | 'incategory',
  title: string,
): Promise<FoundTitles> {
  const q = `all: ${filter}:"${title.replaceAll('"', '')}"`
  const { results, missing, partial } = await findPages(wiki, { q, limit: mostPages, base: '/v1', patience })
  const isShort = missing > 0 || partial || results.pages.length === mostPages
  const pages = results.pages.toSorted((one, other) => (one.title < other.title ? -1 : 1))
  const rows = pages.map(({ key, title }) => html`<li><a href="${pageAddress(key)}"><bdi>${title}</bdi></a></li>`)
  return { rows, note: isShort ? notice(words.say('listIncomplete'), 'warning') : null }
}
