/** Removes empty formatting that was reopened automatically. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import { isBlankText, setChildren } from './walk.ts'

/** Removes elements that no tag opened or closed and that contain only white space, which stays. */
export function dropResumed(root: ParentNode): void {
  for (const child of root.children) if (child.kind === 'element' && !child.data.isAtom) dropResumed(child)
  if (root.children.some(isIdle))
    setChildren(
      root,
      root.children.flatMap(child => (isIdle(child) ? child.children : [child])),
    )
}

function isIdle(node: ChildNode): node is ElementNode {
  if (node.kind !== 'element' || node.data.isAtom) return false
  const { parsoid } = node.data
  return parsoid?.autoInsertedStart === true && parsoid.autoInsertedEnd === true && node.children.every(isBlankText)
}
