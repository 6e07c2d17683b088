/** Marks the output of templates: `about` on every element, `typeof` and `data-mw` on the first. */

import { unwrapNowiki } from '../extensions/nowiki.ts'
import { type ChildNode, type ElementNode, element, type ParentNode, type Transclusion } from '../tree/node.ts'
import { placeOf } from '../tree/place.ts'
import { walk } from '../tree/walk.ts'
import { type NodeRun, nodesOf, tidyEdges } from './template-edges.ts'
import { prependType } from './types.ts'
import { setChildren } from './walk.ts'

/** Siblings that come from one template, or from several that cannot be separated. */
interface Group extends NodeRun {
  readonly transclusions: Transclusion[]
}

interface Ends {
  start?: ChildNode
  end?: ChildNode
  readonly transclusion: Transclusion
}

/** Marks the output of templates; `text` is the page's. */
export function wrapTransclusions(root: ParentNode, text: string): void {
  const ends = new Map<Transclusion, Ends>()
  collectMarkers(root, ends)
  if (ends.size === 0) return
  const found = [...[...ends.values()].flatMap(groupOf), ...fosterGroups(root)]
  for (const group of mergeGroups(found, root)) if (group.transclusions.length > 0) wrapGroup(group, text)
  removeMarkers([...ends.values()].flatMap(({ start, end }) => [start, end]))
}

/** Removes template markers from the tree, all of one parent at once. */
function removeMarkers(markers: readonly (ChildNode | undefined)[]): void {
  const gone = new Set(markers)
  for (const parent of new Set(markers.map(marker => marker?.parent))) {
    if (parent)
      setChildren(
        parent,
        parent.children.filter(child => !gone.has(child)),
      )
  }
  for (const marker of markers) if (marker) marker.parent = null
}

function collectMarkers(root: ParentNode, ends: Map<Transclusion, Ends>): void {
  for (const child of root.children) {
    if (child.kind === 'element') collectMarkers(child, ends)
    if (child.kind !== 'comment' || child.data.marker === undefined) continue
    const { edge, transclusion } = child.data.marker
    const edges = ends.get(transclusion) ?? { transclusion }
    edges[edge] = child
    ends.set(transclusion, edges)
  }
}

/** The siblings between the two markers, in the innermost element that holds both. */
function groupOf({ start, end, transclusion }: Ends): Group[] {
  if (start === undefined || end === undefined) return []
  return [{ ...siblingsAround(withTag(start), end), transclusions: [transclusion] }]
}

function siblingsAround(start: ChildNode, end: ChildNode): Pick<Group, 'parent' | 'first' | 'last'> {
  const starts = pathOf(start)
  const ends = pathOf(end)
  let depth = 0
  const deepest = Math.min(starts.length, ends.length) - 1
  while (depth < deepest && starts[depth] === ends[depth]) depth++
  const parent = starts[depth - 1] as ParentNode
  const [first, last] = [starts[depth] as ChildNode, ends[depth] as ChildNode]
  const isFlipped = first !== last && placeOf(parent, first) > placeOf(parent, last)
  return { parent, first: isFlipped ? last : first, last: isFlipped ? first : last }
}

/** Tables with the content moved before them, if a template is involved. */
function fosterGroups(root: ParentNode): Group[] {
  const groups: Group[] = []
  for (const { element: table } of walk(root)) {
    const { movedOut } = table.data
    const parent = table.parent
    if (movedOut === undefined || parent === null) continue
    const path = pathOf(movedOut.first)
    const first = path[path.indexOf(parent) + 1] as ChildNode | undefined
    if (first === undefined || first === parent) continue
    const nodes = parent.children.slice(placeOf(parent, first), placeOf(parent, table))
    if (movedOut.isTemplate || nodes.some(holdsMarker)) groups.push({ parent, first, last: table, transclusions: [] })
  }
  return groups
}

function holdsMarker(node: ChildNode): boolean {
  if (node.kind === 'comment') return node.data.marker !== undefined
  return node.kind === 'element' && !node.data.isAtom && node.children.some(holdsMarker)
}

/** The element whose tag contains a marker, and so comes partly from its template; the marker itself if there is none. */
function withTag(marker: ChildNode): ChildNode {
  const partOf = marker.kind === 'comment' ? (marker.data.marker?.partOf ?? null) : null
  if (partOf === null) return marker
  const names = partOf === 'cell' ? ['td', 'th'] : [partOf]
  for (let at: ChildNode | ParentNode | null = marker; at !== null; at = at.parent) {
    if (at.kind === 'element' && names.includes(at.name)) return at
  }
  return marker
}

/** A node and its ancestors, from the outermost. */
function pathOf(node: ChildNode): (ParentNode | ChildNode)[] {
  const path: (ParentNode | ChildNode)[] = []
  for (let at: ParentNode | ChildNode | null = node; at !== null; at = at.parent) path.push(at)
  return path.reverse()
}

/** Joins groups that share nodes or nest. */
function mergeGroups(groups: readonly Group[], root: ParentNode): Group[] {
  const order = orderOf(root, groups)
  const spans = groups
    // Groups inside `data-mw` are not in this tree: they were marked when they were made.
    .filter(group => order.has(group.first) && order.has(group.last))
    .map(group => ({ group, from: order.get(group.first)!.from, to: order.get(group.last)!.to }))
    .sort((one, other) => one.from - other.from || other.to - one.to)
  const merged: typeof spans = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last === undefined || span.from >= last.to) merged.push({ ...span })
    else merged[merged.length - 1] = join(last, span, order)
  }
  return merged.map(({ group }) => group)
}

