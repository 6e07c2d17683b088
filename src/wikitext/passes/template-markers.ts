/** Moves template markers out of an element if they stand at its edge only because it has no tag of its own there. */

import { type ChildNode, detach, type ElementNode, type ParentNode } from '../tree/node.ts'

/** Elements of wikitext without an opening or a closing sign. */
const unopened: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'dl', 'tbody'])
const unclosed: ReadonlySet<string> = new Set('p ul ol dl tbody tr td th caption li dt dd pre'.split(' '))

/** Moves markers that begin at the end of an element, or end at its start, out of it. */
export function moveMarkers(root: ParentNode): void {
  for (let index = 0; index < root.children.length; index++) {
    const child = root.children[index]!
    if (child.kind !== 'element' || child.data.isAtom) continue
    moveMarkers(child)
    index += moveFirst(child, root, index)
    moveLast(child, root, index)
  }
}

function moveFirst(node: ElementNode, root: ParentNode, index: number): number {
  let moved = 0
  while (isUnopened(node) && isMarker(node.children[0], 'end')) {
    put(node.children[0]!, root, index + moved)
    moved++
  }
  return moved
}

function moveLast(node: ElementNode, root: ParentNode, index: number): void {
  while (isUnclosed(node) && isMarker(node.children.at(-1), 'start')) put(node.children.at(-1)!, root, index + 1)
}

function isUnopened({ name, data }: ElementNode): boolean {
  if (data.parsoid?.stx === 'html') return data.parsoid.autoInsertedStart === true
  return unopened.has(name) && (data.open === undefined || data.open.start === data.open.end)
}

function isUnclosed({ name, data }: ElementNode): boolean {
  if (data.parsoid?.stx === 'html') return data.parsoid.autoInsertedEnd === true
  return unclosed.has(name) && data.close === undefined
}

function isMarker(node: ChildNode | undefined, edge: 'start' | 'end'): boolean {
  return node?.kind === 'comment' && node.data.marker?.edge === edge && node.data.marker.partOf === null
}

function put(marker: ChildNode, root: ParentNode, index: number): void {
  detach(marker)
  marker.parent = root
  root.children.splice(index, 0, marker)
}
