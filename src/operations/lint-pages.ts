/** Lints the saved texts of the wiki's pages, part by part. */

import { setImmediate } from 'node:timers/promises'
import { type LintedText, lintText, savedText } from './lint-texts.ts'
import { pagesAfter } from './list-pages.ts'
import { latestOf } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/**
 * Maximum number of pages in one part, and milliseconds after which it ends with the current page, because anonymous
 * users may request it.
 */
const mostPages = 100
const mostTime = 2000

export interface LintedPart {
  /** Texts that have problems. */
  readonly texts: readonly LintedText[]
  /** Number of checked pages. */
  readonly count: number
  /** The `after` of the next part; null at the end. */
  readonly next: string | null
}

/** Lints the pages after a key, by title; from the first one if omitted. */
export async function lintPages(wiki: Wiki, { after }: { readonly after?: string | undefined }): Promise<LintedPart> {
  const { store } = wiki
  const { pages, next } = await pagesAfter(wiki, { after, limit: mostPages })
  const end = performance.now() + mostTime
  const texts: LintedText[] = []
  for (const [index, { key, title }] of pages.entries()) {
    const page = store.findPage(key)!
    const latest = latestOf(store, page)
    const isLinted = latest.model === 'wikitext' || latest.model === 'markdown'
    if (isLinted) {
      const linted = await lintText(wiki, { title, path: page.path, ...(await savedText(store, page)) })
      if (linted.problems.length > 0) texts.push(linted)
      await setImmediate()
    }
    if (performance.now() > end && index < pages.length - 1) return { texts, count: index + 1, next: key }
  }
  return { texts, count: pages.length, next }
}
