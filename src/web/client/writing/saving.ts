/**
 * Saves in the background. The page is left only when the server confirms the save, or returns a page on which editing continues,
 * such as the choices of a conflict. In any other case the text stays where it is, with the reason above it.
 */

import { pageOf } from '../reading/trusted.ts'
import { storedPlace } from '../server/api.ts'
import type { EditForm } from './edit-form.ts'

/** The parts of a form that saving needs. */
type SavedForm = Pick<EditForm, 'form' | 'say'>

/** Makes a form save in the background. `saved` is called before the page is left. */
export function saveInBackground(edit: SavedForm, saved: () => Promise<void>): void {
  const { form, say } = edit
  form.addEventListener('submit', event => {
    const { submitter } = event
    if (
      submitter instanceof HTMLButtonElement &&
      submitter.name === 'do' &&
      !/^(?:save|resolve)$/.test(submitter.value)
    )
      return
    event.preventDefault()
    if (form.inert) return
    // Sent before the form is locked, so the request contains all of the text.
    const sending = send(form, submitter)
    const release = hold(form)
    void sending.then(async response => {
      if (response?.address) {
        await saved()
        location.assign(response.address)
        return
      }
      release()
      if (response === null) reportFault(form, say('noServer'))
      else if (await refuse(edit, response.response)) form.requestSubmit(submitter)
    })
  })
  // On return to the page the browser may show its previous state.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) form.inert = false
  })
}

/** Locks a form that is being submitted. Returns the function that unlocks it and restores the focus. */
function hold(form: HTMLFormElement): () => void {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  form.inert = true
  form.setAttribute('aria-busy', 'true')
  return () => {
    form.inert = false
    form.removeAttribute('aria-busy')
    if (focused instanceof HTMLElement) focused.focus()
  }
}

interface SaveResult {
  readonly response: Response
  /** URL of the saved page; null if it was not saved. */
  readonly address: string | null
}

/** Returns the address of a form: below the own path if somebody has signed in in another tab since the form was opened. */
function ownAction(form: HTMLFormElement): string {
  const place = document.body.dataset.uiOwn === '' ? storedPlace() : ''
  const action = form.getAttribute('action') ?? ''
  if (place !== '' && /^\/(?!~)/.test(action)) form.setAttribute('action', place + action)
  return form.action
}

/** Submits the form; null if there is no response, or one from another server. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<SaveResult | null> {
  try {
    const body = new FormData(form, submitter)
    const headers = { accept: 'application/json' }
    const response = await fetch(ownAction(form), { method: 'POST', body, headers, redirect: 'manual' })
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const { saved = null } = isJson && response.ok ? await response.json() : {}
    return { response, address: saved }
  } catch {
    return null
  }
}

/**
 * Shows why saving failed: above the form if it can stay, else as the server's own page. Returns true if the user has signed in in
 * another tab: the form has the token of the new session then, and can be sent again.
 */
async function refuse({ form, say }: SavedForm, response: Response): Promise<boolean> {
  // A proxy that requires a sign-in redirects elsewhere.
  const page = response.type === 'opaqueredirect' ? null : await pageOf(response).catch(() => null)
  const shown = page?.querySelector<HTMLFormElement>('form[data-ui-edit]')
  if (page === null || !shown) {
    const why =
      page?.querySelector('[data-ui-body] > p')?.textContent ?? (response.status === 0 ? '' : String(response.status))
    reportFault(form, say('notTaken', why))
    return false
  }
  if (!isSameForm(form, shown)) {
    sendAsItIs(form)
    return false
  }
  const [own, sender] = [form.querySelector('.sender'), shown.querySelector('.sender')]
  if (sender !== null) own?.replaceWith(document.importNode(sender, true))
  if (isSignedInSince(own, sender)) return true
  const notice = page.querySelector('[data-ui-body] > .notice')?.childNodes
  reportFault(form, ...(notice === undefined ? [say('notTaken', String(response.status))] : [...notice].map(adopted)))
  form.querySelector<HTMLElement>('.sender input[type="password"]')?.focus()
  return false
}

/** Compares the sender of a form with that of the server's: a new session, of the same user if the form named one. */
function isSignedInSince(own: Element | null, sender: Element | null): boolean {
  const tokenIn = (part: Element | null) => part?.querySelector<HTMLInputElement>('[name="token"]')?.value
  const nameIn = (part: Element | null) => part?.querySelector('.meta bdi')?.textContent
  const [before, now] = [nameIn(own), nameIn(sender)]
  return now !== undefined && (before ?? now) === now && tokenIn(own) !== tokenIn(sender)
}

/** Returns true if the server responded with the form that is already shown. */
function isSameForm(form: HTMLFormElement, shown: HTMLFormElement): boolean {
  const fields = ['base', 'made', 'section', 'current', 'text', 'shown', 'shown-file']
  const [own, other] = [new FormData(form), new FormData(shown)]
  const fieldOf = (data: FormData, name: string) => String(data.get(name) ?? '').replaceAll('\r\n', '\n')
  return (
    form.getAttribute('action') === shown.getAttribute('action') &&
    fields.every(name => fieldOf(own, name) === fieldOf(other, name))
  )
}

/** `submit()` does not include the clicked button. */
function sendAsItIs(form: HTMLFormElement): void {
  if (form.querySelector('input[name="do"]') === null) {
    const name = document.createElement('input')
    Object.assign(name, { type: 'hidden', name: 'do', value: form.classList.contains('conflict') ? 'resolve' : 'save' })
    form.append(name)
  }
  form.dataset.leaves = 'true'
  form.submit()
}

/** Links of the server's sentence stay links. */
function adopted(node: Node): Node {
  return document.importNode(node, true)
}

/** Shows above the buttons why saving failed. */
export function reportFault(form: HTMLFormElement, ...content: readonly (string | Node)[]): void {
  const message = form.querySelector('.silence') ?? document.createElement('p')
  message.className = 'notice error silence'
  message.setAttribute('role', 'alert')
  message.replaceChildren(...content)
  const place = form.querySelector('.sender') ?? form.querySelector('.actions')
  place?.before(message)
}
