/** Shows a range of a source line with carets below it. */

import { textWidth, truncate, visibleLine } from './text.ts'

/** Columns of the text before the range in a line that is too long, and the smallest width of a line. */
const shownBefore = 30
const leastColumns = 20

/** A line around a range of it. */
export interface DividedLine {
  readonly before: string
  readonly range: string
  readonly after: string
}

/** Returns the line as wide as the columns, without its beginning if the range is far to the right, and the carets. */
export function lineWithCarets({ before, range, after }: DividedLine, columns: number): [line: string, carets: string] {
  const width = Math.max(leastColumns, columns)
  const whole = visibleLine(before)
  const start = textWidth(whole) > width - shownBefore ? lastColumns(whole, Math.min(shownBefore, width / 2)) : whole
  const indent = textWidth(start)
  const carets = Math.max(1, Math.min(textWidth(visibleLine(range)), width - indent))
  return [truncate(start + visibleLine(range + after), width), ' '.repeat(indent) + '^'.repeat(carets)]
}

function lastColumns(text: string, columns: number): string {
  const kept: string[] = []
  let width = 0
  for (const char of [...text].reverse()) {
    width += textWidth(char)
    if (width > columns) break
    kept.unshift(char)
  }
  return kept.join('')
}
