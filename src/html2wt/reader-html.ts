/** HTML for readers does not record its source, but the edit HTML of the same page does. Equal ids connect the two. */

import type { ElementNode, FragmentNode } from '../wikitext/tree/node.ts'
import { elementsOf, isNew } from './node-queries.ts'

/** Copies the node data of the original page to elements with the same ids and names. */
export function restoreData(tree: FragmentNode, before: FragmentNode): void {
  const fresh = elementsOf(tree).filter(node => isNew(node) && node.attributes.has('id'))
  if (fresh.length === 0) return
  const byId = new Map<string, ElementNode>()
  for (const element of elementsOf(before)) {
    const id = element.attributes.get('id')
    if (id !== undefined && !isNew(element) && !byId.has(id)) byId.set(id, element)
  }
  for (const node of fresh) {
    const twin = byId.get(node.attributes.get('id')!)
    if (twin?.name !== node.name) continue
    node.data.parsoid = twin.data.parsoid!
    if (twin.data.range !== undefined) node.data.range = twin.data.range
  }
}
