/** A file of the repository that is neither a page nor a media file, as linked from pages. */

import { readOtherFile } from '../../operations/read-other-file.ts'
import { encodeSegment } from '../../operations/resources/routes.ts'
import { pageAddress } from '../addresses.ts'
import { redirectReply, type WebReply, type WebRequest } from '../request.ts'

/** Browsers display text and download everything else; nothing is executed. */
const sandbox = { 'content-security-policy': "default-src 'none'; sandbox" }

/** Sends the file at the path after the special page's name. Errors: as `readOtherFile`. */
export async function repositoryFile({ wiki, title }: WebRequest): Promise<WebReply> {
  const file = await readOtherFile(wiki, title)
  if ('page' in file) return redirectReply(302, pageAddress(file.page), { 'cache-control': 'no-cache' })
  const { name, bytes, isText } = file
  if (isText)
    return {
      response: {
        status: 200,
        headers: { ...sandbox, 'content-type': 'text/plain; charset=utf-8' },
        body: Uint8Array.from(bytes),
      },
    }
  const headers = {
    ...sandbox,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeSegment(name)}`,
  }
  return { response: { status: 200, headers, body: Uint8Array.from(bytes) } }
}
