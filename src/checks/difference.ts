/** New problems: those of a newer state that an older one does not have. */

import { createHash } from 'node:crypto'
import type { Problem } from './problem.ts'

type Key = Pick<Problem, 'path' | 'kind' | 'text'>

/** Two problems with the same key are the same problem. The line is not part of it, because unrelated edits move it. */
function keyOf({ path, kind, text }: Key): string {
  return `${path}\0${kind}\0${text.replace(/\s+/g, ' ').trim()}`
}

/** Returns a unique name for each problem that does not change when lines move. Equal problems are numbered. */
export function fingerprints(problems: readonly Problem[]): string[] {
  const counts = new Map<string, number>()
  return problems.map(problem => {
    const key = keyOf(problem)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 32)
  })
}

/** Difference between the problems of two states of a wiki, as multisets. */
export interface Difference {
  readonly added: readonly Problem[]
  /** Number of the older state's problems that the newer one lacks. */
  readonly gone: number
}

/**
 * Compares two states. `pathNow` maps the path of a moved file to its new path, so its problems move with it. Of
 * several equal problems, the new ones are those on new lines, then the last ones.
 */
export function differenceOf(
  before: readonly Problem[],
  after: readonly Problem[],
  pathNow: (path: string) => string = path => path,
): Difference {
  const entriesBefore = new Map<string, { count: number; readonly lines: Set<string> }>()
  for (const problem of before) {
    const key = keyOf({ ...problem, path: pathNow(problem.path) })
    const entry = entriesBefore.get(key) ?? { count: 0, lines: new Set() }
    entriesBefore.set(key, entry)
    entry.count++
    entry.lines.add(lineOf(problem))
  }
  // Problems on unchanged lines are matched first.
  const isOld = new Set<Problem>()
  for (const isThere of [true, false]) {
    for (const problem of after) {
      const entry = entriesBefore.get(keyOf(problem))
      if (entry === undefined || entry.count === 0 || isOld.has(problem)) continue
      if (entry.lines.has(lineOf(problem)) !== isThere) continue
      entry.count--
      isOld.add(problem)
    }
  }
  const gone = [...entriesBefore.values()].reduce((sum, { count }) => sum + count, 0)
  return { added: after.filter(problem => !isOld.has(problem)), gone }
}

function lineOf({ place }: Problem): string {
  return place?.source ?? ''
}
