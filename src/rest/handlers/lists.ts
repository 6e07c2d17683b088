/** Lists of pages and files, and feeds of changes. MediaWiki's REST API has no such routes. */

import { WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import { type FeedFormat, feedFormats, feedOf, feedTypes } from '../../http/feed.ts'
import type { FeedQuery } from '../../operations/feed-changes.ts'
import { filesAfter } from '../../operations/list-files.ts'
import { pagesAfter } from '../../operations/list-pages.ts'
import {
  boundedInteger,
  enumParam,
  optionalBoolean,
  optionalInteger,
  requiredParam,
} from '../../operations/resources/params.ts'
import { partRoute, siteOf } from '../../operations/resources/routes.ts'
import type { Reply, RestRequest } from './handler.ts'

const maxMembers = { min: 1, max: 500 }

export async function pages(request: RestRequest): Promise<Reply> {
  const { wiki, query } = request
  const { pages, next } = await pagesAfter(wiki, {
    prefix: query('prefix'),
    namespace: optionalInteger('namespace', query('namespace')),
    redirects: optionalBoolean('redirects', query('redirects')),
    ...partOf(request),
  })
  return { body: { pages, next: nextRoute(request, next) } }
}

export async function files(request: RestRequest): Promise<Reply> {
  const { files, next } = await filesAfter(request.wiki, { prefix: request.query('prefix'), ...partOf(request) })
  return { body: { files, next: nextRoute(request, next) } }
}

/** Writes the latest changes as a feed: of the wiki, a page, a user, or the members of a category. */
export function feed(request: RestRequest): Promise<Reply> {
  const { query } = request
  const format = enumParam('format', query('format') ?? 'atom', feedFormats)
  return feedReply(request, { title: query('title'), user: query('user'), category: query('category') }, format)
}

/**
 * Serves the feeds of MediaWiki's action API, whose URLs feed readers know. Other actions do not exist. Source:
 * MediaWiki 1.43 ApiFeedRecentChanges (`target` names a page, or a category for its members), ApiFeedContributions.
 */
export async function actionFeed(request: RestRequest): Promise<Reply> {
  const { query, wiki, base } = request
  const action = query('action') ?? ''
  const subjectOf = Object.hasOwn(actionSubjects, action) ? actionSubjects[action] : undefined
  if (subjectOf === undefined) throw noActionApi(base)
  const format = enumParam('feedformat', query('feedformat') ?? 'rss', feedFormats)
  await wiki.store.refresh()
  return feedReply(request, subjectOf(request), format)
}

/** Says where the REST API is, and its description. `base` is the URL that `/api.php` is below. */
export function noActionApi(base: string): WikiError {
  const root = base.replace(/\/w$/, '')
  return new WikiError('wiki-no-action-api', { params: [`${root}/v1`, `${root}/specs/v0/discovery`] })
}

const actionSubjects: Readonly<Record<string, (request: RestRequest) => FeedQuery>> = {
  feedrecentchanges: ({ query, wiki }) => {
    const target = query('target')
    if (target === undefined || target === '') return {}
    const isCategory = possibleTitle(target, wiki.store.titles)?.namespace === namespaceIds.category
    return isCategory ? { category: target } : { title: target }
  },
  feedcontributions: ({ query }) => ({ user: requiredParam('user', query('user')) }),
}

async function feedReply(
  { wiki, base, route, search }: RestRequest,
  subject: FeedQuery,
  format: FeedFormat,
): Promise<Reply> {
  // The action API is also mounted below /w.
  const site = siteOf(base.replace(/\/w$/, ''))
  const about = subject.title ?? subject.user ?? subject.category ?? 'Changes'
  const words = { wiki: 'Wiki', about, hiddenUser: '(hidden)' }
  const self = `${base.slice(site.length)}${route}${search}`
  const body = await feedOf(wiki, { subject, format, site, self, words })
  return { body, type: feedTypes[format] }
}

function partOf({ query }: RestRequest): { limit: number; after: string | undefined } {
  const limit = query('limit')
  return { limit: limit === undefined ? 100 : boundedInteger('limit', limit, maxMembers), after: query('after') }
}

/** The route of the next part repeats the query. */
function nextRoute({ base, route, query }: RestRequest, next: string | null): string | null {
  const names = ['prefix', 'namespace', 'redirects', 'limit']
  return partRoute(`${base}${route}`, Object.fromEntries(names.map(name => [name, query(name)])), next)
}