interface Span {
  readonly from: number
  readonly to: number
}

function join<T extends Span & { group: Group }>(one: T, other: T, order: ReadonlyMap<ChildNode, Span>): T {
  one.group.transclusions.push(...other.group.transclusions)
  if (other.to <= one.to) return one
  const outer = groupOf({
    start: one.group.first,
    end: other.group.last,
    transclusion: one.group.transclusions[0]!,
  })[0]!
  const group = { ...outer, transclusions: one.group.transclusions }
  return { ...one, group, from: order.get(group.first)!.from, to: order.get(group.last)!.to }
}

/** Numbers, in document order, of the nodes at groups' ends and of all around them: its own, and that after its last descendant. */
function orderOf(root: ParentNode, groups: readonly Group[]): Map<ChildNode, Span> {
  const order = new Map<ChildNode, Span>()
  const asked = new Set<ChildNode | ParentNode>()
  for (const { first, last } of groups) {
    for (let at: ChildNode | ParentNode | null = first; at !== null && !asked.has(at); at = at.parent) asked.add(at)
    for (let at: ChildNode | ParentNode | null = last; at !== null && !asked.has(at); at = at.parent) asked.add(at)
  }
  let count = 0
  const number = (parent: ParentNode): void => {
    for (const child of parent.children) {
      const from = count++
      if (child.kind === 'element') number(child)
      if (asked.has(child)) order.set(child, { from, to: count })
    }
  }
  number(root)
  return order
}

function wrapGroup(group: Group, text: string): void {
  const { parent, transclusions } = group
  transclusions.sort((one, other) => one.start - other.start)
  const { about, type, subtype } = transclusions[0]!
  tidyEdges(group)
  const nodes = nodesOf(group)
  const target = prepare(nodes, parent, group)
  for (const node of nodesOf(group)) {
    if (node.kind !== 'element') continue
    node.attributes.set('about', about)
    // A <nowiki> that is not one of the template's own nodes leaves no record: the call has its source.
    setChildren(node, unwrapNowiki([...node.children]))
  }
  prependType(target, subtype === undefined ? type : `${type} ${subtype}`)
  const range = rangeOf(nodes, transclusions)
  const colon = transclusions.length === 1 ? transclusions[0]!.colon : undefined
  const called = colon === undefined ? transclusions : [withPlainColon(transclusions[0]!)]
  target.data.mw = { ...target.data.mw, parts: partsOf(called, range, text) }
  const pi = transclusions.map(({ parameters }) => parameters)
  target.data.parsoid = { ...target.data.parsoid, pi, ...(colon && { colon }) }
  // A shared range ends with its last template, so an element that the templates leave open has no end tag.
  const isOpen = transclusions.length > 1 && target.data.parsoid?.autoInsertedEnd === true
  target.data.range = { ...range, openWidth: null, closeWidth: isOpen && nodes.at(-1) === target ? 0 : null }
}

/** The call of a function with an ordinary colon after its name, as tools expect it. */
function withPlainColon(call: Transclusion): Transclusion {
  const { target, ...rest } = (call.part.template ?? {}) as { readonly target?: { readonly wt: string } }
  if (target === undefined) return call
  return { ...call, part: { template: { target: { ...target, wt: target.wt.replace('：', ':') }, ...rest } } }
}

const fosterable: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr'])

/** Wraps texts in elements that can have attributes, and returns the first element. */
function prepare(nodes: readonly ChildNode[], parent: ParentNode, group: Group): ElementNode {
  const isTable = parent.kind === 'element' && fosterable.has(parent.name)
  if (!isTable) {
    for (const node of nodes) if (node.kind === 'text') wrapText(node, group)
  }
  const target = nodesOf(group).find(node => node.kind === 'element')
  if (target?.kind === 'element') return target
  const made = element(isTable ? 'meta' : 'span')
  const { children } = parent
  made.parent = parent
  children.splice(placeOf(parent, group.first) + 1, 0, made)
  if (group.first === group.last) group.last = made
  return made
}

function wrapText(node: ChildNode, group: Group): void {
  const { parent } = node
  const children = parent!.children
  const span = element('span')
  span.parent = parent
  children[placeOf(parent!, node)] = span
  node.parent = span
  span.children.push(node)
  if (group.first === node) group.first = span
  if (group.last === node) group.last = span
}

interface PageRange {
  readonly start: number
  readonly end: number
}

/** Returns the range of the group in the page's text. */
function rangeOf(nodes: readonly ChildNode[], transclusions: readonly Transclusion[]): PageRange {
  let start = Math.min(...transclusions.map(one => one.start))
  let end = Math.max(...transclusions.map(one => one.end))
  for (const node of nodes) {
    const range = node.kind === 'element' ? node.data.range : null
    if (!range) continue
    if (range.start >= 0) start = Math.min(start, range.start)
    if (range.end >= 0) end = Math.max(end, range.end)
  }
  return { start, end }
}

/** Templates and the text between them, in source order. */
function partsOf(transclusions: readonly Transclusion[], { start, end }: PageRange, text: string): unknown[] {
  const parts: unknown[] = []
  let at = start
  for (const [index, one] of transclusions.entries()) {
    if (one.start > at) parts.push(text.slice(at, one.start))
    parts.push(numbered(one.part, index))
    at = Math.max(at, one.end)
  }
  if (end > at) parts.push(text.slice(at, end))
  return parts
}

function numbered(part: Transclusion['part'], i: number): unknown {
  const numbered: Record<string, unknown> = {}
  for (const kind of Object.keys(part)) numbered[kind] = { ...(part[kind] as object), i }
  return numbered
}
