/** The neighbourhood of a page: the pages that link to it, and the pages that it links to. */

import { type IncomingLink, incomingLinks, type OutgoingLink, outgoingLinks } from '../../operations/page-links.ts'
import { findShownPage } from '../../operations/show-page.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { type Neighbour, neighbourMap } from '../drawings/neighbours.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { WebReply, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Maximum number of pages on one side of the drawing, and in one column of the table. */
const maxDrawn = 15
const maxListed = 200

/** Shows the neighbourhood. Errors: rest-invalid-title, rest-nonexistent-title; `TitleRedirect`. */
export async function neighbourhoodPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, title: asked } = request
  const { page } = findShownPage(wiki, { title: asked.replaceAll(' ', '_'), exact: true })
  const query = { title: page.title, limit: maxListed }
  const [to, from] = [await incomingLinks(wiki, query), await outgoingLinks(wiki, query)]
  const [incoming, outgoing] = [neighboursOf(request, to.members), neighboursOf(request, from.members)]
  const label = words.text('neighbourhoodOf', page.title)
  const drawing = neighbourMap({
    ...{ title: page.title, label, isMirrored: words.direction === 'rtl' },
    incoming: incoming.slice(0, maxDrawn),
    outgoing: outgoing.slice(0, maxDrawn),
  })
  const all = html`<a href="${specialAddress(`WhatLinksHere/${page.key}`)}">${words.say('whatLinksHere')}</a>`
  return {
    view: {
      title: label,
      heading: words.say('neighbourhoodOf', html`<bdi>${page.title}</bdi>`),
      key: page.key,
      tab: 'other',
      unlisted: true,
      body: html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${drawing}</div>
<div class="sides">${side(request, 'linksIn', incoming, to.total)}${side(request, 'linksOut', outgoing, from.total)}</div>
<p class="meta">${all}</p>`,
    },
  }
}

/** Lists each title once, for all kinds of links. */
function neighboursOf({ wiki }: WebRequest, links: readonly (IncomingLink | OutgoingLink)[]): Neighbour[] {
  const found = new Map<string, Neighbour>()
  for (const { key, title } of links) {
    const isMissing = wiki.store.findPage(key) === undefined && wiki.store.findFile(key) === undefined
    const address = pageAddress(key, isMissing ? { action: 'edit', redlink: 1 } : {})
    if (!found.has(key)) found.set(key, { title, address, isMissing })
  }
  return [...found.values()]
}

function side({ words }: WebRequest, word: WordKey, pages: readonly Neighbour[], total: number): Markup {
  const rows = pages.map(
    ({ title, address, isMissing }) =>
      html`<li><a href="${address}"${attributes({ class: isMissing ? 'new' : null })}><bdi>${title}</bdi></a></li>`,
  )
  const note = total > maxListed ? html`<p class="meta">${words.say('partOfList', maxListed, total)}</p>` : null
  const list = rows.length === 0 ? html`<p>${words.say('emptyList')}</p>` : html`<ul>${rows}</ul>`
  return html`<section><h2>${words.say(word)}</h2>${note}${list}</section>`
}
