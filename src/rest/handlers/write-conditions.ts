/** Conditions of writes on a page: `If-Match` and its like. */

import { WikiError } from '../../core/errors.ts'
import { noValidators, numberedValidators, pageValidators, precondition } from '../../http/conditional.ts'
import { latestRevision } from '../../operations/read-page.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import type { UpdatePageRequest } from '../../operations/update-page.ts'
import type { RestRequest } from './handler.ts'

/**
 * Returns the commit of the revision that a client has seen as the page's latest, by the request's conditions or by `latest.id`; null for
 * no page; undefined where it says nothing.
 *
 * Errors: rest-precondition-failed; edit-conflict where the page has moved on.
 */
export async function expectedCommit(
  request: RestRequest,
  base: number | undefined,
): Promise<string | null | undefined> {
  const met = await meetConditions(request, base)
  if (met.expected !== undefined || base === undefined) return met.expected
  const { wiki, path } = request
  await wiki.store.refresh()
  const title = requiredParam('title', path.title)
  const latest = latestRevision(wiki, title)
  if (latest === null || latest.id === base) return latest?.commit ?? null
  throw new WikiError('edit-conflict', { params: [title], hint: 'The page was edited meanwhile: read it again' })
}

/**
 * Compares the request's conditions with the page as it is. Returns the commit of the revision that they hold for, null for no page, so
 * that the write is refused if another one is the latest by then; nothing for a request without conditions. A client that knows the page's
 * present tag knows the present ids: the base is the revision that has the id now.
 * Source: RFC 9110 13.1.
 */
export async function meetConditions(
  { wiki, event, path }: RestRequest,
  base: number | undefined,
): Promise<Pick<UpdatePageRequest, 'expected' | 'baseCommit'>> {
  const { method, headers } = event.req
  if (!conditions.some(name => headers.has(name))) return {}
  const { store } = wiki
  await store.refresh()
  const title = requiredParam('title', path.title)
  const latest = latestRevision(wiki, title)
  const validators = latest === null ? noValidators : numberedValidators(pageValidators(latest), wiki)
  if (precondition(method, headers, validators) !== null)
    throw new WikiError('rest-precondition-failed', { params: [title], hint: 'Read the page again' })
  const isTagged = listsOwnTag(headers)
  const baseCommit = isTagged && base !== undefined ? store.revision(base)?.commit : undefined
  return { expected: latest?.commit ?? null, ...(baseCommit !== undefined && { baseCommit }) }
}

/** Returns true if the client names a tag that it has read: an asterisk is true of any. */
function listsOwnTag(headers: Headers): boolean {
  const tags = headers.get('if-match')
  return tags !== null && tags.trim() !== '*'
}

const conditions = ['if-match', 'if-none-match', 'if-unmodified-since'] as const
