/** Pages that link to a page, by kind, with the templates and redirects through which they do. */

import { parseTitle } from '../../core/title.ts'
import { type LinkKind, linkKinds } from '../../operations/linking/table-parts.ts'
import { type IncomingLink, incomingLinks } from '../../operations/page-links.ts'
import { enumParam } from '../../operations/resources/params.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { selectField } from '../parts/fields.ts'
import { nextPart, rangeNote } from '../parts/list-parts.ts'
import type { WebReply, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Maximum number of pages on one list page. */
const maxPages = 200

const kindWords: Readonly<Record<LinkKind, WordKey>> = {
  link: 'kindLink',
  redirect: 'kindRedirect',
  template: 'kindTemplate',
  file: 'kindFile',
  category: 'kindCategory',
}

/** Lists the pages that link to the page of the request's title. Errors: rest-invalid-title, badvalue. */
export async function whatLinksHere(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const { key, text } = parseTitle(request.title, wiki.store.titles)
  const asked = query('kind') ?? ''
  const kind = asked === '' ? undefined : enumParam('kind', asked, linkKinds)
  const part = await incomingLinks(wiki, { title: text, kind, limit: maxPages, after: query('after') })
  const special = `WhatLinksHere/${key}`
  const rows = part.members.map(link => html`<li>${linkRow(request, link)}</li>`)
  const list = rows.length === 0 ? html`<p>${words.say('nothingLinksHere')}</p>` : html`<ul>${rows}</ul>`
  const body = html`${kindForm(request, special, asked)}${rangeNote(words, part)}${list}${nextPart(words, special, { kind: kind ?? '', after: part.next })}`
  return {
    view: {
      title: words.text('linksTo', text),
      heading: words.say('linksTo', html`<bdi>${text}</bdi>`),
      key,
      tab: 'other',
      unlisted: true,
      body,
    },
  }
}

function kindForm({ words }: WebRequest, special: string, chosen: string): Markup {
  const options = linkKinds.map(kind => [kind, words.say(kindWords[kind])] as const)
  return html`<form class="filters" action="${specialAddress(special)}">${selectField('kind', words.say('linkKind'), [['', words.say('allKinds')], ...options], chosen)}
<button type="submit">${words.say('apply')}</button></form>`
}

function linkRow({ words }: WebRequest, { key, title, kind, through, redirect }: IncomingLink): Markup {
  const notes = [
    kind === 'link' ? null : words.say(kindWords[kind]),
    through === null ? null : words.say('throughTemplate', pageName(through)),
    redirect === null ? null : words.say('byRedirect', pageName(redirect)),
  ].filter(note => note !== null)
  const shown = notes.map((note, at) => html`${at === 0 ? '' : ' · '}${note}`)
  return html`${pageName(title, key)}${shown.length === 0 ? null : html` <span class="meta">${shown}</span>`}`
}

function pageName(title: string, key = title): Markup {
  return html`<a href="${pageAddress(key)}"><bdi>${title}</bdi></a>`
}
