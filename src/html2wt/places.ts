/** Where the children of a tree stand in the source that it was made of. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Finds the places of all nodes that have one; ranges in the tree count bytes of UTF-8, places UTF-16 units. */
export function placesOf(root: ParentNode, source: string): Map<ChildNode, Stretch> {
  const places = new Map<ChildNode, Stretch>()
  const units = unitOffsets(source)
  const pending: { parent: ParentNode; start: number; end: number }[] = [{ parent: root, start: 0, end: source.length }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    placeChildren(next.parent.children, next, { places, units, source })
    for (const child of next.parent.children) {
      const place = places.get(child)
      if (child.kind !== 'element' || place === undefined || child.data.range == null) continue
      const { openWidth, closeWidth, start, end } = child.data.range
      if (openWidth === null || closeWidth === null) continue
      pending.push({ parent: child, start: units(start + openWidth), end: units(end - closeWidth) })
    }
  }
  return places
}

interface Known {
  readonly places: Map<ChildNode, Stretch>
  readonly units: (bytes: number) => number
  readonly source: string
}

function placeChildren(children: readonly ChildNode[], inside: Stretch, known: Known): void {
  const { places, units, source } = known
  let at = inside.start
  for (let index = 0; index < children.length; index++) {
    const node = children[index]!
    if (node.kind === 'element') {
      const range = node.data.range
      if (range == null) {
        at = -1
        continue
      }
      const [start, end] = [units(range.start), units(range.end)]
      if (start < inside.start || end > inside.end || (at !== -1 && start < at)) {
        at = -1
        continue
      }
      const last = groupEnd(children, index)
      for (let member = index; member < last; member++)
        places.set(children[member]!, { start: member === index ? start : end, end })
      index = last - 1
      at = end
      continue
    }
    const text = node.kind === 'text' ? node.text : `<!--${node.text}-->`
    const start = at !== -1 && source.startsWith(text, at) ? at : placeBefore(children[index + 1], text, known)
    if (start === -1) {
      at = -1
      continue
    }
    places.set(node, { start, end: start + text.length })
    at = start + text.length
  }
}

/** A text ends where the next element begins. */
function placeBefore(next: ChildNode | undefined, text: string, { units, source }: Known): number {
  if (next?.kind !== 'element' || next.data.range == null) return -1
  const start = units(next.data.range.start) - text.length
  return start >= 0 && source.startsWith(text, start) ? start : -1
}

function groupEnd(children: readonly ChildNode[], index: number): number {
  const node = children[index] as ElementNode
  const about = node.attributes.get('about')
  if (about === undefined) return index + 1
  let end = index + 1
  for (let at = end; at < children.length; at++) {
    const next = children[at]!
    if (next.kind === 'element' && next.attributes.get('about') === about) end = at + 1
    else if (next.kind === 'element' || !/^\s*$/.test(next.text)) break
  }
  return end
}

/** Makes a function from offsets in UTF-8 bytes to offsets in UTF-16 units. */
function unitOffsets(source: string): (bytes: number) => number {
  const offsets: number[] = []
  let isPlain = true
  for (let at = 0; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    const width = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3
    if (width > 1) isPlain = false
    for (let byte = 0; byte < width; byte++) offsets.push(at)
  }
  if (isPlain) return bytes => Math.min(bytes, source.length)
  return bytes => offsets[bytes] ?? source.length
}
