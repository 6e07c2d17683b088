/** The redirect or note at the old title of a moved page. */

import type { Title } from '../../core/title.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'
import { latestOf } from '../resources/find-page.ts'
import { insideRoot, linkDialect } from '../resources/link-dialect.ts'
import { redirectTarget } from '../resources/redirect.ts'
import { relativePath } from './new-target.ts'

/** File and Category: a link without a colon would display the file, or categorise the redirect. */
const namespacesBehindColon: ReadonlySet<number> = new Set([6, 14])

/** Returns the text that leads readers to the new title; null for a content model without links. */
export function leftBehind(
  store: Store,
  page: PageEntry,
  to: { readonly title: Title; readonly path: string },
): string | null {
  if (page.model === 'wikitext') return redirectText(to.title)
  return page.model === 'markdown' ? noteText(store, page.path, to) : null
}

function redirectText({ namespace, text }: Title): string {
  const colon = namespacesBehindColon.has(namespace) ? ':' : ''
  return `#REDIRECT [[${colon}${text}]]\n`
}

/** Markdown has no redirects, so a note links to the new page, without the file's extension in GitHub-like wikis. */
function noteText(store: Store, from: string, to: { readonly title: Title; readonly path: string }): string {
  const { root } = store.config
  const inside = insideRoot(from, root)
  const folder = inside.slice(0, Math.max(0, inside.lastIndexOf('/')))
  const path = relativePath(folder, insideRoot(to.path, root))
  const shown = linkDialect(store) === 'gollum' ? path.replace(/\.[^./]+$/, '') : path
  return `Moved to [${to.title.text.replace(/[\\[\]`*_<>&]/g, '\\$&')}](<${shown.replace(/[%#?\\<>]/g, encodeURIComponent)}>).\n`
}

/**
 * Returns true if a page is the redirect or note that a move of the other page left, and was never edited since.
 * Source: MediaWiki MovePage::isValidMoveTarget.
 */
export function isLeftBehind(store: Store, there: PageEntry, page: PageEntry): boolean {
  if (there.id === page.id || there.edits !== 1) return false
  if (there.model === 'wikitext') return redirectTarget(store, there)?.page?.id === page.id
  const title = { key: page.key, text: page.title, namespace: page.namespace }
  const text = leftBehind(store, there, { title: title as Title, path: page.path })
  return text !== null && hashBlob(Buffer.from(text)) === latestOf(store, there).blob
}
