/** Uploads and deletes media files. */

import { WikiError } from '../../core/errors.ts'
import { isSignedIn } from '../../http/access.ts'
import { spooledRequests, takeBody, usualBodyBytes } from '../../http/read-body.ts'
import { deletedBody, deletePages } from '../../operations/delete-page.ts'
import { readFile } from '../../operations/read-file.ts'
import { receiveFile } from '../../operations/receive-file.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { checkCsrfHeader, readDeletion } from '../body.ts'
import { editor } from './editor.ts'
import { fileValidators } from './files.ts'
import type { Reply, RestRequest } from './handler.ts'
import { expectedFile } from './write-conditions.ts'

/**
 * Treats the body as the file's bytes, whatever its content type. A partial upload is refused, because it would replace
 * the whole file. Source: RFC 9110, 14.5.
 */
export async function fileUpload(request: RestRequest): Promise<Reply> {
  const { wiki, path, base, query, writer, event } = request
  const { headers } = event.req
  const name = requiredParam('title', path.title)
  checkCsrfHeader(request)
  const range = headers.get('content-range')
  if (range !== null) throw new WikiError('badvalue', { params: ['Content-Range', range], hint: 'Send the whole file' })
  const { author } = editor(writer)
  // Anonymous users must not fill the disk.
  const maxBodyBytes = isSignedIn(request.access, headers) ? wiki.store.config.limits.file : usualBodyBytes
  const received = { name, comment: query('comment') ?? null, author }
  await receiveFile(wiki, received, {
    receive: take => {
      if (event.runtime?.node !== undefined) spooledRequests.add(event.runtime.node.req)
      return takeBody({ event, maxBodyBytes }, take)
    },
    expect: () => expectedFile(request, name),
  })
  const found = await readFile(wiki, { title: name, base })
  return { body: found.file, validators: fileValidators(found) }
}

export async function fileDeletion(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = fileTitle(requiredParam('title', path.title))
  const { base, ...action } = await readDeletion(request)
  if (base !== undefined)
    throw new WikiError('rest-extraneous-body-fields', { params: ['latest'], hint: 'A file has no revision ids' })
  const { author } = editor(writer)
  const expected = await expectedFile(request, title)
  return { body: deletedBody(await deletePages(wiki, { titles: [title], ...action, author, expectedFile: expected })) }
}

/** The routes of files accept titles with or without the namespace. */
function fileTitle(title: string): string {
  return /^file:/i.test(title) ? title : `File:${title}`
}
