/** The form for editing a text. It works without script: preview, changes and saving are three buttons. */

import { pageAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { fieldsToWrite } from '../writing.ts'
import { editFormData } from './edit-form-data.ts'
import type { EditState } from './edit-state.ts'
import { checkField } from './fields.ts'
import { sourceBox } from './source-box.ts'

/** Writes the form with its text. `isFresh` is true before the user's first submission. */
export function editForm(request: WebRequest, state: EditState, isFresh = false): Markup {
  const { words } = request
  const { key, base, made, section, text, summary, minor, draft } = state
  return html`<form class="edit" method="post" enctype="multipart/form-data" action="${pageAddress(key, { action: 'submit' })}" data-ui-edit="${editFormData(request, state, isFresh)}">
<input type="hidden" name="draft" value="${draft}"><input type="hidden" name="base" value="${String(base)}"><input type="hidden" name="made" value="${made}">${writtenOn(request, state)}
${section === null ? null : html`<input type="hidden" name="section" value="${String(section)}">`}
${sourceBox(text, { 'aria-label': words.text('textOfPage'), id: 'text', name: 'text', rows: rowsFor(text), spellcheck: 'true', lang: request.wiki.store.config.language })}
<div class="save">
<label class="grow">${words.say('summary')} <input name="summary" value="${summary}" maxlength="500" dir="auto"></label>
${base === 0 ? null : checkField('minor', minor, words.say('minorEdit'))}
${fieldsToWrite(request, key)}
<p class="actions"><button type="submit" name="do" value="save" class="primary">${words.say(base === 0 ? 'createPage' : 'save')}</button>
<button type="submit" name="do" value="preview">${words.say('preview')}</button>
<button type="submit" name="do" value="changes">${words.say('showChanges')}</button>
<a href="${pageAddress(key, base === 0 ? { redlink: 1 } : {})}">${words.say('cancel')}</a></p>
</div>
</form>`
}

/** Number of revisions that a form which the browser has requested again recognises. */
const recognised = 50

/**
 * Repeats the form's revision as a selection. "Back" and "reload" may request the form again and restore the user's text in it; browsers
 * restore selections too, but no hidden fields. So the text comes with the revision that it was written on.
 */
function writtenOn({ wiki }: WebRequest, { key, base }: EditState): Markup | null {
  const page = wiki.store.findPage(key)
  if (page === undefined || base === 0) return null
  const { revisions } = wiki.store.history(page, { limit: recognised })
  const ids = new Set([base, ...revisions.map(({ id }) => id)])
  return html`<select name="written-on" hidden>${[...ids].map(id => html`<option${attributes({ selected: id === base })}>${String(id)}</option>`)}</select>`
}

/** Returns the number of rows of a text box: the lines of the text, within bounds. */
function rowsFor(text: string): string {
  return String(Math.max(10, Math.min(26, text.split('\n', 30).length + 4)))
}

/** Shows the source of a page that cannot be edited here. */
export function sourceView({ words, wiki }: WebRequest, text: string): Markup {
  return html`${sourceBox(text, { 'aria-label': words.text('textOfPage'), id: 'text', rows: rowsFor(text), readonly: true, lang: wiki.store.config.language })}`
}
