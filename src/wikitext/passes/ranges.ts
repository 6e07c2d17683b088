/** Where each node lies in the page's text: from the tags' own places, from the last node to the first. */

import type { ChildNode, ElementNode, ParentNode, Transclusion } from '../tree/node.ts'

interface Walk {
  /** The template whose text is being walked through, last to first. */
  inside: Transclusion | null
}

/** Gives every element its range; -1 stands for an end that is not known. */
export function computeRanges(root: ParentNode, start: number, end: number): void {
  rangesOf(root, start, end, { inside: null })
}

/** Computes the ranges of a node's children and returns where the first of them starts; -1 where that is not known. */
function rangesOf(parent: ParentNode, start: number, end: number, walk: Walk): number {
  let at = end
  for (let index = parent.children.length - 1; index >= 0; index--) {
    at = startOf(parent.children[index]!, at, walk)
  }
  return at === -1 && walk.inside === null ? start : at
}

function startOf(node: ChildNode, end: number, walk: Walk): number {
  if (node.kind === 'text') return end === -1 || walk.inside !== null ? -1 : end - node.text.length
  if (node.kind === 'element') return elementStart(node, end, walk)
  const { mark, range } = node.data
  if (mark === undefined) return range?.start ?? -1
  if (mark.edge === 'end') {
    walk.inside = mark.transclusion
    return -1
  }
  walk.inside = null
  return mark.transclusion.start
}

function elementStart(node: ElementNode, end: number, walk: Walk): number {
  const { open, close, range, isAtom, isFostered } = node.data
  if (isAtom) return range?.start ?? -1
  if (isFostered) {
    rangesOf(node, -1, -1, walk)
    return end
  }
  const stop = close?.end ?? (walk.inside === null ? end : -1)
  const inner = rangesOf(node, open?.end ?? -1, close?.start ?? stop, walk)
  const start = open?.start ?? inner
  node.data.range = {
    start,
    end: stop,
    openWidth: open === undefined ? 0 : open.end - open.start,
    closeWidth: close === undefined ? 0 : close.end - close.start,
  }
  return start
}
