/** Selects the box for editing a source: the rich editor with a mouse; the form's text box on phones or by choice. */

import type { Editor } from '../editor/editor.ts'
import { button, type EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Storage key of the choice. */
const storedName = 'wiki-box'

/** Longest text of the editor, UTF-16 units. A text with a long line is too slow at any length. */
const longestText = 2_000_000

/** Shows the chosen box and a button to change it. The editor is not offered for texts that would make it too slow. */
export function chooseBox(edit: EditForm, box: TextBox, tools: HTMLElement): void {
  if (box.field.classList.contains('long-line') || box.field.textLength > longestText) {
    const why = document.createElement('span')
    why.className = 'meta'
    why.textContent = edit.say('plainOnly')
    tools.append(why)
    return
  }
  let editor: Editor | null = null
  const change = button('', () => void choose(editor === null))
  const show = async (isRich: boolean): Promise<void> => {
    if (isRich) {
      const { createEditor } = await import('../editor/editor.ts')
      // The user may be typing in the text box that the editor replaces.
      const isFocused = document.activeElement === box.field
      const select = box.selection()
      editor = createEditor(edit, box)
      box.show(editor)
      if (isFocused) {
        editor.edit({ from: select.from, to: select.from, insert: '', select })
        editor.focus()
      }
    } else if (editor !== null) {
      box.show(null)
      editor.remove()
      editor = null
    }
  }
  /**
   * Handles one choice at a time, because two editors would each hold a text. If the editor's script fails to load, the
   * text box stays.
   */
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
    // Without storage the choice applies to this page only.
  }
}
