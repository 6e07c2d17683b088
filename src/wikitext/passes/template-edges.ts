/** Rewrites nodes without content at the ends of a template's nodes so that they can carry attributes. */

import { type ChildNode, element, type ParentNode } from '../tree/node.ts'
import { placeOf } from '../tree/place.ts'
import { isBlankText, isTransparentNode } from './walk.ts'

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
 * Removes line breaks beside a `<div>` at the ends of the run; wraps categories and the like beside it, and runs of nothing
 * else, in a span.
 *
 * Source: the cases of Parsoid T378906.
 */
export function tidyEdges(run: NodeRun): void {
  const nodes = nodesOf(run).filter(node => !isMark(node))
  if (nodes.length > 0 && nodes.every(isProperty)) {
    gather(run, nodes)
    return
  }
  const leading = edgeBefore(nodes)
  if (leading.length > 0) gather(run, leading)
  const trailing = edgeBefore(nodes.toReversed()).reverse()
  if (trailing.some(isProperty)) gather(run, trailing)
  else for (const node of trailing) remove(run, node)
}

/** The nodes before a `<div>` if none of them is content. */
function edgeBefore(nodes: readonly ChildNode[]): ChildNode[] {
  const index = nodes.findIndex(node => !isBlankText(node) && !isTransparentNode(node))
  const node = nodes[index]
  return node?.kind === 'element' && (node.name === 'div' || node.name === 'table') ? nodes.slice(0, index) : []
}

function isMark(node: ChildNode): boolean {
  return node.kind === 'comment' && node.data.mark !== undefined
}

/** Metas and categories, except for the table of contents, which is visible. */
function isProperty(node: ChildNode): boolean {
  if (node.kind !== 'element' || (node.name !== 'link' && node.name !== 'meta')) return false
  return (
    node.attributes.get('property') !== 'mw:PageProp/toc' &&
    !/\bmw:Extension\/indicator\b/.test(node.attributes.get('typeof') ?? '')
  )
}

/** Wraps nodes in a span; white space among them is removed. */
function gather(run: NodeRun, nodes: readonly ChildNode[]): void {
  const span = element('span', [['class', 'mw-empty-elt']])
  const { children } = run.parent
  span.parent = run.parent
  children.splice(placeOf(run.parent, nodes[0]!), 0, span)
  for (const node of nodes) {
    if (node === run.first) run.first = span
    if (node === run.last) run.last = span
    children.splice(placeOf(run.parent, node), 1)
    if (isBlankText(node)) continue
    node.parent = span
    span.children.push(node)
  }
}

function remove(run: NodeRun, node: ChildNode): void {
  const { children } = run.parent
  const index = placeOf(run.parent, node)
  if (node === run.last) run.last = children[index - 1]!
  children.splice(index, 1)
}
