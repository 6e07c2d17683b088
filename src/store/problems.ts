/** Files that are not shown as pages or media, and why. */

import { isWikiError } from '../core/errors.ts'
import type { TitleProblem } from './format/entries.ts'
import { type PathRules, titleOfPath } from './format/paths.ts'
import type { CatalogRow } from './index/base-rows.ts'
import type { Catalog } from './index/catalog.ts'
import { comparePrecedence } from './pages.ts'
import type { IndexView } from './revisions.ts'

/** Rows to check: of pages or of files. */
type NamedRows = Pick<Catalog<CatalogRow>, 'at' | 'collisions' | 'untitled'>

/** Returns the files whose title another file has, and those whose names make no legal title. */
export function* titleProblems({ index, rules }: IndexView): Iterable<TitleProblem> {
  for (const catalog of [index.pages, index.files]) {
    yield* collisions(catalog)
    yield* untitled(catalog, rules)
  }
}

function* untitled(catalog: NamedRows, rules: PathRules): Iterable<TitleProblem> {
  for (const ordinal of catalog.untitled()) {
    const { path } = catalog.at(ordinal)
    yield { path, shownAs: null, reason: reasonOf(path, rules) }
  }
}

function* collisions(catalog: NamedRows): Iterable<TitleProblem> {
  for (const [, same] of catalog.collisions()) {
    const [shownAs, ...others] = same.map(ordinal => catalog.at(ordinal).path).sort(comparePrecedence)
    for (const path of others) yield { path, shownAs: shownAs as string, reason: `it has the same title as ${shownAs}` }
  }
}

function reasonOf(path: string, rules: PathRules): string {
  try {
    titleOfPath(path, rules)
  } catch (error) {
    if (isWikiError(error)) return error.message
    throw error
  }
  return 'its name makes no title'
}
