/**
 * Converts a client's HTML to wikitext without saving it. Source: MediaWiki REST API reference, "Convert HTML to
 * wikitext".
 */

import { WikiError } from '../../core/errors.ts'
import { parseRenderId } from '../../operations/caches/stash.ts'
import { transformToWikitext } from '../../operations/convert-html.ts'
import { sourceOfFile } from '../../operations/resources/source.ts'
import { readHtmlTransform } from '../transform-body.ts'
import type { Reply, RestRequest } from './handler.ts'
import { serverOf } from './html.ts'

const wikitextType = 'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"'

/** The path, the body, or the entity tag identifies the original of the HTML. Any `Accept` is accepted. */
export async function wikitextOfHtml(request: RestRequest): Promise<Reply> {
  const { path, wiki } = request
  const { html, revision, rendering, original, ...body } = await readHtmlTransform(
    request,
    request.wiki.store.config.limits.html,
  )
  const title = path.title || body.title || ''
  const meant = numberOf(path.revision) ?? revision
  const renderings = tagsOf(request) ?? (rendering === undefined ? undefined : [checked(rendering)])
  const text = await transformToWikitext(wiki, {
    html,
    title: title === '' ? undefined : title,
    revision: meant,
    renderings,
    original,
    server: serverOf(request),
  })
  const hasOriginal = original.source !== undefined || meant !== undefined || renderings !== undefined
  return { type: wikitextType, body: hasOriginal ? sourceOfFile(text) : text }
}

function numberOf(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined
}

/**
 * Returns the tags of `If-Match`, including weak ones, because compressing proxies weaken them. An asterisk requires
 * nothing.
 */
function tagsOf({ event }: RestRequest): readonly string[] | undefined {
  const header = event.req.headers.get('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  return header.slice(0, 4096).match(/(?:W\/)?"[^"]*"/g) ?? [header.slice(0, 100)]
}

/** A condition without a tag fails, but an empty member of the body is an error. */
function checked(rendering: string): string {
  if (parseRenderId(rendering) === null) throw new WikiError('rest-bad-etag', { params: [rendering.slice(0, 100)] })
  return rendering
}
