/** Changes as a feed for feed readers. */

import type { WikiChange } from '../../core/change.ts'
import { feedFormats, feedTypes, writeFeed } from '../../http/feed.ts'
import { feedChanges } from '../../operations/feed-changes.ts'
import { enumParam } from '../../operations/resources/params.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { areReadable } from '../parts/revision-links.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Pages that have a feed: recent changes, the history of a title, the edits of a user. */
export interface FeedSubject {
  readonly title?: string
  readonly user?: string
}

/** Sends the latest changes of the wiki, of one page, or of one user. Errors: badvalue, and as `recentChanges`. */
export async function changesFeed(request: WebRequest, subject: FeedSubject = {}): Promise<WebReply> {
  const { wiki, words, client, query } = request
  const format = enumParam('feed', query('feed') ?? 'atom', feedFormats)
  const changes = await feedChanges(wiki, subject)
  const { page, about } = placeOf(request, subject)
  const body = writeFeed(
    {
      title: `${wiki.store.config.name || words.text('wiki')} – ${about}`,
      language: words.language,
      site: `${client.isSecure ? 'https' : 'http'}://${client.host}`,
      page,
      self: `${page}${page.includes('?') ? '&' : '?'}feed=${format}`,
      changes,
      hiddenUser: words.text('hiddenUser'),
      pathOf: change => pathOf(request, change),
    },
    format,
  )
  return {
    response: { status: 200, headers: { 'content-type': feedTypes[format], 'cache-control': 'no-cache' }, body },
  }
}

/** Path of the page that shows a change; the history, if a text of the change is hidden. */
function pathOf({ wiki }: WebRequest, { id, previous, page: { key } }: WikiChange): string {
  if (id === null) return pageAddress(key)
  return pageAddress(key, areReadable(wiki, [id, previous]) ? { diff: id, oldid: previous } : { action: 'history' })
}

function placeOf({ words }: WebRequest, { title, user }: FeedSubject): { page: string; about: string } {
  if (title !== undefined)
    return {
      page: pageAddress(title, { action: 'history' }),
      about: words.text('historyTitle', title.replaceAll('_', ' ')),
    }
  if (user !== undefined)
    return { page: specialAddress('Contributions', { user }), about: words.text('contributionsOf', user) }
  return { page: specialAddress('RecentChanges'), about: words.text('recentChanges') }
}
