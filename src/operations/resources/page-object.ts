/**
 * Builds the JSON object of a page. Source: MediaWiki REST API reference, "Page object"; the members are in MediaWiki
 * 1.43's order.
 */

import type { PageObject, PageSource } from '../../core/page.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { latestOf } from './find-page.ts'
import { redirectTarget } from './redirect.ts'
import { pageRoute, withoutHost } from './routes.ts'
import { sourceOfFile } from './source.ts'

/** Returns the members common to every form of a page. */
export function pageObject(store: Store, page: PageEntry): PageObject {
  const { id, timestamp } = latestOf(store, page)
  return {
    id: page.id,
    key: page.key,
    title: page.title,
    latest: { id, timestamp },
    content_model: page.model,
    license: store.config.license,
  }
}

/** Returns a page after a write, with members in MediaWiki's order for writes; `text` is the file's. */
export function writtenPage(store: Store, page: PageEntry, revision: RevisionEntry, text: string): PageSource {
  return {
    id: page.id,
    title: page.title,
    key: page.key,
    latest: { id: revision.id, timestamp: revision.timestamp },
    license: store.config.license,
    content_model: revision.model,
    source: sourceOfFile(text),
  }
}

/** Returns `redirect_target` for a page that redirects to another one; otherwise nothing. */
export function redirectRoute(
  store: Store,
  page: PageEntry,
  base: string,
  suffix: string,
): { readonly redirect_target?: string } {
  const target = redirectTarget(store, page)
  if (target === null || target.key === page.key) return {}
  return { redirect_target: withoutHost(pageRoute(base, target.key, suffix)) }
}
