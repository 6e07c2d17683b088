/** Prints the problems of a check on a terminal: the position, the line, and a hint. */

import { headOf } from '../../checks/formats/text.ts'
import type { Problem } from '../../checks/problem.ts'
import type { Report } from '../../checks/report.ts'
import type { Context } from '../context.ts'
import { counted, textWidth, truncate, visibleLine } from './text.ts'

/** Columns shown before the faulty position in a source line. */
const shownBefore = 30

/** Prints each problem with its line and a hint, then the totals. */
export async function printProblems(context: Context, { problems, known, gone }: Report): Promise<void> {
  const paint = await context.paint()
  const styles = { error: paint.red, warning: paint.yellow, note: paint.cyan }
  for (const problem of problems) {
    await context.print(`${styles[problem.severity](headOf(problem))}\n`)
    for (const line of excerptOf(problem, context.io.stdout.columns)) await context.print(`  ${line}\n`)
    if (problem.hint !== '') await context.print(`  ${paint.dim(`hint: ${problem.hint}`)}\n`)
  }
  const parts = [
    problems.length === 0 ? 'No problems' : counted(problems.length, 'problem'),
    ...(known.length > 0 ? [`${known.length} in the baseline`] : []),
    ...(gone > 0 ? [`${gone} fixed`] : []),
  ]
  await context.say(parts.join(', '))
}

/** Returns the line, truncated to the terminal, with a caret below the position. */
function excerptOf({ place }: Problem, columns: number): string[] {
  if (place === null || place.source.trim() === '') return []
  const from = place.column > shownBefore ? place.column - 1 - shownBefore : 0
  const width = Math.max(20, columns - 4)
  const shown = truncate(visibleLine(place.source.slice(from)), width)
  const before = textWidth(visibleLine(place.source.slice(from, place.column - 1)))
  const length = place.endLine === place.line ? place.endColumn - place.column : place.source.length - place.column + 1
  return [shown, `${' '.repeat(before)}${'^'.repeat(Math.max(1, Math.min(length, width - before)))}`]
}
