/** Handles a request for a page: host, URL, form, handler, shell, headers. Errors become pages as well. */

import { isWikiError, WikiError } from '../core/errors.ts'
import { type Client, readClient } from '../http/client.ts'
import { countedAs } from '../http/counted-as.ts'
import type { PageHandler, PageRequest } from '../http/page-request.ts'
import { decodeSegment, type Query, readQuery } from '../http/params.ts'
import { type Lasting, type Made, respondToRead } from '../http/read.ts'
import { emptyResponse, keeping, type PlainResponse } from '../http/response.ts'
import { mainPageTitle } from '../operations/resources/main-page.ts'
import { isTitleRedirect } from '../operations/resources/title-redirect.ts'
import { atSnapshot } from '../operations/wiki.ts'
import { encoded } from '../operations/workers/long-text.ts'
import { belowPrefix, pageAddress, pageFolder, urlPrefix } from './addresses.ts'
import { assetFolder, assetResponse } from './assets.ts'
import { livePath, liveResponse } from './live.ts'
import { errorView, lostView, wrongMethodView } from './pages/error.ts'
import { missingPage } from './pages/missing.ts'
import { indexAddress, sectionAddress } from './pages/special/redirects.ts'
import { documentOf } from './parts/shell.ts'
import { policyHeaders } from './policy.ts'
import { redirectReply, type View, type WebReply, type WebRequest, type WebRoute } from './request.ts'
import { findRoute, isSpecial } from './routes.ts'
import { siteFile } from './site-files.ts'
import { wordsFor } from './words/words.ts'
import { ownershipOf } from './writing.ts'

/** Responds to requests for pages, their assets and the event stream. */
export const handlePage: PageHandler = incoming => belowPrefix(incoming.options.prefix ?? '', () => answer(incoming))

async function answer(incoming: PageRequest): Promise<PlainResponse> {
  let client: Client = { address: '', host: 'localhost', isSecure: false, prefix: urlPrefix() }
  try {
    client = readClient(incoming.event, { ...incoming.options, trust: incoming.trust })
    return await responseFor(incoming, client)
  } catch (thrown) {
    return errorResponse(incoming, client, thrown)
  }
}

async function responseFor(incoming: PageRequest, client: Client): Promise<PlainResponse> {
  const { event, target } = incoming
  const method = event.req.method === 'HEAD' ? 'GET' : event.req.method
  if (method !== 'GET' && method !== 'POST') return wrongMethod(incoming, client, 'GET, HEAD, POST')
  if (target.path.startsWith(assetFolder)) {
    const asset = assetResponse(target.path, event.req.headers)
    if (asset === null) throw new WikiError('rest-no-match', { params: [target.path] })
    return asset
  }
  const file = siteFile(target.path)
  if (file !== null) return file
  await incoming.wiki.store.refresh()
  if (target.path === livePath && method === 'GET') return withPolicy(liveResponse(incoming, client), client)
  const place = placeOf(target)
  if (place === 'main') return toMainPage(incoming, client)
  const request = requestOf(incoming, { client, method, title: titleOf(incoming) })
  if (place === 'index') return withPolicy(responseOf(indexAddress(request)), client)
  if (place === 'lost') return viewResponse(request, lostView(request, target.path))
  const section = method === 'GET' ? sectionAddress(request) : null
  if (section !== null) return withPolicy(responseOf(redirectReply(302, section)), client)
  const found = findRoute(incoming.wiki, request.title, actionOf(request))
  if (found === null) throw new WikiError('rest-no-match', { params: [target.path + target.search] })
  const asked = { ...request, title: found.title }
  return method === 'POST' ? handlePost(incoming, asked, found.route) : handleGet(incoming, asked, found.route)
}

/** Paths of MediaWiki's `index.php`: at the root, and below the two script paths that most wikis have. */
const indexPath = /^(?:\/w|\/wiki)?\/index\.php(?:\/|$)/

/** A page, `index.php`, the main page, or a path that leads to nothing. */
type Place = 'page' | 'index' | 'main' | 'lost'

