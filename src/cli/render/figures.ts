/** Formats the statistics of a comparison on one line. */

import type { PageChange } from '../../operations/compare-commits.ts'
import { visibleLine } from './text.ts'

/** `+3 -1 ~2 lines, +120 bytes; in: History, Crew` */
export function figures({ lines, delta, sections }: Pick<PageChange, 'lines' | 'delta' | 'sections'>): string {
  const { added, deleted, changed, moved } = lines
  const counts = [`+${added}`, `-${deleted}`, `~${changed}`, ...(moved > 0 ? [`${moved} moved`] : [])]
  const where = sections.map(section => visibleLine(section || '(beginning)')).join(', ')
  return `${counts.join(' ')} lines, ${delta > 0 ? '+' : ''}${delta} bytes${where === '' ? '' : `; in: ${where}`}`
}
