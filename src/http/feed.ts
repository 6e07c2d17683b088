/**
 * Writes changes as feeds. Source: RFC 4287 (Atom), https://www.jsonfeed.org/version/1.1 (JSON Feed),
 * https://www.rssboard.org/rss-specification (RSS 2.0).
 */

import type { WikiChange } from '../core/change.ts'
import { documentText } from '../core/document-text.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { possibleTitle, type TitleRules } from '../core/title.ts'
import { areReadable } from '../operations/access/hidden.ts'
import { type FeedQuery, feedChanges } from '../operations/feed-changes.ts'
import { readingRoute } from '../operations/resources/routes.ts'
import type { Wiki } from '../operations/wiki.ts'

export const feedFormats = ['atom', 'json', 'rss'] as const
export type FeedFormat = (typeof feedFormats)[number]

/** Words of a feed. */
interface FeedWords {
  /** Title of a feed of a wiki without a name. */
  readonly wiki: string
  /** The subject of the feed. */
  readonly about: string
  /** Replaces the name of a hidden user. */
  readonly hiddenUser: string
}

interface FeedRequest {
  readonly subject: FeedQuery
  readonly format: FeedFormat
  /** Scheme and host, e.g. `https://wiki.example`. */
  readonly site: string
  /** Path of the feed. */
  readonly self: string
  readonly words: FeedWords
}

/** Writes the latest changes of a subject as a feed. Errors: as `feedChanges`. */
export async function feedOf(wiki: Wiki, { subject, format, site, self, words }: FeedRequest): Promise<string> {
  const changes = await feedChanges(wiki, subject)
  const { name, language } = wiki.store.config
  const feed: Feed = {
    title: `${name || words.wiki} – ${words.about}`,
    ...{ language, site, self, changes, hiddenUser: words.hiddenUser },
    page: pathOfSubject(subject, wiki.store.titles),
    pathOf: change => pathOfChange(wiki, change),
  }
  return writers[format](feed)
}

/** Returns the path of the page that shows the same changes as a feed. */
function pathOfSubject({ title, user, category }: FeedQuery, titles: TitleRules): string {
  if (title !== undefined) return readingRoute('', possibleTitle(title, titles)?.key ?? title, { action: 'history' })
  if (user !== undefined) return readingRoute('', 'Special:Contributions', { user })
  if (category === undefined) return readingRoute('', 'Special:RecentChanges')
  return readingRoute('', possibleTitle(category, titles, namespaceIds.category)?.key ?? category)
}

/** Returns the path of the page that shows a change; that of the history, if the change is a deletion or one of its texts is hidden. */
function pathOfChange({ store }: Wiki, { id, previous, page: { key } }: WikiChange): string {
  if (id === null || !areReadable(store, [id, previous])) return readingRoute('', key, { action: 'history' })
  return readingRoute('', key, previous === null ? { oldid: id } : { diff: id, oldid: previous })
}

interface Feed {
  readonly title: string
  readonly language: string
  readonly site: string
  /** Path of the page that shows the same changes. */
  readonly page: string
  readonly self: string
  /** Newest first. */
  readonly changes: readonly WikiChange[]
  readonly hiddenUser: string
  readonly pathOf: (change: WikiChange) => string
}

/** Content types of the feeds. */
export const feedTypes: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
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

/** Uses Dublin Core's author, because RSS itself requires an e-mail address. */
function rssFeed({ title, language, site, page, self, changes, hiddenUser, pathOf }: Feed): string {
  const items = changes.map(
    change => `<item><title>${escapeXml(change.page.title)}</title><link>${escapeXml(site + pathOf(change))}</link><guid isPermaLink="false">${escapeXml(idOf(change))}</guid>
<pubDate>${new Date(change.timestamp).toUTCString()}</pubDate><dc:creator>${escapeXml(change.user?.name ?? hiddenUser)}</dc:creator><description>${escapeXml(change.comment ?? '')}</description></item>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>${escapeXml(title)}</title><link>${escapeXml(site + page)}</link><description>${escapeXml(title)}</description><language>${escapeXml(language)}</language>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(site + self)}"/>
${items.join('')}</channel></rss>
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

const writers: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  atom: atomFeed,
  json: feed => JSON.stringify(jsonFeed(feed)),
  rss: rssFeed,
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return documentText(text).replace(/[&<>"]/g, sign => signs[sign]!)
}
