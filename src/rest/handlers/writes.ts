/** Creating and updating pages. */

import { WikiError } from '../../core/errors.ts'
import type { Writer } from '../../http/access.ts'
import { noValidators, numberedValidators, pageValidators, precondition } from '../../http/conditional.ts'
import { createPage } from '../../operations/create-page.ts'
import { latestRevision } from '../../operations/read-page.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { type UpdatePageRequest, updatePage } from '../../operations/update-page.ts'
import { readNewPage, readPageUpdate } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.3. */
export async function pageCreation(request: RestRequest): Promise<Reply> {
  const { wiki, base, writer } = request
  const edit = await readNewPage(request)
  const { page } = await createPage(wiki, { ...edit, ...editor(writer) })
  return { status: 201, headers: { location: `${base}/page/${encodeWikiUrl(page.key)}` }, body: page }
}

/** Source: SPEC 4.4. */
export async function pageUpdate(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = requiredParam('title', path.title)
  const edit = await readPageUpdate(request)
  const met = await meetConditions(request, edit.base)
  const { page, created } = await updatePage(wiki, { title, ...edit, ...editor(writer), ...met })
  return { status: created ? 201 : 200, body: page }
}

/**
 * Compares the request's conditions with the page as it is. Returns the commit of the revision that they hold for, null for no page, so
 * that the write is refused if another one is the latest by then; nothing for a request without conditions. A client that knows the page's
 * present tag knows the present ids: the base is the revision that has the id now.
 * Source: RFC 9110 13.1.
 */
async function meetConditions(
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

function editor(writer: Writer | null): Pick<Writer, 'author' | 'bot'> {
  if (writer === null) throw new Error('A route that writes must say so in the table of routes')
  return { author: writer.author, bot: writer.bot }
}

/** Encodes a title for `Location` as MediaWiki writes wiki addresses. Source: REST.md 13; MediaWiki wfUrlencode. */
function encodeWikiUrl(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:3B|40|24|2C|3A)/g, decodeURIComponent)
    .replaceAll("'", '%27')
}
