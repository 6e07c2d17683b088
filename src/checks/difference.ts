/** Problems that are new: those of a newer state that an older one does not have. */

import { createHash } from 'node:crypto'
import type { Problem } from './problem.ts'

type Key = Pick<Problem, 'path' | 'kind' | 'text'>

/** Two problems of the same key are the same one: their line is no part of it, since other edits move it. */
function keyOf({ path, kind, text }: Key): string {
  return `${path}\0${kind}\0${text.replace(/\s+/g, ' ').trim()}`
}

/** Returns a name for each problem, stable when lines move, and different for each: equal ones are counted. */
export function fingerprints(problems: readonly Problem[]): string[] {
  const counts = new Map<string, number>()
  return problems.map(problem => {
    const key = keyOf(problem)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 32)
  })
}

/** Difference of the problems of two states of a wiki, as multisets. */
export interface Difference {
  readonly added: readonly Problem[]
  /** Problems of the older state that the newer one has not. */
  readonly gone: number
}

/**
 * Compares two states. `pathNow` gives the path at the newer state of a file that was moved: its problems go with it. Of equal
 * problems those are new whose line was not there before, then the last.
 */
export function differenceOf(
  before: readonly Problem[],
  after: readonly Problem[],
  pathNow: (path: string) => string = path => path,
): Difference {
  const known = new Map<string, { count: number; readonly lines: Set<string> }>()
  for (const problem of before) {
    const key = keyOf({ ...problem, path: pathNow(problem.path) })
    const entry = known.get(key) ?? { count: 0, lines: new Set() }
    known.set(key, entry)
    entry.count++
    entry.lines.add(lineOf(problem))
  }
  // Those on lines that were there take their places first.
  const isOld = new Set<Problem>()
  for (const isThere of [true, false]) {
    for (const problem of after) {
      const entry = known.get(keyOf(problem))
      if (entry === undefined || entry.count === 0 || isOld.has(problem)) continue
      if (entry.lines.has(lineOf(problem)) !== isThere) continue
      entry.count--
      isOld.add(problem)
    }
  }
  const gone = [...known.values()].reduce((sum, { count }) => sum + count, 0)
  return { added: after.filter(problem => !isOld.has(problem)), gone }
}

function lineOf({ place }: Problem): string {
  return place?.source ?? ''
}
