/** Changes as a feed for feed readers. */

import { feedFormats, feedOf, feedTypes } from '../../http/feed.ts'
import { enumParam } from '../../operations/resources/params.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Pages that have a feed: recent changes, the history of a title, the edits of a user. */
export interface FeedSubject {
  readonly title?: string
  readonly user?: string
}

/** Sends the latest changes of the wiki, of one page, or of one user. Errors: badvalue, and as `recentChanges`. */
export async function changesFeed(request: WebRequest, subject: FeedSubject = {}): Promise<WebReply> {
  const { wiki, words, client, query, event, search } = request
  const format = enumParam('feed', query('feed') ?? 'atom', feedFormats)
  const body = await feedOf(wiki, {
    ...{ subject, format },
    site: `${client.isSecure ? 'https' : 'http'}://${client.host}${client.prefix}`,
    self: event.url.pathname.slice(client.prefix.length) + search,
    words: { wiki: words.text('wiki'), about: aboutOf(request, subject), hiddenUser: words.text('hiddenUser') },
  })
  const headers = { 'content-type': feedTypes[format] }
  return { response: { status: 200, headers, body } }
}

function aboutOf({ words }: WebRequest, { title, user }: FeedSubject): string {
  if (title !== undefined) return words.text('historyTitle', title.replaceAll('_', ' '))
  return user === undefined ? words.text('recentChanges') : words.text('contributionsOf', user)
}
