/** User names and edit summaries, as shown in lists. */

import type { User } from '../../core/revision.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { type Content, html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Writes a user name with a link to the user's edits, or a placeholder if it is hidden. */
export function userLink(user: Pick<User, 'name'> | { readonly name: null } | null, words: Words): Markup {
  if (user === null || user.name === null) return html`<span class="hidden-part">${words.say('hiddenUser')}</span>`
  return html`<a class="user" href="${specialAddress('Contributions', { user: user.name })}"><bdi>${user.name}</bdi></a>`
}

/** Writes the summary of an edit: `/* Heading *\/` becomes a link to the section. Source: MediaWiki help page on summaries. */
export function summaryOf(comment: string | null, key: string, words: Words): Markup | null {
  if (comment === null) return html`<span class="hidden-part">${words.say('hiddenSummary')}</span>`
  if (comment === '') return null
  const end = comment.startsWith('/*') ? comment.indexOf('*/', 2) : -1
  if (end === -1) return html`<span class="summary"><bdi>${withLinks(comment)}</bdi></span>`
  const section = comment.slice(2, end).trim()
  const rest = comment.slice(end + 2).trim()
  const link = html`<a href="${pageAddress(key)}#${anchorOf(section)}">→<bdi>${section}</bdi></a>`
  return html`<span class="summary">${link}${rest === '' ? null : html`: <bdi>${withLinks(rest)}</bdi>`}</span>`
}

/** Turns `[[Title]]` and `[[Title|text]]` into links; everything else stays text. */
function withLinks(comment: string): Content[] {
  const found: Content[] = []
  let at = 0
  for (const match of comment.matchAll(/\[\[([^[\]|<>{}]{1,255})(?:\|([^[\]]{0,255}))?\]\]/g)) {
    const [written, title = '', text = title] = match
    found.push(
      comment.slice(at, match.index),
      html`<a href="${pageAddress(title.replace(/^:/, ''))}">${text || title}</a>`,
    )
    at = match.index + written.length
  }
  return [...found, comment.slice(at)]
}

function anchorOf(section: string): string {
  return encodeURIComponent(section.replaceAll(' ', '_'))
}
