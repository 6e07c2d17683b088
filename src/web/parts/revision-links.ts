/** Links to revisions. A hidden text is struck through and not linked, because the link would end in an error. */

import { areReadable } from '../../operations/access/hidden.ts'
import { attributes, type Content, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

interface RevisionLink {
  /** Revisions whose texts the page at `address` shows. */
  readonly shows: readonly (number | null)[]
  readonly address: string
  readonly content: Content
  /** Further attributes of the link. */
  readonly about?: Parameters<typeof attributes>[0]
}

/** Writes a link to a page that shows texts of revisions. */
export function revisionLink(
  { wiki, words }: WebRequest,
  { shows, address, content, about = {} }: RevisionLink,
): Markup {
  if (areReadable(wiki.store, shows)) return html`<a href="${address}"${attributes(about)}>${content}</a>`
  return html`<s class="hidden-part" title="${words.text('hiddenText')}">${content}<span class="hidden"> ${words.say('hiddenText')}</span></s>`
}
