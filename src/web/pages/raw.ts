/** The source of a page, as text. */

import { readPage } from '../../operations/read-page.ts'
import { readRevision } from '../../operations/read-revision.ts'
import { optionalInteger } from '../../operations/resources/params.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Browsers must display the text and never execute it. */
const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Sends the source of the latest revision, or of `oldid`. Errors: as `readPage` and `readRevision`. */
export async function rawText({ wiki, title, query }: WebRequest): Promise<WebReply> {
  const id = optionalInteger('oldid', query('oldid'))
  const { source } = id === undefined ? await readPage(wiki, { title, base: '/v1' }) : await readRevision(wiki, { id })
  return { response: { status: 200, headers, body: source } }
}
