/** Wraps text and inline elements beside blocks in paragraphs. */

import { wrapperName } from '../tree/adapter.ts'
import { type ChildNode, type ElementNode, element, fragment, type ParentNode } from '../tree/node.ts'
import { newlinesAt } from './trailing-newlines.ts'
import { isBlankText, isTransparentNode, setChildren } from './walk.ts'

const blockNames: ReadonlySet<string> = new Set(
  `address article aside blockquote body button caption center col colgroup dd details dialog div dl dt fieldset figcaption
  figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex li main marquee menu nav noframes noscript
  ol p plaintext pre search section summary table tbody td template tfoot th thead title tr ul`.split(/\s+/),
)

/** Elements that may be split if they contain blocks and loose text. */
const splitNames: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u span sup sub cite'.split(' '),
)

/** True for block elements. */
export function isBlock(node: ChildNode): boolean {
  return node.kind === 'element' && blockNames.has(node.name)
}

/** A piece of an element: in a paragraph, outside of any, or (null) like its neighbours. */
interface Piece {
  inParagraph: boolean | null
  readonly node: ChildNode
}

/** Wraps loose content of the page and of quotations. */
export function wrapLooseText(root: ParentNode): void {
  wrapChildren(root)
  wrapQuotations(root)
}

/** Wraps loose content that tables moved before themselves. Source: Parsoid MarkFosteredContent. */
export function wrapMovedText(root: ParentNode): void {
  const children: ChildNode[] = []
  let isChanged = false
  for (const child of root.children) {
    const moved = child.kind === 'element' && !child.data.isAtom ? movedBefore(child, children) : []
    for (const node of moved) children.push(node)
    isChanged ||= moved.length > 0
    children.push(child)
  }
  if (isChanged) setChildren(root, children)
}

/** Takes the nodes that a table moved before itself from the end of its siblings, and wraps them. */
function movedBefore(node: ElementNode, siblings: ChildNode[]): ChildNode[] {
  wrapMovedText(node)
  const first = node.data.movedOut?.first
  const start = first === undefined || first.parent !== node.parent ? -1 : siblings.lastIndexOf(first)
  if (start === -1) return []
  const part = fragment()
  setChildren(part, siblings.splice(start))
  wrapChildren(part)
  // The place of a paragraph is that of the table, not that of its text.
  for (const child of part.children) if (child.kind === 'element' && isMade(child)) child.data.isFostered = true
  return part.children
}

/** True for a paragraph that no tag in the text stands for. */
function isMade({ name, data }: ElementNode): boolean {
  return name === 'p' && data.open === undefined && !data.isAtom
}

function wrapQuotations(root: ParentNode): void {
  for (const child of root.children) {
    if (child.kind !== 'element') continue
    if (child.name === 'blockquote' && !child.data.isAtom) wrapChildren(child)
    wrapQuotations(child)
  }
}

function wrapChildren(root: ParentNode): void {
  const children: ChildNode[] = []
  let paragraph: ElementNode | null = null
  /** Invisible nodes since the last content of the paragraph. */
  let held: ChildNode[] = []
  /** Invisible nodes in the paragraph. */
  const passed = new Set<ChildNode>()
  const end = (): void => {
    for (const node of held) passed.add(node)
    const inside = paragraph === null ? 0 : lengthOfOwn(held, { passed, content: paragraph.children.at(-1)! })
    for (const one of held.slice(0, inside)) adopt(paragraph!, one)
    children.push(...held.slice(inside))
    held = []
    passed.clear()
    paragraph = null
  }
  for (const { inParagraph, node } of root.children.flatMap(child => split(child, 0))) {
    if (inParagraph === false) end()
    if (inParagraph === true && paragraph === null) {
      paragraph = element('p')
      children.push(paragraph)
    }
    if (paragraph === null) children.push(node)
    else if (inParagraph === null) held.push(node)
    else {
      for (const one of held) passed.add(one)
      for (const one of [...held.splice(0), node]) adopt(paragraph, one)
    }
  }
  end()
  setChildren(root, children)
}

/**
 * Counts the invisible nodes after a paragraph's content that belong to it: all of them, unless a template or annotation is
 * among those of the paragraph; then up to the end of one that begins in it. Source: Parsoid PWrapState.
 */
