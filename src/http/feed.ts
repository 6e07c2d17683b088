/** Changes as feeds that readers of news follow. Source: RFC 4287 (Atom), https://www.jsonfeed.org/version/1.1 (JSON Feed). */

import type { WikiChange } from '../core/change.ts'

export const feedFormats = ['atom', 'json'] as const
export type FeedFormat = (typeof feedFormats)[number]

export interface Feed {
  readonly title: string
  readonly language: string
  /** Scheme and host, e.g. `https://wiki.example`. */
  readonly site: string
  /** Path of the page that shows the same changes. */
  readonly page: string
  /** Path of the feed. */
  readonly self: string
  /** Newest first. */
  readonly changes: readonly WikiChange[]
  /** Replaces the name of a hidden user. */
  readonly hiddenUser: string
  /** Path of the page that shows a change. */
  readonly pathOf: (change: WikiChange) => string
}

/** Content types of the feeds. */
export const feedTypes: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

/** Writes a feed. */
export function writeFeed(feed: Feed, format: FeedFormat): string {
  return format === 'atom' ? atomFeed(feed) : JSON.stringify(jsonFeed(feed))
}

/** Permanent identifier of a change: its commit and its page, because ids of unshared revisions may change. */
function idOf({ commit, page }: WikiChange): string {
  return `urn:git:${commit}:${encodeURIComponent(page.key)}`
}

function atomFeed({ title, language, site, page, self, changes, hiddenUser, pathOf }: Feed): string {
  const entries = changes.map(
    change => `<entry><title>${escapeXml(change.page.title)}</title><id>${escapeXml(idOf(change))}</id><updated>${change.timestamp}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(site + pathOf(change))}"/><author><name>${escapeXml(change.user?.name ?? hiddenUser)}</name></author><summary>${escapeXml(change.comment ?? '')}</summary></entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">
<title>${escapeXml(title)}</title><id>${escapeXml(site + page)}</id><updated>${changes[0]?.timestamp ?? '1970-01-01T00:00:00Z'}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(site + page)}"/><link rel="self" type="application/atom+xml" href="${escapeXml(site + self)}"/>
${entries.join('')}</feed>
`
}

function jsonFeed({ title, language, site, page, self, changes, hiddenUser, pathOf }: Feed): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    ...{ title, language, home_page_url: site + page, feed_url: site + self },
    items: changes.map(change => ({
      ...{ id: idOf(change), url: site + pathOf(change), title: change.page.title },
      content_text: change.comment ?? '',
      date_published: change.timestamp,
      authors: [{ name: change.user?.name ?? hiddenUser }],
    })),
  }
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no control characters but tab and line ends, also not escaped. */
function escapeXml(text: string): string {
  const allowed = text.replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Surrogate}/gu, '\uFFFD')
  return allowed.replace(/[&<>"]/g, sign => signs[sign]!)
}
