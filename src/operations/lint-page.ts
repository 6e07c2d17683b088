/** Lints the wikitext of a page or a revision. */

import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Lint } from '../wikitext/index.ts'
import { checkVisible } from './access/hidden.ts'
import { findRevision } from './read-revision.ts'
import { lintSource } from './render-page.ts'
import { findPage, latestOf, type TitleQuery } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export type { Lint } from '../wikitext/index.ts'

/**
 * Lists the problems of a page's latest text, in order; empty if the page is not wikitext. Errors: rest-invalid-title,
 * rest-nonexistent-title; `TitleRedirect`.
 */
export async function lintPage(wiki: Wiki, query: TitleQuery): Promise<readonly Lint[]> {
  const { store } = wiki
  await store.refresh()
  const page = findPage(store, query)
  return lintEntry(wiki, { page, revision: latestOf(store, page) })
}

/** Lists the problems of a revision's text. Errors: rest-nonexistent-revision, rest-permission-denied-revision. */
export async function lintRevision(wiki: Wiki, { id }: { readonly id: number }): Promise<readonly Lint[]> {
  const { store } = wiki
  await store.refresh()
  const revision = findRevision(store, id)
  return lintEntry(wiki, { page: store.pageById(revision.page, { deleted: true })!, revision })
}

/** Lists the problems of a text in the repository. */
export async function lintEntry(
  wiki: Wiki,
  { page, revision }: { readonly page: PageEntry; readonly revision: RevisionEntry },
): Promise<readonly Lint[]> {
  checkVisible(revision)
  if (revision.model !== 'wikitext') return []
  return lintSource(wiki, { text: await wiki.store.text(revision), title: page.title })
}
