/** Error pages: the message of the error's key, in the usual shell. */

import { STATUS_CODES } from 'node:http'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, possibleTitle } from '../../core/title.ts'
import { messageIn } from '../../http/messages/messages.ts'
import { retryHeaders } from '../../http/retry-after.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { errorSentence } from '../parts/error-sentence.ts'
import type { View, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Headings by status. Other statuses use the heading of their class, such as 400. */
const headings: Readonly<Record<number, WordKey>> = {
  401: 'errorSignIn',
  403: 'errorForbidden',
  404: 'errorMissing',
  405: 'errorBadRequest',
  409: 'errorConflict',
  413: 'errorTooLarge',
  429: 'errorTooMany',
  503: 'errorBusy',
}

/** Errors about a title that no page can have. */
const titleErrors: ReadonlySet<string> = new Set([
  ...['rest-invalid-title', 'apierror-invalidtitle', 'apierror-pagecannotexist'],
])

/** Renders a thrown value. For anything but a `WikiError` it shows only the id of the request. */
export function errorView(request: WebRequest, thrown: unknown, id: string): View {
  const { wiki, words, method } = request
  const status = isWikiError(thrown) ? thrown.status : 500
  const isTitle = isWikiError(thrown) && titleErrors.has(thrown.code)
  const usual = headings[status] ?? (status < 500 ? 'errorBadRequest' : 'errorFault')
  const heading = words.text(isTitle ? 'errorTitle' : usual)
  const sentence = isWikiError(thrown) ? errorSentence(words.language, thrown) : words.say('faultSentence')
  return {
    status,
    title: heading,
    unlisted: true,
    headers: retryHeaders(thrown),
    body: html`<p>${sentence}</p>
${method === 'POST' ? html`<p>${words.say('formKept')}</p>` : null}
<p class="actions">${isTitle ? searchLink(request) : wayBack(request)}<a class="button" href="${pageAddress(mainPageTitle(wiki.store))}">${words.say('toMainPage')}</a></p>
<p class="request-id">${status} ${STATUS_CODES[status] ?? ''} · <code>${id}</code></p>`,
  }
}

/** Leads to the page, or the special page, without what the address asked of it; null where that would be the same error. */
function wayBack({ wiki, title, search, method }: WebRequest): Markup | null {
  if (title === '' || search === '' || method === 'POST') return null
  const key = possibleTitle(title, wiki.store.titles)?.key
  const page = key === undefined ? undefined : wiki.store.findPage(key)
  const name = page?.title ?? (isSpecialTitle(wiki, title) ? title.replaceAll('_', ' ') : null)
  return name === null ? null : html`<a class="button" href="${pageAddress(page?.key ?? title)}"><bdi>${name}</bdi></a>`
}

/** Offers a search for a text that is not a title. */
function searchLink({ title, words }: WebRequest): Markup | null {
  if (title.trim() === '') return null
  return html`<a class="button" href="${specialAddress('Search', { search: title.replaceAll('_', ' ').slice(0, 200) })}">${words.say('searchFor')}</a>`
}

function isSpecialTitle({ store }: WebRequest['wiki'], title: string): boolean {
  return findNamespace(title.split(':', 1)[0] ?? '', store.titles) === namespaceIds.special
}

/** Renders the page for a method that an address does not take. */
export function wrongMethodView({ words, wiki }: WebRequest, method: string, allow: string): View {
  const english = `The request method (${method}) was not one of the allowed methods for this path (${allow})`
  return {
    status: 405,
    title: words.text('errorBadRequest'),
    unlisted: true,
    personal: true,
    headers: { allow },
    body: html`<p>${messageIn(words.language, 'rest-wrong-method', { params: [method, allow], english })}</p>
<p class="actions"><a class="button" href="${pageAddress(mainPageTitle(wiki.store))}">${words.say('toMainPage')}</a></p>`,
  }
}

/** Renders the page for an unknown path, and suggests the page that the path may mean. */
export function lostView(request: WebRequest, path: string): View {
  const { wiki, words, title } = request
  const key = possibleTitle(title.replace(/^w\//, ''), wiki.store.titles)?.key
  const page = key === undefined ? undefined : wiki.store.findPage(key)
  const view = errorView(request, new WikiError('rest-no-match', { params: [path] }), request.id)
  if (page === undefined) return { ...view, personal: true }
  const meant = words.say('didYouMean', html`<a href="${pageAddress(page.key)}"><bdi>${page.title}</bdi></a>`)
  return { ...view, personal: true, body: html`<p>${meant}</p>${view.body}` }
}
