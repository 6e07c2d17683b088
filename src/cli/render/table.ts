/** Lists: tables for people, tab-separated records for programs. Source: STYLE 4.6. */

import type { Paint } from '../colour.ts'
import type { Context } from '../context.ts'
import { textWidth, truncate, visibleLine } from './text.ts'

/** One column of a list. */
export interface Column<Item> {
  readonly title: string
  readonly align?: 'right'
  readonly style?: keyof Paint
  /** For programs: untruncated, times in ISO 8601. */
  value(item: Item): string
  /** For people; the value if omitted. */
  people?(item: Item): string
}

/** A list, ready to be shown in any form. */
export interface List<Item> {
  /** The whole REST object, for `--json`. */
  readonly body: unknown
  readonly items: readonly Item[]
  readonly columns: readonly Column<Item>[]
  /** Said at a terminal where there are no items: `No page found`. */
  readonly none?: string
  /** The one value that `-z` prints. */
  readonly name?: (item: Item) => string
}

/** Prints a list in the form that was asked for: one object, one object a line, names, a table or records. */
export async function printList<Item>(context: Context, list: List<Item>, options: { nul?: boolean } = {}) {
  const { json, jsonl } = context.options
  if (jsonl) return context.print(list.items.map(item => `${JSON.stringify(item)}\n`).join(''))
  if (json) return context.printJson(list.body)
  if (options.nul && list.name) return context.print(list.items.map(item => `${list.name?.(item)}\0`).join(''))
  const { isTTY, columns } = context.io.stdout
  if (list.items.length === 0) return isTTY && list.none !== undefined ? context.say(list.none) : undefined
  await context.print(isTTY ? formatTable(list, await context.paint(), columns) : formatRecords(list))
}

/** One record a line, fields separated by tabs. */
export function formatRecords<Item>({ items, columns }: Pick<List<Item>, 'items' | 'columns'>): string {
  const field = (text: string): string => text.replace(/[\t\r\n]+/g, ' ')
  return items.map(item => `${columns.map(column => field(column.value(item))).join('\t')}\n`).join('')
}

/** A table with a heading; the last column is cut to the terminal's width. */
export function formatTable<Item>(
  { items, columns }: Pick<List<Item>, 'items' | 'columns'>,
  paint: Paint,
  width: number,
) {
  const heading = columns.map(column => column.title)
  const rows = items.map(item => columns.map(column => visibleLine((column.people ?? column.value).call(column, item))))
  const widths = columns.map((_, at) => Math.max(...[heading, ...rows].map(row => textWidth(row[at] as string))))
  const last = columns.length - 1
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + 2, 0)
  widths[last] = Math.min(widths[last] as number, Math.max(width - before, 20))
  const line = (row: readonly string[], style: (at: number) => keyof Paint | undefined): string =>
    `${row.map((text, at) => cell(text, columns[at] as Column<Item>, widths[at] as number, paint, style(at), at === last)).join('  ')}\n`
  return line(heading, () => 'dim') + rows.map(row => line(row, at => columns[at]?.style)).join('')
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
