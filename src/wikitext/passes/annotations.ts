/**
 * Makes annotations ranges of siblings: a tag that stands inside an element is moved beside it, and the range that became longer is
 * marked as such. Source: DOM specification of MediaWiki, Annotations; Parsoid AnnotationDOMRangeBuilder.
 */

import {
  type AnnotationMarker,
  type ChildNode,
  detach,
  type ElementNode,
  element,
  type ParentNode,
  type SourceRange,
  textNode,
} from '../tree/node.ts'
import { placeOf } from '../tree/place.ts'
import { isOrHoldsBlock } from './loose-text.ts'
import { newlinesAt } from './trailing-newlines.ts'
import { setChildren } from './walk.ts'

/** The metas at both ends of an annotation. */
interface Ends {
  start?: ElementNode
  end?: ElementNode
}

/** An annotation, and the siblings that it covers. */
interface Range {
  readonly start: ElementNode
  end: ElementNode
  parent: ParentNode
  first: ChildNode
  last: ChildNode
  /** True if it was joined with another one. */
  isJoined: boolean
}

/** Gives annotations their ids and their final places; `nextId` makes an id. */
export function wrapAnnotations(root: ParentNode, nextId: () => string): void {
  moveFostered(root)
  const found = new Map<AnnotationMarker['range'], Ends>()
  collect(root, found)
  for (const { start, end } of found.values()) nameEnds(start, end, nextId)
  const byName = new Map<string, Range[]>()
  for (const range of [...found.values()].flatMap(ends => rangeOf(ends) ?? [])) {
    const { name } = range.start.data.annotation!.range
    byName.set(name, [...(byName.get(name) ?? []), range])
  }
  for (const ranges of byName.values()) for (const range of topRanges(root, ranges)) placeRange(range)
}

function collect(parent: ParentNode, found: Map<AnnotationMarker['range'], Ends>): void {
  for (const child of parent.children) {
    if (child.kind !== 'element') continue
    const marker = child.data.annotation
    if (marker !== undefined) {
      const ends = found.get(marker.range) ?? {}
      ends[marker.edge] = child
      found.set(marker.range, ends)
    } else if (!child.data.isAtom) collect(child, found)
  }
}

/** Both ends have the id until the range is known. */
function nameEnds(start: ElementNode | undefined, end: ElementNode | undefined, nextId: () => string): void {
  const rangeId = nextId()
  for (const meta of [start, end]) if (meta !== undefined) meta.data.mw = { ...meta.data.mw, rangeId }
}

/** The siblings that an annotation of the page's own text covers; undefined for one of a template. */
function rangeOf({ start, end }: Ends): Range | undefined {
  if (start?.data.annotation?.offsets == null || end === undefined) return undefined
  return { start, end, isJoined: false, ...siblingsAround(start, end) }
}

function siblingsAround(start: ChildNode, end: ChildNode): Pick<Range, 'parent' | 'first' | 'last'> {
  const [starts, ends] = [pathOf(start), pathOf(end)]
  let depth = 0
  while (starts[depth] === ends[depth]) depth++
  return {
    parent: starts[depth - 1] as ParentNode,
    first: beforeFostered(starts[depth] as ChildNode),
    last: ends[depth] as ChildNode,
  }
}

/** A node and its ancestors, from the outermost. */
function pathOf(node: ChildNode): (ParentNode | ChildNode)[] {
  const path: (ParentNode | ChildNode)[] = []
  for (let at: ParentNode | ChildNode | null = node; at !== null; at = at.parent) path.push(at)
  return path.reverse()
}

