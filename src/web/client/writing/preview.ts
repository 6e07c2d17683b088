/** A live preview beside the text. The server renders it, as without script. */

import { button, type EditForm } from './edit-form.ts'
import { morphChildren } from './morph.ts'
import { serverView } from './server-view.ts'
import type { TextBox } from './text-box.ts'

/** Minimum milliseconds without a keystroke before the preview is requested. */
const pause = 400

/** Makes the form's preview button open a live preview. */
export function startPreview(edit: EditForm, box: TextBox, place: HTMLElement): void {
  const { form, say } = edit
  const panel = document.createElement('section')
  panel.className = 'live-preview'
  panel.setAttribute('aria-label', say('preview'))
  panel.tabIndex = 0
  const body = document.createElement('div')
  const close = button(say('closePreview'), () => {
    panel.remove()
    document.body.classList.remove('beside')
    box.focus()
  })
  panel.append(close, body)
  let timer = 0
  let cost = 0
  let stop = new AbortController()

  const refresh = async (): Promise<void> => {
    clearTimeout(timer)
    stop.abort()
    stop = new AbortController()
    const began = performance.now()
    panel.setAttribute('aria-busy', 'true')
    const { signal } = stop
    // If the server is down, the next request updates the preview.
    const shown = await serverView(edit, { do: 'preview' }, signal).catch(() => null)
    // A newer request replaced this one.
    if (signal.aborted) return
    if (shown !== null) morphChildren(body, shown)
    else if (body.childNodes.length === 0) body.textContent = say('noServer')
    cost = performance.now() - began
    panel.removeAttribute('aria-busy')
  }
  box.onChange(() => {
    clearTimeout(timer)
    if (panel.isConnected) timer = window.setTimeout(() => void refresh(), Math.max(pause, 2 * cost))
  })
  form.addEventListener('submit', event => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'preview') return
    event.preventDefault()
    place.append(panel)
    document.body.classList.add('beside')
    void refresh().then(() => panel.scrollIntoView({ block: 'nearest' }))
  })
  panel.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link !== null) link.target = '_blank'
  })
  followScroll(box, panel)
}

/** Keeps the preview's scroll position proportional to the text's. */
function followScroll(box: TextBox, panel: HTMLElement): void {
  document.addEventListener(
    'scroll',
    () => {
      const { scrollTop, scrollHeight, clientHeight } = box.scroller
      if (panel.isConnected && scrollHeight > clientHeight)
        panel.scrollTop = (scrollTop / (scrollHeight - clientHeight)) * (panel.scrollHeight - panel.clientHeight)
    },
    { capture: true, passive: true },
  )
}
