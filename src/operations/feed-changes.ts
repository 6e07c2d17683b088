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

/** Entries of one feed, and maximum number of changes that are examined for them. */
const [feedLength, maxExamined] = [50, 4_000_000]

/** Lists the latest changes that a feed shows, newest first. Errors: rest-invalid-title, rest-nonexistent-title. */
export async function feedChanges(wiki: Wiki, { title, user, category }: FeedQuery): Promise<readonly WikiChange[]> {
  const pages = category === undefined ? undefined : await memberKeys(wiki, category)
  const subject = { title, user, isWholeName: true, pages }
  const base = 'http://localhost/v1'
  const { changes } = await recentChanges(wiki, { base, limit: feedLength, lookAt: maxExamined, ...subject })
  return changes
}

async function memberKeys(wiki: Wiki, name: string): Promise<ReadonlySet<string>> {
  const { members } = await categoryMembers(wiki, { name, limit: Number.MAX_SAFE_INTEGER })
  return new Set(members.map(({ key }) => key))
}
