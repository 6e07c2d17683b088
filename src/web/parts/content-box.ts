/** Boxes around texts of the wiki. The attribute `data-ui-box` keeps what an author's styles draw inside (`src/web/style/content.css`). */

import { directionOf } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'

/** The text in a box. */
export interface BoxedText {
  readonly model: string
  readonly isHuge?: boolean
}

/**
 * Writes the box of a page's text, with its language and direction. `isHuge` makes the browser lay out sections only when they scroll into
 * view. Blocks of Markdown, which cannot name a direction, each have that of their first letter, as on GitHub.
 */
export function contentBox(language: string, text: Markup, { model, isHuge = false }: BoxedText): Markup {
  const classes = `content${isHuge ? ' huge' : ''}${model === 'markdown' ? ' own-directions' : ''}`
  return html`<div class="${classes}" data-ui-text data-ui-box lang="${language}" dir="${directionOf(language)}">${text}</div>`
}

/** Writes the box of a text beside the page's own: `_Sidebar`, `_Header`, `_Footer`. */
export function sideBox(text: Markup): Markup {
  return html`<div data-ui-box>${text}</div>`
}
