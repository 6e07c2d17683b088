/** Arguments of `wiki check` that select a change to check. */

import { WikiError } from '../../core/errors.ts'
import type { CheckedChange } from '../../operations/check-change.ts'

export interface GateValues {
  readonly since?: string
  readonly range?: string
  readonly staged?: boolean
  readonly work?: boolean
  readonly all?: boolean
  readonly format?: readonly string[]
  readonly output?: string
  readonly failOn?: 'note' | 'warning' | 'error'
  readonly baseline?: string
  readonly updateBaseline?: boolean
  readonly prune?: boolean
  readonly fix?: boolean
}

/** Options for applying fixes. */
export interface FixValues extends Pick<GateValues, 'format' | 'output' | 'fix'> {
  readonly dryRun?: boolean
  readonly comment?: string
  readonly user?: string
}

/** Refuses options that would be ignored. Throws `wiki-usage`. */
export function checkFixValues({ fix, dryRun, comment, format, output }: FixValues): void {
  if (!fix && (dryRun || comment !== undefined)) throw usage('--dry-run and --comment go with --fix')
  if (dryRun && (format !== undefined || output !== undefined))
    throw usage('--dry-run prints the difference: it excludes --format and --output')
}

/** Returns true if any of them is given, also with an empty value. */
export function isGate(values: GateValues): boolean {
  const { since, range, staged, work, all, format, output, failOn, baseline, updateBaseline, prune, fix } = values
  return [since, range, staged, work, all, format, output, failOn, baseline, updateBaseline, prune, fix].some(
    value => value !== undefined && value !== false,
  )
}

/**
 * Determines the change to check. Throws `wiki-usage`, also for an older commit without a name: an unset variable of a
 * CI job would compare HEAD with itself, and the check would pass.
 */
export function changeOf({ since, range, staged, work, all }: GateValues): CheckedChange {
  const named = [range !== undefined, staged, work, all].filter(Boolean).length
  if (named > 1 || (since !== undefined && (range !== undefined || all)))
    throw usage('--range, --staged, --work and --all exclude each other; --since goes with --staged and --work')
  if (range !== undefined) {
    const [, from = '', dots, to = ''] = /^(.*?)(\.\.\.?)(.*)$/s.exec(range) ?? []
    if (dots === undefined) throw usage('--range takes two commits: main...draft')
    if (from === '') throw usage('--range names no older commit; a variable may be unset: main...draft')
    return { from, to: to || 'HEAD', sinceParting: dots === '...' }
  }
  const to = staged ? ({ state: 'staged' } as const) : work ? ({ state: 'work' } as const) : 'HEAD'
  if (since === '') throw usage('--since names no commit; a variable may be unset: --since origin/main')
  if (since !== undefined) return { from: since, to, sinceParting: true }
  return { from: typeof to === 'string' ? null : 'HEAD', to, sinceParting: false }
}

export function usage(sentence: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence], hint: 'wiki check --help' })
}
