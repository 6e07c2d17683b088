/** Prints the problems of a check on a terminal: the position, the line, and a hint. */

import { headOf } from '../../checks/formats/text.ts'
import type { Problem } from '../../checks/problem.ts'
import type { Report } from '../../checks/report.ts'
import type { Context } from '../context.ts'
import { lineWithCarets } from './source-line.ts'
import { counted } from './text.ts'
import { type Piece, painted, wrap } from './wrap.ts'

const indent = '  '

/** Prints each problem with its line and a hint, then the totals. */
export async function printProblems(context: Context, { problems, known, gone }: Report): Promise<void> {
  const paint = await context.paint()
  const columns = context.io.stdout.columns - indent.length
  const styles = { error: paint.red, warning: paint.yellow, note: paint.cyan }
  for (const problem of problems) {
    await context.print(`${styles[problem.severity](headOf(problem))}\n`)
    const hint: Piece[] = problem.hint === '' ? [] : [{ text: `hint: ${problem.hint}`, styles: ['dim'] }]
    const wrapped = hint.length === 0 ? [] : wrap(hint, columns).map(line => painted(line, paint))
    for (const line of [...sourceLinesOf(problem, columns), ...wrapped]) await context.print(`${indent}${line}\n`)
  }
  const parts = [
    problems.length === 0 ? 'No problems' : counted(problems.length, 'problem'),
    ...(known.length > 0 ? [`${known.length} in the baseline`] : []),
    ...(gone > 0 ? [`${gone} fixed`] : []),
  ]
  await context.say(parts.join(', '))
}

/** Returns the source line and the carets below the problem; empty for a problem without a place. */
function sourceLinesOf({ place }: Problem, columns: number): readonly string[] {
  if (place === null || place.source.trim() === '') return []
  const { source, column, line, endLine, endColumn } = place
  const [first, last] = [column - 1, endLine === line ? endColumn - 1 : source.length]
  const divided = { before: source.slice(0, first), range: source.slice(first, last), after: source.slice(last) }
  return lineWithCarets(divided, columns)
}
