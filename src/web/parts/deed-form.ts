/** A form that asks for one deed: what will happen, a reason, one button. */

import { type Content, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import { senderFields } from '../writing.ts'

export interface Deed {
  /** Address that the form is sent to. */
  readonly action: string
  /** Fields beside the reason. */
  readonly fields?: Content
  /** Reason as it was sent. */
  readonly reason?: string
  readonly button: WordKey
  /** Address of the page that is led back to. */
  readonly back: string
  /** True if a second button shows what would be done. */
  readonly hasPreview?: boolean
  /** Said above the form. */
  readonly above?: Content
}

/** Writes the form. */
export function deedForm(
  request: WebRequest,
  { action, fields, reason = '', button, back, hasPreview = false, above }: Deed,
): Markup {
  const { words } = request
  return html`${above}<form class="deed" method="post" enctype="multipart/form-data" action="${action}">
${fields}
<label>${words.say('reason')} <input name="reason" value="${reason}" maxlength="500" dir="auto"></label>
${senderFields(request)}
<p class="actions"><button type="submit" class="primary">${words.say(button)}</button>
${hasPreview ? html`<button type="submit" name="do" value="preview">${words.say('preview')}</button>` : null} <a href="${back}">${words.say('cancel')}</a></p>
</form>`
}
