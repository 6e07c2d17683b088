/**
 * Reads the latest revision of a page, with or without its source. Source: MediaWiki REST API reference, "Get page
 * source" and "Get page".
 */

import type { PageBare, PageSource } from '../core/page.ts'
import { possibleTitle } from '../core/title.ts'
import type { RevisionEntry } from '../store/format/entries.ts'
import { checkVisible } from './access/hidden.ts'
import { dashedTitle } from './resources/dashed-title.ts'
import { findPage, latestOf, type TitleQuery } from './resources/find-page.ts'
import { pageObject, redirectRoute } from './resources/page-object.ts'
import { pageRoute } from './resources/routes.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

/**
 * Returns the id, commit and time of a page's latest revision; null if no page has this title. Does not refresh the
 * wiki.
 */
export function latestRevision(
  { store }: Wiki,
  title: string,
): Pick<RevisionEntry, 'id' | 'page' | 'commit' | 'timestamp'> | null {
  const read = possibleTitle(title, store.titles)
  const page = read === null ? undefined : store.findPage(dashedTitle(store, read).key)
  return page === undefined ? null : latestOf(store, page)
}

export interface ReadPageQuery extends TitleQuery {
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
}

/**
 * Reads a page with its source. A redirect itself is read, not followed. Errors: rest-invalid-title, rest-nonexistent-title,
 * rest-permission-denied-revision; `TitleRedirect`.
 */
export async function readPage({ store }: Wiki, query: ReadPageQuery): Promise<PageSource> {
  await store.refresh()
  const page = findPage(store, query)
  const object = pageObject(store, page)
  const redirect = redirectRoute(store, page, query.base, '')
  const latest = latestOf(store, page)
  checkVisible(latest)
  const text = await store.text(latest)
  return { ...object, source: sourceOfFile(text), ...redirect }
}

/**
 * Reads a page without its source.
 *
 * Errors: rest-invalid-title, rest-nonexistent-title; `TitleRedirect`.
 */
export async function readPageBare({ store }: Wiki, query: ReadPageQuery): Promise<PageBare> {
  await store.refresh()
  const page = findPage(store, query)
  return {
    ...pageObject(store, page),
    html_url: pageRoute(query.base, page.key, '/html'),
    ...redirectRoute(store, page, query.base, '/bare'),
  }
}
