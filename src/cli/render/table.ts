/** Prints lists: tables on a terminal, tab-separated records elsewhere. */

import { asFileTitle, asPath, asTitle } from '../../core/shell-quote.ts'
import type { Context } from '../context.ts'
import type { Paint } from '../terminal/colour.ts'
import { textWidth, truncate, visibleLine } from './text.ts'

/** One column of a list. */
export interface Column<Item> {
  readonly title: string
  readonly align?: 'right'
  readonly style?: keyof Paint
  /** Value for programs: not truncated, times in ISO 8601. */
  value(item: Item): string
  /** Kind of the names in this column: for programs none of them is an option. `-z` prints the first such column. */
  readonly names?: keyof typeof nameForms
  /** Value for people; `value` if omitted. */
  people?(item: Item): string
  /**
   * Minimum width to which the column is truncated on a narrow terminal; never truncated if omitted. The last column
   * may always be truncated.
   */
  readonly least?: number
  /** Priority for dropping the column on a narrow terminal; the highest number is dropped first. */
  readonly leaves?: number
}

/** A list that can be printed in any form. */
export interface List<Item> {
  /** The whole REST object, for `--json`. */
  readonly body: unknown
  readonly items: readonly Item[]
  readonly columns: readonly Column<Item>[]
  /** Message on a terminal if there are no items: `No page found`. */
  readonly none?: string
}

/** The forms of names in which they may be arguments of a command. */
const nameForms = { title: asTitle, file: asFileTitle, path: asPath } as const

function printedName<Item>(column: Column<Item>, item: Item): string {
  const value = column.value(item)
  return column.names === undefined ? value : nameForms[column.names](value)
}

/** Prints a list in the requested form: one object, one object per line, names, a table, or records. */
export async function printList<Item>(context: Context, list: List<Item>, options: { nul?: boolean } = {}) {
  const { json, jsonl } = context.options
  if (jsonl) return context.print(list.items.map(item => `${JSON.stringify(item)}\n`).join(''))
  if (json) return context.printJson(list.body)
  const named = options.nul ? list.columns.find(({ names }) => names !== undefined) : undefined
  if (named !== undefined) return context.print(list.items.map(item => `${printedName(named, item)}\0`).join(''))
  const { isTTY, columns } = context.io.stdout
  if (list.items.length === 0) return isTTY && list.none !== undefined ? context.say(list.none) : undefined
  await context.print(isTTY ? formatTable(list, await context.paint(), columns) : formatRecords(list))
}

/** Formats one record per line, with tabs between fields. */
export function formatRecords<Item>({ items, columns }: Pick<List<Item>, 'items' | 'columns'>): string {
  return items.map(item => recordLine(columns.map(column => printedName(column, item)))).join('')
}

/** Formats a record as a line. Tabs and line ends within a field become spaces. */
export function recordLine(fields: readonly string[]): string {
  return `${fields.map(field => field.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`
}

/** Formats a table with a header. No row is wider than the terminal: columns are truncated, then dropped. */
export function formatTable<Item>(list: Pick<List<Item>, 'items' | 'columns'>, paint: Paint, width: number) {
  const { columns, widths, rows } = fitted(list, width)
  const last = columns.length - 1
  const line = (row: readonly string[], style: (at: number) => keyof Paint | undefined): string =>
    `${row.map((text, at) => cell(text, columns[at] as Column<Item>, widths[at] as number, paint, style(at), at === last)).join('  ')}\n`
  const heading = columns.map(column => column.title)
  return line(heading, () => 'dim') + rows.map(row => line(row, at => columns[at]?.style)).join('')
}

interface Fitted<Item> {
  readonly columns: readonly Column<Item>[]
  readonly widths: readonly number[]
  readonly rows: readonly (readonly string[])[]
}

/** Columns reserved for the last column while others can be truncated. */
const leastLast = 20

/** Columns that others keep if nothing else helps. */
const leastOfOthers = 10

/** Chooses the columns and their widths for a terminal. */
function fitted<Item>({ items, columns }: Pick<List<Item>, 'items' | 'columns'>, width: number): Fitted<Item> {
  const rows = items.map(item => columns.map(column => visibleLine((column.people ?? column.value).call(column, item))))
  const full = columns.map(({ title }, at) =>
    rows.reduce((widest, row) => Math.max(widest, textWidth(row[at] as string)), textWidth(title)),
  )
  // A column without a header and without values would only cost two spaces.
  let shown = columns.map((_, at) => at).filter(at => full[at] !== 0)
  let widths: number[] | null = null
  for (const { without, least } of attempts(columns, shown)) {
    shown = shown.filter(at => at !== without)
    const chosen = shown.map(at => ({ width: full[at] as number, least: columns[at]?.least ?? least }))
    widths = cutWidths(chosen, width)
    if (widths !== null) break
  }
  return {
    columns: shown.map(at => columns[at] as Column<Item>),
    widths: widths ?? [width],
    rows: rows.map(row => shown.map(at => row[at] as string)),
  }
}

/** An attempt to make a row fit: one more column is dropped, and others may be truncated to this width. */
interface Attempt {
  readonly without: number | null
  readonly least: number
}

/** First drops columns with a priority, then truncates all, then drops them from the right, except the last. */
function* attempts<Item>(columns: readonly Column<Item>[], shown: readonly number[]): Generator<Attempt> {
  const never = Number.POSITIVE_INFINITY
  const order = (at: number): number => columns[at]?.leaves ?? 0
  const mayLeave = shown.filter(at => order(at) > 0).sort((a, b) => order(b) - order(a))
  yield { without: null, least: never }
  for (const without of mayLeave) yield { without, least: never }
  yield { without: null, least: leastOfOthers }
  const others = shown.slice(0, -1).filter(at => order(at) === 0)
  for (const without of others.reverse()) yield { without, least: leastOfOthers }
}

/** Truncates columns until a row fits, first the last one, then the widest; null if that is not enough. */
function cutWidths(
  columns: readonly { readonly width: number; readonly least: number }[],
  width: number,
): number[] | null {
  const widths = columns.map(column => column.width)
  const last = widths.length - 1
  let excess = widths.reduce((sum, one) => sum + one, 2 * last) - width
  const cut = (at: number, least: number): void => {
    const less = Math.max(0, Math.min(excess, (widths[at] as number) - Math.max(1, least)))
    widths[at] = (widths[at] as number) - less
    excess -= less
  }
  cut(last, leastLast)
  const others = columns.map((_, at) => at).slice(0, -1)
  for (const at of others.sort((a, b) => (widths[b] as number) - (widths[a] as number)))
    cut(at, (columns[at] as { readonly least: number }).least)
  return excess > 0 ? null : widths
}

function cell<Item>(
  text: string,
  column: Column<Item>,
  width: number,
  paint: Paint,
  style: keyof Paint | undefined,
  last: boolean,
): string {
  const shown = truncate(text, width)
  const gap = ' '.repeat(Math.max(0, width - textWidth(shown)))
  const painted = style ? paint[style](shown) : shown
  if (column.align === 'right') return gap + painted
  return last ? painted : painted + gap
}
