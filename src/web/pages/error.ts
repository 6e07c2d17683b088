/** Errors as pages: the sentence of the error's key, in the same shell as every page. */

import { STATUS_CODES } from 'node:http'
import { isWikiError } from '../../core/errors.ts'
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
