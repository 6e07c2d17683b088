/** The page's own text, for what of it has not changed. */

import type { ChildNode } from '../wikitext/tree/node.ts'
import { placeOf } from '../wikitext/tree/place.ts'
import { isItem, isList } from './facts.ts'

/** What is known of the page as it was. */
export interface Original {
  readonly source: string
  /** Children as they were, by the node that stands in their place now. */
  readonly twins: ReadonlyMap<ChildNode, ChildNode>
  /** Nodes that are as they were, with all they hold. */
  readonly same: ReadonlySet<ChildNode>
  /** Where children as they were stand in the source; absent where that is not known. */
  readonly places: ReadonlyMap<ChildNode, { readonly start: number; readonly end: number }>
}

/** Text of the longest row of unchanged nodes from here on; null where there is none. */
export function keptRun(
  original: Original,
  children: readonly ChildNode[],
  from: number,
): { readonly end: number; readonly text: string } | null {
  const { same, twins, places, source } = original
  if (isAutolink(children[from]!) || sharesBullets(children[from]!)) return null
  let last: ChildNode | undefined
  let end = from
  let reached = from
  for (let index = from; index < children.length; index++) {
    const node = children[index]!
    const twin = twins.get(node)
    if (twin === undefined || !same.has(node)) break
    if (last !== undefined && nextOf(last) !== twin) break
    last = twin
    end = index + 1
    if (places.has(twin) && !(isAutolink(node) && children[end]?.kind === 'text' && !same.has(children[end]!)))
      reached = end
  }
  if (end === from) return null
  const opening = twins.get(children[from]!)!
  const start = places.get(opening)?.start ?? (isAtEdge(opening, 0) ? 0 : undefined)
  if (last !== undefined && isAtEdge(last, -1) && !isAutolink(children[end - 1]!)) {
    return start === undefined ? null : { end, text: source.slice(start) }
  }
  if (start === undefined || reached === from) return null
  const final = places.get(twins.get(children[reached - 1]!)!)!
  return final.end < start ? null : { end: reached, text: source.slice(start, final.end) }
}

/** The first node of a page begins where the page does, and the last one ends with it. */
function isAtEdge(node: ChildNode, edge: 0 | -1): boolean {
  return node.parent?.kind === 'fragment' && node.parent.children.at(edge) === node
}

/** Addresses that are links by themselves: what stands beside them now must not become a part of them. */
function isAutolink(node: ChildNode): boolean {
  return node.kind === 'element' && /\bexternal (?:free|mw-magiclink)/.test(node.attributes.get('class') ?? '')
}

/** True for a list, or its first item, whose bullets begin with those of the item around it. */
function sharesBullets(node: ChildNode): boolean {
  const { parent } = node
  if (parent === null || !('name' in parent) || parent.children[0] !== node) return false
  if (isItem(parent)) return isList(node)
  return (
    isList(parent) &&
    isItem(node) &&
    parent.parent !== null &&
    isItem(parent.parent) &&
    parent.parent.children[0] === parent
  )
}

/** What stood between a node and the next one, both still there, that no node stands for. */
export function sourceGap({ twins, places, source }: Original, children: readonly ChildNode[], index: number): string {
  const [one, other] = [children[index], children[index + 1]]
  if (one === undefined || other === undefined) return ''
  const [before, after] = [twins.get(one), twins.get(other)]
  if (before === undefined || after === undefined || nextOf(before) !== after) return ''
  const [start, end] = [places.get(before)?.end, places.get(after)?.start]
  return start === undefined || end === undefined || end <= start ? '' : source.slice(start, end)
}

function nextOf(node: ChildNode): ChildNode | undefined {
  const { parent } = node
  return parent === null ? undefined : parent.children[placeOf(parent, node) + 1]
}
