/** Transforms a client's texts without saving them. */

import { WikiError } from '../../core/errors.ts'
import { enumParam, optionalBoolean } from '../../operations/resources/params.ts'
import { offsetTypes, type TransformQuery, transformToHtml, transformToLint } from '../../operations/transform.ts'
import { accepts, type Offer } from '../accept.ts'
import { readTransform, type Transform } from '../transform-body.ts'
import type { Reply, RestRequest } from './handler.ts'
import { flavorName, htmlType, serverOf } from './html.ts'

const htmlOffer: Offer = { type: 'text/html', profile: 'https://www.mediawiki.org/wiki/Specs/HTML/2.8.0' }
const jsonOffer: Offer = { type: 'application/json' }

/**
 * Source: MediaWiki REST API reference, "Convert wikitext to HTML". A whole document can be converted back; `body_only`
 * is for display.
 */
export async function htmlOfWikitext(request: RestRequest): Promise<Reply> {
  const body = await readTransform(request, request.wiki.store.config.limits.source)
  checkAccept(request, htmlOffer)
  const flavor = flavorName(request)
  const bodyOnly = body.bodyOnly || (optionalBoolean('body_only', request.query('body_only')) ?? false)
  const { html, language, revision, stashed } = await transformToHtml(request.wiki, {
    ...queryOf(request, body),
    model: body.model,
    flavor: bodyOnly || flavor === 'view' ? 'view' : 'edit',
    bodyOnly,
    server: serverOf(request),
    stash: body.stash || (optionalBoolean('stash', request.query('stash')) ?? flavor === 'stash'),
  })
  const headers = { 'content-language': language, ...(revision && { 'content-revision-id': String(revision) }) }
  const etag = stashed && `"${stashed.revision}/${stashed.uuid}/stash/html"`
  return { type: htmlType('wikitext'), headers: { ...headers, ...(etag && { etag }) }, body: html }
}

/** Source: MediaWiki REST API reference, "Convert wikitext to lint errors". */
export async function lintOfWikitext(request: RestRequest): Promise<Reply> {
  const body = await readTransform(request, request.wiki.store.config.limits.source)
  checkAccept(request, jsonOffer)
  const unit = body.offsetType ?? request.query('offsetType') ?? 'ucs2'
  const offsetType = enumParam('offsetType', unit.slice(0, 100), offsetTypes)
  return { body: await transformToLint(request.wiki, { ...queryOf(request, body), offsetType }) }
}

/** Refuses any other pair of formats. */
export async function unknownTransform({ path }: RestRequest): Promise<Reply> {
  throw new WikiError('rest-invalid-transform', { params: [path.from ?? '', path.to ?? ''] })
}

/** An empty title counts as none, and so does a revision that is not a number. */
function queryOf({ path }: RestRequest, body: Transform): TransformQuery {
  const revision = /^[1-9]\d{0,14}$/.test(path.revision ?? '') ? Number(path.revision) : body.revision
  return { wikitext: body.wikitext, title: path.title || body.title || undefined, revision }
}

function checkAccept({ event }: RestRequest, offer: Offer): void {
  const header = event.req.headers.get('accept')
  if (!accepts(header, offer)) throw new WikiError('rest-unsupported-target-format', { params: [header ?? ''] })
}
