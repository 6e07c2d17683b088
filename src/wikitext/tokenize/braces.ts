/** Templates and arguments: their text is read as a text of its own, between two marks. */

import type { Expansion } from '../expand/expander.ts'
import type { Argument, Template } from '../preprocess/nodes.ts'
import { flushText, pageOffset, pageRange, type Scan, scanText } from './scan.ts'
import type { MarkToken } from './token.ts'
import { transclusionOf } from './transclusion.ts'

/** Reads a template or argument; false where the brace is text. */
export function scanBrace(scan: Scan): boolean {
  const node = scan.nodeAt.get(scan.at)
  if (node === undefined || (node.kind !== 'template' && node.kind !== 'argument')) return false
  const expansion = scan.run.expander.expandNode(node, scan.frame)
  if (expansion.kind === 'plain') return scanPlain(scan, node)
  flushText(scan, node.start)
  if (scan.base === -1) scanExpansion(scan, expansion)
  else scanMarked(scan, node, expansion)
  scan.at = node.end
  scan.plain = node.end
  return true
}

/** Braces that are no template are text, and what stands between them is read as the page is. */
function scanPlain(scan: Scan, node: Template | Argument): boolean {
  const width = node.kind === 'template' ? 2 : 3
  scan.lineStart = false
  const inner = new Map(node.parts.flatMap(part => part.children).map(child => [child.start, child]))
  for (const [start, child] of inner) {
    if (child.kind !== 'text') (scan.nodeAt as Map<number, typeof child>).set(start, child)
  }
  scan.at = node.start + width
  return true
}

function scanMarked(scan: Scan, node: Template | Argument, expansion: Expansion): void {
  const transclusion = transclusionOf(scan, node, expansion)
  const mark = (edge: MarkToken['edge']): MarkToken => {
    const offset = pageOffset(scan, edge === 'start' ? node.start : node.end)
    return { kind: 'mark', edge, transclusion: transclusion, start: offset, end: offset }
  }
  scan.out.push(mark('start'))
  scanExpansion(scan, expansion)
  scan.out.push(mark('end'))
}

const startsStructure = /^(?:\{\||[*#:;])/

function scanExpansion(scan: Scan, { text, tags }: Expansion): void {
  const wasLineStart = scan.lineStart
  if (text === '') return
  if (!wasLineStart && scan.hasLines && startsStructure.test(text)) {
    scan.out.push({ kind: 'newline', ...pageRange({ ...scan, base: -1 }, 0, 0) })
  }
  const { run, frame, table, out, hasLines, inLink } = scan
  const preprocessed = run.expander.preprocessExpanded(text)
  const change = { table, out, hasLines, inLink, depth: scan.depth }
  const inner = scanText(run, { text, frame: run.expander.withText(frame, text), preprocessed, tags }, change)
  run.scanTo(inner, text.length)
  scan.lineStart = inner.lineStart
}
