/** Texts of notes, which stand in a list separate from their marks. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'
import { elementsOf } from './node-queries.ts'

/** Finds the texts of a page's notes, by the ids that their marks refer to. */
export function notesOf(tree: ParentNode): ReadonlyMap<string, ElementNode> {
  const notes = new Map<string, ElementNode>()
  for (const element of elementsOf(tree)) {
    const id = element.attributes.get('id')
    if (id?.startsWith('mw-reference-text-')) notes.set(id, element)
  }
  return notes
}

/** Returns the text that a note's mark refers to. */
export function noteOf(node: ChildNode, notes: ReadonlyMap<string, ElementNode>): ElementNode | undefined {
  const body: unknown = node.kind === 'element' ? node.data.mw?.body : undefined
  const id: unknown = typeof body === 'object' && body !== null ? (body as { id?: unknown }).id : undefined
  return typeof id === 'string' ? notes.get(id) : undefined
}
