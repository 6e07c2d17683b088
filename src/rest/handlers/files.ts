/** Media files: metadata, bytes and thumbnails. */

import { hash } from 'node:crypto'
import { type Validators, visibleValidators } from '../../http/conditional.ts'
import { disposition, harmless, typeOf } from '../../http/media-headers.ts'
import type { StreamBody } from '../../http/response.ts'
import { filesVisibility } from '../../operations/access/visibility.ts'
import type { OpenedFile } from '../../operations/open-file.ts'
import { openFile, openThumbnail } from '../../operations/open-file.ts'
import { pageFilesWithMetadata } from '../../operations/page-files.ts'
import { type ReadFile, readFile } from '../../operations/read-file.ts'
import { readPageBare } from '../../operations/read-page.ts'
import { fileObject } from '../../operations/resources/file-object.ts'
import { boundedInteger, requiredParam } from '../../operations/resources/params.ts'
import { partOf, readRange } from '../range.ts'
import type { Reply, RestRequest } from './handler.ts'
import { serverOf } from './html.ts'

/** Source: MediaWiki REST API reference, "Get file". */
export async function fileMetadata({ wiki, path, base }: RestRequest): Promise<Reply> {
  const found = await readFile(wiki, { title: requiredParam('title', path.title), base })
  return { body: found.file, validators: fileValidators(found) }
}

/** Returns the validators of a file, from its bytes and its time. */
export function fileValidators({ file, sha1, visibility }: ReadFile): Validators {
  return visibleValidators({ etag: `"${sha1}"`, lastModified: file.latest.timestamp }, visibility)
}

/** Source: MediaWiki REST API reference, "Get files on page". */
export async function mediaLinks(request: RestRequest): Promise<Reply> {
  const { wiki, path, base } = request
  const title = requiredParam('title', path.title)
  const files = await pageFilesWithMetadata(wiki, { title, server: serverOf(request) })
  const body = { files: files.map(file => fileObject(file, { base, full: false })) }
  const { latest } = await readPageBare(wiki, { title, base })
  const times = [latest.timestamp, ...body.files.map(file => file.latest.timestamp)].sort()
  const validators = { etag: `"${latest.id}@${stampOf(body)}"`, lastModified: times.at(-1) ?? null }
  const visibility = filesVisibility(
    wiki,
    files.map(({ file }) => file),
  )
  return { body, validators: visibleValidators(validators, visibility) }
}

/**
 * Returns 14 digits, the length of MediaWiki's timestamp. The list also changes with files, at times that the page does
 * not record.
 */
function stampOf(body: object): string {
  return (BigInt(`0x${hash('sha1', JSON.stringify(body))}`) % 10n ** 14n).toString().padStart(14, '0')
}

/** Sends the bytes of a file, or a range of them. */
export async function fileBytes(request: RestRequest): Promise<Reply> {
  return originalReply(request, await openFile(request.wiki, requiredParam('name', request.path.name)))
}

/** Sends a thumbnail of a file, or the file itself if no smaller image can be made. */
export async function fileThumbnail(request: RestRequest): Promise<Reply> {
  const width = boundedInteger('width', (request.path.width ?? '').replace(/px$/, ''), { min: 1, max: 100_000 })
  const opened = await openFile(request.wiki, requiredParam('name', request.path.name))
  const picture = await openThumbnail(request.wiki, opened, width)
  if (picture === null) return originalReply(request, opened)
  return {
    body: picture.bytes,
    type: picture.mime,
    headers: harmless,
    validators: { etag: `"${opened.metadata.sha1}-${picture.width}"`, lastModified: opened.file.timestamp },
  }
}

function originalReply({ event }: RestRequest, opened: OpenedFile): Reply {
  const { file, metadata } = opened
  const validators: Validators = { etag: `"${metadata.sha1}"`, lastModified: file.timestamp }
  const range = readRange(event.req, file.size, validators)
  const type = typeOf(opened)
  const headers = { ...harmless, 'accept-ranges': 'bytes', ...disposition(opened) }
  if (range === 'outside') {
    return { status: 416, type, headers: { ...headers, 'content-range': `bytes */${file.size}` }, body: '', validators }
  }
  if (range === null) return { type, headers, body: streamOf(opened, { start: 0, end: file.size }), validators }
  const rangeHeaders = { ...headers, 'content-range': `bytes ${range.start}-${range.end - 1}/${file.size}` }
  return { status: 206, type, headers: rangeHeaders, body: streamOf(opened, range), validators }
}

function streamOf({ content }: OpenedFile, range: { start: number; end: number }): StreamBody {
  return { length: range.end - range.start, open: () => partOf(content(), range) }
}
