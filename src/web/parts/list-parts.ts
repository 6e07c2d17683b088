/** Parts of a paged list: the number of items shown, and the link to the next part. */

import type { ListPart } from '../../operations/linking/cursor.ts'
import { specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** States how many items a list has if only some are shown. */
export function rangeNote(words: Words, { members, total }: ListPart<unknown>): Markup | null {
  if (total <= members.length) return null
  return html`<p class="meta">${words.say('partOfList', members.length, total)}</p>`
}

/** Writes the link to the next part of a special page's list; null at its end. */
export function nextPart(
  words: Words,
  special: string,
  { after, ...query }: Readonly<Record<string, string | null>> & { readonly after: string | null },
): Markup | null {
  if (after === null) return null
  const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const address = specialAddress(special, { ...filled, after })
  return html`<nav class="pager" aria-label="${words.say('pages')}"><a rel="next" href="${address}">${words.say('nextPart')}</a></nav>`
}
