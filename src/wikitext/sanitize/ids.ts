/** Ids of elements and the fragments that link to them. Source: MediaWiki Sanitizer::escapeIdForAttribute and its family. */

import { underscoreTitle } from '../../core/title-text.ts'
import { trimArgument } from '../preprocess/trim.ts'

/** Maximum characters of an id; longer ones are cut. */
export const maxIdLength = 1024

/** Ids of a heading: its own, and the one for old links if it differs. */
export interface HeadingId {
  readonly id: string
  readonly fallback: string | null
}

/** Makes the id of an element for a text: white space becomes underscores, everything else stays. */
export function escapeId(text: string): string {
  return cut(text).replace(/[\t\n\f\r ]/g, '_')
}

/** Makes an id in the format before HTML 5: ASCII letters, digits, `-_.:`, and other bytes as `.XX`. */
export function escapeLegacyId(text: string): string {
  return urlencode(cut(text).replaceAll(' ', '_')).replaceAll('%3A', ':').replaceAll('%', '.')
}

/** Makes the fragment of a link to the element with this text. */
export function escapeIdForLink(text: string): string {
  return escapeId(text).replace(/%(?=[0-9A-Fa-f]{2})/g, '%25')
}

/** Escapes a list of ids separated by spaces, as in `aria-labelledby`. */
export function escapeIdList(text: string): string {
  return text
    .split(/\s+/)
    .filter(id => id !== '')
    .map(escapeId)
    .join(' ')
}

/**
 * Makes the ids of a heading from its text; they are not yet unique on the page. Spaces of all kinds are normalised as in the
 * title of a link to it. Source: Parsoid Headings::normalizeSectionName, T235684.
 */
export function headingId(text: string): HeadingId {
  const name = underscoreTitle(trimArgument(text.replace(/[ _]+/g, ' ')))
    .replace(/_$/, '')
    .replaceAll('_', ' ')
  const id = escapeId(name)
  const fallback = escapeLegacyId(name)
  return { id, fallback: fallback === id ? null : fallback }
}

/** Makes a function that returns an id, with `_2`, `_3` ... if it has returned the id before, ignoring case. */
export function createIdPool(): (id: string) => string {
  const used = new Set<string>()
  const next = new Map<string, number>()
  return id => {
    const key = id.toLowerCase()
    if (!used.has(key)) {
      used.add(key)
      return id
    }
    let number = next.get(key) ?? 2
    while (used.has(`${key}_${number}`)) number++
    next.set(key, number + 1)
    used.add(`${key}_${number}`)
    return `${id}_${number}`
  }
}

/** Percent-encodes everything but ASCII letters, digits and `-_.`; a space becomes a plus sign. Source: PHP urlencode. */
export function urlencode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*~]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function cut(text: string): string {
  if (text.length <= maxIdLength) return text
  return [...text.slice(0, 2 * maxIdLength)].slice(0, maxIdLength).join('')
}
