/** Formats a comparison for a terminal: one output line per line of the comparison, with changed words marked in it. */

import type { Comparison, DiffElement, DiffSection, HighlightRange } from '../../core/comparison.ts'
import type { Paint } from '../terminal/colour.ts'
import { visible } from './text.ts'

/** Markers of removed and added text within a line. */
interface ChangeMarkers {
  gone(text: string): string
  added(text: string): string
}

/** Prefix and style of a line, by type of the element. */
const lineSigns: Readonly<Record<DiffElement['type'], { sign: string; style?: keyof Paint }>> = {
  0: { sign: ' ' },
  1: { sign: '+', style: 'green' },
  2: { sign: '-', style: 'red' },
  3: { sign: '~' },
  4: { sign: '<', style: 'yellow' },
  5: { sign: '>' },
}

/** Returns the lines, with a heading before each gap. Without colours, changes look like `[-gone-]{+new+}`. */
export function formatComparison(comparison: Comparison, paint: Paint, coloured: boolean): string {
  const markers = coloured ? colourMarkers(paint) : bracketMarkers
  const places = placesOfMoves(comparison.diff)
  let text = ''
  let expected = 0
  for (const element of comparison.diff) {
    if (expected === 0 || (element.lineNumber !== undefined && element.lineNumber !== expected))
      text += `${paint.cyan(gapHeading(element, comparison.to.sections))}\n`
    text += `${formatElement(element, paint, markers)}${movedTo(element, places)}\n`
    expected = element.lineNumber === undefined ? Math.max(expected, 1) : element.lineNumber + 1
  }
  return text
}

const bracketMarkers: ChangeMarkers = { gone: text => `[-${text}-]`, added: text => `{+${text}+}` }

function colourMarkers(paint: Paint): ChangeMarkers {
  return { gone: text => paint.strikethrough(paint.red(text)), added: text => paint.underline(paint.green(text)) }
}

/** `@@ line 12, == History == @@` */
function gapHeading(element: DiffElement, sections: readonly DiffSection[]): string {
  const offset = element.offset.to ?? 0
  const section = sections.findLast(candidate => candidate.offset <= offset)
  const place = section === undefined ? '' : `, ${visible(section.heading.trim())}`
  return `@@ line ${element.lineNumber ?? 1}${place} @@`
}

function formatElement(element: DiffElement, paint: Paint, markers: ChangeMarkers): string {
  const { sign, style } = lineSigns[element.type]
  const line = `${sign} ${markRanges(element.text, element.highlightRanges ?? [], markers)}`
  return style === undefined ? line : paint[style](line)
}

/** Line number in the newer text of each moved paragraph, by the id of its origin. */
function placesOfMoves(diff: readonly DiffElement[]): ReadonlyMap<string, number> {
  return new Map(
    diff.flatMap(({ type, moveInfo, lineNumber }) =>
      type === 5 && moveInfo !== undefined && lineNumber !== undefined ? [[moveInfo.linkId, lineNumber] as const] : [],
    ),
  )
}

function movedTo({ moveInfo, type }: DiffElement, places: ReadonlyMap<string, number>): string {
  if (moveInfo === undefined) return ''
  if (type === 5) return `  (moved here from ${moveInfo.linkDirection === 0 ? 'below' : 'above'})`
  const line = places.get(moveInfo.id)
  return `  (moved ${moveInfo.linkDirection === 0 ? 'down' : 'up'}${line === undefined ? '' : ` to line ${line}`})`
}

/** Applies the markers. Ranges count UTF-8 bytes. */
export function markRanges(text: string, ranges: readonly HighlightRange[], markers: ChangeMarkers): string {
  if (ranges.length === 0) return visible(text)
  const bytes = Buffer.from(text)
  const slice = (from: number, to: number): string => visible(bytes.toString('utf8', from, to))
  let marked = ''
  let at = 0
  for (const { start, length, type } of ranges) {
    marked += slice(at, start) + markers[type === 0 ? 'added' : 'gone'](slice(start, start + length))
    at = start + length
  }
  return marked + slice(at, bytes.length)
}
