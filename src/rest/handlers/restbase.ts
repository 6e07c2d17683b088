/**
 * The response format of RESTBase, the predecessor of MediaWiki's REST API. Its clients send `x-restbase-compat: true`.
 * Source: MediaWiki 1.43 PageContentHelper::constructRestbaseCompatibleMetadata, Router::getRestbaseCompatErrorData.
 */

import { STATUS_CODES } from 'node:http'
import type { WikiError } from '../../core/errors.ts'
import type { PageBare } from '../../core/page.ts'
import type { RevisionBare } from '../../core/revision.ts'
import { parseTitle } from '../../core/title.ts'
import { findRevision, revisionObject } from '../../operations/read-revision.ts'
import type { Wiki } from '../../operations/wiki.ts'
import type { Handler } from './handler.ts'

/** Returns true for a request that wants RESTBase's format. */
export function wantsRestbase(headers: Headers): boolean {
  return headers.get('x-restbase-compat') === 'true'
}

/** Wraps a handler of pages or revisions to respond in RESTBase's format on request. */
export function orRestbase(handler: Handler): Handler {
  return async request => {
    const reply = await handler(request)
    if (!wantsRestbase(request.event.req.headers)) return reply
    const { latest, id, redirect_target } = reply.body as Partial<PageBare> & Pick<RevisionBare, 'id'>
    const items = [itemOf(request.wiki, latest?.id ?? id)]
    return { ...reply, body: redirect_target === undefined ? { items } : { items, redirect_target } }
  }
}

function itemOf({ store }: Wiki, id: number): object {
  const { page, user, comment, timestamp } = revisionObject(store, findRevision(store, id))
  return {
    title: page.key,
    page_id: page.id,
    rev: id,
    tid: 'DUMMY',
    namespace: parseTitle(page.title, store.titles).namespace,
    user_id: user?.id ?? 0,
    user_text: user?.name ?? null,
    comment,
    timestamp,
    tags: [],
    restrictions: [...(comment === null ? ['commenthidden'] : []), ...(user === null ? ['userhidden'] : [])],
    page_language: store.config.language,
    redirect: store.findPage(page.key)?.redirect != null,
  }
}

/** Members of an error's body that RESTBase clients read. */
export function restbaseError(error: WikiError, { method, url }: Pick<Request, 'method' | 'url'>): object {
  return {
    type: `MediaWikiError/${(STATUS_CODES[error.status] ?? '').replaceAll(' ', '_')}`,
    title: error.code,
    method: method.toLowerCase(),
    detail: error.message,
    uri: url,
  }
}
