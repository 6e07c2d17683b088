/** Spaces inside of a construct's marks, which HTML does not show. */

import type { ElementNode } from '../../wikitext/tree/node.ts'

/** Spaces at both ends, as `data-parsoid` tells of them. */
export function edges({ data }: ElementNode): { before: string; after: string } {
  const spaces = data.parsoid?.ws
  if (!Array.isArray(spaces)) return { before: '', after: '' }
  const [before, after] = spaces as unknown[]
  return { before: blank(before), after: blank(after) }
}

function blank(value: unknown): string {
  return typeof value === 'string' && /^[ \t]*$/.test(value) ? value : ''
}