/** Annotations of one name do not nest or overlap: the inner one goes, and of two that overlap one is made. */
function topRanges(root: ParentNode, ranges: readonly Range[]): Range[] {
  const top: Range[] = []
  const offset = ({ start }: Range): number => start.data.annotation!.offsets!.start
  const order = ranges.length > 1 ? orderOf(root, ranges) : null
  for (const range of [...ranges].sort((one, other) => offset(one) - offset(other))) {
    const last = top.at(-1)
    if (last === undefined || order === null || order.get(range.first)!.from >= order.get(last.last)!.to) {
      top.push(range)
      continue
    }
    const isInside = order.get(range.last)!.to <= order.get(last.last)!.to
    for (const meta of [range.start, isInside ? range.end : last.end]) detach(meta)
    if (isInside) continue
    Object.assign(last, { end: range.end, isJoined: true, ...siblingsAround(last.start, range.end) })
  }
  return top
}

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Places in document order of the nodes at which ranges may begin and end: that of the node, and that after its last descendant. A
 * joined range ends at its second closing tag or around it.
 */
function orderOf(root: ParentNode, ranges: readonly Range[]): Map<ChildNode, Span> {
  const wanted = new Set(ranges.flatMap(({ first, last, end }) => [first, last, ...pathOf(end)]))
  const order = new Map<ChildNode, Span>()
  let count = 0
  const number = (parent: ParentNode): void => {
    for (const child of parent.children) {
      const from = count++
      if (child.kind === 'element') number(child)
      if (wanted.has(child)) order.set(child, { from, to: count })
    }
  }
  number(root)
  return order
}

function placeRange(range: Range): void {
  moveEnds(range)
  // Another annotation may have put an element around one of the ends.
  if (range.start.parent !== range.end.parent) {
    Object.assign(range, siblingsAround(range.start, range.end))
    moveEnds(range)
  }
  const { start, end, isJoined } = range
  const [from, to] = [start.data.annotation!, end.data.annotation!]
  const extendedRange = isJoined || from.wasMoved === true || to.wasMoved === true
  if (extendedRange) wrapRange(start, end)
  start.data.mw = { ...start.data.mw, extendedRange, wtOffsets: offsetsOf(from) }
  const { rangeId: _, ...rest } = end.data.mw ?? {}
  end.data.mw = { ...rest, wtOffsets: offsetsOf(to) }
}

function offsetsOf({ offsets }: AnnotationMarker): [start: number, end: number] | undefined {
  return offsets === null ? undefined : [offsets.start, offsets.end]
}

function moveEnds({ start, end, first, last }: Range): void {
  if (first !== start) moveStart(start, first)
  if (last !== end) moveEnd(end, last)
}

/** Moves the opening tag before a node. At the start of a paragraph, which has no tag of its own, it is where it was. */
function moveStart(meta: ElementNode, node: ChildNode): void {
  const marker = meta.data.annotation!
  if (node.kind === 'element' && node.name === 'p' && node.children[0] === meta) {
    if (node.data.range) node.data.range = { ...node.data.range, start: marker.offsets!.end }
  } else marker.wasMoved = true
  putBeside(meta, node, 0)
}

/** Moves the closing tag after a node. At the end of a paragraph it is where it was. */
function moveEnd(meta: ElementNode, node: ChildNode): void {
  const marker = meta.data.annotation!
  const isAtEnd = node.kind === 'element' && node.name === 'p' && node.children.at(-1) === meta
  putBeside(meta, node, 1)
  if (!isAtEnd) marker.wasMoved = true
  else moveLineBreaks(node, marker.offsets?.start ?? -1)
}

function putBeside(meta: ElementNode, node: ChildNode, after: 0 | 1): void {
  const { parent } = node
  detach(meta)
  meta.parent = parent
  parent!.children.splice(placeOf(parent!, node) + after, 0, meta)
  const about = node.kind === 'element' ? node.attributes.get('about') : undefined
  if (about !== undefined) meta.attributes.set('about', about)
}

