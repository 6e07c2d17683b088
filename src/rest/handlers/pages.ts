/** Reads pages and their history. */

import type { PageObject } from '../../core/page.ts'
import { countTypes, historyFilters } from '../../core/revision.ts'
import { historyTag, linkTag, pageTag } from '../../http/conditional.ts'
import { blamePageAsJson } from '../../operations/blame-page.ts'
import { type CountHistoryQuery, countHistory } from '../../operations/count-history.ts'
import { pageHistory } from '../../operations/page-history.ts'
import { pageLanguages } from '../../operations/page-languages.ts'
import { readPage, readPageBare } from '../../operations/read-page.ts'
import { lastEdit } from '../../operations/resources/last-edit.ts'
import { enumParam, optionalInteger, requiredParam } from '../../operations/resources/params.ts'
import { encodeSearch } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'
import { followsRedirects, serverOf } from './html.ts'

/** Source: MediaWiki REST API reference, "Get page source". */
export async function pageSource(request: RestRequest): Promise<Reply> {
  followsRedirects(request)
  const page = await readPage(request.wiki, titleParams(request))
  return { body: withQuery(page, request), ...shown(pageTag(request.wiki.store, page.latest), page.latest, request) }
}

/** Source: MediaWiki REST API reference, "Get page". */
export async function pageBare(request: RestRequest): Promise<Reply> {
  followsRedirects(request)
  const page = await readPageBare(request.wiki, titleParams(request))
  return { body: withQuery(page, request), ...shown(pageTag(request.wiki.store, page.latest), page.latest, request) }
}

/** Source: MediaWiki REST API reference, "Get page history". */
export async function history(request: RestRequest): Promise<Reply> {
  const latest = await latestRevision(request)
  const filter = request.query('filter')
  const body = await pageHistory(request.wiki, {
    ...titleParams(request),
    olderThan: optionalInteger('older_than', request.query('older_than')),
    newerThan: optionalInteger('newer_than', request.query('newer_than')),
    filter: filter === undefined ? undefined : enumParam('filter', filter, historyFilters),
  })
  return { body, ...(latest && shown(historyTag(latest), latest, request)) }
}

/** An addition to MediaWiki's API: authors of the page's words. */
export async function authorship(request: RestRequest): Promise<Reply> {
  const latest = await latestRevision(request)
  const body = await blamePageAsJson(request.wiki, titleParams(request))
  return { body, type: 'application/json', ...(latest && shown(historyTag(latest), latest, request)) }
}

/** Source: MediaWiki REST API reference, "Get page history counts". */
export async function historyCount(request: RestRequest): Promise<Reply> {
  const latest = await latestRevision(request)
  const { type, headers } = countTypeOf(request.path.type ?? '')
  const body = await countHistory(request.wiki, {
    ...titleParams(request),
    type,
    from: optionalInteger('from', request.query('from')),
    to: optionalInteger('to', request.query('to')),
  })
  return { body, headers, ...(latest && shown(historyTag(latest), latest, request)) }
}

/** Deprecated names of types that MediaWiki still accepts. */
const formerTypes: ReadonlyMap<string, (typeof countTypes)[number]> = new Map([
  ['anonedits', 'anonymous'],
  ['botedits', 'bot'],
  ['revertededits', 'reverted'],
])

const formerTypeHeaders = {
  deprecation: 'version="v1"',
  link: '<https://www.mediawiki.org/wiki/API:REST/History_API#Get_page_history_counts>; rel="deprecation"',
}

function countTypeOf(name: string): { type: CountHistoryQuery['type']; headers: Readonly<Record<string, string>> } {
  const type = formerTypes.get(name)
  if (type !== undefined) return { type, headers: formerTypeHeaders }
  return { type: enumParam('type', name, [...countTypes, 'temporary']), headers: {} }
}

/** Source: MediaWiki REST API reference, "Get languages". */
export async function languageLinks(request: RestRequest): Promise<Reply> {
  const { latest, languages } = await pageLanguages(request.wiki, {
    ...titleParams(request),
    server: serverOf(request),
  })
  return { body: languages, ...shown(linkTag(latest), latest, request) }
}

/** Tag and date of a response that shows a page. */
function shown(tag: string, latest: PageObject['latest'], { wiki }: RestRequest): Pick<Reply, 'tag' | 'edited'> {
  return { tag, edited: lastEdit(wiki.store, latest) }
}

interface TitleParams {
  readonly title: string
  readonly exact: true
  readonly base: string
}

function titleParams({ path, base }: RestRequest): TitleParams {
  return { title: requiredParam('title', path.title), exact: true, base }
}

/** Null if there is no such page, which the operation reports. */
async function latestRevision({ wiki, path, base }: RestRequest): Promise<PageObject['latest'] | null> {
  return readPageBare(wiki, { title: path.title ?? '', base }).then(
    page => page.latest,
    () => null,
  )
}

/** Adds the query of this request to the route of a wiki redirect's target, as MediaWiki does. */
function withQuery<Page extends { readonly redirect_target?: string }>(page: Page, { search }: RestRequest): Page {
  if (page.redirect_target === undefined || search === '') return page
  return { ...page, redirect_target: `${page.redirect_target}${encodeSearch(search)}` }
}
