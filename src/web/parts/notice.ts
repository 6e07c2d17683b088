/** A box with a message above the text of the page. */

import { type Content, html, type Markup } from '../markup.ts'

/** Writes a notice. Screen readers announce errors immediately. */
export function notice(text: Content, kind: 'plain' | 'warning' | 'error' = 'plain'): Markup {
  return html`<div class="notice ${kind}"${kind === 'error' ? html` role="alert"` : null}>${text}</div>`
}
