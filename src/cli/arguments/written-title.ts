/** Detects titles of writes that were meant as something else. */

import { WikiError } from '../../core/errors.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { shellQuote } from '../render/text.ts'

/** A revision of a page in the syntax of reading commands, or with a number. Dates have braces, which no title has. */
const revisionForm = /^(.+)@(?:latest|prev|work|\d+)$/s

/**
 * Checks the title of a page to write, before anybody writes a text for it. `Tides@prev` would create a new page beside an
 * existing Tides: it is refused, unless a page of that very title exists. Errors: apierror-invalidtitle,
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
    hint: `To start from that revision: wiki page edit ${shellQuote(page.title)} --base ${shellQuote(title)}`,
  })
}
