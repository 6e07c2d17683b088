/** Links to the parts of a long list. */

import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** URLs of the adjacent parts; null if there is none. */
export interface Neighbours {
  readonly newer: string | null
  readonly older: string | null
}

/** Writes the links to newer and older parts of a chronological list. */
export function pager({ newer, older }: Neighbours, words: Words): Markup | null {
  if (newer === null && older === null) return null
  return html`<nav class="pager" aria-label="${words.say('pages')}">${newer === null ? null : html`<a rel="prev" href="${newer}">${words.say('newer')}</a>`}${older === null ? null : html`<a rel="next" href="${older}">${words.say('older')}</a>`}</nav>`
}
