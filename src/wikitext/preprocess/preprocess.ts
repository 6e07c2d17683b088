/** Matches the braces of a text in one scan, and finds comments, extension tags and excluded parts. */

import { type AngleMemory, angleMemory, readAngle, skipToOnlyInclude } from './angles.ts'
import { addCommentLine } from './comment-line.ts'
import type { Argument, Part, PlainText, PreNode, Preprocessed, PreprocessOptions, Template } from './nodes.ts'

/** A part being read: its nodes without the text between them. */
interface OpenPart {
  readonly start: number
  equals: number
  nodes: PreNode[]
}

/** An open bracket, or the text as a whole. */
interface Piece {
  readonly kind: 'text' | 'braces' | 'link' | 'variant'
  readonly start: number
  /** Opening characters that are still unmatched. */
  count: number
  readonly lineStart: boolean
  /** True if `-` precedes it and may open a variant with the last brace. */
  readonly dash: boolean
  /** Empty for links and variants: their nodes belong to their parent. */
  parts: OpenPart[]
  /** True while a line that begins like a heading is read: its `=` end no name. */
  inHeading: boolean
}

interface Scan {
  readonly text: string
  readonly options: PreprocessOptions
  readonly angles: AngleMemory
  readonly stack: Piece[]
  /** Index in the stack of the piece that receives nodes. */
  readonly homes: number[]
  readonly brackets: Map<number, number>
  at: number
}

const code = {
  newline: 10,
  dash: 45,
  angle: 60,
  equals: 61,
  openBracket: 91,
  closeBracket: 93,
  openBrace: 123,
  pipe: 124,
  closeBrace: 125,
} as const

/** Handlers by character. Each advances by at least one. */
const handlers: Readonly<Record<number, (scan: Scan) => void>> = {
  [code.newline]: startLine,
  [code.dash]: openVariant,
  [code.angle]: readTag,
  [code.equals]: endName,
  [code.openBracket]: scan => open(scan, 'link', code.openBracket),
  [code.closeBracket]: closeLink,
  [code.openBrace]: scan => open(scan, 'braces', code.openBrace),
  [code.pipe]: endPart,
  [code.closeBrace]: closeBrace,
}
const handled = new Uint8Array(128)
for (const key of Object.keys(handlers)) handled[Number(key)] = 1

/**
 * Parses a text into nodes that cover it, in linear time.
 *
 * Source: MediaWiki Preprocessor ABNF: the longest of three and two braces, the innermost opening bracket first.
 */
export function preprocess(text: string, options: PreprocessOptions): Preprocessed {
  const scan: Scan = {
    text,
    options,
    angles: angleMemory(text, options),
    stack: [],
    homes: [],
    brackets: new Map(),
    at: 0,
  }
  push(scan, { kind: 'text', start: 0, count: 0, lineStart: true, dash: false, parts: [openPart(0)], inHeading: false })
  if (scan.angles.onlyInclude) addNode(scan, skipToOnlyInclude(scan.angles, 0))
  while (scan.at < text.length) {
    const unit = text.charCodeAt(scan.at)
    if (unit < 128 && handled[unit] === 1) handlers[unit]!(scan)
    else scan.at++
  }
  return { nodes: withText(allNodes(scan), 0, text.length), brackets: scan.brackets }
}

function openPart(start: number): OpenPart {
  return { start, equals: -1, nodes: [] }
}

function push(scan: Scan, piece: Piece): void {
  if (piece.parts.length > 0) scan.homes.push(scan.stack.length)
  scan.stack.push(piece)
}

function pop(scan: Scan): void {
  const piece = scan.stack.pop()!
  if (piece.parts.length > 0) scan.homes.pop()
}

function home(scan: Scan): Piece {
  return scan.stack[scan.homes.at(-1)!]!
}

function addNode(scan: Scan, node: PreNode): void {
  home(scan).parts.at(-1)!.nodes.push(node)
  scan.at = node.end
}

function startLine(scan: Scan): void {
  scan.at++
  const top = scan.stack.at(-1)!
  // A single `=` more probably ends a name.
  top.inHeading = scan.text.startsWith('==', scan.at)
}

function wantsName(piece: Piece): boolean {
  return piece.kind === 'braces' && piece.parts.length > 1 && piece.parts.at(-1)!.equals === -1
}

function endName(scan: Scan): void {
  const top = scan.stack.at(-1)!
  if (wantsName(top) && !top.inHeading) top.parts.at(-1)!.equals = scan.at
  scan.at++
}

function endPart(scan: Scan): void {
  const top = scan.stack.at(-1)!
  scan.at++
  if (top.kind !== 'braces') return
  top.parts.push(openPart(scan.at))
  top.inHeading = false
}

function readTag(scan: Scan): void {
  const node = readAngle(scan.angles, scan.at)
  if (node === undefined) scan.at++
  else if (typeof node === 'number') scan.at = node
  else if (node.kind !== 'comment') addNode(scan, node)
  else readComment(scan, node)
}

