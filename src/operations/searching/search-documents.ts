/** Pages as documents of the search index, but for their texts: with their redirects. */

import type { SearchDocument } from '../../search/segment/document.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from '../access/hidden.ts'
import { latestOf } from '../resources/find-page.ts'
import { readingRules } from '../resources/reading-rules.ts'
import { redirectTarget } from '../resources/redirect.ts'

/** Fields of a document that do not depend on its text. */
export type DocumentFrame = Pick<
  SearchDocument,
  'id' | 'revision' | 'blob' | 'inputs' | 'namespace' | 'title' | 'redirects' | 'target' | 'silent'
>

/**
 * Creates the maker of the part of a page's document that needs no text, for one state of a wiki. It takes the titles of the redirects
 * to the page, and has every input of the document but the names of other pages and files, to which its links may lead: see
 * `stale-pages.ts`.
 */
export function frameMaker(store: Store): (page: PageEntry, redirects: readonly string[]) => DocumentFrame {
  const rules = readingRules(store)
  return (page, redirects) => {
    const { id, latest, namespace, title, path } = page
    const revision = latestOf(store, page)
    const target = redirectTarget(store, page)
    return {
      id,
      revision: latest,
      blob: revision.blob,
      inputs: `${namespace} ${isHidden(revision, 'text')} ${rules} ${path}`,
      namespace,
      title,
      redirects: [...redirects].sort(),
      target: target === null ? null : target.title,
      silent: target?.page != null && isAlias(page, target.page),
    }
  }
}

/**
 * Returns true if a redirect is indexed as part of its target. Others, for example into other namespaces, are indexed
 * separately.
 */
function isAlias(page: PageEntry, target: PageEntry): boolean {
  return target.id !== page.id && target.redirect === null && target.namespace === page.namespace
}

/**
 * Returns the target that a redirect is indexed with; undefined for other pages, and for redirects indexed separately.
 */
export function aliasTarget(store: Store, page: PageEntry): PageEntry | undefined {
  const target = redirectTarget(store, page)?.page ?? undefined
  return target !== undefined && isAlias(page, target) ? target : undefined
}
