/** Creating and updating pages. */

import { createPage } from '../../operations/create-page.ts'
import { requiredParam } from '../../operations/params.ts'
import { updatePage } from '../../operations/update-page.ts'
import type { Writer } from '../access.ts'
import { readNewPage, readPageUpdate } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.3. */
export async function pageCreation(request: RestRequest): Promise<Reply> {
  const { wiki, base, writer } = request
  const edit = await readNewPage(request)
  const { page } = await createPage(wiki, { ...edit, ...editor(writer) })
  return { status: 201, headers: { location: `${base}/page/${encodeWikiUrl(page.key)}` }, body: page }
}

/** Source: SPEC 4.4. */
export async function pageUpdate(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = requiredParam('title', path.title)
  const edit = await readPageUpdate(request)
  const { page, created } = await updatePage(wiki, { title, ...edit, ...editor(writer) })
  return { status: created ? 201 : 200, body: page }
}

function editor(writer: Writer | null): Pick<Writer, 'author' | 'bot'> {
  if (writer === null) throw new Error('A route that writes must say so in the table of routes')
  return { author: writer.author, bot: writer.bot }
}

/** Encodes a title for `Location` as MediaWiki writes wiki addresses. Source: REST.md 13; MediaWiki wfUrlencode. */
function encodeWikiUrl(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:3B|40|24|2C|3A)/g, decodeURIComponent)
    .replaceAll("'", '%27')
}
