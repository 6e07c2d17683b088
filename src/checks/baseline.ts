/**
 * The baseline: old problems that a gate accepts, counted by file and kind.
 *
 * Source: https://eslint.org/docs/latest/use/suppressions (the shape of the file, and that all problems are reported if
 * there are more than the count).
 */

import { WikiError } from '../core/errors.ts'
import type { Problem } from './problem.ts'

/** Name of the file, at the top of the repository. */
export const baselineFile = 'wiki-baseline.json'

export type Baseline = Readonly<Record<string, Readonly<Record<string, { readonly count: number }>>>>

/** Parses a baseline. Errors: wiki-bad-file. */
export function readBaseline(text: string, path: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badBaseline(path, 'it is no JSON')
  }
  if (!isRecord(value) || !Object.values(value).every(isKinds)) throw badBaseline(path, 'it is not a baseline')
  return value as Baseline
}

function badBaseline(path: string, why: string): WikiError {
  return new WikiError('wiki-usage', {
    params: [`${path} cannot be read as a baseline: ${why}`],
    hint: 'Write a new one: wiki check --all --update-baseline',
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKinds(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(entry => isRecord(entry) && Number.isSafeInteger(entry.count))
}

export interface Judged {
  /** Problems that the baseline does not cover. */
  readonly fresh: readonly Problem[]
  readonly known: readonly Problem[]
  /** Entries that count more problems than the file has. */
  readonly unneeded: readonly { readonly path: string; readonly kind: string; readonly count: number }[]
}

/**
 * Filters out the problems that a baseline covers. If a file has more problems of a kind than the baseline counts, all
 * of them are reported.
 */
export function judge(problems: readonly Problem[], baseline: Baseline): Judged {
  const counts = countsOf(problems)
  const allowed = (path: string, kind: string): number => own(own(baseline, path) ?? {}, kind)?.count ?? 0
  const isKnown = ({ path, kind }: Problem): boolean => counts.get(path)!.get(kind)! <= allowed(path, kind)
  const unneeded = Object.entries(baseline).flatMap(([path, kinds]) =>
    Object.entries(kinds)
      .map(([kind, { count }]) => ({ path, kind, count: count - (counts.get(path)?.get(kind) ?? 0) }))
      .filter(({ count }) => count > 0),
  )
  return { fresh: problems.filter(one => !isKnown(one)), known: problems.filter(isKnown), unneeded }
}

/** Writes a baseline of these problems, sorted so that baselines merge well. */
export function formatBaseline(problems: readonly Problem[]): string {
  return format(countsOf(problems))
}

/** Returns a baseline without obsolete entries. It never gains any. */
export function prunedBaseline(problems: readonly Problem[], baseline: Baseline): string {
  const counts = countsOf(problems)
  const left = new Map<string, Map<string, number>>()
  for (const [path, kinds] of Object.entries(baseline)) {
    for (const [kind, { count }] of Object.entries(kinds)) {
      const now = Math.min(count, counts.get(path)?.get(kind) ?? 0)
      if (now > 0) left.set(path, (left.get(path) ?? new Map()).set(kind, now))
    }
  }
  return format(left)
}

function countsOf(problems: readonly Problem[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>()
  for (const { path, kind } of problems) {
    const kinds = counts.get(path) ?? new Map<string, number>()
    counts.set(path, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
  }
  return counts
}

function format(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const files = sorted(counts).map(([path, kinds]) => [
    path,
    Object.fromEntries(sorted(kinds).map(([kind, count]) => [kind, { count }])),
  ])
  return `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
