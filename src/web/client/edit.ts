/** The page on which a source is edited, with script: an editor, a preview beside it, drafts, merging, saving in the background. */

import { chooseBox } from './writing/choose-box.ts'
import { startDrafts } from './writing/drafts.ts'
import { findEditForm } from './writing/edit-form.ts'
import { startNewer } from './writing/newer.ts'
import { startPreview } from './writing/preview.ts'
import { saveInBackground } from './writing/saving.ts'
import { textBoxOf } from './writing/text-box.ts'

const edit = findEditForm()
const field = edit?.form.querySelector('textarea')
if (edit !== null && field) {
  const box = textBoxOf(edit.form, field)
  const drafts = startDrafts(edit, box, startNewer(edit, box))
  saveInBackground(edit, drafts.saved)
  const desk = document.createElement('div')
  desk.className = 'desk'
  const tools = document.createElement('p')
  tools.className = 'tools'
  const text = document.createElement('div')
  field.before(tools, desk)
  text.append(field)
  desk.append(text)
  startPreview(edit, box, desk)
  chooseBox(edit, box, tools)
}
