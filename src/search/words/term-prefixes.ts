/** Terms of the index that are no words: what they begin with, and how titles are folded for them. */

import { foldTitle } from '../../core/title-text.ts'
import { stripAccents } from './tokens.ts'

/** Prefixes of special terms, which no word begins with. They are filed under the field `body`. */
export const marks = {
  category: '\x01',
  link: '\x02',
  template: '\x03',
  title: '\x04',
  titleWord: '\x05',
  redirect: '\x06',
  /** Title that a page gives itself. */
  ownTitle: '\x07',
  /** A title that is a number with a name, without what joins them. */
  numbered: '\x08',
  /** Filed nowhere: a question puts it together of the forms of a word. */
  stem: '\x09',
} as const

/** True for a term that is no word: it has no places. */
export function isMark(term: string): boolean {
  return term.charCodeAt(0) <= highestMark
}

const highestMark = marks.stem.charCodeAt(0)

/** Folds a title, or what was typed of one, as titles are filed: no case, no accents. */
export function titleTerm(name: string): string {
  return stripAccents(foldTitle(name))
}

/** The term under which links to a page are filed. */
export function linkTermOf(title: string): string {
  return marks.link + titleTerm(title)
}

/** True for a term that files a title, by its beginning or by a word in it. */
export function isTitleTerm(term: string): boolean {
  const mark = term.charCodeAt(0)
  return mark === titleMark || mark === titleWordMark
}

const titleMark = marks.title.charCodeAt(0)
const titleWordMark = marks.titleWord.charCodeAt(0)

/** The first text that comes after all those with a beginning; null if none does. */
export function behindPrefix(prefix: string): string | null {
  for (let length = prefix.length; length > 0; length--) {
    const unit = prefix.charCodeAt(length - 1)
    if (unit < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(unit + 1)
  }
  return null
}
