/**
 * Colours and sizes of the editor. They come from CSS variables of the page, which are inherited into the shadow root.
 */

import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const looks = {
  heading: { fontWeight: '700', color: 'var(--text)' },
  bold: { fontWeight: '700' },
  italic: { fontStyle: 'italic' },
  link: { color: 'var(--link)' },
  sign: { color: 'var(--muted)', fontWeight: '700' },
  template: { color: 'var(--visited)' },
  name: { color: 'var(--removed)' },
  argument: { color: 'var(--removed)', fontWeight: '700' },
  tag: { color: 'var(--added)' },
  comment: { color: 'var(--muted)', fontStyle: 'italic' },
  verbatim: { color: 'var(--muted)' },
  word: { color: 'var(--removed)' },
}

/** Returns the theme of the editor. */
export const look: Extension = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--bg)',
    border: '1px solid var(--muted)',
    borderRadius: '3px',
    fontSize: '0.9375rem',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.55',
    minHeight: '14rem',
    maxHeight: '70vh',
    overflow: 'auto',
  },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 0.75rem', unicodeBidi: 'plaintext' },
  '.cm-cursor': { borderColor: 'var(--text)' },
  '.cm-panels, .cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--quiet)',
    borderColor: 'var(--line)',
    fontFamily: 'system-ui, sans-serif',
    fontSize: '0.875rem',
  },
  '.cm-tooltip': { border: '1px solid var(--muted)', borderRadius: '3px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.6rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--bg)', backgroundColor: 'var(--link)' },
  '.cm-diagnostic': { padding: '0.4rem 0.75rem', maxWidth: '30rem' },
  '.cm-diagnosticAction': { font: 'inherit', color: 'var(--bg)', backgroundColor: 'var(--link)', borderRadius: '3px' },
  '.cm-textfield, .cm-button': {
    color: 'var(--text)',
    background: 'var(--bg)',
    border: '1px solid var(--muted)',
    borderRadius: '3px',
    fontSize: '0.875rem',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--removed-bg)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--link)' },
  ...Object.fromEntries(Object.entries(looks).map(([name, style]) => [`.look-${name}`, style])),
})
