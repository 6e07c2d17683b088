/** Braces that are neither template nor argument. */

import type { Part } from '../preprocess/nodes.ts'
import type { Frame } from './expander.ts'
import type { Expanding } from './expanding.ts'

/** Writes braces that are text, what stands between them expanded. */
export function plainBraces(
  context: Expanding,
  { open, first, parts, frame }: { open: '{{' | '{{{'; first: string; parts: readonly Part[]; frame: Frame },
): string {
  const rest = parts.slice(1).map(part => `|${context.expand(part.children, frame)}`)
  return `${open}${first}${rest.join('')}${open === '{{' ? '}}' : '}}}'}`
}
