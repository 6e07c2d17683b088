/** A page's history: its revisions, any two of which can be compared. */

import { type HistoryRevision, type HistorySegment, historyFilters } from '../../core/revision.ts'
import { areReadable } from '../../operations/access/hidden.ts'
import { pageHistory } from '../../operations/page-history.ts'
import { enumParam, optionalInteger } from '../../operations/resources/params.ts'
import { apiBase, pageAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import { deltaBar, deltaText, flagsOf } from '../parts/changes.ts'
import { selectField } from '../parts/fields.ts'
import { notice } from '../parts/notice.ts'
import { pager } from '../parts/pager.ts'
import { summaryOf, userLink } from '../parts/people.ts'
import { revisionLink } from '../parts/revision-links.ts'
import { sizeHistory } from '../parts/size-history.ts'
import type { WebReply, WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'
import type { WordKey } from '../words/words.ts'
import { changesFeed } from './feed.ts'

/** Revisions per list page. */
const pageLength = 50

const filterWords: Readonly<Record<(typeof historyFilters)[number], WordKey>> = {
  anonymous: 'filterAnonymous',
  bot: 'filterBot',
  minor: 'filterMinor',
  reverted: 'filterReverted',
}

/** Shows part of a page's history. Errors: as `pageHistory`. */
export async function historyPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const filter = query('filter') || undefined
  const key = request.title.replaceAll(' ', '_')
  if (query('feed') !== undefined) return changesFeed(request, { title: key })
  const segment = await pageHistory(wiki, {
    title: key,
    exact: true,
    deleted: true,
    base: apiBase(),
    limit: pageLength,
    olderThan: optionalInteger('older_than', query('older_than')),
    newerThan: optionalInteger('newer_than', query('newer_than')),
    filter: filter === undefined ? undefined : enumParam('filter', filter, historyFilters),
  })
  const title = segment.revisions[0]?.page.title ?? key.replaceAll('_', ' ')
  return {
    view: {
      title: words.text('historyTitle', title),
      heading: words.say('historyTitle', html`<bdi>${title}</bdi>`),
      key,
      tab: 'history',
      unlisted: true,
      body: html`${deletionNotice(request, segment)}${segment.shallow ? notice(words.say('shallowHistory')) : null}${await sizeHistory(request, key)}${filterForm(request, key, filter ?? '')}${revisionList(request, segment, key)}${neighbours(request, segment, key)}<p class="meta"><a href="${pageAddress(key, { action: 'history', feed: 'atom' })}">${words.say('feed')}</a></p>`,
    },
  }
}

function deletionNotice(request: WebRequest, { deletion, revisions }: HistorySegment): Markup | null {
  const { words } = request
  if (deletion === undefined) return null
  const { timestamp, user, comment } = deletion
  const summary = comment === null || comment === '' ? null : html`: <span class="summary"><bdi>${comment}</bdi></span>`
  const page = revisions[0]?.page
  const restore =
    page === undefined || !canWrite(request, page.key)
      ? null
      : html`<p class="ways"><a href="${pageAddress(`Special:RestorePage/${page.key}`)}">${words.say('restorePage')}</a></p>`
  return notice(
    html`<p>${words.say('wasDeleted', words.time(timestamp), userLink(user, words))}${summary}</p>${restore}`,
    'warning',
  )
}

function filterForm({ words }: WebRequest, key: string, filter: string): Markup {
  const choices = historyFilters.map(name => [name, words.say(filterWords[name])] as const)
  return html`<form class="filters" action="${pageAddress(key)}"><input type="hidden" name="action" value="history">
${selectField('filter', words.say('show'), [['', words.say('allRevisions')], ...choices], filter)}
<button type="submit">${words.say('apply')}</button></form>`
}

function revisionList(request: WebRequest, { revisions }: HistorySegment, key: string): Markup {
  const { wiki, words } = request
  if (revisions.length === 0) return html`<p>${words.say('noRevisions')}</p>`
  const readable = revisions.map(({ id }) => id).filter(id => areReadable(wiki.store, [id]))
  const compare =
    readable.length < 2
      ? null
      : html`<p class="actions"><button type="submit">${words.say('compareChosen')}</button></p>`
  return html`<form class="history" action="${pageAddress(key)}">${compare}
<ol class="revisions">${revisions.map(revision => revisionRow(request, revision, readable))}</ol>
${compare}</form>`
}

/** `readable` has the ids of the list's revisions that can be compared, newest first. */
function revisionRow(request: WebRequest, revision: HistoryRevision, readable: readonly number[]): Markup {
  const { wiki, words } = request
  const { id, timestamp, user, comment, delta, size, page } = revision
  const entry = wiki.store.revision(id, { deleted: true })
  const name = words.text('revisionOf', new Date(timestamp).toISOString().slice(0, 16).replace('T', ' '))
  const radio = (field: 'oldid' | 'diff', isChosen: boolean, isThere: boolean): Markup =>
    isThere
      ? html`<input type="radio" name="${field}" value="${id}"${attributes({ checked: isChosen, 'aria-label': `${words.text(field === 'oldid' ? 'older' : 'newer')}: ${name}` })}>`
      : html`<span class="no-radio"></span>`
  const previous = entry?.previous ?? null
  const place = readable.indexOf(id)
  const isOneOf = readable.length > 1 && place >= 0
  // A hidden text can be neither compared nor undone.
  const isComparable = previous !== null && areReadable(wiki.store, [id, previous])
  const changes = !isComparable
    ? null
    : html`<a href="${pageAddress(page.key, { diff: id, oldid: previous })}">${words.say('changes')}</a>`
  const isLatest = wiki.store.findPage(page.key)?.latest === id
  const undo =
    !isComparable || !canWrite(request, page.key)
      ? null
      : html`<a href="${pageAddress(page.key, { action: 'edit', undo: id })}">${words.say('undo')}</a>`
  return html`<li>
<span class="pair">${radio('oldid', place === 1, isOneOf && place > 0)}${radio('diff', place === 0, isOneOf && id !== readable.at(-1))}</span>
<div><p>${revisionLink(request, { shows: [id], address: pageAddress(page.key, isLatest ? {} : { oldid: id }), content: words.time(timestamp), about: { class: 'when' } })} ${userLink(user, words)} ${deltaBar(delta)}${deltaText(delta, words)} <span class="meta">${words.say('sizeBytes', size)}</span></p>
<p>${flagsOf({ ...revision, bot: entry?.bot, reverted: entry?.reverted }, words)}${summaryOf(comment, page.key, words)} <span class="row-links">${changes}${undo}</span></p></div>
</li>`
}

function neighbours(
  { words, query }: WebRequest,
  { revisions, older, newer }: HistorySegment,
  key: string,
): Markup | null {
  const filter = query('filter') || undefined
  const address = (about: Record<string, number | undefined>): string =>
    pageAddress(key, { action: 'history', filter, ...about })
  return pager(
    {
      newer: newer === undefined ? null : address({ newer_than: revisions[0]?.id }),
      older: older === undefined ? null : address({ older_than: revisions.at(-1)?.id }),
    },
    words,
  )
}
