/** Uploading and deleting media files. */

import { WikiError } from '../../core/errors.ts'
import { readBytes, usualBodyBytes } from '../../http/read-body.ts'
import { addFile } from '../../operations/add-file.ts'
import { deletePages } from '../../operations/delete-page.ts'
import { maximumFileBytes } from '../../operations/editing/limits.ts'
import { readFile } from '../../operations/read-file.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { checkCsrfHeader, readDeletion } from '../body.ts'
import { editor } from './editor.ts'
import type { Reply, RestRequest } from './handler.ts'
import { expectedFile } from './write-conditions.ts'

/** Takes the body as the file's bytes, whatever its type is said to be. */
export async function fileUpload(request: RestRequest): Promise<Reply> {
  const { wiki, path, base, query, writer, event } = request
  const name = requiredParam('title', path.title)
  checkCsrfHeader(request)
  const { author } = editor(writer)
  // The bytes are in memory: only who has a token may send many.
  const maximumBodyBytes = event.req.headers.has('authorization') ? maximumFileBytes : usualBodyBytes
  const content = await readBytes({ event, maximumBodyBytes })
  const expected = await expectedFile(request, name)
  await addFile(wiki, { name, content, comment: query('comment') ?? null, author, expected })
  const { file } = await readFile(wiki, { title: name, base })
  return { body: file }
}

export async function fileDeletion(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = fileTitle(requiredParam('title', path.title))
  const { base, ...action } = await readDeletion(request)
  if (base !== undefined)
    throw new WikiError('rest-extraneous-body-fields', { params: ['latest'], hint: 'A file has no revision ids' })
  const { author } = editor(writer)
  const expected = await expectedFile(request, title)
  const { deleted, commit } = await deletePages(wiki, { titles: [title], ...action, author, expectedFile: expected })
  return { body: { deleted: deleted.map(({ key, title }) => ({ key, title })), commit } }
}

/** The routes of files take their titles with or without the namespace. */
function fileTitle(title: string): string {
  return /^file:/i.test(title) ? title : `File:${title}`
}
