/** Templates and arguments: their text is scanned separately, between two markers. */

import type { Expansion } from '../expansion/expansion.ts'
import type { Argument, PreNode, Template } from '../preprocess/nodes.ts'
import { joinTrail } from './links.ts'
import { flushText, nodeFrom, pageOffset, type Scan, scanText } from './scan.ts'
import type { MarkerToken } from './token.ts'
import { transclusionOf } from './transclusion.ts'

/** Scans a template or argument; false if the brace is text. */
export function scanBrace(scan: Scan): boolean {
  const node = bracesAt(scan, scan.at)
  if (node === undefined) {
    scan.lineBlank = false
    return false
  }
  const expansion = expansionOf(scan, node)
  if (expansion.kind === 'plain') return scanPlain(scan, node)
  scanExpanded(scan, node, { expansion, from: 0 })
  return true
}

/** The template or argument that begins at an offset. */
export function bracesAt(scan: Scan, at: number): Template | Argument | undefined {
  const node = nodeFrom(scan, at)
  return node?.kind === 'template' || node?.kind === 'argument' ? node : undefined
}

/** Returns the expansion of a template or argument, computed once. */
export function expansionOf(scan: Scan, node: Template | Argument): Expansion {
  const { expansions } = scan
  const cached = expansions.get(node)
  if (cached !== undefined) return cached
  const expansion = scan.run.expander.expandNode(node, scan.frame)
  expansions.set(node, expansion)
  return expansion
}

/** Braces without a template are text, and their content is scanned like the page. */
function scanPlain(scan: Scan, node: Template | Argument): boolean {
  const width = node.kind === 'template' ? 2 : 3
  scan.lineStart = false
  scan.lineBlank = false
  for (const part of node.parts) {
    for (const child of part.children) {
      if (child.kind !== 'text') (scan.nodeAt as Map<number, PreNode>).set(child.start, child)
    }
  }
  scan.at = node.start + width
  return true
}

interface ExpandedPart {
  readonly expansion: Expansion
  /** Offset in the expansion's text at which to begin. */
  readonly from: number
  /** Opens the cell that contains the text, whose attributes may come from the template. */
  readonly before?: () => void
  /** The element that `before` opens. */
  readonly opened?: 'cell' | 'table' | 'tr'
}

/** Scans the text of an expansion, or the rest of it, and continues after the template. */
export function scanExpanded(
  scan: Scan,
  node: Template | Argument,
  { expansion, from, opened, before }: ExpandedPart,
): void {
  flushText(scan, Math.min(scan.at, node.start))
  const isMarked = scan.base !== -1
  const isStructure = from === 0 && scan.hasLines && !scan.lineStart && startsStructure.test(expansion.text)
  if (isStructure) beginLine(scan)
  const transclusion = isMarked ? transclusionOf(scan, node, expansion) : null
  const partOf = opened ?? (joinsCell(scan, expansion.text) ? 'cell' : null)
  const marker = (edge: MarkerToken['edge'], at: number): void => {
    const offset = pageOffset(scan, at)
    if (transclusion !== null) scan.out.push({ kind: 'marker', edge, transclusion, partOf, start: offset, end: offset })
  }
  before?.()
  marker('start', node.start)
  readText(scan, expansion, from)
  const end = joinTrail(scan, node.end)
  marker('end', node.end)
  scan.at = end
  scan.plain = end
}

/** A text that continues with a pipe on the line of a cell is part of that cell. */
function joinsCell({ cellLine, lineBlank }: Scan, text: string): boolean {
  return cellLine !== '' && !lineBlank && (/^\|[^|}+-]/.test(text) || (cellLine === '|' && text.startsWith('!')))
}

const startsStructure = /^(?:\{\||[*#:;])/
const startsTableLine = /^(?:\{\||[|!])/

/** A list or table at the start of a template begins a line of its own. */
function beginLine(scan: Scan): void {
  scan.out.push({ kind: 'newline', start: -1, end: -1 })
  scan.lineStart = true
  scan.lineBlank = true
  scan.cellLine = ''
  scan.term = null
}

function readText(scan: Scan, { text, tags }: Expansion, from: number): void {
  if (from >= text.length) return
  const { run, frame, table, out, hasLines, inLink, depth } = scan
  const lineStart = scan.lineStart || (scan.lineBlank && startsTableLine.test(text))
  const preprocessed = run.expander.preprocessExpanded(text)
  const start = from === 0 ? {} : { at: from, plain: from }
  const { cellLine, lineBlank } = scan
  const change = { table, out, hasLines, inLink, depth, lineStart, lineBlank, cellLine, ...start }
  const inner = scanText(run, { text, frame: run.expander.withText(frame, text), preprocessed, tags }, change)
  run.scanTo(inner, text.length)
  scan.lineStart = inner.lineStart
  scan.lineBlank = inner.lineBlank
  scan.cellLine = inner.cellLine
}
