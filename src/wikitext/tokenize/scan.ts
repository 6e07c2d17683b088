/** State of the scanner over one text, and the operations that all constructs share. */

import type { Title } from '../../core/title.ts'
import type { Expander, Expansion } from '../expansion/expansion.ts'
import type { Frame, FramedTag, MadeTag } from '../expansion/frame.ts'
import type { FoundFile } from '../media/file-lookup.ts'
import type { ExtensionTag, PreNode, Preprocessed } from '../preprocess/nodes.ts'
import type { Site } from '../site.ts'
import type { ChildNode, Problem } from '../tree/node.ts'
import { type AnnotationTag, annotationsBetween, findAnnotations } from './annotation-tags.ts'
import type { Token } from './token.ts'

/** State that all texts of a page share during its conversion. */
export interface PageRun {
  readonly site: Site
  readonly expander: Expander
  readonly title: Title
  /** Returns the next value of `about`. */
  readonly about: () => string
  /** Returns the next id of an annotation. */
  readonly annotationId: () => string
  /** Scans up to an offset of the text. */
  readonly scanTo: (scan: Scan, end: number) => void
  /** Makes the nodes of inline text. */
  readonly inlineNodes: (tokens: readonly Token[]) => ChildNode[]
  /** Renders an extension tag of the scan's text. */
  readonly renderTag: (tag: ExtensionTag, scan: Scan) => ChildNode[]
  /** Finds the file of a title, also through a redirect. */
  readonly findFile: (title: Title) => FoundFile
  /** True for a file that is only a link on this page. */
  readonly isBadFile: (title: Title) => boolean
  /** If true, parser functions appear in the form of HTML 3.0. */
  readonly describesFunctions: boolean
  /** Matches the tags of annotations; null if there are none. */
  readonly annotations: RegExp | null
  /** Pixels of a thumbnail without an explicit size. */
  readonly thumbnailWidth: number
  /** Problems found at places without a node. */
  readonly problems: Problem[]
}

/** State that the nested texts of a page share: a template's rows belong to the table around it. */
export interface TableState {
  depth: number
  /** Index of the token of a table or row whose tag a template's text ends in; -1 if there is none. */
  tail: number
}

/** State of the scan of one text. */
export interface Scan {
  readonly run: PageRun
  readonly text: string
  /** Offset of the text in the page's text, -1 if it is not part of it. */
  readonly base: number
  readonly frame: Frame
  /** Extension tags in a template's text with their own frame, by offset. */
  readonly framedTags: ReadonlyMap<number, FramedTag>
  /** Expansions of the text's templates that have been computed. */
  readonly expansions: Map<PreNode, Expansion>
  /** Nodes of the preprocessor without plain text, ascending. */
  readonly nodes: readonly PreNode[]
  readonly nodeAt: ReadonlyMap<number, PreNode>
  readonly brackets: ReadonlyMap<number, number>
  /** Annotation tags of the text, by their start. */
  readonly annotations: ReadonlyMap<number, AnnotationTag>
  readonly table: TableState
  /** Nesting depth of this text in links, headings and tags. */
  readonly depth: number
  /** False inside links: no headings, lists, tables. */
  readonly hasLines: boolean
  /** True inside an external link's text, where no further one begins. */
  readonly inLink: boolean
  at: number
  end: number
  /** No link that begins before this offset is closed on its line: an earlier search for `]` failed. */
  noCloseBefore: number
  /** Offset of the text without a token so far. */
  plain: number
  /** True if there is only invisible content between the start of the line and here. */
  lineStart: boolean
  /** True if that content may include white space. */
  lineBlank: boolean
  /** Bullets of this line's item while it is a term that waits for its colon; null otherwise. */
  term: string | null
  /** `!` on a line of header cells, `|` on one of data cells, '' elsewhere. */
  cellLine: '' | '|' | '!'
  readonly out: Token[]
}

/** Properties of a nested scan that differ from those of its parent. */
export type ScanChange = Partial<
  Pick<
    Scan,
    'base' | 'table' | 'hasLines' | 'inLink' | 'out' | 'lineStart' | 'lineBlank' | 'cellLine' | 'term' | 'at' | 'plain'
  >
>

