/** Where the children of a tree stand in the source that it was made of. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Place extends Stretch {
  /** Siblings that come of one piece of the source, which is theirs together: what was moved out of a table, say. */
  readonly group?: readonly ChildNode[]
}

export interface Places {
  /** Places of nodes; none for a node of which that is not known. */
  readonly of: ReadonlyMap<ChildNode, Place>
  /** Where the content of an element stands. */
  readonly inside: ReadonlyMap<ParentNode, Stretch>
}

/** Finds the places of all nodes that have one; ranges in the tree count bytes of UTF-8, places UTF-16 units. */
export function placesOf(root: ParentNode, source: string): Places {
  const known: Known = { places: new Map(), units: unitOffsets(source), source }
  const inside = new Map<ParentNode, Stretch>([[root, { start: 0, end: source.length }]])
  const pending: ParentNode[] = [root]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    placeChildren(parent.children, inside.get(parent)!, known)
    for (const child of parent.children) {
      const content = child.kind === 'element' && known.places.has(child) ? contentOf(child, known) : null
      if (child.kind !== 'element' || content === null) continue
      inside.set(child, content)
      pending.push(child)
    }
  }
  return { of: known.places, inside }
}

interface Known {
  readonly places: Map<ChildNode, Place>
  readonly units: (bytes: number) => number
  readonly source: string
}

function contentOf({ data }: ElementNode, { units }: Known): Stretch | null {
  if (data.range == null) return null
  const { openWidth, closeWidth, start, end } = data.range
  return openWidth === null || closeWidth === null
    ? null
    : { start: units(start + openWidth), end: units(end - closeWidth) }
}

/** Goes over siblings with the place where the last one ended, -1 where that is not known. */
function placeChildren(children: readonly ChildNode[], inside: Stretch, known: Known): void {
  let at = inside.start
  for (let index = 0; index < children.length; index++) {
    const node = children[index]!
    if (node.kind !== 'element') {
      at = placeText(children, index, at, known)
      continue
    }
    at = placeElement(children, index, { inside, at }, known)
    if (at !== -1) index = groupEnd(children, index) - 1
  }
}

function placeText(
  children: readonly ChildNode[],
  index: number,
  at: number,
  { places, units, source }: Known,
): number {
  const node = children[index] as Exclude<ChildNode, ElementNode>
  const text = node.kind === 'text' ? node.text : `<!--${node.text}-->`
  const start = placeAfter(at, text, source)
  const found = start === -1 ? placeBefore(children[index + 1], text, { units, source }) : start
  if (found === -1) return -1
  places.set(node, { start: found, end: found + text.length })
  return found + text.length
}

interface Around {
  readonly inside: Stretch
  readonly at: number
}

function placeElement(
  children: readonly ChildNode[],
  index: number,
  { inside, at }: Around,
  { places, units }: Known,
): number {
  const node = children[index] as ElementNode
  const { range } = node.data
  const last = children[index - 1]
  const before = last === undefined ? undefined : places.get(last)
  if (range == null) {
    // What was split off an element whose source is all there comes with it.
    if (before?.group === undefined || node.data.parsoid === undefined) return -1
    return join(places, { ...before, group: before.group }, node)
  }
  const [start, end] = [units(range.start), units(range.end)]
  if (start < inside.start || end > inside.end) return -1
  if (start < at && end <= at && before !== undefined && before.start <= start)
    return join(places, { ...before, group: before.group ?? [last!] }, node)
  if (start < at)
    return share(places, children.slice(firstInside(children, index, start, places), index + 1), { start, end })
  for (const member of children.slice(index, groupEnd(children, index)))
    places.set(member, { start: member === node ? start : end, end })
  return end
}

/** Most siblings that share one place. */
const most = 100

/** Finds the first of the nodes before a node that stand in its source: they were moved out of it. */
function firstInside(
  children: readonly ChildNode[],
  index: number,
  start: number,
  places: ReadonlyMap<ChildNode, Place>,
): number {
  let first = index
  for (let at = index - 1; at >= Math.max(0, index - most); at--) {
    const place = places.get(children[at]!)
    if (place !== undefined && place.start >= start) first = at
  }
  return first
}

function join(places: Map<ChildNode, Place>, { group, ...stretch }: Required<Place>, node: ChildNode): number {
  return group.length < most ? share(places, [...group, node], stretch) : -1
}

/** Gives siblings one place. */
function share(places: Map<ChildNode, Place>, group: readonly ChildNode[], { start, end }: Stretch): number {
  for (const node of group) places.set(node, { start, end, group })
  return end
}

/** A text begins where the last node ended, or after blanks that no node stands for. */
function placeAfter(at: number, text: string, source: string): number {
  if (at === -1) return -1
  let start = at
  while (source[start] === ' ' || source[start] === '\t') {
    if (source.startsWith(text, start)) return start
    start++
  }
  return source.startsWith(text, start) ? start : -1
}

/** A text ends where the next element begins. */
function placeBefore(
  next: ChildNode | undefined,
  text: string,
  { units, source }: Pick<Known, 'units' | 'source'>,
): number {
  if (next?.kind !== 'element' || next.data.range == null) return -1
  const start = units(next.data.range.start) - text.length
  return start >= 0 && source.startsWith(text, start) ? start : -1
}

function groupEnd(children: readonly ChildNode[], index: number): number {
  const node = children[index] as ElementNode
  const about = node.attributes.get('about')
  if (about === undefined) return index + 1
  let end = index + 1
  for (let at = end; at < children.length; at++) {
    const next = children[at]!
    if (next.kind === 'element' && next.attributes.get('about') === about) end = at + 1
    else if (next.kind === 'element' || !/^\s*$/.test(next.text)) break
  }
  return end
}

/** Makes a function from offsets in UTF-8 bytes to offsets in UTF-16 units. */
function unitOffsets(source: string): (bytes: number) => number {
  const offsets: number[] = []
  let isPlain = true
  for (let at = 0; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    const width = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3
    if (width > 1) isPlain = false
    for (let byte = 0; byte < width; byte++) offsets.push(at)
  }
  if (isPlain) return bytes => Math.min(bytes, source.length)
  return bytes => offsets[bytes] ?? source.length
}
