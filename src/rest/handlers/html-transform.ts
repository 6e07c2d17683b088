/** HTML of the client's as wikitext; nothing is saved. Source: SPEC 4.12, REST.md 12. */

import { WikiError } from '../../core/errors.ts'
import { transformToWikitext } from '../../operations/convert-html.ts'
import { sourceOfFile } from '../../operations/source.ts'
import { readHtmlTransform } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

const wikitextType = 'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"'

/** What the HTML was made of is said by the path, the body, or the ETag that came with it. Any `Accept` is let pass. */
export async function wikitextOfHtml(request: RestRequest): Promise<Reply> {
  const { path, wiki } = request
  const body = await readHtmlTransform(request)
  const { title = '' } = path
  const revision = numberOf(path.revision) ?? body.revision ?? taggedRevision(request)
  const text = await transformToWikitext(wiki, {
    html: body.html,
    title: title === '' ? undefined : title,
    revision,
    original: body.original,
  })
  return { type: wikitextType, body: sourceOfFile(text) }
}

function numberOf(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined
}

/** The revision that the ETag of HTML of ours names. A tag that names none is a condition that does not hold. */
function taggedRevision({ event, wiki }: RestRequest): number | undefined {
  const header = event.req.headers.get('if-match')
  if (header === null || header.trim() === '*') return undefined
  const revision = numberOf(/^\s*(?:W\/)?"(\d+)\//.exec(header)?.[1])
  if (revision === undefined || wiki.store.revision(revision) === undefined) {
    throw new WikiError('wiki-unknown-html', { params: [header.slice(0, 100)] })
  }
  return revision
}