export interface ScannedText {
  readonly text: string
  readonly frame: Frame
  readonly preprocessed: Preprocessed
  /** Extension tags with their own frame. */
  readonly tags?: readonly FramedTag[]
}

/** Begins a scan of a whole text. */
export function scanText(
  run: PageRun,
  { text, frame, preprocessed, tags = [] }: ScannedText,
  change: ScanChange & { readonly depth?: number } = {},
): Scan {
  const shown = preprocessed.nodes.filter(node => node.kind !== 'text' || node.onCommentLine)
  const nodes = tags.length === 0 ? shown : withMadeTags(shown, tags)
  const nodeAt = new Map<number, PreNode>()
  for (const node of nodes) nodeAt.set(node.start, node)
  const { base = -1, depth = 0, hasLines = true, inLink = false, lineStart = true, lineBlank = true } = change
  return {
    run,
    text,
    base,
    frame,
    framedTags: tags.length === 0 ? noFramedTags : new Map(tags.map(tag => [tag.start, tag])),
    expansions: new Map(),
    nodes,
    nodeAt,
    brackets: preprocessed.brackets,
    annotations: findAnnotations(text, nodes, run.annotations),
    table: change.table ?? { depth: 0, tail: -1 },
    depth,
    hasLines,
    inLink,
    at: change.at ?? 0,
    end: text.length,
    noCloseBefore: 0,
    plain: change.plain ?? 0,
    lineStart,
    lineBlank,
    term: change.term ?? null,
    cellLine: change.cellLine ?? '',
    out: change.out ?? [],
  }
}

const noFramedTags: ReadonlyMap<number, FramedTag> = new Map()

/** Inserts tags made by functions, whose ends are known, replacing the nodes found at their place. */
function withMadeTags(nodes: readonly PreNode[], tags: readonly FramedTag[]): readonly PreNode[] {
  const made = tags.flatMap(tag => (tag.made === undefined ? [] : [madeNode(tag, tag.made)]))
  if (made.length === 0) return nodes
  const written: PreNode[] = []
  let at = 0
  for (const tag of made) {
    while (at < nodes.length && nodes[at]!.start < tag.start) written.push(nodes[at++]!)
    while (at < nodes.length && nodes[at]!.start < tag.end) at++
    written.push(tag)
  }
  return [...written, ...nodes.slice(at)]
}

function madeNode({ start, end }: FramedTag, { name, openWidth, hasBody }: MadeTag): ExtensionTag {
  const closeWidth = hasBody ? name.length + 3 : 0
  return {
    kind: 'extension',
    name,
    start,
    end,
    attributes: { start: start + 1 + name.length, end: start + openWidth - (hasBody ? 1 : 2) },
    body: hasBody ? { start: start + openWidth, end: end - closeWidth } : null,
    closeWidth,
  }
}

/**
 * Begins a scan of a part of the text, with its own tokens. The members are listed one by one for speed: every link has a
 * scan.
 */
export function scanPart(scan: Scan, start: number, end: number, change: ScanChange = {}): Scan {
  const { base = scan.base, hasLines = scan.hasLines, inLink = scan.inLink } = change
  return {
    run: scan.run,
    text: scan.text,
    base,
    frame: scan.frame,
    framedTags: scan.framedTags,
    expansions: scan.expansions,
    nodes: scan.nodes,
    nodeAt: scan.nodeAt,
    brackets: scan.brackets,
    annotations: scan.annotations,
    table: change.table ?? { depth: 0, tail: -1 },
    depth: scan.depth + 1,
    hasLines,
    inLink,
    at: change.at ?? start,
    end,
    noCloseBefore: scan.noCloseBefore,
    plain: change.plain ?? start,
    lineStart: change.lineStart ?? false,
    lineBlank: change.lineBlank ?? false,
    term: change.term ?? null,
    cellLine: change.cellLine ?? '',
    out: change.out ?? [],
  }
}

/** Offset in the page's text, -1 if there is none. */
export function pageOffset({ base }: Scan, at: number): number {
  return base === -1 ? -1 : base + at
}

/** Range in the page's text. */
export function pageRange(scan: Scan, start: number, end: number): { start: number; end: number } {
  return { start: pageOffset(scan, start), end: pageOffset(scan, end) }
}