function placeOf({ path, search }: PageRequest['target']): Place {
  if (isRoot(path)) return indexParams.some(name => readQuery(search)(name) !== undefined) ? 'index' : 'main'
  // Below /wiki/ this could be a title, so only a query decides.
  const isTitle = path.startsWith(pageFolder) && readQuery(search)('title') === undefined
  if (indexPath.test(path) && !isTitle) return 'index'
  return path.startsWith(pageFolder) ? 'page' : 'lost'
}

/** Query parameters of `index.php` that name a page, also after a path without a title, such as `/wiki/?curid=3`. */
const indexParams = ['title', 'curid', 'oldid', 'diff', 'search']

function isRoot(path: string): boolean {
  return path === '/' || path === '/wiki' || path === pageFolder
}

/** Returns the decoded title in a URL; "" for none. */
function titleOf({ target }: PageRequest): string {
  const { path, search } = target
  if (placeOf(target) === 'page') return decodeSegment('title', path.slice(pageFolder.length))
  const named = readQuery(search)('title')
  if (named !== undefined || isRoot(path)) return named ?? ''
  const [start = '/'] = indexPath.exec(path) ?? []
  return decodeSegment('title', path.slice(start.length))
}

/** Source: MediaWiki's `action`, and VisualEditor's `veaction`. */
function actionOf({ query }: WebRequest): string | undefined {
  return query('action') ?? (query('veaction') === undefined ? undefined : 'edit')
}

function toMainPage({ wiki }: PageRequest, client: Client): PlainResponse {
  const headers = { vary: 'Accept' }
  return withPolicy(responseOf(redirectReply(307, pageAddress(mainPageTitle(wiki.store)), headers)), client)
}

/** A parameter without a value is one that a form left empty: it counts as missing. `namespace` is MediaWiki's name of `ns`. */
function filledQuery(search: string): Query {
  const query = readQuery(search)
  return name => query(name) || (name === 'ns' && query('namespace')) || undefined
}

/** Title of an address that may be none. */
function safeTitleOf(incoming: PageRequest): string {
  try {
    return placeOf(incoming.target) === 'page' ? titleOf(incoming) : ''
  } catch (error) {
    if (isWikiError(error)) return ''
    throw error
  }
}

/** Every action of a page that is missing says what can be done about it. */
async function missingView(request: WebRequest, thrown: unknown): Promise<View | null> {
  const isMissing = isWikiError(thrown, 'rest-nonexistent-title') || isWikiError(thrown, 'apierror-missingtitle')
  if (!isMissing || request.method === 'POST' || request.title === '' || isSpecial(request.wiki, request.title))
    return null
  const reply = await missingPage(request)
  return 'view' in reply ? reply.view : null
}

function requestOf(incoming: PageRequest, about: Pick<WebRequest, 'client' | 'method' | 'title'>): WebRequest {
  const { event, wiki, target, access, options } = incoming
  return {
    ...about,
    wiki: { ...wiki, client: countedAs(access, event.req, about.client.address) },
    event,
    query: filledQuery(target.search),
    search: target.search,
    access,
    isOwner: () => false,
    options,
    words: wordsFor(wiki.store.config.language),
    id: incoming.id,
    onFault: incoming.onFault,
    onIncomplete: () => {},
  }
}

/** Responds to a read from one snapshot of the wiki. The response is cached until the wiki changes. */
function handleGet(incoming: PageRequest, request: WebRequest, route: WebRoute): Promise<PlainResponse> {
  return atSnapshot(request.wiki, async wiki => {
    const asked = { ...request, wiki }
    const { event, cache, target } = incoming
    const { client } = request
    // It has a secret, so it is not compressed either.
    if (route.personal === true) return kept((await madeFor(asCaller(asked), route)).response, keeping.never)
    const address = `page ${client.isSecure} ${client.host}${client.prefix} ${target.path}${target.search}`
    return respondToRead({ event, cache, state: wiki.store, address, client: wiki.client }, () => madeFor(asked, route))
  })
}

