/** A form for one action: its effect, a reason, one button. */

import { type Content, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import { type Form, fieldsToWrite } from '../writing.ts'
import { draftField, draftFormData } from './draft-form-data.ts'

export interface ActionForm {
  /** URL that the form is submitted to. */
  readonly action: string
  /** Key of the page that it is about; "" if a field names one. */
  readonly key: string
  /** Fields besides the reason. */
  readonly fields?: Content
  /** The submitted form; null on the first request. */
  readonly sent: Form | null
  readonly button: WordKey
  /** URL of the page to return to. */
  readonly back: string
  /** True if a second button shows a preview. */
  readonly hasPreview?: boolean
  /** Shown above the form. */
  readonly above?: Content
}

/** Writes the form. */
export function actionForm(
  request: WebRequest,
  { action, key, fields, sent, button, back, hasPreview = false, above }: ActionForm,
): Markup {
  const { words } = request
  return html`${above}<form class="action" method="post" enctype="multipart/form-data" action="${action}" data-ui-edit="${draftFormData(request, action, sent)}">
${draftField(sent)}${fields}
<label>${words.say('reason')} <input name="reason" value="${sent?.text('reason') ?? ''}" maxlength="500" dir="auto"></label>
${fieldsToWrite(request, key, sent !== null)}
<p class="actions"><button type="submit" class="primary">${words.say(button)}</button>
${hasPreview ? html`<button type="submit" name="do" value="preview">${words.say('preview')}</button>` : null} <a href="${back}">${words.say('cancel')}</a></p>
</form>`
}
