/** Information about a page. */

import { findShownPage } from '../../operations/show-page.ts'
import { pageAddress } from '../addresses.ts'
import { type Content, html } from '../markup.ts'
import { userLink } from '../parts/people.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Shows the page's metadata. Errors: rest-invalid-title, rest-nonexistent-title; `TitleRedirect`. */
export async function infoPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, title } = request
  const { page, revision, redirect } = findShownPage(wiki, { title: title.replaceAll(' ', '_'), exact: true })
  const entry = wiki.store.findPage(page.key)!
  const first = wiki.store.revision(entry.first)
  const latest = html`<a href="${pageAddress(page.key, { oldid: revision.id })}">${String(revision.id)}</a>`
  const entries: readonly (readonly [Content, Content])[] = [
    [words.say('pageId'), String(page.id)],
    [
      words.say('latestRevision'),
      html`${latest}, ${words.time(revision.timestamp)}, ${userLink(revision.user, words)}`,
    ],
    [words.say('firstRevision'), first === undefined ? null : words.time(first.timestamp)],
    [words.say('revisions'), entry.edits],
    [words.say('fileSize'), words.say('sizeBytes', revision.size)],
    [words.say('contentModel'), page.content_model],
    [words.say('fileInRepository'), html`<code>${entry.path}</code>`],
    [words.say('redirectTarget'), redirect === null ? null : redirect.title],
  ]
  const rows = entries.map(([name, value]) =>
    value === null ? null : html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  )
  return {
    view: {
      title: words.text('infoTitle', page.title),
      heading: words.say('infoTitle', html`<bdi>${page.title}</bdi>`),
      key: page.key,
      tab: 'other',
      unlisted: true,
      body: html`<table class="facts"><tbody>${rows}</tbody></table>`,
    },
  }
}
