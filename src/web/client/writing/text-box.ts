/** The text that is being written, in whichever box it stands: the form's own text box, or an editor in front of it. */

import { lineChanges } from './line-changes.ts'
import type { Edit, Selection } from './tools.ts'

/** A box that holds a text. */
export interface Box {
  readonly read: () => string
  /** Replaces lines and leaves the cursor at the words where it stood. */
  readonly change: (text: string) => void
  readonly focus: () => void
  readonly selection: () => Selection
  /** Replaces one stretch as if somebody had typed it, so that it can be taken back. */
  readonly edit: (edit: Edit) => void
  /** The element that scrolls the text. */
  readonly scroller: HTMLElement
}

/** The text of the form, and who wants to know when it changes. */
export interface TextBox extends Box {
  /** The form's own text box. */
  readonly field: HTMLTextAreaElement
  /** Puts another box in front of the field; null brings the field back. */
  readonly show: (box: Box | null) => void
  /** Tells everybody who listens that somebody wrote something. */
  readonly changed: () => void
  readonly onChange: (listener: () => void) => void
  /** The text of the page: what is not worth a draft. */
  original: string
}

/** Makes the text box of a form. What is sent is always the text of the box that is shown. */
export function textBoxOf(form: HTMLFormElement, field: HTMLTextAreaElement): TextBox {
  const plain = plainBox(field)
  const listeners: (() => void)[] = []
  let box: Box = plain
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  field.addEventListener('input', changed)
  // A browser that returns to this page restores the field's text.
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
    // A browser that goes back has filled in what was written before.
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
      // The one way that a text box can take back. With nothing selected, `delete` would take the character before.
      const isNothing = insert === '' && from === to
      if (!isNothing && !document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert))
        field.setRangeText(insert)
      field.setSelectionRange(select.from, select.to)
      field.dispatchEvent(new Event('input'))
    },
    scroller: field,
  }
}