/** A page may show the time. */
async function madeFor(request: WebRequest, route: WebRoute): Promise<Made> {
  let lasts: Lasting = 'minute'
  const asked = {
    ...request,
    onIncomplete: () => {
      lasts = 'incomplete'
    },
  }
  const reply = await route.get(asked).catch(thrown => titleRedirect(request, thrown))
  const tag = 'response' in reply ? reply.tag : undefined
  return { response: await completeResponse(asked, reply), tag, lasts }
}

/** Adds `Cache-Control` to a response that has none. */
function kept(response: PlainResponse, caching: string): PlainResponse {
  return { ...response, headers: { 'cache-control': caching, ...response.headers } }
}

/** Redirects another spelling of a title to the page's own. */
function titleRedirect({ search }: WebRequest, thrown: unknown): WebReply {
  if (!isTitleRedirect(thrown)) throw thrown
  return redirectReply(301, pageAddress(thrown.key, Object.fromEntries(new URLSearchParams(search))))
}

async function handlePost(incoming: PageRequest, request: WebRequest, route: WebRoute): Promise<PlainResponse> {
  if (route.post === undefined) return wrongMethod(incoming, request.client, 'GET, HEAD')
  const asked = asCaller(request)
  return completeResponse(asked, await route.post(asked))
}

/** A request whose response is for the caller alone. */
function asCaller(request: WebRequest): WebRequest {
  return { ...request, isOwner: () => ownershipOf(request, null) !== 'none' }
}

async function completeResponse(request: WebRequest, reply: WebReply): Promise<PlainResponse> {
  if ('response' in reply) return withPolicy(responseOf(reply), request.client)
  return viewResponse(request, reply.view)
}

async function viewResponse(request: WebRequest, view: View): Promise<PlainResponse> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': request.words.language,
    'cache-control': cachingOf(view),
    ...view.headers,
  }
  const response = {
    status: view.status ?? 200,
    headers,
    body: await encoded((await documentOf(request, view)).pieces()),
  }
  return withPolicy(response, request.client)
}

function cachingOf({ personal = false, isWritten = false }: View): string {
  if (isWritten) return keeping.own
  return personal ? keeping.never : keeping.checked
}

function responseOf(reply: WebReply): PlainResponse {
  if ('response' in reply) return reply.response
  throw new Error('A view must be rendered in the shell before it is sent')
}

function withPolicy(response: PlainResponse, client: Client): PlainResponse {
  return { ...response, headers: { ...policyHeaders(client), ...response.headers } }
}

/** Source: RFC 9110, 405 (Method Not Allowed). */
function wrongMethod(incoming: PageRequest, client: Client, allow: string): Promise<PlainResponse> | PlainResponse {
  if (incoming.event.req.method === 'OPTIONS') return withPolicy(emptyResponse(204, { allow }), client)
  const request = requestOf(incoming, { client, method: 'GET', title: '' })
  return viewResponse(request, wrongMethodView(request, incoming.event.req.method, allow))
}

/** Makes the page of an error, or a line of text if even that fails. */
async function errorResponse(incoming: PageRequest, client: Client, thrown: unknown): Promise<PlainResponse> {
  try {
    const method = incoming.event.req.method === 'POST' ? 'POST' : 'GET'
    const request = requestOf(incoming, { client, method, title: safeTitleOf(incoming) })
    const view = await faultView(request, thrown, incoming.id)
    if (view.status === 500) incoming.onFault(thrown)
    return await viewResponse(request, { ...view, personal: true })
  } catch (again) {
    incoming.onFault(again)
    return {
      status: 500,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `Internal error ${incoming.id}\n`,
    }
  }
}

/** The page about what is missing shows what else there is: a file, former revisions. Git may lack these, too. */
async function faultView(request: WebRequest, thrown: unknown, id: string): Promise<View> {
  try {
    return (await missingView(request, thrown)) ?? errorView(request, thrown, id)
  } catch (again) {
    return errorView(request, again, id)
  }
}
