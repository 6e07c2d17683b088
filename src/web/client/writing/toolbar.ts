/** Buttons and shortcuts that insert markup, in whichever box is visible. */

import { ask, fieldText, labelled } from './dialog.ts'
import { button, type EditForm } from './edit-form.ts'
import { choosePictures } from './pictures.ts'
import type { TextBox } from './text-box.ts'
import { blockEdit, emptyRows, hasTool, rowsIn, type ToolName, tableText, toolEdit, toolNames } from './tools.ts'

/** Keys pressed with Ctrl or Command. */
const toolKeys: Readonly<Record<string, ToolName>> = { b: 'bold', i: 'italic', k: 'link' }
/** Buttons of the form by key, pressed with Ctrl and, for the second one, Shift. */
const buttonKeys: Readonly<Record<string, string>> = { s: 'save', enter: 'save', 'shift p': 'preview' }

/** Creates the buttons of a content model; none for models without markup. */
export function toolbarOf(edit: EditForm, box: TextBox): HTMLElement {
  const { data, say } = edit
  const bar = document.createElement('div')
  bar.className = 'toolbar'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', say('tools'))
  for (const tool of toolNames)
    if (hasTool(data.model, tool)) {
      const made = button(say(`tool-${tool}`), () => use(edit, box, tool))
      const key = Object.keys(toolKeys).find(one => toolKeys[one] === tool)
      if (key !== undefined) made.setAttribute('aria-keyshortcuts', `Control+${key.toUpperCase()}`)
      bar.append(made)
    }
  return bar
}

/** Handles the shortcuts of the form. */
export function listenToKeys(edit: EditForm, box: TextBox): void {
  edit.form.addEventListener(
    'keydown',
    event => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
      const key = `${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`
      const pressed = buttonKeys[key]
      const tool = toolKeys[key]
      const isInText = event.composedPath().some(one => one === box.field || (one as Element).className === 'editor')
      if (pressed !== undefined)
        edit.form.requestSubmit(edit.form.querySelector<HTMLElement>(`button[value="${pressed}"]`))
      else if (tool !== undefined && isInText && hasTool(edit.data.model, tool)) use(edit, box, tool)
      else return
      event.preventDefault()
      event.stopPropagation()
    },
    true,
  )
}

function use(edit: EditForm, box: TextBox, tool: ToolName): void {
  const { model } = edit.data
  const change = toolEdit(model, tool, box.read(), box.selection())
  if (change !== null) {
    box.edit(change)
    box.focus()
  } else if (tool === 'picture') choosePictures(edit, box)
  else if (tool === 'table') void addTable(edit, box)
}

/** Inserts a table of the selected cells, or an empty one of a requested size. */
async function addTable({ data: { model }, say }: EditForm, box: TextBox): Promise<void> {
  const { from, to } = box.selection()
  const put = (rows: string[][]): void => box.edit(blockEdit(box.read(), { from, to }, tableText(model, rows)))
  const selected = rowsIn(box.read().slice(from, to))
  if (selected !== null) put(selected)
  else {
    const size = (name: string, value: string): HTMLLabelElement =>
      labelled(say(name), { name, type: 'number', min: '1', max: '50', value, required: true })
    const labels = { title: say('tool-table'), act: say('insert'), cancel: say('cancel') }
    await ask(labels, [size('tableRows', '3'), size('tableColumns', '3')], form => {
      put(emptyRows(Number(fieldText(form, 'tableRows')), Number(fieldText(form, 'tableColumns'))))
      return null
    })
  }
  box.focus()
}
