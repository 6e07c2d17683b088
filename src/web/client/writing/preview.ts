/** A preview beside the text, which follows what is written. It is the server's own, asked for as without script. */

import { button, type EditForm } from './edit-form.ts'
import { morphChildren } from './morph.ts'
import { serverView } from './server-view.ts'
import type { TextBox } from './text-box.ts'

/** Fewest milliseconds without a key before the preview is asked for. */
const pause = 400

/** Lets the form's preview button open a preview beside the text. */
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
    // If the server is away, the next request shows what there is.
    const shown = await serverView(edit, { do: 'preview' }, signal).catch(() => null)
    // A newer request took its place.
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

/** Scrolls the preview as far as the text is scrolled. */
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
