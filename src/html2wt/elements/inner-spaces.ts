/** Spaces inside the delimiters of a construct, which HTML does not show. */

import type { ElementNode } from '../../wikitext/tree/node.ts'

/** Returns the spaces at both ends, as recorded in `data-parsoid`. */
export function edges({ data }: ElementNode): { before: string; after: string } {
  const spaces = data.parsoid?.ws
  if (!Array.isArray(spaces)) return { before: '', after: '' }
  const [before, after] = spaces as unknown[]
  return { before: blank(before), after: blank(after) }
}

function blank(value: unknown): string {
  return typeof value === 'string' && /^[ \t]*$/.test(value) ? value : ''
}
