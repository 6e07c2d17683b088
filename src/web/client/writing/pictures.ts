/** Uploads images that are pasted, dropped or chosen. Each gets a file name and is inserted at the cursor. */

import { pageOf } from '../reading/trusted.ts'
import { ask, fieldText, labelled } from './dialog.ts'
import type { EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'
import { pictureText } from './tools.ts'

/** Uploads files one after the other and inserts each into the text. */
export async function addPictures(edit: EditForm, box: TextBox, files: readonly File[]): Promise<void> {
  for (const file of files) await addPicture(edit, box, file)
  box.focus()
}

/** Opens a file chooser. */
export function choosePictures(edit: EditForm, box: TextBox): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, accept: 'image/*,audio/*,video/*' })
  input.addEventListener('change', () => void addPictures(edit, box, [...(input.files ?? [])]))
  input.click()
}

function addPicture(edit: EditForm, box: TextBox, file: File): Promise<void> {
  const { say, data } = edit
  const name = labelled(say('fileName'), {
    name: 'name',
    value: nameOf(file, data.title),
    required: true,
    maxLength: 240,
  })
  const words = labelled(say('pictureWords'), { name: 'words', maxLength: 500 })
  return ask(
    { title: say('uploadTitle'), act: say('upload'), cancel: say('cancel') },
    [name, words],
    async (form, signal) => {
      const added = await upload(edit, { file, name: fieldText(form, 'name'), signal })
      if (signal.aborted) return null
      if ('refused' in added) return added.refused
      const { from, to } = box.selection()
      const insert = pictureText(data.model, { name: added.title, path: added.path, words: fieldText(form, 'words') })
      const end = from + insert.length
      box.edit({ from, to, insert, select: { from: end, to: end } })
      return null
    },
  )
}

/** Every image from the clipboard is named `image.png`. The page's title and the time make a better name. */
function nameOf({ name, type }: File, title: string): string {
  if (name !== '' && !/^image\.\w+$/i.test(name)) return name
  const moment = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  return `${title.replace(/[/:#<>[\]|{}]/g, ' ')} ${moment}.${type.split('/')[1] ?? 'png'}`
}

type Added = { readonly title: string; readonly path: string } | { readonly refused: string }

interface Upload {
  readonly file: File
  readonly name: string
  /** Aborts the upload. */
  readonly signal: AbortSignal
}

async function upload({ form, data, say }: EditForm, { file, name, signal }: Upload): Promise<Added> {
  const body = new FormData()
  const sent = new FormData(form)
  for (const field of ['token', 'login']) if (sent.has(field)) body.set(field, sent.get(field) ?? '')
  body.set('name', name)
  body.set('file', file)
  try {
    const headers = { accept: 'application/json' }
    const response = await fetch(data.upload, { method: 'POST', body, headers, redirect: 'manual', signal })
    if (response.headers.get('content-type')?.startsWith('application/json') && response.ok)
      return await response.json()
    const page = response.type === 'opaqueredirect' ? null : await pageOf(response)
    return {
      refused:
        page?.querySelector('[data-ui-body] > .notice.error, [data-ui-body] > p')?.textContent ?? say('notTaken', ''),
    }
  } catch {
    return { refused: say('noServer') }
  }
}
