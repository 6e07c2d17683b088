/** Makes inline content valid for Markdown: no spaces at the edges of marks, no empty marks, equal neighbours joined. */

import type { Phrasing } from './node.ts'

/** Tidies the content of a paragraph. */
export function tidyPhrasing(nodes: readonly Phrasing[]): Phrasing[] {
  return withoutBreaks(trimmed(spaced(merged(nodes.flatMap(spacesOut)))))
}

/** Spaces at the edges of marked content move outside. */
function spacesOut(node: Phrasing): Phrasing[] {
  if (!('children' in node)) return node.type === 'text' && node.value === '' ? [] : [node]
  const children = merged(node.children.flatMap(spacesOut))
  const [before, inside, after] = edges(children)
  const outer = [...before.map(space), ...(inside.length === 0 ? [] : [{ ...node, children: inside }])]
  return [...outer, ...after.map(space)]
}

function space(): Phrasing {
  return { type: 'text', value: ' ' }
}

/** Splits off the spaces before and after a list of nodes. */
function edges(nodes: readonly Phrasing[]): [' '[], Phrasing[], ' '[]] {
  const inside = [...nodes]
  const before = cutEdge(inside, 0, /^ +/)
  const after = cutEdge(inside, -1, /(?<! ) +$/)
  return [before, inside, after]
}

function cutEdge(nodes: Phrasing[], place: 0 | -1, spaces: RegExp): ' '[] {
  const edge = nodes.at(place)
  if (edge?.type !== 'text' || !spaces.test(edge.value)) return []
  const value = edge.value.replace(spaces, '')
  nodes.splice(place, 1, ...(value === '' ? [] : [{ ...edge, value }]))
  return [' ']
}

function merged(nodes: readonly Phrasing[]): Phrasing[] {
  const out: Phrasing[] = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (last !== undefined && isAlike(last, node)) out[out.length - 1] = joined(last, node)
    else out.push(node)
  }
  return out
}

function isAlike(one: Phrasing, other: Phrasing): boolean {
  if (one.type !== other.type) return false
  return ['text', 'inlineCode', 'emphasis', 'strong', 'delete'].includes(one.type)
}

function joined(one: Phrasing, other: Phrasing): Phrasing {
  if ('children' in one && 'children' in other)
    return { ...one, children: merged([...one.children, ...other.children]) } as Phrasing
  return { type: one.type, value: `${(one as Text).value}${(other as Text).value}` } as Phrasing
}

type Text = Extract<Phrasing, { readonly type: 'text' }>

/** One space, never two; none beside a break. */
function spaced(nodes: readonly Phrasing[]): Phrasing[] {
  return nodes.map((node, index) => {
    if (node.type !== 'text') return node
    let value = node.value.replace(/ {2,}/g, ' ')
    if (nodes[index - 1]?.type === 'break') value = value.replace(/^ /, '')
    if (nodes[index + 1]?.type === 'break') value = value.replace(/ $/, '')
    return { ...node, value }
  })
}

function trimmed(nodes: readonly Phrasing[]): Phrasing[] {
  const [, inside] = edges(nodes)
  return inside
}

/** A line break at the edge of a paragraph has no effect. */
function withoutBreaks(nodes: readonly Phrasing[]): Phrasing[] {
  const isContent = (node: Phrasing): boolean =>
    node.type !== 'break' && !(node.type === 'text' && node.value.trim() === '')
  const first = nodes.findIndex(isContent)
  return first < 0 ? [] : nodes.slice(first, nodes.findLastIndex(isContent) + 1)
}
