/** Creates and updates pages. */

import { createPage } from '../../operations/create-page.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { updatePage } from '../../operations/update-page.ts'
import { readNewPage, readPageUpdate } from '../body.ts'
import { editor } from './editor.ts'
import type { Reply, RestRequest } from './handler.ts'
import { meetConditions, refuseConditions } from './write-conditions.ts'

/** Source: MediaWiki REST API reference, "Create page". */
export async function pageCreation(request: RestRequest): Promise<Reply> {
  const { wiki, base, writer } = request
  const edit = await readNewPage(request)
  refuseConditions(request)
  const { page } = await createPage(wiki, { ...edit, ...editor(writer, edit.bot) })
  return { status: 201, headers: { location: `${base}/page/${encodeWikiUrl(page.key)}` }, body: page }
}

/** Source: MediaWiki REST API reference, "Update page". */
export async function pageUpdate(request: RestRequest): Promise<Reply> {
  const { wiki, path, writer } = request
  const title = requiredParam('title', path.title)
  const edit = await readPageUpdate(request)
  const met = await meetConditions(request, edit.base)
  const { page, created } = await updatePage(wiki, { title, ...edit, ...editor(writer, edit.bot), ...met })
  return { status: created ? 201 : 200, body: page }
}

/** Encodes a title for `Location` as MediaWiki does. Source: MediaWiki wfUrlencode. */
export function encodeWikiUrl(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:3B|40|24|2C|3A)/g, decodeURIComponent)
    .replaceAll("'", '%27')
}
