/** The part of a page of the namespace Category below its text: its members. */

import { categoryMembers } from '../../operations/link-lists.ts'
import { pageAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { rangeNote } from '../parts/list-parts.ts'
import type { WebRequest } from '../request.ts'

/** Id of the namespace Category. */
const categoryNamespace = 14

/** Members on one page. */
const mostMembers = 200

/** The members of a category as a page shows them. */
export interface CategoryPart {
  readonly isEmpty: boolean
  readonly markup: Markup
}

/** Writes the members of a category; null for a page that is none. */
export async function categoryPart(request: WebRequest, key: string, namespace: number): Promise<CategoryPart | null> {
  if (namespace !== categoryNamespace) return null
  const { wiki, words, query } = request
  const name = key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
  const part = await categoryMembers(wiki, { name, limit: mostMembers, after: query('after') })
  const rows = part.members.map(
    ({ key, title }) => html`<li><a href="${pageAddress(key)}"><bdi>${title}</bdi></a></li>`,
  )
  const next =
    part.next === null
      ? null
      : html`<nav class="pager" aria-label="${words.say('pages')}"><a rel="next" href="${pageAddress(key, { after: part.next })}">${words.say('nextPart')}</a></nav>`
  const markup = html`<section class="members"><h2>${words.say('membersOf', html`<bdi>${name}</bdi>`)}</h2>
${rangeNote(words, part)}${rows.length === 0 ? html`<p>${words.say('noMembers')}</p>` : html`<ul class="columns">${rows}</ul>`}${next}</section>`
  return { isEmpty: part.total === 0, markup }
}
