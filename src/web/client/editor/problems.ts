/** Marks what the wiki's lint finds in wikitext, where it is. Saving is never stopped by it. */

import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type LintRange, type LintType, lintTypes } from '../../../wikitext/lint/types.ts'

/** Milliseconds without a key before the lint is asked, and the longest text that it is asked about. */
const delay = 600
const longest = 200_000

interface Problem {
  readonly type: string
  readonly dsr: LintRange | null
}

const severities = { high: 'error', medium: 'warning', low: 'info', none: 'info' } as const

/** Returns the extension that marks problems of the page with this title. */
export function problems(title: string): Extension {
  return linter(async view => (view.state.doc.length > longest ? [] : lint(view, title)), { delay })
}

async function lint({ state }: EditorView, title: string): Promise<Diagnostic[]> {
  try {
    const answer = await fetch(`/v1/transform/wikitext/to/lint/${encodeURIComponent(title)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wikitext: state.doc.toString() }),
    })
    const found: readonly Problem[] = answer.ok ? await answer.json() : []
    return found.flatMap(problem => diagnosticOf(problem, state.doc))
  } catch {
    return []
  }
}

/** A problem is marked at its opening markup, or else in its first line: what it goes on to is no fault of its own. */
function diagnosticOf({ type, dsr }: Problem, doc: Text): Diagnostic[] {
  const row = Object.hasOwn(lintTypes, type) ? lintTypes[type as LintType] : undefined
  if (row === undefined || dsr === null) return []
  const [start, end, openWidth] = dsr
  const from = Math.max(0, Math.min(start, doc.length))
  const to = Math.max(from, Math.min(openWidth ? start + openWidth : end, doc.lineAt(from).to))
  return [{ from, to, severity: severities[row.priority], message: `${row.says} ${row.hint}` }]
}