function lengthOfOwn(held: readonly ChildNode[], { passed, content }: Passed): number {
  const ranges = [...passed].flatMap(node => rangeEdge(node) ?? [])
  if (ranges.length === 0) return held.length - lengthOfLines(held, content)
  const begun = new Set(ranges.filter(({ edge }) => edge === 'start').map(({ range }) => range))
  const isOwnEnd = (node: ChildNode): boolean => {
    const found = rangeEdge(node)
    return found?.edge === 'end' && begun.has(found.range)
  }
  return held.findLastIndex(isOwnEnd) + 1
}

/** Counts the white space and comments at the end that begin with a line break. */
function lengthOfLines(held: readonly ChildNode[], content: ChildNode): number {
  const last = held.findLastIndex(node => node.kind === 'element')
  if (last === -1 && content.kind === 'text' && newlinesAt(content.text) !== -1) return held.length
  const first = held.findIndex((node, index) => index > last && node.kind === 'text' && node.text.includes('\n'))
  return first === -1 ? 0 : held.length - first
}

interface Passed {
  /** Invisible nodes in the paragraph, and after its content. */
  readonly passed: ReadonlySet<ChildNode>
  /** The last visible node. */
  readonly content: ChildNode
}

interface RangeEdge {
  readonly edge: 'start' | 'end'
  readonly range: object
}

/** The start or end of a template or annotation that a node stands for. */
function rangeEdge(node: ChildNode): RangeEdge | undefined {
  if (node.kind === 'text') return undefined
  const { marker, annotation } = node.data
  return marker === undefined ? annotation : { edge: marker.edge, range: marker.transclusion }
}

function adopt(parent: ElementNode, child: ChildNode): void {
  child.parent = parent
  parent.children.push(child)
}

/** Maximum depth of elements that are split; deeper ones stay whole. */
const maxSplitDepth = 20

function split(node: ChildNode, depth: number): Piece[] {
  if (node.kind === 'text') return [{ inParagraph: isBlankText(node) ? null : true, node }]
  if (node.kind === 'element' && node.data.annotation !== undefined && node.data.isFostered)
    return [{ inParagraph: false, node }]
  if (node.kind === 'comment' || isTransparentNode(node)) return [{ inParagraph: null, node }]
  if (isBlock(node)) return [{ inParagraph: false, node }]
  if (node.name === wrapperName && node.children.every(isTransparentNode)) return [{ inParagraph: null, node }]
  if (isEmptyNowiki(node)) return [{ inParagraph: null, node }]
  if (node.data.isAtom && node.data.media === undefined) return [{ inParagraph: !beginsAsBlock(node), node }]
  if (splitNames.has(node.name) && node.children.length > 0 && depth < maxSplitDepth) {
    return merge(
      node,
      node.children.flatMap(child => split(child, depth + 1)),
    )
  }
  return [{ inParagraph: !isOrHoldsBlock(node), node }]
}

/** An empty `<nowiki>` only keeps signs apart, so it begins no paragraph. Source: Parsoid PWrap, pWrapOptional. */
function isEmptyNowiki({ attributes, children }: ElementNode): boolean {
  return attributes.get('typeof') === 'mw:Nowiki' && children.every(isBlankText)
}

/** Finished nodes stand alone if a block is among them; a link, if it begins with one. */
function beginsAsBlock({ children, name }: ElementNode): boolean {
  return name === 'a' ? children.slice(0, 1).some(isBlock) : name === wrapperName && children.some(isBlock)
}

/** True for a block and for an element around one. */
export function isOrHoldsBlock(node: ChildNode): boolean {
  return isBlock(node) || (node.kind === 'element' && node.children.some(isOrHoldsBlock))
}

/** Joins adjacent pieces of one kind, each run in a copy of the element. */
function merge(node: ElementNode, pieces: readonly Piece[]): Piece[] {
  const merged: { inParagraph: boolean | null; nodes: ChildNode[] }[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (
      last === undefined ||
      (last.inParagraph !== null && piece.inParagraph !== null && last.inParagraph !== piece.inParagraph)
    ) {
      merged.push({ inParagraph: piece.inParagraph, nodes: [piece.node] })
    } else {
      last.inParagraph ??= piece.inParagraph
      last.nodes.push(piece.node)
    }
  }
  return merged.map(({ inParagraph, nodes }, index) => {
    const copy = index === 0 ? node : copyOf(node)
    setChildren(copy, nodes)
    return { inParagraph, node: copy }
  })
}

function copyOf(node: ElementNode): ElementNode {
  const copy = element(node.name, node.attributes)
  copy.data = { parsoid: { ...node.data.parsoid, autoInsertedStart: true } }
  return copy
}
