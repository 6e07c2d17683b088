/** The edited text, independent of the box that shows it: the form's text box, or an editor in front of it. */

import { lineChanges } from './line-changes.ts'
import type { Edit, Selection } from './tools.ts'

/** A box that holds a text. */
export interface Box {
  readonly read: () => string
  /** Replaces lines, and keeps the cursor at the same words. */
  readonly change: (text: string) => void
  readonly focus: () => void
  readonly selection: () => Selection
  /** Replaces one range as a user edit, so that it can be undone. */
  readonly edit: (edit: Edit) => void
  /** The element that scrolls the text. */
  readonly scroller: HTMLElement
}

/** The text of the form, with change listeners. */
export interface TextBox extends Box {
  /** The form's own text box. */
  readonly field: HTMLTextAreaElement
  /** Puts another box in front of the field; null shows the field again. */
  readonly show: (box: Box | null) => void
  /** Notifies listeners that the user changed the text. */
  readonly changed: () => void
  readonly onChange: (listener: () => void) => void
  /** The saved text of the page, which needs no draft. */
  original: string
}

/** Creates the text box of a form. The form always submits the text of the visible box. */
export function textBoxOf(form: HTMLFormElement, field: HTMLTextAreaElement): TextBox {
  const plain = plainBox(field)
  const listeners: (() => void)[] = []
  let box: Box = plain
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  field.addEventListener('input', changed)
  // When the user returns to this page, the browser restores the field's text.
  window.addEventListener('pagehide', () => {
    field.value = box.read()
  })
  form.addEventListener('formdata', ({ formData }) => formData.set(field.name, box.read()))
  return {
    field,
    read: () => box.read(),
    change: text => {
      box.change(text)
      changed()
    },
    focus: () => box.focus(),
    selection: () => box.selection(),
    edit: edit => box.edit(edit),
    get scroller() {
      return box.scroller
    },
    show: next => {
      if (next === null) field.value = box.read()
      box = next ?? plain
    },
    changed,
    onChange: listener => void listeners.push(listener),
    // The browser may have restored earlier input already.
    original: field.defaultValue,
  }
}

function plainBox(field: HTMLTextAreaElement): Box {
  return {
    read: () => field.value,
    change: text => {
      for (const { from, to, insert } of lineChanges(field.value, text).reverse())
        field.setRangeText(insert, from, to, 'preserve')
    },
    focus: () => field.focus(),
    selection: () => ({ from: field.selectionStart, to: field.selectionEnd }),
    edit: ({ from, to, insert, select }) => {
      field.focus()
      field.setSelectionRange(from, to)
      // Only `execCommand` can be undone in a text box. With nothing selected, `delete` would remove the previous
      // character.
      const isNothing = insert === '' && from === to
      if (!isNothing && !document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert))
        field.setRangeText(insert)
      field.setSelectionRange(select.from, select.to)
      field.dispatchEvent(new Event('input'))
    },
    scroller: field,
  }
}
