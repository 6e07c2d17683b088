/** Changes for a feed: of the wiki, a page, a user, or the members of a category. */

import type { WikiChange } from '../core/change.ts'
import { categoryMembers } from './link-lists.ts'
import { recentChanges } from './recent-changes.ts'
import type { Wiki } from './wiki.ts'

export interface FeedQuery {
  /** Title of the only page. */
  readonly title?: string | undefined
  /** Exact name of the user. */
  readonly user?: string | undefined
  /** Name of the category whose members' changes to list, with or without its namespace. */
  readonly category?: string | undefined
}

/** Entries of one feed; number of changes examined at a time, and maximum number of batches. */
const [feedLength, partLength, maxParts] = [50, 500, 20]

/** Lists the latest changes that a feed shows, newest first. Errors: rest-invalid-title, rest-nonexistent-title. */
export async function feedChanges(wiki: Wiki, { title, user, category }: FeedQuery): Promise<WikiChange[]> {
  const members = category === undefined ? null : await memberKeys(wiki, category)
  const isShown = (change: WikiChange): boolean =>
    (user === undefined || change.user?.name === user) && (members === null || members.has(change.page.key))
  const isFiltered = user !== undefined || members !== null
  const found: WikiChange[] = []
  let olderThan: string | undefined
  for (let part = 0; part < maxParts && found.length < feedLength; part++) {
    const limit = isFiltered ? partLength : feedLength
    const { changes, older } = await recentChanges(wiki, { base: 'http://localhost/v1', limit, title, user, olderThan })
    found.push(...changes.filter(isShown))
    if (older === undefined) break
    olderThan = new URL(older).searchParams.get('older_than') ?? undefined
  }
  return found.slice(0, feedLength)
}

async function memberKeys(wiki: Wiki, name: string): Promise<ReadonlySet<string>> {
  const { members } = await categoryMembers(wiki, { name, limit: Number.MAX_SAFE_INTEGER })
  return new Set(members.map(({ key }) => key))
}
