/** Marks the problems that the wiki's lint reports in wikitext. They never block saving. */

import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type LintType, lintTypes } from '../../../wikitext/lint/types.ts'
import { api } from '../server/api.ts'
import type { EditForm } from '../writing/edit-form.ts'
import { type Fix, fixOf, type Problem } from './fixes.ts'

/** Milliseconds without a keystroke before the lint runs, and the longest text, in UTF-16 units, that it checks. */
const delay = 600
const longest = 200_000

const severities = { high: 'error', medium: 'warning', low: 'info', none: 'info' } as const

/** Returns the extension that marks problems on the page with this title. */
export function problems({ data, say }: EditForm): Extension {
  return linter(async view => (view.state.doc.length > longest ? [] : lint(view, data.key, say('fixProblem'))), {
    delay,
  })
}

async function lint({ state }: EditorView, title: string, fixWord: string): Promise<Diagnostic[]> {
  const text = { doc: state.doc, source: state.doc.toString() }
  try {
    const body = { wikitext: text.source }
    const { body: found } = await api.post('/transform/wikitext/to/lint/{title}', { path: { title }, body })
    return (found as readonly Problem[]).flatMap(problem => diagnosticOf(problem, text, fixWord))
  } catch {
    return []
  }
}

/** A text as the editor's document and as one string. */
interface Linted {
  readonly doc: Text
  readonly source: string
}

/** Marks a problem at its opening markup, or else in its first line, because the rest is not at fault. */
function diagnosticOf(problem: Problem, { doc, source }: Linted, fixWord: string): Diagnostic[] {
  const { type, dsr } = problem
  const row = Object.hasOwn(lintTypes, type) ? lintTypes[type as LintType] : undefined
  if (row === undefined || dsr === null) return []
  const [start, end, openWidth] = dsr
  const from = Math.max(0, Math.min(start, doc.length))
  const to = Math.max(from, Math.min(openWidth ? start + openWidth : end, doc.lineAt(from).to))
  const fix = fixOf(source, problem)
  const actions = fix === null ? [] : [{ name: fixWord, apply: (view: EditorView) => applyFix(view, doc, fix) }]
  return [{ from, to, severity: severities[row.priority], message: `${row.says} ${row.hint}`, actions }]
}

/** If the text has changed since, it is checked again. */
function applyFix(view: EditorView, doc: Text, fix: Fix): void {
  if (view.state.doc.eq(doc)) view.dispatch({ changes: fix, userEvent: 'input' })
}
