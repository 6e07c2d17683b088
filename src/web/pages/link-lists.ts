/** Lists of pages by their links: orphaned, wanted, uncategorized and others. */

import { type LinkListName, type ListMember, linkLists, listByLinks } from '../../operations/link-lists.ts'
import { optionalInteger } from '../../operations/resources/params.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { namespaceField } from '../parts/fields.ts'
import { nextPart, rangeNote } from '../parts/list-parts.ts'
import { notice } from '../parts/notice.ts'
import type { View, WebHandler, WebReply, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Maximum number of titles on one page. */
const maxMembers = 200

/** Heading of each list. */
export const listWords: Readonly<Record<LinkListName, WordKey>> = {
  orphans: 'orphans',
  'dead-ends': 'deadEnds',
  wanted: 'wanted',
  'wanted-files': 'wantedFiles',
  'wanted-templates': 'wantedTemplates',
  'wanted-categories': 'wantedCategories',
  uncategorized: 'uncategorized',
  'unused-files': 'unusedFiles',
  'unused-templates': 'unusedTemplates',
  'double-redirects': 'doubleRedirects',
  'broken-redirects': 'brokenRedirects',
  'most-linked': 'mostLinked',
  longest: 'longest',
  shortest: 'shortest',
}

/** Lists that are filtered by namespace. The titles of the others are all of one kind. */
const byNamespace: ReadonlySet<string> = new Set(['orphans', 'dead-ends', 'uncategorized', 'longest', 'shortest'])

/** MediaWiki's special pages for these lists. */
export const listNamesOfMediaWiki: Readonly<Record<string, LinkListName>> = {
  lonelypages: 'orphans',
  deadendpages: 'dead-ends',
  wantedpages: 'wanted',
  wantedfiles: 'wanted-files',
  wantedtemplates: 'wanted-templates',
  wantedcategories: 'wanted-categories',
  uncategorizedpages: 'uncategorized',
  unusedimages: 'unused-files',
  unusedtemplates: 'unused-templates',
  doubleredirects: 'double-redirects',
  brokenredirects: 'broken-redirects',
  mostlinkedpages: 'most-linked',
  longpages: 'longest',
  shortpages: 'shortest',
}

/** Shows the list that the URL names, or all of them without a name. Errors: badvalue. */
export async function linkListPage(request: WebRequest): Promise<WebReply> {
  const name = request.title.toLowerCase().replaceAll(/[ _]/g, '-')
  if (name === '') return menuPage(request)
  if (!Object.hasOwn(linkLists, name)) return unknownList(request)
  return listPage(request, name as LinkListName)
}

/** The list of lists, with a note. */
async function unknownList(request: WebRequest): Promise<WebReply> {
  const { view } = menuPage(request)
  return {
    view: { ...view, status: 404, body: html`${notice(request.words.say('noSpecialPage'), 'warning')}${view.body}` },
  }
}

/** Creates the page of one list under MediaWiki's name. */
export function listPageOf(name: LinkListName): WebHandler {
  return request => listPage(request, name)
}

async function listPage(request: WebRequest, list: LinkListName): Promise<WebReply> {
  const { wiki, words, query } = request
  const chosen = query('ns') ?? ''
  const namespace = chosen === '' ? undefined : optionalInteger('ns', chosen)
  const part = await listByLinks(wiki, { list, namespace, limit: maxMembers, after: query('after') })
  const special = `Lists/${list}`
  const rows = part.members.map(member => html`<li>${memberRow(request, part.counts, member)}</li>`)
  const form = byNamespace.has(list)
    ? html`<form class="filters" action="${specialAddress(special)}">${namespaceField(request, 'ns', chosen, words.say('mainNamespace'))}
<button type="submit">${words.say('apply')}</button></form>`
    : null
  const members = rows.length === 0 ? html`<p>${words.say('emptyList')}</p>` : html`<ul>${rows}</ul>`
  const body = html`${form}${rangeNote(words, part)}${members}${nextPart(words, special, { ns: chosen, after: part.next })}<p class="meta"><a href="${specialAddress('Lists')}">${words.say('lists')}</a></p>`
  return { view: { title: words.text(listWords[list]), unlisted: true, body } }
}

function memberRow(
  { wiki, words }: WebRequest,
  counts: 'pages' | 'bytes' | null,
  { key, title, rank, target }: ListMember,
): Markup {
  const link = titleLink(wiki, key, title)
  const led = target === null ? null : html` → ${titleLink(wiki, target, target)}`
  if (counts === null) return html`${link}${led}`
  const count = words.say(counts === 'pages' ? 'pageCount' : 'sizeBytes', rank)
  const shown = counts === 'pages' ? html`<a href="${specialAddress(`WhatLinksHere/${key}`)}">${count}</a>` : count
  return html`${link}${led} <span class="meta">${shown}</span>`
}

/** Writes a link to a title, which may have no page. */
function titleLink({ store }: WebRequest['wiki'], key: string, title: string): Markup {
  const isThere = store.findPage(key.replaceAll(' ', '_')) !== undefined
  const address = pageAddress(key, isThere ? {} : { action: 'edit', redlink: 1 })
  return html`<a class="${isThere ? 'page-link' : 'page-link new'}" href="${address}"><bdi>${title}</bdi></a>`
}

function menuPage({ words }: WebRequest): { readonly view: View } {
  const rows = Object.entries(listWords).map(
    ([name, word]) => html`<li><a href="${specialAddress(`Lists/${name}`)}">${words.say(word)}</a></li>`,
  )
  return { view: { title: words.text('lists'), body: html`<ul>${rows}</ul>` } }
}
