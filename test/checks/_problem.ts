/** Problems for tests. */

import type { Problem } from '../../src/checks/problem.ts'
import type { Report } from '../../src/checks/report.ts'

type Parts = Partial<Omit<Problem, 'place'>> & { readonly line?: number; readonly source?: string }

/** A default problem of one line with the given changes. */
export function problem({ line = 3, source = 'a <tt> b', ...rest }: Parts = {}): Problem {
  const column = 3
  const place = { line, column, endLine: line, endColumn: 7, byteColumn: column, endByteColumn: 7, source }
  return {
    kind: 'obsolete-tag',
    severity: 'warning',
    path: 'Tides.wiki',
    title: 'Tides',
    message: 'A tag that is obsolete in HTML.',
    hint: 'Use another.',
    place,
    text: '<tt>',
    ...rest,
  }
}

export function reportOf(problems: readonly Problem[], rest: Partial<Report> = {}): Report {
  return {
    version: '1.2.3',
    problems,
    known: [],
    gone: 0,
    paths: [...new Set(problems.map(({ path }) => path))],
    base: null,
    head: null,
    describe: kind => ({ kind, says: `It is ${kind}.`, hint: 'Mend it.' }),
    ...rest,
  }
}
