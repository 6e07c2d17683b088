/** Resolves a redirect, one step only. */

import { isWikiError } from '../../core/errors.ts'
import { parseTitle } from '../../core/title.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'

export interface RedirectTarget {
  readonly key: string
  readonly title: string
  /** The target page; null if none exists. */
  readonly page: PageEntry | null
  /** False for special pages and pages of other wikis, which never exist here. */
  readonly local: boolean
}

/** Returns a page's redirect target; null if it is not a redirect. */
export function redirectTarget(store: Store, page: PageEntry): RedirectTarget | null {
  if (page.redirect === null) return null
  try {
    const { key, text } = parseTitle(page.redirect, store.titles)
    return { key, title: text, page: store.findPage(key) ?? null, local: true }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return foreignTarget(page.redirect)
  }
}

/** A target outside this wiki keeps its original spelling. */
function foreignTarget(text: string): RedirectTarget {
  const title = text.replace(/#.*$/s, '').replace(/[ _]+/g, ' ').trim()
  return { key: title.replaceAll(' ', '_'), title, page: null, local: false }
}
