/** Pages of the index; decides which of several files with one title is shown. */

import { contentModels } from '../core/content-models.ts'
import type { PageEntry } from './format/entries.ts'
import { comparePaths } from './format/paths.ts'
import type { RevisionIndex } from './index/revision-index.ts'

/** Selects pages, in order of their folded titles. */
export interface PageQuery {
  /** Prefix of the folded title, with its namespace: see `foldTitlePrefix`. */
  readonly prefix?: string
  readonly namespace?: number
}

/** Finds the page shown under a canonical key. */
export function pageWithKey(index: RevisionIndex, key: string): PageEntry | undefined {
  const same = index.pages.withKey(key)
  return same.length === 0 ? undefined : pageAt(index, shownOf(index, same))
}

/** Finds a page by its id; deleted ones are found only where `deleted` is set. */
export function pageWithId(index: RevisionIndex, id: number, deleted = false): PageEntry | undefined {
  const ordinal = index.pageOrdinal(id)
  return ordinal === undefined || (!deleted && index.pages.at(ordinal).deleted) ? undefined : pageAt(index, ordinal)
}

/** Finds the page at a path. */
export function pageAtPath(index: RevisionIndex, path: string): PageEntry | undefined {
  const ordinal = index.pages.atPath(path)
  return ordinal === undefined ? undefined : pageAt(index, ordinal)
}

/** Returns pages in order of their folded titles, one for each title. */
export function* pagesInOrder(index: RevisionIndex, query: PageQuery): Iterable<PageEntry> {
  for (const same of index.pages.byTitle(query.prefix)) {
    const ordinals = same.map(({ ordinal }) => ordinal).filter(ordinal => isAsked(index, ordinal, query))
    if (ordinals.length > 0) yield pageAt(index, shownOf(index, ordinals))
  }
}

/** Returns the keys of pages in order of their folded titles, each once; decodes no page. */
export function* keysInOrder(index: RevisionIndex, prefix: string): Iterable<string> {
  for (const [first] of index.pages.byTitle(prefix)) if (first !== undefined) yield first.key
}

function isAsked({ pages }: RevisionIndex, ordinal: number, { namespace }: PageQuery): boolean {
  return namespace === undefined || pages.at(ordinal).namespace === namespace
}

/** Returns the page with an ordinal, deleted or not. */
export function pageAt(index: RevisionIndex, ordinal: number): PageEntry {
  const row = index.pages.at(ordinal)
  return {
    id: index.pageId(ordinal),
    key: row.key,
    title: row.key.replaceAll('_', ' '),
    namespace: row.namespace,
    path: row.path,
    model: row.model,
    latest: index.revisionId(row.latest),
    first: index.revisionId(row.first),
    edits: row.edits,
    redirect: row.redirect,
  }
}

function shownOf({ pages }: RevisionIndex, ordinals: readonly number[]): number {
  return ordinals.reduce((best, next) =>
    comparePrecedence(pages.at(next).path, pages.at(best).path) < 0 ? next : best,
  )
}

const extensionOrder = Object.values(contentModels).flatMap(({ extensions }) => extensions as readonly string[])

/** Orders files with one title, the shown one first: by content model, then by path. */
export function comparePrecedence(a: string, b: string): number {
  const rank = (path: string) => extensionOrder.indexOf(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  return rank(a) - rank(b) || comparePaths(a, b)
}
