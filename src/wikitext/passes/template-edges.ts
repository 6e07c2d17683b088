/** Rewrites nodes without content at the ends of a template's nodes so that they can carry attributes. */

import { type ChildNode, type ElementNode, element, type ParentNode } from '../tree/node.ts'
import { placeOf } from '../tree/place.ts'
import { setChildren } from './walk.ts'

/** Siblings that come from one template, or from several that cannot be separated. */
export interface NodeRun {
  readonly parent: ParentNode
  first: ChildNode
  last: ChildNode
}

/** The nodes of a run. */
export function nodesOf({ parent, first, last }: NodeRun): ChildNode[] {
  const start = placeOf(parent, first)
  return parent.children.slice(start, placeOf(parent, last) + 1)
}

/**
 * Removes line breaks that a template's blocks need in wikitext but not in HTML, and wraps categories and the like beside
 * them in a span, so that styles for neighbouring blocks apply.
 *
 * Source: Parsoid T370751, T378906, T407798.
 */
export function tidyEdges(run: NodeRun): void {
  const nodes = nodesOf(run)
  for (const node of nodes) if (!isProperty(node)) tidyInside(node)
  const shown = nodes.filter(node => !isMarker(node))
  if (isTablePart(run.parent) || shown.length === 0) return
  const replacement = gatherBetweenBlocks(shown.filter((_, index) => !isDroppedBreak(shown, index)))
  replaceNodes(run, nodes.length, replacement)
}

/** Wraps the properties inside an element, where texts do not count as neighbours. */
function tidyInside(parent: ChildNode): void {
  if (parent.kind !== 'element' || parent.data.isAtom) return
  for (const node of parent.children) tidyInside(node)
  if (isTablePart(parent) || !parent.children.some(isProperty)) return
  const nodes = parent.children
  const made: ChildNode[] = []
  let from = 0
  for (const [start, end] of spans(nodes, isProperty)) {
    const span = nodes.slice(start, end)
    const isBetween = isEdge(elementFrom(nodes, start - 1, -1)) && isEdge(elementFrom(nodes, end, 1))
    made.push(...nodes.slice(from, start), ...(isBetween ? [wrapperOf(span)] : span))
    from = end
  }
  setChildren(parent, [...made, ...nodes.slice(from)])
}

/** The nearest element from a place in a direction. */
function elementFrom(nodes: readonly ChildNode[], at: number, direction: 1 | -1): ChildNode | undefined {
  let place = at
  while (nodes[place] !== undefined && nodes[place]!.kind !== 'element') place += direction
  return nodes[place]
}

/** Wraps properties between blocks; line breaks there are removed. The first node of a template carries its data. */
function gatherBetweenBlocks(nodes: readonly ChildNode[]): ChildNode[] {
  const made: ChildNode[] = []
  let from = 0
  for (const [start, end] of spans(nodes, isStashable)) {
    if (!isEdge(nodes[start - 1]) || !isEdge(nodes[end])) continue
    const span = nodes.slice(start, end).filter(node => !isLineBreak(node))
    made.push(...nodes.slice(from, start))
    if (start === 0 || span.length > 0) made.push(wrapperOf(span))
    from = end
  }
  return [...made, ...nodes.slice(from)]
}

function wrapperOf(nodes: readonly ChildNode[]): ElementNode {
  const span = element('span', [['class', 'mw-empty-elt']])
  setChildren(span, nodes)
  return span
}

function replaceNodes(run: NodeRun, count: number, nodes: readonly ChildNode[]): void {
  const { children } = run.parent
  const start = placeOf(run.parent, run.first)
  setChildren(run.parent, [...children.slice(0, start), ...nodes, ...children.slice(start + count)])
  run.first = nodes[0]!
  run.last = nodes.at(-1)!
}

const tableParts: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr'])

function isTablePart(parent: ParentNode): boolean {
  return parent.kind === 'element' && tableParts.has(parent.name)
}

/** Longest ranges of nodes that pass a test. */
function spans(nodes: readonly ChildNode[], test: (node: ChildNode) => boolean): [from: number, to: number][] {
  const found: [number, number][] = []
  for (const [index, node] of nodes.entries()) {
    if (!test(node)) continue
    const last = found.at(-1)
    if (last?.[1] === index) last[1] = index + 1
    else found.push([index, index + 1])
  }
  return found
}

/** True for the end of a template, and for blocks whose neighbours matter to styles. */
function isEdge(node: ChildNode | undefined): boolean {
  return node === undefined || (node.kind === 'element' && (node.name === 'div' || node.name === 'table'))
}

function isMarker(node: ChildNode): boolean {
  return node.kind === 'comment' && node.data.marker !== undefined
}

function isLineBreak(node: ChildNode): boolean {
  return node.kind === 'text' && /^\n+$/.test(node.text)
}

function isStashable(node: ChildNode): boolean {
  return isLineBreak(node) || isProperty(node) || (node.kind === 'element' && node.name === 'style')
}

/** Metas and categories, except for the table of contents, which is visible. */
function isProperty(node: ChildNode): boolean {
  if (node.kind !== 'element' || (node.name !== 'link' && node.name !== 'meta')) return false
  if (node.data.annotation !== undefined) return false
  return (
    node.attributes.get('property') !== 'mw:PageProp/toc' &&
    !/\bmw:Extension\/indicator\b/.test(node.attributes.get('typeof') ?? '')
  )
}

const blocks: ReadonlySet<string> = new Set(
  'table h1 h2 h3 h4 h5 h6 pre p ul ol dl td th tr caption dt dd li center blockquote div hr figure aside'.split(' '),
)

/** True for a line break between a block and a list or table, and for one between links without content. */
function isDroppedBreak(nodes: readonly ChildNode[], at: number): boolean {
  const [before, node, after] = [nodes[at - 1], nodes[at]!, nodes[at + 1]]
  if (node.kind !== 'text' || node.text !== '\n') return false
  if (before?.kind !== 'element' || after?.kind !== 'element') return false
  const isBeforeList = ['ul', 'ol', 'table'].includes(after.name) && after.data.parsoid?.stx !== 'html'
  return (isBeforeList && blocks.has(before.name)) || (isPageLink(before) && isPageLink(after))
}

function isPageLink({ name, attributes }: ElementNode): boolean {
  return name === 'link' && attributes.get('rel')?.startsWith('mw:PageProp/') === true
}
