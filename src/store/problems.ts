/** Files that are not shown as pages or media, and why. */

import { isWikiError } from '../core/errors.ts'
import type { TitleProblem } from './entries.ts'
import { comparePrecedence } from './pages.ts'
import { type PathRules, titleOfPath } from './paths.ts'
import type { IndexView } from './revisions.ts'

/** What a collision is told from: pages' rows, or files'. */
interface NamedRows {
  at(ordinal: number): { readonly path: string }
  withKey(key: string): number[]
}

/** Gives the files whose names make no legal title, and those whose title another file has. */
export function* titleProblems({ index, rules }: IndexView): Iterable<TitleProblem> {
  for (const catalog of [index.pages, index.files]) {
    for (let ordinal = 0; ordinal < catalog.count; ordinal++) {
      const row = catalog.at(ordinal)
      if (row.deleted) continue
      if (row.key === '') yield { path: row.path, shownAs: null, reason: flawOf(row.path, rules) }
      else yield* collisionOf(row, catalog)
    }
  }
}

function* collisionOf(
  { path, key }: { readonly path: string; readonly key: string },
  catalog: NamedRows,
): Iterable<TitleProblem> {
  const same = catalog.withKey(key)
  if (same.length < 2) return
  const [shownAs] = same.map(ordinal => catalog.at(ordinal).path).sort(comparePrecedence) as [string]
  if (shownAs !== path) yield { path, shownAs, reason: `it has the same title as ${shownAs}` }
}

function flawOf(path: string, rules: PathRules): string {
  try {
    titleOfPath(path, rules)
  } catch (error) {
    if (isWikiError(error)) return error.message
    throw error
  }
  return 'its name makes no title'
}
