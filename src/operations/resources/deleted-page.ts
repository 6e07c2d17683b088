/** Reads the deletion of a page. */

import type { Deletion } from '../../core/revision.ts'
import { inShellQuotes, titleArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { Store } from '../../store/store.ts'
import { visiblePeople } from '../access/hidden.ts'

/** Returns the author, reason and time of a page's deletion, as readers may see them; null for a page that exists. */
export function deletionOf(store: Store, page: number): Deletion | null {
  const deletion = store.deletion(page)
  if (deletion === null) return null
  return { commit: deletion.commit, timestamp: deletion.timestamp, ...visiblePeople(deletion) }
}

/** Returns the same in words: `deleted on 2026-01-31 12:00 by Ada in 3f2a91c`. */
export function deletionText(store: Store, page: number): string {
  const deletion = deletionOf(store, page)
  if (deletion === null) return 'not deleted'
  const { timestamp, user, commit } = deletion
  return `deleted on ${timestamp.slice(0, 16).replace('T', ' ')} by ${user?.name ?? '(hidden)'} in ${shortHash(commit)}`
}

/** Returns a hint for a title without a page: restore the deleted one, read a revision of the page before an @, or create one. */
export function missingHint(store: Store, key: string, title: string): string {
  const page = store.deletedPages(key)[0]
  if (page !== undefined)
    return `It was ${deletionText(store, page.id)}. Bring it back with: wiki page restore ${titleArgument(page.title)}`
  return revisionHint(store, key) ?? `Create it with: wiki page create ${titleArgument(title)}`
}

/** Revisions that are named without braces; a time has them: `@{yesterday}`. */
const plainRevision = /^(?:latest|prev(?:~\d+)?|\d+|[\da-f]{7,40})$/

/** Returns a hint for a title that is a page and its revision, `README@prev`, which only revision commands read; null for others. */
function revisionHint(store: Store, key: string): string | null {
  const at = key.lastIndexOf('@')
  const page = at > 0 ? store.findPage(key.slice(0, at)) : undefined
  if (page === undefined) return null
  const name = key.slice(at + 1).replaceAll('_', ' ')
  const revision = plainRevision.test(name) ? `@${name}` : `@{${name}}`
  return `Read a revision of a page: wiki page get ${titleArgument(page.title)} --at ${inShellQuotes(revision)}`
}
