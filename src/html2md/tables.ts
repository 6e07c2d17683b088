/** Tables. Markdown has one head row, one line for each row, and no spanning cells. */

import type { ChildNode, ElementNode } from '../wikitext/tree/node.ts'
import type { Alignment, Flow, Phrasing } from './node.ts'
import { line } from './phrasing.ts'
import { isInvisible, type Reading } from './reading.ts'

/** Maximum columns; further cells of a row are joined to the last one. */
const maxColumns = 200
/** Maximum columns or rows that a cell spans. */
const maxSpan = 100

interface Maker {
  readonly reading: Reading
  readonly flow: (nodes: readonly ChildNode[], reading: Reading) => Flow[]
}

/** Converts a table, its caption before it. */
export function table(node: ElementNode, maker: Maker): Flow[] {
  const found = rowsOf(node)
  const captions = elements(node).filter(({ name }) => name === 'caption')
  const before = captions.flatMap(caption => strongParagraph(line(caption.children, maker.reading)))
  if (found.length === 0) return before
  const isHead = elements(found[0]!).every(({ name }) => name === 'th') || isIn(found[0]!, 'thead')
  const rows = spread(found, { maker, isHead })
  const columns = Math.max(...rows.map(row => row.length))
  const [first, body] = isHead ? [rows[0]!, rows.slice(1)] : [[], rows]
  // A head with fewer cells than the line below it makes no table. Source: GFM 4.10.
  const head = Array.from({ length: columns }, (_, column) => first[column] ?? [])
  return [...before, { type: 'table', align: alignments(found, columns), rows: [head, ...body] }]
}

function strongParagraph(children: Phrasing[]): Flow[] {
  return children.length === 0 ? [] : [{ type: 'paragraph', children: [{ type: 'strong', children }] }]
}

function elements(node: ElementNode): ElementNode[] {
  return node.children.filter((child): child is ElementNode => child.kind === 'element' && !isInvisible(child))
}

function rowsOf(node: ElementNode): ElementNode[] {
  return elements(node)
    .flatMap(child => (/^t(?:head|body|foot)$/.test(child.name) ? elements(child) : [child]))
    .filter(row => row.name === 'tr' && elements(row).length > 0)
}

function isIn({ parent }: ElementNode, name: string): boolean {
  return parent?.kind === 'element' && parent.name === name
}

/** Gives every cell its position: spanned positions stay empty. */
function spread(rows: readonly ElementNode[], { maker, isHead }: { maker: Maker; isHead: boolean }): Phrasing[][][] {
  const taken = new Map<number, number>()
  return rows.map((row, index) => {
    const cells: Phrasing[][] = []
    const skip = (): void => {
      while (cells.length < maxColumns && (taken.get(cells.length) ?? 0) > 0) {
        taken.set(cells.length, taken.get(cells.length)! - 1)
        cells.push([])
      }
    }
    for (const cell of elements(row)) {
      skip()
      const content = cellOf(cell, { maker, isHead: isHead && index === 0 })
      if (cells.length >= maxColumns) cells.at(-1)!.push({ type: 'text', value: ' ' }, ...content)
      else put(cell, { content, cells, taken })
    }
    skip()
    return cells
  })
}

function put(
  cell: ElementNode,
  { content, cells, taken }: { content: Phrasing[]; cells: Phrasing[][]; taken: Map<number, number> },
): void {
  const wide = Math.min(spanOf(cell, 'colspan'), maxColumns - cells.length)
  const below = spanOf(cell, 'rowspan') - 1
  for (let column = 0; column < wide; column++) {
    if (below > 0) taken.set(cells.length, below)
    cells.push(column === 0 ? content : [])
  }
}

function spanOf({ attributes }: ElementNode, name: 'colspan' | 'rowspan'): number {
  const number = Number.parseInt(attributes.get(name) ?? '1', 10)
  return Math.min(Math.max(Number.isNaN(number) ? 1 : number, 1), maxSpan)
}

/** Row headers are bold. */
function cellOf(cell: ElementNode, { maker, isHead }: { maker: Maker; isHead: boolean }): Phrasing[] {
  const content = oneLine(maker.flow(cell.children, maker.reading))
  return cell.name === 'th' && !isHead && content.length > 0 ? [{ type: 'strong', children: content }] : content
}

const lineBreak: Phrasing = { type: 'html', value: '<br>' }

function oneLine(blocks: readonly Flow[]): Phrasing[] {
  return blocks
    .flatMap(block => lines(block))
    .flatMap((phrasing, index) => [...(index > 0 ? [lineBreak] : []), ...phrasing])
}

/** Returns the inline content of a block, line by line. */
function lines(block: Flow): Phrasing[][] {
  switch (block.type) {
    case 'paragraph':
      return [withoutBreaks(block.children)]
    case 'heading':
      return [[{ type: 'strong', children: withoutBreaks(block.children) }]]
    case 'list':
      return block.children.map(({ children }) => [{ type: 'text', value: '• ' }, ...oneLine(children)])
    case 'code':
      return block.value.split('\n').map(value => [{ type: 'inlineCode', value }])
    case 'table':
      return block.rows.map(row => row.flatMap(cell => [...cell, { type: 'text', value: ' ' }]))
    case 'thematicBreak':
      return []
    default:
      return block.children.flatMap(child => lines(child))
  }
}

function withoutBreaks(children: readonly Phrasing[]): Phrasing[] {
  return children.map(child => (child.type === 'break' ? lineBreak : child))
}

/** Returns the alignment of each column: that of its first cell with one. */
function alignments(rows: readonly ElementNode[], columns: number): Alignment[] {
  const found: Alignment[] = Array.from({ length: columns }, () => null)
  for (const row of rows.slice(0, 2)) {
    elements(row).forEach((cell, column) => {
      if (column < columns) found[column] ??= alignmentOf(cell)
    })
  }
  return found
}

function alignmentOf({ attributes }: ElementNode): Alignment {
  const style = /text-align\s*:\s*(left|right|center)/i.exec(attributes.get('style') ?? '')?.[1]
  const word = (style ?? attributes.get('align') ?? '').toLowerCase()
  return word === 'left' || word === 'right' || word === 'center' ? word : null
}
