/** Links to revisions. A hidden text is struck through and not linked, because the link would end in an error. */

import { isHidden } from '../../operations/access/hidden.ts'
import { attributes, type Content, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Returns true if the texts of these revisions can be read. Null is the empty text before a page's first revision. */
export function areReadable({ store }: WebRequest['wiki'], ids: readonly (number | null)[]): boolean {
  return ids.every(id => {
    const entry = id === null ? null : store.revision(id, { deleted: true })
    return entry === null || (entry !== undefined && !isHidden(entry, 'text'))
  })
}

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
  if (areReadable(wiki, shows)) return html`<a href="${address}"${attributes(about)}>${content}</a>`
  return html`<s class="hidden-part" title="${words.text('hiddenText')}">${content}<span class="hidden"> ${words.say('hiddenText')}</span></s>`
}
