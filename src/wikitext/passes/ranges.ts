/** Computes each node's range in the page's text, from the ranges of tags, last node first. */

import type { ChildNode, ElementNode, ParentNode, Transclusion } from '../tree/node.ts'

interface Walk {
  readonly source: string
  /** The template whose text is being traversed, last to first. */
  inside: Transclusion | null
}

/** Gives every element its range in the source; -1 for an unknown end. */
export function computeRanges(root: ParentNode, source: string, start: number, end: number): void {
  rangesOf(root, start, end, { source, inside: null })
}

/** Computes the ranges of a node's children and returns the start of the first; -1 if it is unknown. */
function rangesOf(parent: ParentNode, start: number, end: number, walk: Walk): number {
  let at = end
  for (let index = parent.children.length - 1; index >= 0; index--) {
    at = startOf(parent.children[index]!, at, walk)
  }
  return at === -1 && walk.inside === null ? start : at
}

function startOf(node: ChildNode, end: number, walk: Walk): number {
  if (node.kind === 'text') return end === -1 || walk.inside !== null ? -1 : textStart(node.text, end, walk.source)
  if (node.kind === 'element') return elementStart(node, end, walk)
  const { marker, range } = node.data
  if (marker === undefined) return range?.start ?? -1
  if (marker.edge === 'end') {
    walk.inside = marker.transclusion
    return -1
  }
  walk.inside = null
  return marker.transclusion.start
}

/** A text begins where it is found before its end: tags without an effect may be in it and after it. */
function textStart(text: string, end: number, source: string): number {
  const start = end - text.length
  if (source.startsWith(text, start)) return start
  let at = end
  for (let index = text.length - 1; index >= 0; index--) {
    for (let tag = tagBefore(source, at); tag !== at && source[at - 1] !== text[index]; tag = tagBefore(source, at))
      at = tag
    if (source[at - 1] !== text[index]) return start
    at--
  }
  return at
}

/** Maximum length of a tag that is searched for. */
const longestTag = 1000

function tagBefore(source: string, end: number): number {
  if (source[end - 1] !== '>') return end
  const start = source.lastIndexOf('<', end)
  return start === -1 || end - start > longestTag || !/^<\/?[a-z]/i.test(source.slice(start, start + 3)) ? end : start
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
