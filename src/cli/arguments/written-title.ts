/** Detects titles of writes that were probably meant as something else. */

import { WikiError } from '../../core/errors.ts'
import { shellQuote, titleArgument } from '../../core/shell-quote.ts'
import type { Wiki } from '../../operations/wiki.ts'

/**
 * A revision of a page in the syntax of reading commands, or with a number. Dates contain braces, which no title has.
 */
const revisionForm = /^(.+)@(?:latest|prev|work|\d+)$/s

/**
 * Checks the title of a page before the user writes its text. `Tides@prev` would create a new page beside an existing
 * Tides, so it is refused unless a page of exactly this title exists. Errors: apierror-invalidtitle,
 * apierror-pagecannotexist, wiki-usage.
 */
export async function checkWrittenTitle({ store }: Wiki, title: string): Promise<void> {
  const { writtenTitle } = await import('../../operations/resources/find-page.ts')
  await store.refresh()
  const { key } = writtenTitle(store, title)
  const named = revisionForm.exec(title)?.[1]
  if (named === undefined || store.findPage(key) !== undefined) return
  const page = store.findPage(writtenTitle(store, named).key)
  if (page === undefined) return
  throw new WikiError('wiki-usage', {
    params: [`"${title}" names a revision of "${page.title}"; only the page itself can be written`],
    hint: `To start from that revision: wiki page edit ${titleArgument(page.title)} --base ${shellQuote(title)}`,
  })
}
