/** Creating and updating pages. */

import { createPage } from '../../operations/create-page.ts'
import { requiredParam } from '../../operations/params.ts'
import { updatePage } from '../../operations/update-page.ts'
import { readNewPage, readPageUpdate } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.3. */
export async function pageCreation({ wiki, event, base, peer }: RestRequest): Promise<Reply> {
  const edit = await readNewPage(event)
  const { page } = await createPage(wiki, { ...edit, author: anonymous(peer) })
  return { status: 201, headers: { location: `${base}/page/${encodeWikiUrl(page.key)}` }, body: page }
}

/** Source: SPEC 4.4. */
export async function pageUpdate({ wiki, event, path, peer }: RestRequest): Promise<Reply> {
  const title = requiredParam('title', path.title)
  const edit = await readPageUpdate(event)
  const { page, created } = await updatePage(wiki, { title, ...edit, author: anonymous(peer) })
  return { status: created ? 201 : 200, body: page }
}

/** The author of an edit by nobody known. */
function anonymous(peer: string): { name: string; address: string } {
  return { name: peer, address: '' }
}

/** Encodes a title for `Location` as MediaWiki writes wiki addresses. Source: REST.md 13; MediaWiki wfUrlencode. */
function encodeWikiUrl(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:3B|40|24|2C|3A)/g, decodeURIComponent)
    .replaceAll("'", '%27')
}
