/** Queries about nodes that several lint rules share. */

import { strippedTag } from '../tree/build.ts'
import type { ChildNode, ElementNode } from '../tree/node.ts'

/** Style properties by lower-case name. Of a repeated property the last one counts. */
export function styleOf(node: ElementNode): ReadonlyMap<string, string> {
  const style = node.attributes.get('style') ?? ''
  return new Map(
    style.split(';').flatMap(declaration => {
      const colon = declaration.indexOf(':')
      if (colon === -1) return []
      return [
        [
          declaration.slice(0, colon).trim().toLowerCase(),
          declaration
            .slice(colon + 1)
            .trim()
            .toLowerCase(),
        ],
      ]
    }) as [string, string][],
  )
}

/** True for an element that was written as a tag. */
export function isTag(node: ElementNode): boolean {
  return node.data.parsoid?.stx === 'html'
}

/** Finds the nearest ancestor that is one of these elements. */
export function ancestorOf(node: ElementNode, names: ReadonlySet<string>): ElementNode | null {
  let place = node.parent
  while (place?.kind === 'element' && !names.has(place.name)) place = place.parent
  return place?.kind === 'element' ? place : null
}

/** True for invisible content: comments, categories, marks, and white space. */
export function isInvisible(node: ChildNode): boolean {
  if (node.kind === 'comment') return true
  if (node.kind === 'text') return node.text.trim() === ''
  return node.name === 'meta' || node.name === 'link'
}

/** The visible children. */
export function seenChildren(node: ElementNode): ChildNode[] {
  return node.children.filter(child => !isInvisible(child))
}

/** True for the mark of a dropped tag. */
export function isStrippedTag(node: ElementNode): boolean {
  return node.name === 'meta' && node.attributes.get('typeof') === strippedTag
}

/** The name of the dropped tag. */
export function strippedName(node: ElementNode): string {
  return `${node.data.parsoid?.name ?? ''}`
}
