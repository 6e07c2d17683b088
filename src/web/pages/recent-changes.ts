/** Recent changes of the whole wiki or of one user, grouped by day and page. */

import type { ChangeList, WikiChange } from '../../core/change.ts'
import { areReadable } from '../../operations/access/hidden.ts'
import { recentChanges } from '../../operations/recent-changes.ts'
import { boundedInteger, optionalInteger } from '../../operations/resources/params.ts'
import { apiBase, pageAddress, specialAddress, withQuery } from '../addresses.ts'
import { cursorOf } from '../live.ts'
import { attributes, type Content, html, type Markup } from '../markup.ts'
import { deltaText, flagsOf } from '../parts/changes.ts'
import { checkField, namespaceField } from '../parts/fields.ts'
import { pager } from '../parts/pager.ts'
import { summaryOf, userLink } from '../parts/people.ts'
import { revisionLink } from '../parts/revision-links.ts'
import type { WebReply, WebRequest } from '../request.ts'
import { changesFeed } from './feed.ts'

const limits = { min: 1, max: 500 }
const usualLimit = '100'

/** Shows the latest changes of all pages. Errors: as `recentChanges`. */
export async function recentChangesPage(request: WebRequest): Promise<WebReply> {
  const { words } = request
  if (request.query('feed') !== undefined) return changesFeed(request)
  const list = await changesOf(request, undefined)
  const feed = html`<p class="meta"><a href="${specialAddress('RecentChanges', { feed: 'atom' })}">${words.say('feed')}</a></p>`
  const title = words.text('recentChanges')
  const body = html`${filterForm(request, 'RecentChanges', null)}${liveList(request, list)}${neighbours(request, specialAddress('RecentChanges'), list)}${feed}`
  return { view: { title, unlisted: true, scripts: ['live.js'], body } }
}

/** Shows the changes of one user. */
export async function contributionsPage(request: WebRequest): Promise<WebReply> {
  const { words, query } = request
  const user = (query('user') ?? request.title.replaceAll('_', ' ')).trim()
  if (query('feed') !== undefined) return changesFeed(request, { user })
  const list = await changesOf(request, user)
  return {
    view: {
      title: words.text('contributionsOf', user),
      heading: words.say('contributionsOf', html`<bdi>${user}</bdi>`),
      feed: {
        address: specialAddress('Contributions', { user, feed: 'atom' }),
        title: words.text('contributionsOf', user),
      },
      unlisted: true,
      body: html`${filterForm(request, 'Contributions', user)}${changeList(request, list)}${neighbours(request, specialAddress('Contributions', { user }), list)}`,
    },
  }
}

/** The newest changes carry the cursor from which a script follows. Older pages do not change. */
function liveList(request: WebRequest, list: ChangeList): Markup {
  const { words, query } = request
  const isNewest = query('older_than') === undefined && query('newer_than') === undefined
  const live = isNewest ? { 'data-ui-live': cursorOf(list) ?? '', 'data-ui-word': words.text('liveChanges') } : {}
  return html`<div${attributes(live)}>${changeList(request, list)}</div>`
}

function changesOf({ wiki, query }: WebRequest, user: string | undefined): Promise<ChangeList> {
  return recentChanges(wiki, {
    base: apiBase(),
    olderThan: query('older_than'),
    newerThan: query('newer_than'),
    limit: boundedInteger('limit', query('limit') ?? usualLimit, limits),
    user,
    isWholeName: true,
    namespace: optionalInteger('ns', query('ns')),
    minor: query('hideminor') === '1' ? false : undefined,
    bot: query('hidebots') === '1' ? false : undefined,
  })
}

function filterForm(request: WebRequest, special: string, user: string | null): Markup {
  const { words, query } = request
  return html`<form class="filters" action="${specialAddress(special)}">${user === null ? null : html`<input type="hidden" name="user" value="${user}">`}
${namespaceField(request, 'ns', query('ns') ?? '', words.say('allNamespaces'))}
${checkField('hideminor', query('hideminor') === '1', words.say('hideMinor'))}
${checkField('hidebots', query('hidebots') === '1', words.say('hideBots'))}
<button type="submit">${words.say('apply')}</button></form>`
}

