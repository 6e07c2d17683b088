/** The page on which a source is edited, with script: drafts, merging while somebody writes, saving without losing the page. */

import { startDrafts } from './writing/drafts.ts'
import { findEditForm } from './writing/edit-form.ts'
import { startNewer } from './writing/newer.ts'
import { saveInBackground } from './writing/saving.ts'
import { textBoxOf } from './writing/text-box.ts'

const edit = findEditForm()
const field = edit?.form.querySelector('textarea')
if (edit !== null && field) {
  const box = textBoxOf(edit.form, field)
  const drafts = startDrafts(edit, box, startNewer(edit, box))
  saveInBackground(edit, drafts.saved)
}
