/** Media files: metadata, bytes and thumbnails. */

import { linkTag } from '../../http/conditional.ts'
import { disposition, harmless, typeOf } from '../../http/media-headers.ts'
import type { StreamBody } from '../../http/response.ts'
import type { OpenedFile } from '../../operations/open-file.ts'
import { openFile, openThumbnail } from '../../operations/open-file.ts'
import { pageFilesWithMetadata } from '../../operations/page-files.ts'
import { readFile } from '../../operations/read-file.ts'
import { readPageBare } from '../../operations/read-page.ts'
import { fileObject } from '../../operations/resources/file-object.ts'
import { lastEdit } from '../../operations/resources/last-edit.ts'
import { boundedInteger, requiredParam } from '../../operations/resources/params.ts'
import { partOf, readRange } from '../range.ts'
import type { Reply, RestRequest } from './handler.ts'
import { serverOf } from './html.ts'

/** Source: MediaWiki REST API reference, "Get file". */
export async function fileMetadata({ wiki, path, base }: RestRequest): Promise<Reply> {
  const found = await readFile(wiki, { title: requiredParam('title', path.title), base })
  return { body: found.file, tag: found.sha1, edited: found.file.latest.timestamp }
}

/** Source: MediaWiki REST API reference, "Get files on page". */
export async function mediaLinks(request: RestRequest): Promise<Reply> {
  const { wiki, path, base } = request
  const title = requiredParam('title', path.title)
  const files = await pageFilesWithMetadata(wiki, { title, server: serverOf(request) })
  const body = { files: files.map(file => fileObject(file, { base, full: false })) }
  const { latest } = await readPageBare(wiki, { title, base })
  const times = [lastEdit(wiki.store, latest), ...body.files.map(file => file.latest.timestamp)].sort()
  return { body, tag: linkTag(latest), edited: times.at(-1) }
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
    tag: `${opened.metadata.sha1}-${picture.width}`,
    edited: opened.file.timestamp,
  }
}

function originalReply({ event }: RestRequest, opened: OpenedFile): Reply {
  const { file, metadata } = opened
  const [tag, edited] = [metadata.sha1, file.timestamp]
  const range = readRange(event.req, file.size, `"${tag}"`)
  const type = typeOf(opened)
  const headers = { ...harmless, 'accept-ranges': 'bytes', ...disposition(opened) }
  if (range === 'outside') {
    return {
      status: 416,
      type,
      headers: { ...headers, 'content-range': `bytes */${file.size}` },
      body: '',
      tag,
      edited,
    }
  }
  if (range === null) return { type, headers, body: streamOf(opened, { start: 0, end: file.size }), tag, edited }
  const rangeHeaders = { ...headers, 'content-range': `bytes ${range.start}-${range.end - 1}/${file.size}` }
  return { status: 206, type, headers: rangeHeaders, body: streamOf(opened, range), tag, edited }
}

function streamOf({ content }: OpenedFile, range: { start: number; end: number }): StreamBody {
  return { length: range.end - range.start, open: () => partOf(content(), range) }
}
