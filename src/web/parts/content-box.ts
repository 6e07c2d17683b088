/** The box around a text of the wiki, with its language and direction. */

import { directionOf } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'

/** Writes the box. `isHuge` makes the browser lay out sections only when they scroll into view. */
export function contentBox(language: string, text: Markup, isHuge = false): Markup {
  return html`<div class="content${isHuge ? ' huge' : ''}" data-ui-text lang="${language}" dir="${directionOf(language)}">${text}</div>`
}
