/** The box of a text of the wiki: it has a language and a direction of its own. */

import { directionOf } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'

/** Writes the box of a text in a language. */
export function contentBox(language: string, text: Markup): Markup {
  return html`<div class="content" lang="${language}" dir="${directionOf(language)}">${text}</div>`
}
