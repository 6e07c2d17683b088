/**
 * The editor that replaces the form's text box. It lives in a shadow root, where the content security policy allows its
 * own style sheets.
 */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { lintKeymap } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { EditForm } from '../writing/edit-form.ts'
import { lineChanges } from '../writing/line-changes.ts'
import type { Box, TextBox } from '../writing/text-box.ts'
import { highlighting } from './highlight.ts'
import { problems } from './problems.ts'
import { suggestions } from './suggestions.ts'
import { look } from './theme.ts'

export interface Editor extends Box {
  readonly remove: () => void
}

/** Creates an editor with the text in place of the text box. */
export function createEditor(edit: EditForm, { field: plain, read, changed }: TextBox): Editor {
  const { data } = edit
  const host = document.createElement('div')
  host.className = 'editor'
  plain.before(host)
  const root = host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: read(),
      extensions: [
        ...parts(data),
        data.model === 'wikitext' ? problems(edit) : [],
        EditorView.contentAttributes.of(attributesOf(plain)),
        EditorView.updateListener.of(update => void (update.docChanged && changed())),
      ],
    }),
  })
  plain.hidden = true
  return {
    read: () => view.state.doc.toString(),
    change: text =>
      view.dispatch({
        changes: lineChanges(view.state.doc.toString(), text),
        // Undo must not revert another user's edit.
        annotations: Transaction.addToHistory.of(false),
      }),
    focus: () => view.focus(),
    selection: () => ({ from: view.state.selection.main.from, to: view.state.selection.main.to }),
    edit: ({ from, to, insert, select }) =>
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: select.from, head: select.to },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    scroller: view.scrollDOM,
    remove: () => {
      plain.hidden = false
      view.destroy()
      host.remove()
    },
  }
}

function parts(data: EditForm['data']): Extension[] {
  return [
    history(),
    search({ top: true }),
    autocompletion({ override: [suggestions(data)], icons: false }),
    closeBrackets(),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    highlighting(data.model),
    look,
  ]
}

function attributesOf({ lang, ariaLabel }: HTMLTextAreaElement): Record<string, string> {
  return { 'aria-label': ariaLabel ?? '', spellcheck: 'true', ...(lang !== '' && { lang }) }
}