/** Makes a token of the text that was skipped. */
export function flushText(scan: Scan, until: number): void {
  const { plain, text, out } = scan
  if (until <= plain) return
  const slice = text.slice(plain, until)
  out.push({ kind: 'text', text: slice, start: pageOffset(scan, plain), end: pageOffset(scan, until) })
  scan.plain = until
}

/** Ends the text before `start`, emits a token, and continues at `end`. */
export function emit(scan: Scan, token: Token, start: number, end: number): void {
  flushText(scan, start)
  scan.out.push(token)
  scan.at = end
  scan.plain = end
}

/** Skips a range without a token. */
export function drop(scan: Scan, start: number, end: number): void {
  flushText(scan, start)
  scan.at = end
  scan.plain = end
}

/** The preprocessor's nodes that begin in a range of the text. */
export function nodesBetween({ nodes }: Scan, start: number, end: number): PreNode[] {
  const from = firstFrom(nodes, start)
  let to = from
  while (to < nodes.length && nodes[to]!.start < end) to++
  return nodes.slice(from, to)
}

/** True if the preprocessor found nodes in a range of the text. */
export function hasNodes({ nodes }: Scan, start: number, end: number): boolean {
  const node = nodes[firstFrom(nodes, start)]
  return node !== undefined && node.start < end
}

/** Index of the first node at or after an offset. */
function firstFrom(nodes: readonly PreNode[], offset: number): number {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (nodes[middle]!.start < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** A range of the text with everything expanded; comments and the tags of annotations are left out. */
export function expandedText(scan: Scan, start: number, end: number): string {
  const found = withAnnotations(scan, start, end)
  if (found.length === 0) return scan.text.slice(start, end)
  const parts: PreNode[] = []
  let at = start
  for (const node of found) {
    if (node.start > at) parts.push({ kind: 'text', start: at, end: node.start, onCommentLine: false })
    parts.push(node)
    at = node.end
  }
  if (end > at) parts.push({ kind: 'text', start: at, end, onCommentLine: false })
  return scan.run.expander.expandToText(parts, scan.frame)
}

/** The nodes of a range, in which annotations are comments. */
function withAnnotations(scan: Scan, start: number, end: number): PreNode[] {
  const nodes = nodesBetween(scan, start, end)
  const tags = annotationsBetween(scan.text, scan.annotations, { start, end })
  if (tags.length === 0) return nodes
  const comments = tags.map(tag => ({ kind: 'comment', start: tag.start, end: tag.end, closed: true }) as const)
  return [...nodes, ...comments].sort((one, other) => one.start - other.start)
}

/** Offset of the end of the line, skipping the preprocessor's nodes. */
export function lineEnd(scan: Scan, from: number): number {
  let at = from
  while (at < scan.end) {
    const newline = scan.text.indexOf('\n', at)
    const end = newline === -1 || newline > scan.end ? scan.end : newline
    const node = nodeAround(scan, end)
    if (node === undefined) return end
    at = node.end
  }
  return scan.end
}

/** The node that begins at an offset: a brace, a `<`, or white space beside a comment. Most characters need no search. */
export function nodeFrom({ text, nodeAt }: Scan, at: number): PreNode | undefined {
  const unit = text.charCodeAt(at)
  return unit === 123 || unit === 60 || unit <= 32 ? nodeAt.get(at) : undefined
}

/** The node that contains an offset. */
export function nodeAround({ nodes }: Scan, offset: number): PreNode | undefined {
  const node = nodes[firstFrom(nodes, offset) - 1]
  return node !== undefined && node.end > offset ? node : undefined
}

/** Returns true at `||`, and at `!!` on a line of header cells: these separate cells, also within an address or its link. */
export function isCellSeparator({ text, cellLine }: Scan, at: number): boolean {
  if (cellLine === '') return false
  return text.startsWith('||', at) || (cellLine === '!' && text.startsWith('!!', at))
}

/** White space and comments that may precede a table's signs. */
export function skipBlank({ text, nodeAt }: Scan, from: number): number {
  let at = from
  for (;;) {
    const unit = text.charCodeAt(at)
    const node = unit === 60 ? nodeAt.get(at) : undefined
    if (unit === 32 || unit === 9) at++
    else if (node?.kind === 'comment' || node?.kind === 'inclusion') at = node.end
    else return at
  }
}
