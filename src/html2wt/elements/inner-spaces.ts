/** Spaces inside the delimiters of a construct, which HTML does not show. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import type { Original } from '../original.ts'

interface Edges {
  readonly before: string
  readonly after: string
}

/**
 * Returns the spaces at both ends, as recorded in `data-parsoid`. These include the spaces between a text and the comments around
 * it; where the original is known, only those outside the comments, as the others are written with them.
 */
export function edges(node: ElementNode, original: Original | null): Edges {
  const spaces = node.data.parsoid?.ws
  if (!Array.isArray(spaces)) return { before: '', after: '' }
  const [before, after] = spaces as unknown[]
  const outer = original === null ? {} : outerSpaces(node, original)
  return { before: blank(before), after: blank(after), ...outer }
}

function outerSpaces({ children }: ElementNode, { twins, places, source }: Original): Partial<Edges> {
  const twinOf = (child: ChildNode | undefined, at: 0 | -1) => {
    const twin = child?.kind === 'comment' ? twins.get(child) : undefined
    return twin !== undefined && twin.parent?.children.at(at) === twin ? twin : undefined
  }
  const [first, last] = [twinOf(children[0], 0), twinOf(children.at(-1), -1)]
  const [start, end] = [first, last].map(twin => twin && places.of.get(twin))
  const [opened, closed] = [first, last].map(twin => twin?.parent && places.inside.get(twin.parent))
  const before = start && opened ? source.slice(opened.start, start.start) : null
  const after = end && closed ? source.slice(end.end, closed.end) : null
  return { ...(isBlank(before) && { before }), ...(isBlank(after) && { after }) }
}

function blank(value: unknown): string {
  return isBlank(value) ? value : ''
}

function isBlank(value: unknown): value is string {
  return typeof value === 'string' && /^[ \t]*$/.test(value)
}