/** The line breaks at the end of a paragraph stand after it. */
function moveLineBreaks(paragraph: ElementNode, end: number): void {
  const last = paragraph.children.at(-1)
  const cut = last?.kind === 'text' ? newlinesAt(last.text) : -1
  const moved = last?.kind === 'text' && cut !== -1 ? textNode(last.text.slice(cut)) : null
  if (paragraph.data.range) paragraph.data.range = { ...paragraph.data.range, end: end - (moved?.text.length ?? 0) }
  if (last?.kind !== 'text' || moved === null) return
  last.text = last.text.slice(0, cut)
  if (last.text === '') detach(last)
  const parent = paragraph.parent!
  moved.parent = parent
  parent.children.splice(placeOf(parent, paragraph) + 1, 0, moved)
}

/** Puts an element around a range that is longer than its source: editors must not change a part of it. */
function wrapRange(start: ElementNode, end: ElementNode): void {
  const parent = start.parent!
  const [from, to] = [placeOf(parent, start), placeOf(parent, end) + 1]
  const nodes = parent.children.slice(from, to)
  const wrapper = element(nodes.some(isOrHoldsBlock) ? 'div' : 'span', [['typeof', 'mw:ExtendedAnnRange']])
  const about = start.attributes.get('about')
  const isWithin = [parent.children[from - 1], parent.children[to]].some(
    node => node?.kind === 'element' && node.attributes.has('about'),
  )
  if (about !== undefined && isWithin) wrapper.attributes.set('about', about)
  const parsoid = { autoInsertedStart: true, autoInsertedEnd: true }
  wrapper.data = { parsoid, range: sourceRange(nodes), keepsSource: true }
  wrapper.parent = parent
  parent.children.splice(from, nodes.length, wrapper)
  setChildren(wrapper, nodes)
}

function sourceRange(nodes: readonly ChildNode[]): SourceRange | null {
  const ranges = nodes.flatMap(node => (node.kind === 'element' && node.data.range ? [node.data.range] : []))
  const inSource = ranges.filter(({ start, end }) => start >= 0 && end >= 0)
  if (inSource.length === 0) return null
  return {
    start: Math.min(...inSource.map(({ start }) => start)),
    end: Math.max(...inSource.map(({ end }) => end)),
    openWidth: 0,
    closeWidth: 0,
  }
}

/** Moves the tags that a table moved before itself to the start of all that it moved, and after the table. */
function moveFostered(parent: ParentNode): void {
  for (const child of [...parent.children]) {
    if (child.kind !== 'element' || child.data.isAtom) continue
    moveFostered(child)
    const first = child.data.open === undefined ? child : beforeFostered(child)
    if (first !== child) moveFosteredOf(child, first)
  }
}

/** The first of the nodes that a table moved before itself; the node itself if there are none. */
function beforeFostered(node: ChildNode): ChildNode {
  const moved = node.kind === 'element' ? node.data.movedOut?.first : undefined
  if (moved === undefined) return node
  const path = pathOf(moved)
  const at = path.indexOf(node.parent!)
  const first = path[at + 1]
  return at === -1 || first === undefined ? node : (first as ChildNode)
}

function moveFosteredOf(table: ElementNode, first: ChildNode): void {
  const parent = table.parent!
  const moved = parent.children.slice(placeOf(parent, first), placeOf(parent, table))
  const metas = moved.flatMap(node => (node.kind === 'element' ? metasIn(node) : []))
  const next = parent.children[placeOf(parent, table) + 1]
  for (const meta of metas) {
    const marker = meta.data.annotation!
    marker.wasMoved = true
    if (meta === first && marker.edge === 'start') continue
    detach(meta)
    const at =
      marker.edge === 'start'
        ? placeOf(parent, first)
        : next === undefined
          ? parent.children.length
          : placeOf(parent, next)
    meta.parent = parent
    parent.children.splice(at, 0, meta)
  }
}

function metasIn(node: ElementNode): ElementNode[] {
  if (node.data.annotation !== undefined) return [node]
  return node.data.isAtom ? [] : node.children.flatMap(child => (child.kind === 'element' ? metasIn(child) : []))
}
