/** Handles paste and drop: files are uploaded, and formatted text is offered as markup. */

import { pageOf } from '../reading/trusted.ts'
import { button, type EditForm } from './edit-form.ts'
import { addPictures } from './pictures.ts'
import type { TextBox } from './text-box.ts'
import { markupEdit } from './tools.ts'

/** Elements that make a conversion worthwhile. Many programs wrap plain text in other elements. */
const shaped = /<(?:a\s|b>|strong|em>|i>|h[1-6]|table|ul|ol|blockquote|pre|code)/i

/** Handles paste and drop on a text box. `place` is the element around all boxes. */
export function takePastes(edit: EditForm, box: TextBox, place: HTMLElement): void {
  const takeFiles = (event: Event, data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])].filter(({ type }) => /^(?:image|audio|video)\//.test(type))
    // Spreadsheets put an image of the cells on the clipboard as well.
    if (files.length === 0 || data?.types.includes('text/plain')) return false
    event.preventDefault()
    event.stopPropagation()
    void addPictures(edit, box, files)
    return true
  }
  place.addEventListener('drop', event => void takeFiles(event, event.dataTransfer), true)
  place.addEventListener('dragover', event => event.dataTransfer?.types.includes('Files') && event.preventDefault())
  place.addEventListener(
    'paste',
    event => {
      if (takeFiles(event, event.clipboardData)) return
      const html = event.clipboardData?.getData('text/html') ?? ''
      if (!shaped.test(html)) return
      const { from } = box.selection()
      setTimeout(() => offerMarkup(edit, box, { html, from, to: box.selection().to, place }))
    },
    true,
  )
}

interface Pasted {
  readonly html: string
  readonly from: number
  readonly to: number
  readonly place: HTMLElement
}

/** Offers the pasted text as markup until the text changes. */
function offerMarkup(edit: EditForm, box: TextBox, { html, from, to, place }: Pasted): void {
  const pasted = box.read()
  place.querySelector('.paste-offer')?.remove()
  const bar = document.createElement('p')
  bar.className = 'paste-offer'
  bar.setAttribute('role', 'status')
  const act = async (): Promise<void> => {
    const { insert = null, refused = edit.say('noServer') } = await markupOf(edit, html)
    if (insert === null) bar.textContent = refused
    else if (box.read() === pasted) {
      box.edit(markupEdit(edit.data.model, pasted, { from, to }, insert))
      bar.remove()
      box.focus()
    }
  }
  bar.append(button(edit.say('pasteAsMarkup'), () => void act()))
  place.append(bar)
  box.onChange(() => box.read() !== pasted && bar.remove())
}

/** Requests the conversion of HTML to the page's markup; null if the server does not respond. */
async function markupOf(
  { form }: EditForm,
  html: string,
): Promise<{ readonly insert?: string; readonly refused?: string }> {
  const data = new FormData(form)
  data.delete('text')
  data.set('do', 'convert')
  data.set('html', html)
  try {
    const response = await fetch(form.action, { method: 'POST', body: data })
    if (response.ok) return { insert: (await response.json()).text }
    const refused = (await pageOf(response)).querySelector(
      '[data-ui-body] > .notice.error, [data-ui-body] > p',
    )?.textContent
    return refused ? { refused } : {}
  } catch {
    return {}
  }
}
