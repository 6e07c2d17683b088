/** The list of keyboard shortcuts. The script also shows it in a dialog. */

import { html } from '../markup.ts'
import { keys } from '../parts/keys.ts'
import type { WebReply, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Lists the shortcuts. */
export async function keysPage({ words }: WebRequest): Promise<WebReply> {
  const rows = Object.entries(keys).map(([word, key]) => {
    const also = word === 'search' ? html` <kbd>/</kbd>` : null
    return html`<tr><td><kbd>${key}</kbd>${also}</td><td>${words.say(word as WordKey)}</td></tr>`
  })
  const body = html`<p>${words.say('keysHint')}</p>
<table class="facts"><thead><tr><th scope="col">${words.say('keyName')}</th><th scope="col">${words.say('keyAction')}</th></tr></thead><tbody>${rows}</tbody></table>`
  return { view: { title: words.text('keysTitle'), body } }
}
