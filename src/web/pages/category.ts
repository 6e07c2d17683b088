/** The members of a category, below the text of its page. */

import { type CategoryMember, categoryMembers } from '../../operations/link-lists.ts'
import { pageAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { rangeNote } from '../parts/list-parts.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'

/** Id of the namespace Category. */
const categoryNamespace = 14

/** Maximum number of members on one page. */
const maxMembers = 200

/** The members of a category as shown on its page. */
export interface CategoryPart {
  readonly isEmpty: boolean
  readonly markup: Markup
}

/** Kinds of members, in order, with their headings. */
const kinds = [
  ['subcategory', 'subcategories'],
  ['page', 'membersOf'],
  ['file', 'filesIn'],
] as const satisfies readonly (readonly [CategoryMember['kind'], WordKey])[]

function group(heading: Markup, members: readonly CategoryMember[]): Markup {
  const rows = members.map(({ key, title }) => html`<li><a href="${pageAddress(key)}"><bdi>${title}</bdi></a></li>`)
  return html`<h2>${heading}</h2><ul class="columns">${rows}</ul>`
}

/** Lists the members of a category; null for a page that is not a category. */
export async function categoryPart(request: WebRequest, key: string, namespace: number): Promise<CategoryPart | null> {
  if (namespace !== categoryNamespace) return null
  const { wiki, words, query } = request
  const name = key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
  const part = await categoryMembers(wiki, { name, limit: maxMembers, after: query('after') })
  const groups = kinds.flatMap(([kind, word]) => {
    const members = part.members.filter(member => member.kind === kind)
    return members.length === 0 ? [] : [group(words.say(word, html`<bdi>${name}</bdi>`), members)]
  })
  const next =
    part.next === null
      ? null
      : html`<nav class="pager" aria-label="${words.say('pages')}"><a rel="next" href="${pageAddress(key, { after: part.next })}">${words.say('nextPart')}</a></nav>`
  const markup = html`<section class="members">
${rangeNote(words, part)}${groups.length === 0 ? html`<p>${words.say('noMembers')}</p>` : groups}${next}</section>`
  return { isEmpty: part.total === 0, markup }
}
