/**
 * Writes problems as `path:line:column`, one per line, which editors and CI logs turn into links. A log may end on a
 * terminal, so control characters of names and texts are shown.
 */

import { inOneLine } from '../../core/control-characters.ts'
import type { Problem } from '../problem.ts'
import type { Report } from '../report.ts'

/** Writes one line per problem. */
export function formatText({ problems }: Report): string {
  return problems.map(problem => `${headOf(problem)}\n`).join('')
}

/** `Tides.wiki:3:14: warning: unclosed-link: [[ begins a link ...` */
export function headOf({ path, place, severity, kind, message }: Problem): string {
  const where = place === null ? path : `${path}:${place.line}:${place.column}`
  return inOneLine(`${where}: ${severity}: ${kind}: ${message}`)
}
