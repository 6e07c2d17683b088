/** Finished nodes that came together stand for themselves. */

import { wrapperName } from '../tree/adapter.ts'
import type { ChildNode, ParentNode } from '../tree/node.ts'
import { setChildren } from './walk.ts'

/** Takes wrappers out of the tree; what they hold stays. */
export function unwrapNodes(root: ParentNode): void {
  const hasWrapper = root.children.some(child => child.kind === 'element' && child.name === wrapperName)
  if (hasWrapper) setChildren(root, root.children.flatMap(contentOf))
  for (const child of root.children) if (child.kind === 'element') unwrapNodes(child)
}

function contentOf(node: ChildNode): readonly ChildNode[] {
  return node.kind === 'element' && node.name === wrapperName ? node.children.flatMap(contentOf) : [node]
}
