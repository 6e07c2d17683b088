/** Script of the edit page: an editor, a preview beside it, drafts, merging, and saving in the background. */

import { showChanges } from './writing/changes.ts'
import { startDrafts } from './writing/drafts.ts'
import { type EditForm, findEditForm } from './writing/edit-form.ts'
import { chooseBox } from './writing/editor-choice.ts'
import { startNewer } from './writing/newer-revisions.ts'
import { takePastes } from './writing/pasting.ts'
import { startPreview } from './writing/preview.ts'
import { leaveIfSaved } from './writing/saved-forms.ts'
import { saveInBackground } from './writing/saving.ts'
import { textBoxOf } from './writing/text-box.ts'
import { listenToKeys, toolbarOf } from './writing/toolbar.ts'

// On return to the page the browser restores the written text after this script is loaded and before the page is shown.
if (document.readyState === 'complete') start(findEditForm())
else window.addEventListener('pageshow', () => start(findEditForm()), { once: true })

function start(edit: EditForm | null): void {
  const field = edit?.form.querySelector('textarea')
  if (edit === null || !field || leaveIfSaved(edit)) return
  // From here on the script keeps `base` up to date: each merge with a newer revision changes it.
  edit.form.querySelector('[name="written-on"]')?.remove()
  const box = textBoxOf(edit.form, field)
  const drafts = startDrafts(edit, box, startNewer(edit, box))
  saveInBackground(edit, drafts.saved)
  showChanges(edit)
  const desk = document.createElement('div')
  desk.className = 'desk'
  const tools = document.createElement('div')
  tools.className = 'tools'
  const text = document.createElement('div')
  // The user may be typing already. An element that is moved loses the focus.
  const isFocused = document.activeElement === field
  field.before(tools, desk)
  text.append(field)
  desk.append(text)
  if (isFocused) field.focus({ preventScroll: true })
  startPreview(edit, box, desk)
  tools.append(toolbarOf(edit, box))
  listenToKeys(edit, box)
  takePastes(edit, box, text)
  chooseBox(edit, box, tools)
}
