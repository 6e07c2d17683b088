/** Braces that form neither a template nor an argument. */

import type { Expanding } from '../expansion/expanding.ts'
import type { Frame } from '../expansion/frame.ts'
import type { Part } from '../preprocess/nodes.ts'

/** Writes braces that are text, with their content expanded. */
export function plainBraces(
  context: Expanding,
  { open, first, parts, frame }: { open: '{{' | '{{{'; first: string; parts: readonly Part[]; frame: Frame },
): string {
  const rest = parts.slice(1).map(part => `|${context.expand(part.children, frame)}`)
  return `${open}${first}${rest.join('')}${open === '{{' ? '}}' : '}}}'}`
}
