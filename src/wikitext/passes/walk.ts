/** Traversals of a tree. */

import type { ChildNode, ParentNode } from '../tree/node.ts'
import { fragmentsIn, type Step } from '../tree/walk.ts'

/** Visits a tree and the fragments that its elements hold besides their children; `steps` counts all elements. */
export function eachFragment(root: ParentNode, steps: readonly Step[], visit: (root: ParentNode) => void): void {
  visit(root)
  for (const { element } of steps) {
    if (element.data.mw !== undefined) fragmentsIn(element.data.mw).forEach(visit)
    if (element.data.hidden !== undefined) visit(element.data.hidden)
  }
}

/** Replaces all children of a node. */
export function setChildren(parent: ParentNode, children: readonly ChildNode[]): void {
  parent.children.length = 0
  for (const child of children) {
    child.parent = parent
    parent.children.push(child)
  }
}

/** Text of white space only. */
export function isBlankText(node: ChildNode): boolean {
  if (node.kind !== 'text') return false
  const { text } = node
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 32 && (unit < 9 || unit > 13 || unit === 11)) return false
  }
  return true
}

/** True for nodes without content: comments, categories, page properties, and spans around comments only. */
export function isTransparentNode(node: ChildNode): boolean {
  if (node.kind === 'comment') return true
  if (node.kind === 'text') return false
  if (node.name === 'meta' || node.name === 'link' || node.name === 'style') return true
  return node.name === 'span' && node.children.length > 0 && node.children.every(child => child.kind === 'comment')
}
