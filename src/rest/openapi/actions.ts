/** Describes the routes of writes on whole pages. */

import { jsonResponse, type RouteDescription } from './describe.ts'
import { notWritten, title } from './pages.ts'
import { flag, id, listOf, named, nullable, object, text } from './schemas.ts'

const name = object({ key: text, title: text })
const action = { comment: nullable(text), dryRun: flag, token: nullable(text) }
const optional = ['comment', 'dryRun', 'token']
const latest = nullable(object({ id: { type: 'integer' }, timestamp: text }, ['timestamp']))
const commit = { ...nullable(text), description: 'Hash of the commit; null in a dry run' }

/** Response to a deletion. */
export const deleted = jsonResponse('The pages and files that were deleted', object({ deleted: listOf(name), commit }))
/** Body of a deletion, which is optional. A file has no revision. */
export const fileDeletionBody = object(action, optional)
const deletionBody = object({ ...action, latest }, [...optional, 'latest'])

const count = { type: 'integer', minimum: 0 } as const
const moved = object(
  {
    id,
    from: name,
    to: name,
    redirect: flag,
    replaced: flag,
    latest: nullable(id),
    links: object({
      pages: listOf(object({ key: text, title: text, links: count })),
      unchanged: listOf(object({ title: text, link: text })),
      unread: listOf(text),
    }),
    patch: text,
  },
  ['links', 'patch'],
)
const restored = object({
  id: nullable(id),
  key: text,
  title: text,
  from: nullable(id),
  latest: nullable(id),
  commit,
})
const undone = object(
  {
    changed: flag,
    merged: flag,
    undone: listOf(id, { minItems: 2, maxItems: 2 }),
    comment: text,
    page: named('PageSource'),
    patch: text,
  },
  ['patch'],
)

export const actions = {
  deletion: {
    name: 'deletePage',
    summary: 'Delete a page; its history stays, and it can be restored',
    tag: 'Pages',
    parameters: { title },
    body: deletionBody,
    isBodyOptional: true,
    responses: { 200: deleted },
    errors: [
      ...notWritten,
      'apierror-missingtitle',
      'edit-conflict',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'missingparam',
    ],
  },
  move: {
    name: 'movePage',
    summary: 'Rename a page; it keeps its id and history',
    tag: 'Pages',
    parameters: { title },
    body: object({ ...action, to: text, redirect: flag, updateLinks: flag, retitleLinks: flag, latest }, [
      ...optional,
      'redirect',
      'updateLinks',
      'retitleLinks',
      'latest',
    ]),
    responses: { 200: jsonResponse('What would be moved', moved), 201: jsonResponse('The page was moved', moved) },
    errors: [
      ...notWritten,
      'apierror-missingtitle',
      'apierror-articleexists',
      'edit-conflict',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'missingparam',
    ],
  },
  restoration: {
    name: 'restorePage',
    summary: 'Restore a deleted page, with its id and history',
    tag: 'Pages',
    parameters: { title },
    body: object({ ...action, revision: nullable(id) }, [...optional, 'revision']),
    responses: {
      200: jsonResponse('What would be restored', restored),
      201: jsonResponse('The page was restored', restored),
    },
    errors: [
      ...notWritten,
      'apierror-missingtitle',
      'apierror-articleexists',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'rest-permission-denied-revision',
      'wiki-bad-revision',
      'wiki-usage',
      'missingparam',
    ],
  },
  undo: {
    name: 'undoRevisions',
    summary: 'Undo revisions; later edits stay, merged by words',
    tag: 'Pages',
    parameters: { title },
    body: object({ ...action, revision: id, after: nullable(id), minor: flag, bot: flag }, [
      ...optional,
      'after',
      'minor',
      'bot',
    ]),
    responses: { 200: jsonResponse('The page as it is now', undone) },
    errors: [
      ...notWritten,
      'undo-failure',
      'undo-norev',
      'rest-nonexistent-title',
      'rest-invalid-title',
      'apierror-missingtitle',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'rest-permission-denied-revision',
      'wiki-not-utf8',
      'wiki-bad-revision',
      'wiki-usage',
      'missingparam',
    ],
  },
} as const satisfies Record<string, RouteDescription>
