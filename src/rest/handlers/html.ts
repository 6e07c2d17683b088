/** Pages and revisions as HTML. */

import type { ContentModel } from '../../core/content-models.ts'
import type { PageObject } from '../../core/page.ts'
import { uuidOf } from '../../operations/caches/stash.ts'
import {
  findRedirect,
  type RenderedText,
  type RenderQuery,
  renderEntryOf,
  renderRevision,
} from '../../operations/render-page.ts'
import { enumParam, integerParam, optionalBoolean, requiredParam } from '../../operations/resources/params.ts'
import { pageRoute, siteOf, withoutHost } from '../../operations/resources/routes.ts'
import { encodeSearch, redirectBody, redirectType } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Form of the response: HTML alone, or a member of a JSON object. */
type Form = 'html' | 'with_html'

/** Source: MediaWiki REST API reference, "Get HTML". */
export function pageHtml(request: RestRequest): Promise<Reply> {
  return handlePage(request, 'html')
}

/** Source: MediaWiki REST API reference, "Get page with HTML". */
export function pageWithHtml(request: RestRequest): Promise<Reply> {
  return handlePage(request, 'with_html')
}

/** Source: MediaWiki REST API reference, "Get revision HTML". */
export function revisionHtml(request: RestRequest): Promise<Reply> {
  return handleRevision(request, 'html')
}

/** Source: MediaWiki REST API reference, "Get revision with HTML". */
export function revisionWithHtml(request: RestRequest): Promise<Reply> {
  return handleRevision(request, 'with_html')
}

async function handlePage(request: RestRequest, form: Form): Promise<Reply> {
  const title = requiredParam('title', request.path.title)
  const follows = followsRedirects(request)
  const flavor = flavorOf(request)
  const { page, entry, redirect } = await findRedirect(request.wiki, { title, exact: true })
  const target = redirect === null ? null : withoutHost(pageRoute(request.base, redirect, `/${form}`))
  if (follows && target !== null) {
    return redirectReply(request, target, redirectTag(form)(page.latest))
  }
  const rendered = await renderEntryOf(request.wiki, entry, { ...flavor.query, server: serverOf(request) })
  const { id } = rendered.page.latest
  const about = { id, model: rendered.page.content_model, flavor }
  if (form === 'html') return htmlReply(rendered, about)
  const more = target === null ? {} : { redirect_target: `${target}${encodeSearch(request.search)}` }
  return withHtmlReply({ ...rendered.page, html: rendered.html, ...more }, about)
}

async function handleRevision(request: RestRequest, form: Form): Promise<Reply> {
  const id = integerParam('id', request.path.id ?? '')
  const flavor = flavorOf(request)
  const rendered = await renderRevision(request.wiki, { id, ...flavor.query, server: serverOf(request) })
  const { revision, html } = rendered
  const about = { id, model: revision.content_model, flavor }
  return form === 'html' ? htmlReply(rendered, about) : withHtmlReply({ ...revision, html }, about)
}

/** Returns false if the client requests the redirect page itself. Also checked by routes that never follow. */
export function followsRedirects({ query }: RestRequest): boolean {
  return optionalBoolean('redirect', query('redirect')) ?? true
}

/**
 * Redirects to the target of a wiki redirect. As in MediaWiki after 1.43, the URL contains `redirect=no`, so that a
 * chain ends after one step.
 */
export function redirectReply(request: RestRequest, target: string, tag: string): Reply {
  const location = `${target}${encodeSearch(request.search, { redirect: 'no' })}`
  return { status: 307, type: redirectType, headers: { location }, body: redirectBody(location), tag }
}

/** Flavors by name. `stash` is for clients that will send the HTML back. */
const flavors: Readonly<Record<string, RenderQuery>> = {
  view: { flavor: 'view' },
  edit: { flavor: 'edit' },
  stash: { flavor: 'view', stash: true },
  fragment: { flavor: 'view', bodyOnly: true },
}

/** A flavor with its rendering options. */
interface NamedFlavor {
  readonly name: string
  readonly query: RenderQuery
}

/** Returns the name of a flavor; undefined for none. Errors: badvalue. */
export function flavorName({ query }: RestRequest): string | undefined {
  const name = query('flavor')
  return name === undefined ? undefined : enumParam('flavor', name, Object.keys(flavors))
}

function flavorOf(request: RestRequest): NamedFlavor {
  const { query } = request
  const name = flavorName(request) ?? 'view'
  const stash = optionalBoolean('stash', query('stash'))
  if (stash === undefined) return { name, query: flavors[name]! }
  return { name: stash ? 'stash' : name === 'stash' ? 'view' : name, query: { ...flavors[name]!, stash } }
}

/** Returns the root of the site that the API belongs to: scheme, host, and the prefix of another server. */
export function serverOf({ base }: RestRequest): string {
  return siteOf(base)
}

/** Content models whose HTML is a fragment and not made from wikitext. */
const plainModels: ReadonlySet<ContentModel> = new Set(['css', 'javascript', 'text'])

/** Returns the content type of HTML, with the version of its specification. */
export function htmlType(model: ContentModel): string {
  const version = plainModels.has(model) ? '0.0.0' : '2.8.0'
  return `text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/${version}"`
}

interface About {
  /** Id of the revision. */
  readonly id: number
  readonly flavor: NamedFlavor
}

function htmlReply({ html, language }: RenderedText, about: About & { readonly model: ContentModel }): Reply {
  return {
    type: htmlType(about.model),
    headers: { 'content-language': language, 'content-revision-id': String(about.id) },
    body: html,
    tag: tagOf(about, 'html', html),
    ...(about.flavor.query.stash && { lasts: 'request' as const }),
  }
}

function withHtmlReply(body: { readonly html: string }, about: About): Reply {
  return {
    headers: { 'content-revision-id': String(about.id) },
    body,
    tag: tagOf(about, 'with_html', body.html),
    ...(about.flavor.query.stash && { lasts: 'request' as const }),
  }
}

/** Returns the beginning of a tag, by which the stash knows the HTML. */
function tagOf({ id, flavor }: Pick<About, 'id' | 'flavor'>, form: Form, html: string): string {
  return `${id}/${uuidOf(html)}/${flavor.name}/${form}`
}

/** Returns a function that makes the beginning of the tag of a redirect, which has no HTML. */
export function redirectTag(form: Form): (latest: Pick<PageObject['latest'], 'id'>) => string {
  return ({ id }) => tagOf({ id, flavor: { name: 'view', query: {} } }, form, '')
}
