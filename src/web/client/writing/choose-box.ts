/** The box for writing a source: the editor with a mouse, the form's text box on phones and by choice. */

import type { Editor } from '../editor/editor.ts'
import { button, type EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Name under which the browser keeps the choice. */
const storedName = 'wiki-box'

/** Shows the box that was chosen, and a button to change it. */
export function chooseBox(edit: EditForm, box: TextBox, tools: HTMLElement): void {
  let editor: Editor | null = null
  const change = button('', () => void show(editor === null))
  const show = async (isRich: boolean): Promise<void> => {
    store(isRich ? 'editor' : 'plain')
    if (isRich) {
      const { createEditor } = await import('../editor/editor.ts')
      editor = createEditor(edit, box)
      box.show(editor)
    } else if (editor !== null) {
      box.show(null)
      editor.remove()
      editor = null
    }
    change.textContent = edit.say(isRich ? 'plainBox' : 'richBox')
  }
  tools.append(change)
  const wanted = stored() ?? (matchMedia('(pointer: coarse)').matches ? 'plain' : 'editor')
  change.textContent = edit.say('richBox')
  if (wanted === 'editor') void show(true)
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
