/** The part of a page of the namespace Category below its text: its members. */

import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { titlesWith } from './links.ts'

/** Id of the namespace Category. */
const categoryNamespace = 14

/** Writes the members of a category; null for a page that is none. */
export async function categoryPart(request: WebRequest, key: string, namespace: number): Promise<Markup | null> {
  if (namespace !== categoryNamespace) return null
  const { words } = request
  const name = key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
  const { rows, note } = await titlesWith(request, 'incategory', name)
  return html`<section class="members"><h2>${words.say('membersOf', html`<bdi>${name}</bdi>`)}</h2>
${note}${rows.length === 0 ? html`<p>${words.say('noMembers')}</p>` : html`<ul class="columns">${rows}</ul>`}</section>`
}
