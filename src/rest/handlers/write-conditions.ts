/** Conditions of writes on a page or a file: `If-Match` and similar headers. */

import { WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { pageTag, precondition } from '../../http/conditional.ts'
import { baseTexts, checkCertain, foreignBase } from '../../operations/editing/base-texts.ts'
import { readFile } from '../../operations/read-file.ts'
import { latestRevision } from '../../operations/read-page.ts'
import { parseWrittenTitle } from '../../operations/resources/find-page.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import type { UpdatePageRequest } from '../../operations/update-page.ts'
import type { RestRequest } from './handler.ts'

/**
 * Returns the commit of the revision that the client has seen as the page's latest, from the request's conditions or
 * from `latest.id`; null if it has seen no page; undefined if it states nothing.
 *
 * Errors: rest-precondition-failed; edit-conflict if the page has changed since; rest-nonexistent-revision and
 * rest-nonexistent-title-revision for a base that is not one of its revisions.
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
  if (latest === null) return null
  if (base > 0 && baseTexts(wiki.store, wiki.store.pageById(latest.page)!, { id: base }).length === 0)
    throw foreignBase(wiki.store, { title }, base)
  if (latest.id !== base)
    throw new WikiError('edit-conflict', { params: [title], hint: 'The page was edited meanwhile: read it again' })
  checkCertain(wiki.store, latest)
  return latest.commit
}

/**
 * Evaluates the request's conditions against the current page. Returns the commit of the revision that they hold for,
 * null for no page, so that the write is refused if another revision is the latest by then; undefined for a request
 * without conditions. A client that knows the page's current tag knows the current ids, so its base is the revision
 * that has the id now, or the latest one if it names none. Source: RFC 9110 13.1.
 */
export async function meetConditions(
  { wiki, event, path }: RestRequest,
  base: number | undefined,
): Promise<Pick<UpdatePageRequest, 'expected' | 'base' | 'baseCommit'>> {
  const { headers } = event.req
  if (!hasConditions(headers)) return {}
  const { store } = wiki
  await store.refresh()
  const title = requiredParam('title', path.title)
  const latest = latestRevision(wiki, title)
  checkConditions(event.req, latest === null ? null : pageTag(store, latest), title)
  const expected = latest?.commit ?? null
  if (latest === null || !listsOwnTag(headers)) return { expected }
  const named = base !== undefined && base > 0 ? store.revision(base) : latest
  return { expected, ...(named !== undefined && { base: named.id, baseCommit: named.commit }) }
}

/**
 * Evaluates the request's conditions against the current media file. Returns the blob that they hold for, null for no
 * file, so that the write is refused if the file is another by then; undefined for a request without conditions. A
 * redirect is not a file, and a write would replace it. Errors: rest-precondition-failed.
 */
export async function expectedFile(
  { wiki, event, base }: RestRequest,
  name: string,
): Promise<string | null | undefined> {
  if (!hasConditions(event.req.headers)) return undefined
  const { store } = wiki
  await store.refresh()
  const { key, text } = parseWrittenTitle(name, store.titles, namespaceIds.file)
  const file = store.findFile(key)
  const found = file === undefined ? null : await readFile(wiki, { title: key, base })
  checkConditions(event.req, found === null ? null : found.sha1, text)
  return file?.blob ?? null
}

/** Refuses every condition that needs a state: a collection of pages has none. Errors: rest-precondition-failed. */
export function refuseConditions({ event }: RestRequest): void {
  checkConditions(event.req, null, '')
}

function checkConditions({ method, headers }: Request, tag: string | null, title: string): void {
  if (
    precondition(method, headers, { etag: tag === null ? null : `"${tag}"`, lastModified: null, known: null }) === null
  )
    return
  throw new WikiError('rest-precondition-failed', { params: [title], hint: 'Read it again' })
}

/** Returns true if the client names a tag that it has read. An asterisk matches any tag, so it does not count. */
function listsOwnTag(headers: Headers): boolean {
  const tags = headers.get('if-match')
  return tags !== null && tags.trim() !== '*'
}

function hasConditions(headers: Headers): boolean {
  return conditions.some(name => headers.has(name))
}

const conditions = ['if-match', 'if-none-match', 'if-unmodified-since'] as const
