/** A page for the pages of a site: its text rendered for readers, with the surrounding data. */

import type { PageObject } from '../core/page.ts'
import type { RevisionObject } from '../core/revision.ts'
import type { Rendered } from '../wikitext/index.ts'
import { findRevision, revisionObject } from './read-revision.ts'
import { type RenderQuery, renderEntry, renderText } from './render-page.ts'
import { findPage, latestOf, type TitleQuery } from './resources/find-page.ts'
import { pageObject } from './resources/page-object.ts'
import { type RedirectTarget, redirectTarget } from './resources/redirect.ts'
import type { Wiki } from './wiki.ts'

export { directionOf } from '../wikitext/expansion/languages.ts'
export type { ReaderForm, Rendered, TocEntry } from '../wikitext/index.ts'

export interface ShownPage {
  readonly page: PageObject
  /** Target of the page's redirect; null if it is not a redirect. */
  readonly redirect: RedirectTarget | null
  readonly revision: RevisionObject
}

/**
 * Finds a page with its latest revision and its redirect target. Errors: rest-invalid-title, rest-nonexistent-title;
 * `TitleRedirect`.
 */
export function findShownPage({ store }: Wiki, query: TitleQuery): ShownPage {
  const page = findPage(store, query)
  const revision = revisionObject(store, latestOf(store, page))
  return { page: pageObject(store, page), redirect: redirectTarget(store, page), revision }
}

/**
 * Renders a revision for readers, with the current templates. Errors: rest-nonexistent-revision, rest-permission-denied-revision,
 * wiki-render-limit, wiki-page-too-complex.
 */
export async function showRevision(
  wiki: Wiki,
  id: number,
  reading: NonNullable<RenderQuery['reading']>,
): Promise<Rendered> {
  const revision = findRevision(wiki.store, id)
  const page = wiki.store.pageById(revision.page, { deleted: true })!
  return renderEntry(wiki, { page, revision }, { reading })
}

/** Renders an unsaved text for readers. Errors: wiki-render-limit, wiki-page-too-complex, apierror-invalidtitle. */
export async function showText(
  wiki: Wiki,
  about: Parameters<typeof renderText>[1],
  reading: NonNullable<RenderQuery['reading']>,
): Promise<Rendered> {
  return renderText(wiki, about, { reading })
}
