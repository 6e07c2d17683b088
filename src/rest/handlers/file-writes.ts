/** Uploads and deletes media files. */

import { WikiError } from '../../core/errors.ts'
import { isSignedIn } from '../../http/access.ts'
import { mediaTypeOf } from '../../http/content-type.ts'
import { formWithFiles, multipartType } from '../../http/form.ts'
import { spooledRequests, takeBody } from '../../http/read-body.ts'
import { deletedBody, deletePages } from '../../operations/delete-page.ts'
import { readFile } from '../../operations/read-file.ts'
import { type ReceivedFile, receiveFile } from '../../operations/receive-file.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { checkCsrfHeader, readDeletion } from '../body.ts'
import { badField, checkFields } from '../fields.ts'
import { editor } from './editor.ts'
import type { Reply, RestRequest } from './handler.ts'
import { expectedFile } from './write-conditions.ts'

/** Maximum bytes of an anonymous user's file. They must not fill the disk. */
const anonymousBytes = 4 * 1024 * 1024

/** Bytes of a form around its file. */
const envelopeBytes = 64 * 1024

/**
 * Treats the body as the file's bytes, whatever its content type, except for a form with the file in it. Many clients send a type
 * that they have not chosen, so the bytes must fit the name instead. A partial upload is refused, because it would replace the
 * whole file. Source: RFC 9110, 14.5.
 */
export async function fileUpload(request: RestRequest): Promise<Reply> {
  const { wiki, path, base, query, writer, event } = request
  const { headers } = event.req
  const name = requiredParam('title', path.title)
  checkCsrfHeader(request)
  const range = headers.get('content-range')
  if (range !== null) throw new WikiError('badvalue', { params: ['Content-Range', range], hint: 'Send the whole file' })
  const { author } = editor(writer)
  const most = isSignedIn(request.access, headers) ? wiki.store.config.limits.file : anonymousBytes
  const type = headers.get('content-type') ?? ''
  const isForm = mediaTypeOf(type) === multipartType
  const maxBodyBytes = isForm ? most + envelopeBytes : most
  const received = { name, comment: query('comment') ?? null, author }
  await receiveFile(wiki, received, {
    receive: take => {
      if (event.runtime?.node !== undefined) spooledRequests.add(event.runtime.node.req)
      return takeBody({ event, maxBodyBytes, wiki }, take)
    },
    unpack: async bytes => (isForm ? fileInForm(bytes, type) : { content: bytes }),
    expect: () => expectedFile(request, name),
  })
  const found = await readFile(wiki, { title: name, base })
  return { body: found.file, tag: found.sha1 }
}

/** Finds the file in a form, which may have a comment, too. The name of its field does not matter. */
async function fileInForm(bytes: Buffer, type: string): Promise<ReceivedFile> {
  const { fields, files } = await formWithFiles(bytes, type)
  checkFields(fields, { comment: 'optional text' })
  const [file, ...others] = files.values()
  if (file === undefined) throw badField('file', 'missingparam', null)
  if (others.length > 0) throw new WikiError('rest-body-validation-error', { params: ['it has more than one file'] })
  return { content: file.content, ...(typeof fields.comment === 'string' && { comment: fields.comment }) }
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
