/** Errors as pages: the sentence of the error's key, in the same shell as every page. */

import { STATUS_CODES } from 'node:http'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { possibleTitle } from '../../core/title.ts'
import { errorMessageIn } from '../../http/messages/messages.ts'
import { retryHeaders } from '../../http/retry-after.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { pageAddress } from '../addresses.ts'
import { html } from '../markup.ts'
import type { View, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Headings by status; others have that of their hundred. */
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

/** Writes the page for a thrown value. If it is no `WikiError`, only the id of the request is shown. */
export function errorView({ wiki, words, method }: WebRequest, thrown: unknown, id: string): View {
  const status = isWikiError(thrown) ? thrown.status : 500
  const heading = words.text(headings[status] ?? (status < 500 ? 'errorBadRequest' : 'errorFault'))
  const sentence = isWikiError(thrown) ? errorMessageIn(words.language, thrown) : words.text('faultSentence')
  return {
    status,
    title: heading,
    unlisted: true,
    headers: retryHeaders(thrown),
    body: html`<p>${sentence}</p>
${method === 'POST' ? html`<p>${words.say('formKept')}</p>` : null}
<p class="actions"><a class="button" href="${pageAddress(mainPageTitle(wiki.store))}">${words.say('toMainPage')}</a></p>
<p class="request-id">${status} ${STATUS_CODES[status] ?? ''} · <code>${id}</code></p>`,
  }
}

/** Writes the page for a path at which there is nothing. The page that the path may mean is named. */
export function lostView(request: WebRequest, path: string): View {
  const { wiki, words, title } = request
  const key = possibleTitle(title.replace(/^w\//, ''), wiki.store.titles)?.key
  const page = key === undefined ? undefined : wiki.store.findPage(key)
  const view = errorView(request, new WikiError('rest-no-match', { params: [path] }), request.id)
  if (page === undefined) return { ...view, personal: true }
  const meant = words.say('didYouMean', html`<a href="${pageAddress(page.key)}"><bdi>${page.title}</bdi></a>`)
  return { ...view, personal: true, body: html`<p>${meant}</p>${view.body}` }
}
