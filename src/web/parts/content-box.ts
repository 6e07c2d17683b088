/** The box of a text of the wiki: it has a language and a direction of its own. */

import { directionOf } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'

/** Writes the box of a text in a language; `isHuge` has the browser lay out its sections one by one. */
export function contentBox(language: string, text: Markup, isHuge = false): Markup {
  return html`<div class="content${isHuge ? ' huge' : ''}" lang="${language}" dir="${directionOf(language)}">${text}</div>`
}
