/** Changes as a feed that readers of news follow. Source: RFC 4287. */

import type { WikiChange } from '../../core/change.ts'
import { recentChanges } from '../../operations/recent-changes.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Changes of one feed. */
const feedLength = 50

/** Sends the latest changes of the wiki, or of one page. Errors: as `recentChanges`. */
export async function changesFeed(request: WebRequest, title?: string): Promise<WebReply> {
  const { wiki, words, client } = request
  const { changes } = await recentChanges(wiki, { base: '/v1', limit: feedLength, title })
  const site = `${client.isSecure ? 'https' : 'http'}://${client.host}`
  const own = title === undefined ? specialAddress('RecentChanges') : pageAddress(title, { action: 'history' })
  const name = wiki.store.config.name || words.text('wiki')
  const about =
    title === undefined ? words.text('recentChanges') : words.text('historyTitle', title.replaceAll('_', ' '))
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.language}">
<title>${name} – ${about}</title><id>${site}${own}</id><updated>${changes[0]?.timestamp ?? '1970-01-01T00:00:00Z'}</updated>
<link rel="alternate" type="text/html" href="${site}${own}"/>
${changes.map(change => entryOf(change, site, words.text('hiddenUser')))}</feed>
`
  const headers = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'no-cache' }
  return { answer: { status: 200, headers, body: withoutControls(feed.toString()) } }
}

function entryOf(
  { id, previous, page, timestamp, user, comment, commit }: WikiChange,
  site: string,
  hidden: string,
): Markup {
  const address = id === null ? pageAddress(page.key) : pageAddress(page.key, { diff: id, oldid: previous })
  return html`<entry><title>${page.title}</title><id>${site}/wiki/Special:Diff/${id === null ? commit : String(id)}</id><updated>${timestamp}</updated>
<link rel="alternate" type="text/html" href="${site}${address}"/><author><name>${user?.name ?? hidden}</name></author><summary>${comment ?? ''}</summary></entry>
`
}

/** XML has no control characters but tab and line ends, also not escaped. */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
}
