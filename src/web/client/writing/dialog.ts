/** Small dialogs above the form: a few fields and two buttons. */

import { button } from './edit-form.ts'

interface DialogLabels {
  readonly title: string
  /** Label of the button that submits the dialog's form. */
  readonly act: string
  readonly cancel: string
}

/**
 * Shows a dialog. `act` receives its form. The dialog closes unless `act` returns an error sentence. The signal aborts
 * when the user closes the dialog first; `act` must then have no further effect.
 */
export function ask(
  labels: DialogLabels,
  fields: readonly HTMLElement[],
  act: (form: HTMLFormElement, signal: AbortSignal) => Promise<string | null> | string | null,
): Promise<void> {
  const { dialog, form, message, go } = createDialog(labels, fields)
  const closed = new AbortController()
  form.addEventListener('submit', async event => {
    event.preventDefault()
    go.disabled = true
    message.textContent = (await act(form, closed.signal)) ?? ''
    go.disabled = false
    if (message.textContent === '') dialog.close()
  })
  document.body.append(dialog)
  dialog.showModal()
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      closed.abort()
      dialog.remove()
      resolve()
    })
  })
}

function createDialog(labels: DialogLabels, fields: readonly HTMLElement[]) {
  const dialog = document.createElement('dialog')
  dialog.className = 'ask'
  const heading = document.createElement('h2')
  heading.id = 'ui--ask'
  heading.textContent = labels.title
  dialog.setAttribute('aria-labelledby', heading.id)
  const form = document.createElement('form')
  form.method = 'dialog'
  const message = document.createElement('p')
  message.setAttribute('role', 'alert')
  const buttons = document.createElement('p')
  buttons.className = 'actions'
  const go = document.createElement('button')
  go.className = 'primary'
  go.textContent = labels.act
  buttons.append(
    go,
    button(labels.cancel, () => dialog.close()),
  )
  form.append(heading, ...fields, message, buttons)
  dialog.append(form)
  return { dialog, form, message, go }
}

/** Creates a field with its label. */
export function labelled(label: string, values: Partial<HTMLInputElement>): HTMLLabelElement {
  const made = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, values)
  made.append(`${label} `, input)
  return made
}

/** Returns the text of a dialog's field. */
export function fieldText(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim()
}
