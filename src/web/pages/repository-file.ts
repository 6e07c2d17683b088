/** A file of the repository that is neither a page nor media, as links of pages lead to it. */

import { readOtherFile } from '../../operations/read-other-file.ts'
import { encodeSegment } from '../../operations/resources/routes.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** A browser shows text, whatever it looks like, and keeps all else: nothing is run. Both may have changed by the next time. */
const sandbox = { 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'; sandbox" }

/** Sends the file at the path behind the special page's name. Errors: as `readOtherFile`. */
export async function repositoryFile({ wiki, title }: WebRequest): Promise<WebReply> {
  const { name, bytes, isText } = await readOtherFile(wiki, title)
  if (isText)
    return {
      answer: {
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
  return { answer: { status: 200, headers, body: Uint8Array.from(bytes) } }
}