function readComment(scan: Scan, comment: PreNode): void {
  const nodes = home(scan).parts.at(-1)!.nodes
  const { start } = home(scan).parts.at(-1)!
  scan.at = addCommentLine(scan.text, comment, { nodes, from: nodes.at(-1)?.end ?? start })
  if (scan.text.charCodeAt(scan.at - 1) === code.newline) {
    scan.at--
    startLine(scan)
  }
}

function runLength(text: string, at: number, unit: number, most = Number.POSITIVE_INFINITY): number {
  let end = at
  while (end - at < most && text.charCodeAt(end) === unit) end++
  return end - at
}

function open(scan: Scan, kind: 'braces' | 'link', unit: number, dash = false): void {
  const start = scan.at
  const count = runLength(scan.text, start, unit)
  scan.at += count
  if (count < 2 || (kind === 'braces' && scan.options.braces === false)) return
  const lineStart = start === 0 || scan.text.charCodeAt(start - (dash ? 2 : 1)) === code.newline
  const parts = kind === 'braces' ? [openPart(scan.at)] : []
  push(scan, { kind, start, count, lineStart, dash, parts, inHeading: false })
}

function openVariant(scan: Scan): void {
  const { text, at, options } = scan
  scan.at++
  if (options.variants !== true || text.charCodeAt(at + 1) !== code.openBrace) return
  // In `-{{{` the template or argument takes precedence: the rightmost construct wins.
  if (text.charCodeAt(at + 2) === code.openBrace && options.braces !== false) {
    open(scan, 'braces', code.openBrace, true)
    return
  }
  scan.at++
  push(scan, variant(at))
}

function variant(start: number): Piece {
  return { kind: 'variant', start, count: 2, lineStart: false, dash: false, parts: [], inHeading: false }
}

function closeLink(scan: Scan): void {
  const top = scan.stack.at(-1)!
  if (top.kind !== 'link') {
    scan.at++
    return
  }
  const width = runLength(scan.text, scan.at, code.closeBracket, 2)
  scan.at += width
  if (width < 2) return
  scan.brackets.set(top.start + top.count - 2, scan.at)
  top.count -= 2
  if (top.count < 2) pop(scan)
}

function closeBrace(scan: Scan): void {
  const top = scan.stack.at(-1)!
  if (top.kind === 'braces') closeBraces(scan, top)
  else if (top.kind === 'variant' && scan.text.charCodeAt(scan.at + 1) === code.dash) closeVariant(scan, top)
  else scan.at++
}

function closeVariant(scan: Scan, top: Piece): void {
  scan.at += 2
  scan.brackets.set(top.start, scan.at)
  pop(scan)
}

function closeBraces(scan: Scan, top: Piece): void {
  const width = runLength(scan.text, scan.at, code.closeBrace, Math.min(top.count, 3))
  scan.at += width
  if (width < 2) return
  const node = bracesNode(scan, top, width)
  pop(scan)
  reopen(scan, top, width)
  addNode(scan, node)
}

function bracesNode({ at }: Scan, piece: Piece, width: number): Template | Argument {
  const start = piece.start + piece.count - width
  const ends = piece.parts.map((_, index) => (piece.parts[index + 1]?.start ?? at - width + 1) - 1)
  const parts = piece.parts.map((part, index): Part => {
    const end = ends[index]!
    return { start: part.start, end, equals: part.equals, children: withText(part.nodes, part.start, end) }
  }) as [Part, ...Part[]]
  const lineStart = piece.lineStart && piece.count === width
  return { kind: width === 2 ? 'template' : 'argument', start, end: at, parts, lineStart }
}

/** Keeps the remaining opening braces open, for later closing ones. */
function reopen(scan: Scan, { start, count, lineStart, dash }: Piece, width: number): void {
  const left = count - width
  if (left >= 2) {
    const parts = [openPart(start + left)]
    push(scan, { kind: 'braces', start, count: left, lineStart, dash, parts, inHeading: false })
  } else if (left === 1 && dash) {
    push(scan, variant(start - 1))
  }
}

/** The text's nodes, with those of unclosed pieces, whose opening brackets are text. */
function allNodes({ stack }: Scan): PreNode[] {
  return stack.flatMap(piece => piece.parts.flatMap(part => part.nodes))
}

/** Fills the gaps between nodes with text. */
function withText(nodes: readonly PreNode[], start: number, end: number): PreNode[] {
  const all: PreNode[] = []
  let at = start
  for (const node of nodes) {
    if (node.start > at) all.push(plainText(at, node.start))
    all.push(node)
    at = node.end
  }
  if (end > at) all.push(plainText(at, end))
  return all
}

function plainText(start: number, end: number): PlainText {
  return { kind: 'text', start, end, onCommentLine: false }
}
