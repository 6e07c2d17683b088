/**
 * Writes problems as reviewdog diagnostics. Automatic fixes become suggested changes.
 *
 * Source: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
 */

import type { Place, Problem, Severity } from '../problem.ts'
import type { Report } from '../report.ts'

const rdSeverities: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', note: 'INFO' }

/** Writes one result. Columns count UTF-8 bytes. */
export function formatRdjson({ problems }: Report): string {
  const diagnostics = problems.map(diagnosticOf)
  return `${JSON.stringify({ source: { name: 'wiki' }, diagnostics }, null, 1)}\n`
}

function diagnosticOf({ message, path, place, severity, kind, fix }: Problem): object {
  return {
    message,
    location: { path, ...(place !== null && { range: rangeOf(place) }) },
    severity: rdSeverities[severity],
    code: { value: kind },
    ...(fix !== undefined && { suggestions: [{ range: rangeOf(fix.place), text: fix.text }] }),
  }
}

function rangeOf({ line, byteColumn, endLine, endByteColumn }: Place): object {
  return { start: { line, column: byteColumn }, end: { line: endLine, column: endByteColumn } }
}
