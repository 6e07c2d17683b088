/** Lints the saved texts of the wiki's pages, part by part. */

import { setImmediate } from 'node:timers/promises'
import { isWikiError } from '../core/errors.ts'
import { type LintedText, lintText, savedText } from './lint-texts.ts'
import { pagesAfter } from './list-pages.ts'
import { latestOf } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/**
 * Maximum number of pages in one part, and milliseconds after which it ends with the current page, because anonymous
 * users may request it.
 */
const maxPages = 100
const maxTime = 2000

export interface LintedPart {
  /** Texts that have problems. */
  readonly texts: readonly LintedText[]
  /** Number of checked pages. */
  readonly count: number
  /** Titles of pages whose texts are missing in this clone, or damaged. */
  readonly unread: readonly string[]
  /** The `after` of the next part; null at the end. */
  readonly next: string | null
}

/** Lints the pages after a key, by title; from the first one if omitted. */
export async function lintPages(wiki: Wiki, { after }: { readonly after?: string | undefined }): Promise<LintedPart> {
  const { store } = wiki
  const { pages, next } = await pagesAfter(wiki, { after, limit: maxPages })
  const end = performance.now() + maxTime
  const texts: LintedText[] = []
  const unread: string[] = []
  for (const [index, { key, title }] of pages.entries()) {
    const page = store.findPage(key)!
    const latest = latestOf(store, page)
    const isLinted = latest.model === 'wikitext' || latest.model === 'markdown'
    if (isLinted) {
      const saved = await savedTextIfAny(store, page)
      const linted = saved && (await lintText(wiki, { title, path: page.path, ...saved }))
      if (linted === null) unread.push(title)
      else if (linted.problems.length > 0) texts.push(linted)
      await setImmediate()
    }
    if (performance.now() > end && index < pages.length - 1) return { texts, unread, count: index + 1, next: key }
  }
  return { texts, unread, count: pages.length, next }
}

/** Errors of texts that this clone lacks. */
const lacking: ReadonlySet<string> = new Set(['wiki-objects-missing', 'wiki-lfs-missing'])

async function savedTextIfAny(
  ...asked: Parameters<typeof savedText>
): Promise<Awaited<ReturnType<typeof savedText>> | null> {
  try {
    return await savedText(...asked)
  } catch (error) {
    if (isWikiError(error) && lacking.has(error.code)) return null
    throw error
  }
}
