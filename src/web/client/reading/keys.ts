/** Single keys that do what the elements with the same `accesskey` do; `/` goes to the search, `?` shows the list. */

import { hasKeys } from './choices.ts'
import { pageAt } from './trusted.ts'

/** Fields take every key themselves. */
const fields = 'input, textarea, select, [contenteditable], dialog'

/** Listens for single keys. */
export function listenForKeys(): void {
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
    if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || key.length !== 1 || !hasKeys()) return
    // In a shadow root, such as the editor's, the first of the path is the field.
    if (event.composedPath().some(one => one instanceof Element && one.matches(fields))) return
    if (key === '?') void showKeys()
    else if (!press(key === '/' ? 'f' : key)) return
    event.preventDefault()
  })
}

/** True on a page where somebody may have written something: no single key leads away from it. */
function isWriting(): boolean {
  return document.querySelector('main form[method="post"]') !== null
}

/** Goes to a field, or follows a link; returns false where the page has nothing for this key. */
function press(key: string): boolean {
  const element = document.querySelector<HTMLElement>(`[accesskey="${CSS.escape(key)}"]`)
  if (element === null || (element.matches('a, button') && isWriting())) return false
  if (element.matches('a, button, summary')) element.click()
  else element.focus()
  return true
}

/** Shows the page of keys in a dialog. */
async function showKeys(): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>('[accesskey="?"]')
  if (link === null || document.querySelector('dialog') !== null) return
  const page = await pageAt(link.href)
  const [title, body] = [page?.querySelector('h1'), page?.querySelector('.body')]
  if (!title || !body) {
    if (!isWriting()) location.assign(link.href)
    return
  }
  const dialog = document.createElement('dialog')
  const form = document.createElement('form')
  form.method = 'dialog'
  const close = document.createElement('button')
  close.textContent = link.dataset.close ?? '×'
  form.append(close)
  dialog.append(Object.assign(document.createElement('h2'), { textContent: title.textContent }), body, form)
  dialog.setAttribute('aria-label', title.textContent)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
