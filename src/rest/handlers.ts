/** What the routes do: parameters out of the request, into an operation; its result, and what dates it, into a reply. */

import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'
import type { PageObject } from '../core/page.ts'
import { countTypes, historyFilters } from '../core/revision.ts'
import { compareRevisions } from '../operations/compare-revisions.ts'
import { countHistory } from '../operations/count-history.ts'
import { createPage } from '../operations/create-page.ts'
import { pageHistory } from '../operations/page-history.ts'
import { enumParam, integerParam, limitParam, optionalInteger, requiredParam } from '../operations/params.ts'
import { readPage, readPageBare } from '../operations/read-page.ts'
import { readRevision, readRevisionBare } from '../operations/read-revision.ts'
import { searchPages, searchTitles } from '../operations/search-pages.ts'
import { updatePage } from '../operations/update-page.ts'
import type { Wiki } from '../operations/wiki.ts'
import { readNewPage, readPageUpdate } from './body.ts'
import { revisionValidators, type Validators } from './conditional.ts'
import type { Query } from './params.ts'
import { encodeSearch } from './redirect.ts'

/** A request that has found its route. */
export interface RestRequest {
  readonly wiki: Wiki
  readonly event: H3Event
  /** Absolute URL of the API as the client addressed it, e.g. `http://127.0.0.1:8080/v1`. */
  readonly base: string
  /** The route's path as the table has it. */
  readonly route: string
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Query
  /** The query as it was sent. */
  readonly search: string
  /** IP address of the client. */
  readonly peer: string
}

/** What a handler answers. */
export interface Reply {
  /** Sent as JSON. */
  readonly body: unknown
  /** 200 where it is missing. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly validators?: Validators
}

export type Handler = (request: RestRequest) => Promise<Reply>

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

/** Source: SPEC 4.18. */
export async function revisionSource({ wiki, path }: RestRequest): Promise<Reply> {
  const revision = await readRevision(wiki, { id: integerParam('id', path.id ?? '') })
  return { body: revision, validators: revisionValidators(revision) }
}

/** Source: SPEC 4.17. */
export async function revisionBare({ wiki, path, base }: RestRequest): Promise<Reply> {
  const revision = await readRevisionBare(wiki, { id: integerParam('id', path.id ?? ''), base })
  return { body: revision, validators: revisionValidators(revision) }
}

/** Source: SPEC 4.21. */
export async function comparison({ wiki, path }: RestRequest): Promise<Reply> {
  const [from, to] = [integerParam('from', path.from ?? ''), integerParam('to', path.to ?? '')]
  return { body: await compareRevisions(wiki, { from, to }) }
}

/** Source: SPEC 4.1. */
export async function pageSearch({ wiki, query }: RestRequest): Promise<Reply> {
  return { body: await searchPages(wiki, searchParams(query)) }
}

/** Source: SPEC 4.2. */
export async function titleSearch({ wiki, query }: RestRequest): Promise<Reply> {
  return { body: await searchTitles(wiki, searchParams(query)) }
}

/** Source: SPEC 4.3. */
export async function pageCreation({ wiki, event, base, peer }: RestRequest): Promise<Reply> {
  const edit = await readNewPage(event)
  const { page } = await createPage(wiki, { ...edit, author: anonymous(peer) })
  return { status: 201, headers: { location: `${base}/page/${encodeWikiUrl(page.key)}` }, body: page }
}

/** Source: SPEC 4.4. */
export async function pageUpdate({ wiki, event, path, peer }: RestRequest): Promise<Reply> {
  const title = requiredParam('title', path.title)
  const edit = await readPageUpdate(event)
  const { page, created } = await updatePage(wiki, { title, ...edit, author: anonymous(peer) })
  return { status: created ? 201 : 200, body: page }
}

/** Stands in for a route of the specification that is not built yet. */
export async function notBuilt({ route }: RestRequest): Promise<Reply> {
  throw new WikiError('rest-not-implemented', { params: [route] })
}

interface TitleParams {
  readonly title: string
  readonly exact: true
  readonly base: string
}

function titleParams({ path, base }: RestRequest): TitleParams {
  return { title: requiredParam('title', path.title), exact: true, base }
}

function searchParams(query: Query): { q: string; limit: number } {
  return { q: requiredParam('q', query('q')), limit: limitParam(query('limit')) }
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

/** The author of an edit by nobody known. */
function anonymous(peer: string): { name: string; address: string } {
  return { name: peer, address: '' }
}

/** Encodes a title for `Location` as MediaWiki writes wiki addresses. Source: REST.md 13; MediaWiki wfUrlencode. */
function encodeWikiUrl(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:3B|40|24|2C|3A)/g, decodeURIComponent)
    .replaceAll("'", '%27')
}
