/** Shows the changes of the text above the form, without leaving the page. */

import type { EditForm } from './edit-form.ts'
import { reportFault } from './saving.ts'
import { serverView } from './server-view.ts'

/** Makes the form's "changes" button show them in place. */
export function showChanges(edit: EditForm): void {
  const { form, say } = edit
  let shown: Element | null = null
  form.addEventListener('submit', event => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'changes') return
    event.preventDefault()
    void serverView(edit, { do: 'changes' })
      .catch(() => null)
      .then(changes => {
        if (changes === null) return reportFault(form, say('noServer'))
        shown?.remove()
        shown = document.importNode(changes, true)
        form.before(shown)
        shown.scrollIntoView({ block: 'nearest' })
      })
  })
}
