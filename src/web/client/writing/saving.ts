/**
 * Saves in the background: a server that does not answer leaves the page as it is, and the draft is forgotten only when the text is
 * saved. Whatever else the server says, it says by its own page, for which the form is sent as it is without script.
 */

import type { EditForm } from './edit-form.ts'

/** Has a form saved in this way. `saved` is called before the page is left. */
export function saveInBackground({ form, facts, say }: EditForm, saved: () => Promise<void>): void {
  let isSending = false
  form.addEventListener('submit', event => {
    const { submitter } = event
    if (submitter instanceof HTMLButtonElement && submitter.name === 'do' && submitter.value !== 'save') return
    event.preventDefault()
    if (isSending) return
    isSending = true
    void send(form.action, new FormData(form, submitter)).then(async outcome => {
      isSending = false
      if (outcome === 'silent') tellSilence(form, say('noServer'))
      else if (outcome === 'refused') sendAsItIs(form)
      else {
        await saved()
        location.assign(facts.page)
      }
    })
  })
}

/** A redirect says that the text is saved; where it leads is known. */
async function send(action: string, body: FormData): Promise<'saved' | 'refused' | 'silent'> {
  try {
    const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' })
    return answer.type === 'opaqueredirect' ? 'saved' : 'refused'
  } catch {
    return 'silent'
  }
}

/** A form that a script sends names no button. */
function sendAsItIs(form: HTMLFormElement): void {
  if (form.querySelector('input[name="do"]') === null) {
    const name = document.createElement('input')
    Object.assign(name, { type: 'hidden', name: 'do', value: 'save' })
    form.append(name)
  }
  form.submit()
}

function tellSilence(form: HTMLFormElement, text: string): void {
  const told = form.querySelector('.silence') ?? document.createElement('p')
  told.className = 'notice error silence'
  told.setAttribute('role', 'alert')
  told.textContent = text
  form.querySelector('.actions')?.before(told)
}
