/** The box for writing a source: the editor with a mouse, the form's text box on phones and by choice. */

import type { Editor } from '../editor/editor.ts'
import { button, type EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Name under which the browser keeps the choice. */
const storedName = 'wiki-box'

/** Shows the box that was chosen, and a button to change it. */
export function chooseBox(edit: EditForm, box: TextBox, tools: HTMLElement): void {
  let editor: Editor | null = null
  const change = button('', () => void choose(editor === null))
  const show = async (isRich: boolean): Promise<void> => {
    if (isRich) {
      const { createEditor } = await import('../editor/editor.ts')
      editor = createEditor(edit, box)
      box.show(editor)
    } else if (editor !== null) {
      box.show(null)
      editor.remove()
      editor = null
    }
  }
  /** One choice at a time: two editors would each hold a text. Without the editor's script the text box stays. */
  const choose = async (isRich: boolean): Promise<void> => {
    change.disabled = true
    await show(isRich).then(
      () => store(isRich ? 'editor' : 'plain'),
      () => {},
    )
    change.textContent = edit.say(editor === null ? 'richBox' : 'plainBox')
    change.disabled = false
  }
  tools.append(change)
  const wanted = stored() ?? (matchMedia('(pointer: coarse)').matches ? 'plain' : 'editor')
  change.textContent = edit.say('richBox')
  if (wanted === 'editor') void choose(true)
}

function stored(): string | null {
  try {
    return localStorage.getItem(storedName)
  } catch {
    return null
  }
}

function store(choice: string): void {
  try {
    localStorage.setItem(storedName, choice)
  } catch {
    // A browser that keeps nothing asks again.
  }
}
