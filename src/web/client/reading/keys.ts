/** Single-key shortcuts for the elements with the same `accesskey`. `/` focuses the search, `?` lists the shortcuts. */

import { hasKeys } from './choices.ts'
import { pageAt } from './trusted.ts'

/** Fields receive all keys themselves. */
const fields = 'input, textarea, select, [contenteditable], dialog'

/** Listens for single-key shortcuts. */
export function listenForKeys(): void {
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
    if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || key.length !== 1 || !hasKeys()) return
    // For an event inside a shadow root, such as the editor's, the field is the first element of the path.
    if (event.composedPath().some(one => one instanceof Element && one.matches(fields))) return
    if (key === '?') void showKeys()
    else if (!press(key === '/' ? 'f' : key)) return
    event.preventDefault()
  })
}

/** Returns true if the page may contain unsaved text, so that no shortcut may leave it. */
function isWriting(): boolean {
  return document.querySelector('main form[method="post"]') !== null
}

/** Focuses a field or follows a link; returns false if the page has no element for this key. */
function press(key: string): boolean {
  const element = document.querySelector<HTMLElement>(`[accesskey="${CSS.escape(key)}"]`)
  if (element === null || (element.matches('a, button') && isWriting())) return false
  if (element.matches('a, button, summary')) element.click()
  else element.focus()
  return true
}

/** Shows the page of shortcuts in a dialog. */
async function showKeys(): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>('[accesskey="?"]')
  if (link === null || document.querySelector('dialog') !== null) return
  const page = await pageAt(link.href)
  const [title, body] = [page?.querySelector('h1'), page?.querySelector('[data-ui-body]')]
  if (!title || !body) {
    if (!isWriting()) location.assign(link.href)
    return
  }
  const dialog = document.createElement('dialog')
  const form = document.createElement('form')
  form.method = 'dialog'
  const close = document.createElement('button')
  close.textContent = link.dataset.uiClose ?? '×'
  form.append(close)
  dialog.append(Object.assign(document.createElement('h2'), { textContent: title.textContent }), body, form)
  dialog.setAttribute('aria-label', title.textContent)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
