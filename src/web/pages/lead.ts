/** The lead of a page, for link previews: a small document without the shell. */

import { textName } from '../../operations/latest-section.ts'
import { findShownPage, showRevision } from '../../operations/show-page.ts'
import { pageAddress } from '../addresses.ts'
import { html, trusted } from '../markup.ts'
import { contentBox } from '../parts/content-box.ts'
import { readerForm } from '../parts/reader-form.ts'
import { redirectReply, type WebReply, type WebRequest } from '../request.ts'

/** Largest text, in bytes, of which a lead is rendered, and the maximum of HTML sent, in UTF-16 units. */
const largestText = 200_000
const longestLead = 16_000

/**
 * Sends the title and the start of a page's HTML. It may be cut at any character, because browsers parse incomplete
 * HTML. A page that is too large has no lead. Errors: rest-invalid-title, rest-nonexistent-title, wiki-render-limit;
 * `TitleRedirect`.
 */
export async function leadPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, title } = request
  const { page, revision, redirect } = findShownPage(wiki, { title: title.replaceAll(' ', '_'), exact: true })
  if (redirect?.page != null && redirect.page.key !== page.key)
    return redirectReply(302, pageAddress(redirect.page.key, { action: 'lead' }))
  const language = wiki.store.config.language
  const text =
    revision.size > largestText
      ? ''
      : (
          await showRevision(
            wiki,
            revision.id,
            readerForm(request, { key: page.key, text: textName(wiki, revision.id) }),
          )
        ).html
  const body = html`<!DOCTYPE html>
<html lang="${words.language}" dir="${words.direction}"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${page.title}</title></head>
<body><main><h1><bdi>${page.title}</bdi></h1>
${contentBox(language, trusted(leadOf(text)), { model: revision.content_model })}</main></body></html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return { response: { status: 200, headers, body: body.toString() } }
}

/** Start tags of a section and of its heading. */
const opened = /(?:<(?:section|div)\b[^<>]{0,200}>\s{0,10}){1,4}$/

/** Cuts a text before the section of its first heading, if there are words before it. */
function leadOf(text: string): string {
  const heading = text.search(/<h[1-6][ >]/)
  const lead = heading > 0 && text.slice(0, heading).includes('<p') ? text.slice(0, heading).replace(opened, '') : text
  return lead.slice(0, longestLead)
}
