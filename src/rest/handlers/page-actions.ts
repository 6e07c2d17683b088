/**
 * Writes that affect whole pages: deleting, moving, restoring, and undoing revisions. MediaWiki's REST API has no such
 * routes.
 */

import { deletedBody, deletePages } from '../../operations/delete-page.ts'
import { movedBody, movePage } from '../../operations/move-page.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { restoredBody, restorePage } from '../../operations/restore-page.ts'
import { undoneBody, undoRevisions } from '../../operations/undo-revisions.ts'
import { missingLatest, readDeletion, readMove, readRestoration, readUndo } from '../body.ts'
import { editor } from './editor.ts'
import type { Reply, RestRequest } from './handler.ts'
import { expectedCommit, meetConditions } from './write-conditions.ts'
import { encodeWikiUrl } from './writes.ts'

export async function pageDeletion(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = requiredParam('title', path.title)
  const { base, ...action } = await readDeletion(request)
  const expected = await expectedCommit(request, base)
  if (expected === undefined) throw missingLatest()
  const { author } = editor(writer)
  return { body: deletedBody(await deletePages(wiki, { titles: [title], ...action, author, expected })) }
}

export async function pageMove(request: RestRequest): Promise<Reply> {
  const { wiki, path, base: root, writer } = request
  const from = requiredParam('title', path.title)
  const { base, ...action } = await readMove(request)
  const expected = await expectedCommit(request, base)
  const { author } = editor(writer)
  const done = await movePage(wiki, { from, ...action, author, expected })
  const headers = { location: `${root}/page/${encodeWikiUrl(done.to.key)}` }
  const body = movedBody(done)
  return action.dryRun ? { body } : { body, status: 201, headers }
}

export async function pageRestoration(request: RestRequest): Promise<Reply> {
  const { wiki, path, base, writer } = request
  const title = requiredParam('title', path.title)
  const { revision, ...action } = await readRestoration(request)
  const { author } = editor(writer)
  // No existing page is replaced. The restoration checks that itself, under the lock.
  await meetConditions(request, undefined)
  const address = revision === undefined ? title : `${title}@${revision}`
  const body = restoredBody(await restorePage(wiki, { title: address, ...action, author }))
  const headers = { location: `${base}/page/${encodeWikiUrl(body.key)}` }
  return action.dryRun ? { body } : { body, status: 201, headers }
}

export async function pageUndo(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = requiredParam('title', path.title)
  const { bot, ...undo } = await readUndo(request)
  const { expected } = await meetConditions(request, undefined)
  const done = await undoRevisions(wiki, { title, ...undo, ...editor(writer, bot), expected })
  return { body: undoneBody(done) }
}
