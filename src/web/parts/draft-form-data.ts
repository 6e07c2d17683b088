/** Data for the script that keeps drafts of a form for one action. */

import { cookieName } from '../../http/access.ts'
import { withoutOwnPath } from '../../http/own-path.ts'
import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import type { Form } from '../writing.ts'

/** Script of these forms. */
export const actionScript = 'action.js'

/** Messages that the script uses. */
const spoken = [
  'draftFound',
  'continueDraft',
  'discardDraft',
  'draftKept',
  'draftNotKept',
  'noServer',
  'notTaken',
] as const satisfies readonly WordKey[]

/**
 * Returns the attribute `data-ui-edit` of a form with this action. Its content has the type `DraftFormData` of the scripts. `form` is the
 * submitted form, null on the first request.
 */
export function draftFormData({ wiki, words }: WebRequest, action: string, form: Form | null): string {
  return JSON.stringify({
    draft: `${cookieName(wiki)} form ${withoutOwnPath(action)}`,
    isFresh: form === null,
    words: Object.fromEntries(spoken.map(word => [word, words.template(word)])),
  })
}

/** The field with the draft's id, which a form passes through its previews. */
export function draftField(form: Form | null): Markup {
  return html`<input type="hidden" name="draft" value="${form?.text('draft').slice(0, 100) ?? ''}">`
}
