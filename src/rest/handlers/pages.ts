/** Reading pages and their history. */

import type { PageObject } from '../../core/page.ts'
import { countTypes, historyFilters } from '../../core/revision.ts'
import { countHistory } from '../../operations/count-history.ts'
import { pageHistory } from '../../operations/page-history.ts'
import { enumParam, optionalInteger, requiredParam } from '../../operations/params.ts'
import { readPage, readPageBare } from '../../operations/read-page.ts'
import { revisionValidators } from '../conditional.ts'
import { encodeSearch } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.7. */
export async function pageSource(request: RestRequest): Promise<Reply> {
  const page = await readPage(request.wiki, titleParams(request))
  return { body: withQuery(page, request), validators: revisionValidators(page.latest) }
}

/** Source: SPEC 4.5. */
export async function pageBare(request: RestRequest): Promise<Reply> {
  const page = await readPageBare(request.wiki, titleParams(request))
  return { body: withQuery(page, request), validators: revisionValidators(page.latest) }
}

/** Source: SPEC 4.15. */
export async function history(request: RestRequest): Promise<Reply> {
  const latest = await latestRevision(request)
  const filter = request.query('filter')
  const body = await pageHistory(request.wiki, {
    ...titleParams(request),
    olderThan: optionalInteger('older_than', request.query('older_than')),
    newerThan: optionalInteger('newer_than', request.query('newer_than')),
    filter: filter === undefined ? undefined : enumParam('filter', filter, historyFilters),
  })
  return { body, ...(latest && { validators: { etag: `"${latest.id}"`, lastModified: latest.timestamp } }) }
}

/** Source: SPEC 4.16. */
export async function historyCount(request: RestRequest): Promise<Reply> {
  const latest = await latestRevision(request)
  const body = await countHistory(request.wiki, {
    ...titleParams(request),
    type: enumParam('type', request.path.type ?? '', countTypes),
    from: optionalInteger('from', request.query('from')),
    to: optionalInteger('to', request.query('to')),
  })
  return { body, ...(latest && { validators: { etag: null, lastModified: latest.timestamp } }) }
}

interface TitleParams {
  readonly title: string
  readonly exact: true
  readonly base: string
}

function titleParams({ path, base }: RestRequest): TitleParams {
  return { title: requiredParam('title', path.title), exact: true, base }
}

/**
 * Reads what dates a page's history, before the history itself: a tag must never be newer than the body it comes with.
 * Null where there is no such page; to say so is the operation's part.
 */
async function latestRevision({ wiki, path, base }: RestRequest): Promise<PageObject['latest'] | null> {
  return readPageBare(wiki, { title: path.title ?? '', base }).then(
    page => page.latest,
    () => null,
  )
}

/** Gives the route of a wiki redirect's target the query of this request. Source: REST.md 1.3. */
function withQuery<Page extends { readonly redirect_target?: string }>(page: Page, { search }: RestRequest): Page {
  if (page.redirect_target === undefined || search === '') return page
  return { ...page, redirect_target: `${page.redirect_target}${encodeSearch(search)}` }
}
