/** Unwraps finished nodes that were kept together during the passes. */

import { wrapperName } from '../tree/adapter.ts'
import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import { prependType } from './types.ts'
import { setChildren } from './walk.ts'

/** Replaces wrappers by their content. */
export function unwrapNodes(root: ParentNode): void {
  const hasWrapper = root.children.some(child => child.kind === 'element' && child.name === wrapperName)
  if (hasWrapper) setChildren(root, root.children.flatMap(contentOf))
  for (const child of root.children) if (child.kind === 'element') unwrapNodes(child)
}

function contentOf(node: ChildNode): readonly ChildNode[] {
  if (node.kind !== 'element' || node.name !== wrapperName) return [node]
  const content = node.children.flatMap(contentOf)
  if (node.attributes.size > 0) handOn(node, content)
  return content
}

/** Copies a template's attributes: `about` to every element of the content, the others to the first. */
function handOn({ attributes, data }: ElementNode, content: readonly ChildNode[]): void {
  const elements = content.filter(node => node.kind === 'element')
  const [first] = elements
  const [about, type] = [attributes.get('about'), attributes.get('typeof')]
  if (first === undefined) return
  if (about !== undefined) for (const node of elements) node.attributes.set('about', about)
  if (type === undefined) return
  prependType(first, type)
  first.data = {
    ...first.data,
    mw: { ...first.data.mw, ...data.mw },
    parsoid: { ...first.data.parsoid, ...data.parsoid },
  }
  if (data.range) first.data.range = data.range
}
