/** Rows of a wikitext table that have one cell a line: each row is one item, and its first cell is its name. */

import type { Edit } from './anchored-edits.ts'
import type { Span } from './changes.ts'
import { type Lines, lineAt } from './lines.ts'
import { isWord, splitCells } from './sentences.ts'

/** One side's lines and edits. */
interface Side {
  readonly lines: Lines
  readonly edits: readonly Edit[]
}

/**
 * Returns true if both sides add a row of one name, or change one row, and one of them its name or the number of its cells: another row may be in its place, or a cell
 * where another was.
 *
 * Source: docs/reference/comparison.md#merging.
 */
export function shareRow(base: Lines, mine: Side, theirs: Side): boolean {
  const places = placesOf(base)
  if (places === null) return false
  const [one, other] = [changedRows(base, places, mine, theirs), changedRows(base, places, theirs, mine)]
  const names = addedRows(mine, theirs)
  return (
    [...one].some(([row, isWhole]) => other.has(row) && (isWhole || other.get(row)!)) ||
    [...addedRows(theirs, mine)].some(name => names.has(name))
  )
}

/** By line: the number of its row, 0 for none, negative for the line of its first cell. */
type Places = Int32Array

/** Returns null for a text without such rows. */
function placesOf(base: Lines): Places | null {
  const places = new Int32Array(base.ids.length)
  let [rows, row, isFirst, isFound] = [0, 0, false, false]
  for (let at = 0; at < places.length; at++) {
    if (!startsRow.test(base.text.slice(base.starts[at]!, base.starts[at]! + longestIndent))) continue
    const line = lineAt(base, at).trimStart()
    if (rowStart.test(line)) {
      row = ++rows
      isFirst = true
    } else if (line.startsWith('|}') || splitCells(line.slice(1)).length > 1) row = 0
    else if (row > 0) {
      places[at] = isFirst ? -row : row
      isFirst = false
      isFound = true
    }
  }
  return isFound ? places : null
}

const longestIndent = 8
const startsRow = /^[ \t]*(?:\{\||[|!])/
const rowStart = /^(?:\{\||\|-)/

/** Returns the rows that a side changes otherwise than the other one; true for those whose name or number of cells it changes. */
function changedRows(base: Lines, places: Places, side: Side, other: Side): Map<number, boolean> {
  const rows = new Map<number, boolean>()
  for (const edit of ownEdits(side, other)) {
    const { start, end } = edit.base
    const [old, now] = [textOf(base, edit.base), textOf(side.lines, edit.side)]
    const isInPlace = end - start === edit.side.end - edit.side.start
    // Whole rows are added or removed.
    if (!isInPlace && (hasRow.test(old) || hasRow.test(now))) continue
    for (let at = isInPlace ? start : start - 1; at < end; at++) {
      const [row, place] = [Math.abs(places[at] ?? 0), places[at] ?? 0]
      if (row > 0) rows.set(row, !isInPlace || place < 0 || rows.get(row) === true)
    }
  }
  return rows
}

/** Returns the first cells of the rows that a side adds. */
function addedRows(side: Side, other: Side): Set<string> {
  const names = ownEdits(side, other).flatMap(edit => {
    const text = edit.base.start < edit.base.end ? '' : textOf(side.lines, edit.side)
    return hasRow.test(text) ? Array.from(`|-\n${text}`.matchAll(firstCell), ([, name]) => name!) : []
  })
  return new Set(names.filter(isWord))
}

const firstCell = /^[ \t]*\|-.*\n[ \t]*\|(?![-}])(.*)$/gm

/** Returns the edits of a side that the other one has not made. */
function ownEdits({ lines, edits }: Side, other: Side): Edit[] {
  const others = new Map(other.edits.map(edit => [edit.base.start, edit]))
  return edits.filter(({ base, side }) => {
    const same = others.get(base.start)
    return same?.base.end !== base.end || textOf(other.lines, same.side) !== textOf(lines, side)
  })
}

const hasRow = /^[ \t]*\|-/m

function textOf({ text, starts }: Lines, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}

/** Returns the name of a row that stands in one line; empty for other lines. */
export function rowName(line: string): string {
  const cells = /^[ \t]*\|/.test(line) ? splitCells(line).filter(isWord) : []
  return cells.length > 1 ? cells[0]!.trim() : ''
}