function changeList(request: WebRequest, { changes }: ChangeList): Markup {
  const { words } = request
  if (changes.length === 0) return html`<p>${words.say('noChanges')}</p>`
  const days = groupBy(changes, dayOf)
  return html`${[...days].map(([day, ofDay]) => html`<section class="day"><h2>${words.day(day)}</h2><ul class="changes">${[...groupBy(ofDay, ({ page }) => String(page.id)).values()].map(group => groupRow(request, group))}</ul></section>`)}`
}

const dayOf = ({ timestamp }: WikiChange): string => timestamp.slice(0, 10)

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(nameOf(item))
    if (group === undefined) groups.set(nameOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Folds several changes of one page on one day into one row. */
function groupRow(request: WebRequest, group: readonly WikiChange[]): Markup {
  const { words } = request
  const first = group[0]!
  if (group.length === 1) return html`<li>${changeRow(request, first, true)}</li>`
  const delta = group.reduce((sum, change) => sum + (change.delta ?? change.size), 0)
  const oldest = group.at(-1)!
  const all =
    oldest.previous === null || first.id === null || !areReadable(request.wiki.store, [first.id, oldest.previous])
      ? null
      : html` <a href="${pageAddress(first.page.key, { diff: first.id, oldid: oldest.previous })}">${words.say('allChanges')}</a>`
  return html`<li><details><summary><bdi>${first.page.title}</bdi> ${deltaText(delta, words)} <span class="meta">${words.say('changeCount', group.length)}</span></summary><ul>${group.map(change => html`<li>${changeRow(request, change, false)}</li>`)}</ul><p class="row-links">${pageLink(request, first)}${all}</p></details></li>`
}

function pageLink({ wiki }: WebRequest, { page }: WikiChange): Markup {
  const isThere = wiki.store.findPage(page.key) !== undefined
  return html`<a class="${isThere ? 'page-link' : 'page-link new'}" href="${pageAddress(page.key)}"><bdi>${page.title}</bdi></a>`
}

function changeRow(request: WebRequest, change: WikiChange, isAlone: boolean): Markup {
  const { words } = request
  const { id, previous, type, timestamp, delta, user, comment, page, size } = change
  const time = html`<time datetime="${timestamp}" data-ui-time="part">${timestamp.slice(11, 16)}</time>`
  const shown = {
    shows: [id, previous],
    address: pageAddress(page.key, previous === null ? { oldid: id } : { diff: id, oldid: previous }),
  }
  const link = (content: Content, about = {}) =>
    id === null ? null : revisionLink(request, { ...shown, content, about })
  const when = link(time, { class: 'when' }) ?? time
  const links = isAlone
    ? html` <span class="row-links">${link(words.say('changes'))}<a href="${pageAddress(page.key, { action: 'history' })}">${words.say('historyShort')}</a></span>`
    : null
  const flags =
    type === 'delete'
      ? html`<span class="tag">${words.say('deletedTag')}</span> `
      : flagsOf({ ...change, isNew: type === 'new' }, words)
  return html`${when} ${isAlone ? pageLink(request, change) : null} ${type === 'delete' ? null : deltaText(delta ?? size, words)} ${flags}${userLink(user, words)} ${summaryOf(comment, page.key, words)}${links}`
}

function neighbours({ words, query }: WebRequest, list: string, { older, newer }: ChangeList): Markup | null {
  const filters = Object.fromEntries(['ns', 'hideminor', 'hidebots', 'limit'].map(name => [name, query(name)]))
  const address = (route: string | undefined, name: string): string | null => {
    const cursor = route === undefined ? null : new URL(route, 'http://localhost').searchParams.get(name)
    return cursor === null ? null : withQuery(list, { ...filters, [name]: cursor })
  }
  const isFirst = query('older_than') === undefined && query('newer_than') === undefined
  return pager({ newer: isFirst ? null : address(newer, 'newer_than'), older: address(older, 'older_than') }, words)
}
