/** Drafts stored in this browser. A script fills the list, because the server does not know them. */

import { cookieName } from '../../http/access.ts'
import { html } from '../markup.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Shows the list. */
export async function draftsPage({ words, wiki }: WebRequest): Promise<WebReply> {
  const data = {
    prefix: `${cookieName(wiki)} `,
    words: { none: words.text('noDrafts'), discard: words.text('discardDraft'), refused: words.text('draftNotKept') },
  }
  const body = html`<p>${words.say('draftsHint')}</p><div data-ui-drafts="${JSON.stringify(data)}"></div><noscript><p>${words.say('draftsNeedScript')}</p></noscript>`
  return { view: { title: words.text('draftsTitle'), unlisted: true, personal: true, scripts: ['drafts.js'], body } }
}
