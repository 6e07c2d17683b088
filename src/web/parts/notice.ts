/** A box that says something about the page above its text. */

import { type Content, html, type Markup } from '../markup.ts'

/** Writes a notice. Screen readers announce an error at once. */
export function notice(text: Content, kind: 'plain' | 'warning' | 'error' = 'plain'): Markup {
  return html`<div class="notice ${kind}"${kind === 'error' ? html` role="alert"` : null}>${text}</div>`
}
