/**
 * Formats a page for a terminal: headings, paragraphs, lists, tables, code. Links are numbered and listed at the end.
 */

import type { Flow, ListItem, Phrasing, Table } from '../../operations/page-blocks.ts'
import type { Paint } from '../terminal/colour.ts'
import { visibleLine } from './text.ts'
import { lineWidth, type Piece, painted, type StyledLine, type StyleName, wrap } from './wrap.ts'

/** Maximum columns of readable lines. */
const widest = 100

/** Minimum columns of a line at any indent. */
const narrowest = 8

/** Columns and styles for a page. */
interface Setting {
  readonly paint: Paint
  readonly columns: number
  /** URLs by number, from 1. */
  readonly links: string[]
}

/** Returns the text of a page's blocks. */
export function formatPage(blocks: readonly Flow[], paint: Paint, columns: number): string {
  const setting: Setting = { paint, columns: Math.min(columns, widest), links: [] }
  const lines = blockLines(blocks, setting)
  const links = setting.links.map((url, at) => `${paint.dim(`[${at + 1}]`)} ${visibleLine(url)}`)
  const parts = [lines, ...(links.length > 0 ? [['', ...links]] : [])]
  return parts
    .flat()
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

/** Formats blocks with an empty line between them. */
function blockLines(blocks: readonly Flow[], setting: Setting): string[] {
  return blocks.flatMap((block, at) => [...(at > 0 ? [''] : []), ...linesOf(block, setting)])
}

function linesOf(block: Flow, setting: Setting): string[] {
  const { paint, columns } = setting
  switch (block.type) {
    case 'paragraph':
      return textLines(block.children, setting)
    case 'heading':
      return headingLines(block, setting)
    case 'blockquote':
      return indented(blockLines(block.children, narrower(setting, 2)), `${paint.dim('│')} `)
    case 'list':
      return listLines(block.children, setting, { start: block.start, spread: block.spread })
    case 'code':
      return indented(
        block.value.split('\n').map(line => visibleLine(line.replaceAll('\t', '    '))),
        '    ',
      )
    case 'thematicBreak':
      return [paint.dim('─'.repeat(Math.min(columns, 40)))]
    case 'table':
      return tableLines(block, setting)
    default:
      return marked(blockLines(block.children, narrower(setting, 5)), `[^${block.identifier}]`, 5)
  }
}

function narrower(setting: Setting, by: number): Setting {
  return { ...setting, columns: Math.max(narrowest, setting.columns - by) }
}

function indented(lines: readonly string[], before: string): string[] {
  return lines.map(line => before + line)
}

/** Writes a mark before the first line, and indents the others by its width. */
function marked(lines: readonly string[], mark: string, width: number): string[] {
  return (lines.length === 0 ? [''] : lines).map(
    (line, at) => (at === 0 ? mark.padEnd(width) : ' '.repeat(width)) + line,
  )
}

function textLines(children: readonly Phrasing[], setting: Setting, styles: readonly StyleName[] = []): string[] {
  const pieces = piecesOf(children, setting, styles)
  return wrap(pieces, setting.columns).map(line => painted(line, setting.paint))
}

function headingLines({ depth, children }: Extract<Flow, { type: 'heading' }>, setting: Setting): string[] {
  const lines = wrap(piecesOf(children, setting, ['bold']), setting.columns)
  const underline = depth > 2 ? [] : [(depth === 1 ? '═' : '─').repeat(Math.max(1, ...lines.map(lineWidth)))]
  return [...lines.map(line => painted(line, setting.paint)), ...underline.map(line => setting.paint.dim(line))]
}

function listLines(
  items: readonly ListItem[],
  setting: Setting,
  { start, spread }: { readonly start: number | null; readonly spread: boolean },
): string[] {
  const numberWidth = start === null ? 0 : String(start + items.length - 1).length
  return items.flatMap(({ checked, children }, at) => {
    const box = checked === null ? '' : checked ? '[x] ' : '[ ] '
    const mark = (start === null ? '• ' : `${String(start + at).padStart(numberWidth)}. `) + box
    const inner = narrower(setting, mark.length)
    const blocks = spread ? blockLines(children, inner) : children.flatMap(child => linesOf(child, inner))
    return [...(at > 0 && spread ? [''] : []), ...marked(blocks, mark, mark.length)]
  })
}

/** Styles of inline marks. Other nodes are handled one by one. */
const markStyles: Readonly<Record<'emphasis' | 'strong' | 'delete', StyleName>> = {
  emphasis: 'underline',
  strong: 'bold',
  delete: 'strikethrough',
}

function piecesOf(children: readonly Phrasing[], setting: Setting, styles: readonly StyleName[]): Piece[] {
  return children.flatMap((node): Piece[] => {
    switch (node.type) {
      case 'text':
        return [{ text: node.value.replace(/[\r\n]+/g, ' '), styles }]
      case 'inlineCode':
        return [{ text: node.value.replace(/[\r\n]+/g, ' '), styles: [...styles, 'yellow'] }]
      case 'break':
        return [{ text: '\n', styles: [] }]
      case 'html':
        // Only tags such as `<small>` remain here.
        return []
      case 'link':
        return linkPieces(node, setting, styles)
      case 'image':
        return [{ text: `[picture: ${node.alt || fileOf(node.url)}]`, styles: [...styles, 'dim'] }]
      case 'footnoteReference':
        return [{ text: `[^${node.identifier}]`, styles: [...styles, 'dim'] }]
      default:
        return piecesOf(node.children, setting, [...styles, markStyles[node.type]])
    }
  })
}

/** A link shows its number, except one to an anchor on the page, and one whose text is its URL. */
function linkPieces(
  { url, children }: Extract<Phrasing, { type: 'link' }>,
  setting: Setting,
  styles: readonly StyleName[],
): Piece[] {
  const shown = piecesOf(children, setting, [...styles, 'cyan'])
  if (url.startsWith('#') || shown.map(({ text }) => text).join('') === url) return shown
  const at = setting.links.indexOf(url)
  const number = at === -1 ? setting.links.push(url) : at + 1
  return [...shown, { text: `[${number}]`, styles: [...styles, 'dim'] }]
}

function fileOf(url: string): string {
  return url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? url
}

/** Separator of two cells. */
const gap = ' │ '

function tableLines({ align, rows }: Table, setting: Setting): string[] {
  const cells = rows.map((row, at) => row.map(cell => piecesOf(cell, setting, at === 0 ? ['bold'] : [])))
  const count = Math.max(1, ...rows.map(row => row.length))
  const widths = columnWidths(cells, count, setting.columns)
  const rule = setting.paint.dim(widths.map(width => '─'.repeat(width)).join('─┼─'))
  return cells.flatMap((row, at) => [
    ...rowLines(row, { widths, align, paint: setting.paint }),
    ...(at === 0 && cells.length > 1 ? [rule] : []),
  ])
}

/** Narrows the widest columns until a row fits, down to a minimum. */
function columnWidths(cells: readonly (readonly Piece[][])[], count: number, columns: number): number[] {
  const least = 4
  const room = columns - gap.length * (count - 1)
  const widths = Array.from({ length: count }, (_, at) =>
    cells.reduce((most, row) => Math.max(most, ...wrap(row[at] ?? [], columns).map(lineWidth)), 1),
  )
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; ) {
    const most = Math.max(...widths)
    if (most <= least) break
    const at = widths.indexOf(most)
    const next = Math.max(least, ...widths.filter(width => width < most))
    const isShared = widths.filter(width => width === most).length > 1
    const less = isShared ? 1 : Math.max(1, Math.min(excess, most - next))
    widths[at] = most - less
    excess -= less
  }
  return widths
}

function rowLines(
  row: readonly (readonly Piece[])[],
  { widths, align, paint }: { widths: readonly number[]; align: Table['align']; paint: Paint },
): string[] {
  const wrapped = widths.map((width, at) => wrap(row[at] ?? [], width))
  const height = Math.max(...wrapped.map(lines => lines.length))
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, at) => cellText(wrapped[at]?.[line] ?? [], width, align[at] ?? null, paint))
      .join(paint.dim(gap)),
  )
}

function cellText(line: StyledLine, width: number, align: Table['align'][number], paint: Paint): string {
  const rest = Math.max(0, width - lineWidth(line))
  const before = align === 'right' ? rest : align === 'center' ? Math.floor(rest / 2) : 0
  return ' '.repeat(before) + painted(line, paint) + ' '.repeat(rest - before)
}
