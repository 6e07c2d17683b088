/** Terms of the index that are not words: their prefixes, and how titles are folded for them. */

import { foldTitle } from '../../core/title-text.ts'
import { stripAccents } from './tokens.ts'

/** Prefixes of special terms, which no word begins with. They are filed under the field `body`. */
export const termPrefixes = {
  category: '\x01',
  link: '\x02',
  template: '\x03',
  title: '\x04',
  titleWord: '\x05',
  redirect: '\x06',
  /** Title that a page gives itself. */
  ownTitle: '\x07',
  /** Short form of a title: a name and a number without their separator, or a name that the page's text uses. */
  shortTitle: '\x08',
  /** In no segment: a query builds it from the forms of a word. */
  stem: '\x09',
  /** Name by which a link finds its target. */
  linkName: '\x0b',
} as const

/** True for a term that is not a word: it has no positions. */
export function isPrefixedTerm(term: string): boolean {
  return term < firstWord
}

/** The first text that may be a word: special terms come before it. */
export const firstWord = String.fromCharCode(
  Math.max(...Object.values(termPrefixes).map(prefix => prefix.charCodeAt(0))) + 1,
)

/** Folds a title, or a typed part of one, for the index: no case, no accents. */
export function titleTerm(name: string): string {
  return stripAccents(foldTitle(name))
}

/** The term of links to a page. */
export function linkTermOf(title: string): string {
  return termPrefixes.link + titleTerm(title)
}

/** True for a term of a title, from its start or from a word in it. */
export function isTitleTerm(term: string): boolean {
  const prefix = term.charCodeAt(0)
  return prefix === titlePrefix || prefix === titleWordPrefix
}

const titlePrefix = termPrefixes.title.charCodeAt(0)
const titleWordPrefix = termPrefixes.titleWord.charCodeAt(0)

/** The first text after all those with a prefix; null if there is none. */
export function behindPrefix(prefix: string): string | null {
  for (let length = prefix.length; length > 0; length--) {
    const unit = prefix.charCodeAt(length - 1)
    if (unit < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(unit + 1)
  }
  return null
}
