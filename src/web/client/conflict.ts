/** The page on which two edits are put together, with script: the draft is forgotten when the chosen text is saved. */

import { removeDraft } from './writing/draft-store.ts'
import { findEditForm } from './writing/edit-form.ts'
import { saveInBackground } from './writing/saving.ts'

const edit = findEditForm()
if (edit !== null) {
  const id = edit.field('draft')?.value ?? ''
  saveInBackground(edit, () => (id === '' ? Promise.resolve() : removeDraft(id).catch(() => {})))
}
