/** Finds spans of a text that would be read as markup, where one pattern cannot describe them. */

import { allowedTags } from '../wikitext/sanitize/allowed.ts'
import type { EscapePlace } from './escape-place.ts'
import { extensionTags } from './extension-tags.ts'

/** A range of the text, UTF-16 units, end exclusive. */
export interface Span {
  start: number
  end: number
  /** True if the range ends with a start tag, whose content belongs to it. */
  isOpen?: boolean
}

const tagNames = `(?:${[...allowedTags].join('|')}|${[...extensionTags].join('|')})`
const tagStart = new RegExp(`</?${tagNames}(?=[\\s/>])`, 'gi')
const wrapped = new RegExp(`<!--|</?${tagNames}(?=[\\s/>])`, 'iy')
const angle = /[<>]|(?![\s\S])/g

/** Finds the tags. */
export function findTags(text: string, place: EscapePlace): Span[] {
  const lastEnd = text.lastIndexOf('>')
  let isFollowed: boolean | undefined
  const bodies = bodyEnds(text)
  const found: Span[] = []
  for (const match of text.matchAll(tagStart)) {
    const behind = match.index + match[0].length
    angle.lastIndex = behind
    const stop = angle.exec(text)!.index
    wrapped.lastIndex = stop
    const isEnded = text[stop] === '>'
    isFollowed ??= place.following.includes('>') || place.later.includes('>')
    if (!isEnded && !isFollowed && (lastEnd < stop || !wrapped.test(text))) continue
    const isOpen = isEnded && text[stop - 1] !== '/' && !lonelyTag.test(match[0])
    const end = isEnded ? stop + 1 : behind
    const body = isOpen ? bodies(match[0].slice(1).toLowerCase(), end) : -1
    found.push({ start: match.index, end: Math.max(end, body), isOpen: isOpen && body === -1 })
  }
  return found
}

/**
 * Returns a function that finds the end of an extension tag's content, in which nothing is markup; -1 for other tags. It is
 * called for one tag after the other, so that it takes one pass for each name.
 */
function bodyEnds(text: string): (name: string, from: number) => number {
  let lower: string | undefined
  const ends = new Map<string, number>()
  return (name, from) => {
    if (!extensionTags.has(name)) return -1
    lower ??= text.toLowerCase()
    const cached = ends.get(name)
    if (cached === undefined || (cached !== -1 && cached < from)) ends.set(name, lower.indexOf(`</${name}`, from))
    return ends.get(name)!
  }
}

/** An end tag, and a start tag without an end tag. */
const lonelyTag = /^<(?:\/|(?:br|wbr|hr|img|link|meta|td|tr)$)/i

/** Finds a bracket on the first line. */
export function findFirstBracket(text: string): Span | null {
  const start = text.search(/[\]\n]/)
  return text[start] === ']' ? { start, end: start + 1 } : null
}

/** Finds links to pages, such as files, whose text has links. */
export function findNestedLinks(text: string, { isTarget }: EscapePlace): Span[] {
  const found: Span[] = []
  const open: { readonly start: number; isOuter: boolean }[] = []
  for (const { 0: sign, index } of text.matchAll(/\[\[|\]\]/g)) {
    if (sign === '[[') {
      const outer = open.at(-1)
      if (outer !== undefined) outer.isOuter = true
      open.push({ start: index, isOuter: false })
      continue
    }
    const link = open.pop()
    if (link?.isOuter !== true) continue
    const [target] = /^[^[|\n]+(?=\|)/.exec(text.slice(link.start + 2, link.start + longestTarget)) ?? []
    if (target !== undefined && isTarget(target)) found.push({ start: link.start, end: index + 2 })
  }
  return found
}

/** Maximum length of a link target that is examined, in UTF-16 units. */
const longestTarget = 400

/** Spans from the first pair of opening braces to the last pair of closing ones. */
export function findNestedBraces(text: string): Span | null {
  const start = text.indexOf('{{')
  const end = text.lastIndexOf('}}')
  const isNested = start !== -1 && end > start + 1 && nests(text.slice(start, end + 2))
  return isNested ? { start, end: end + 2 } : null
}

/** Returns true if braces reopen before they close, or close twice without opening. */
function nests(text: string): boolean {
  const opensAgain = (part: string): boolean => part.includes('{{') && part.lastIndexOf('{') > part.indexOf('{{') + 1
  const closesAgain = (part: string): boolean => part.includes('}') && part.lastIndexOf('}}') > part.indexOf('}')
  return text.split('}').some(opensAgain) || text.split('{').some(closesAgain)
}

/** Spans from the first start of a variant rule to the last end of one. */
export function findVariants(text: string): Span | null {
  const start = text.indexOf('-{')
  const end = text.lastIndexOf('}-')
  return start === -1 || end < start + 2 ? null : { start, end: end + 2 }
}

/** Spans up to the closing brackets that would turn the preceding text of the line into a link. */
export function findClosedLink(text: string, { openLink, isTarget }: EscapePlace): Span | null {
  const [inner] = openLink === '' ? [] : (/^[^\n[]*?\]\]/.exec(text) ?? [])
  if (inner === undefined || !isTarget((openLink + inner).slice(2, -2))) return null
  return { start: 0, end: inner.length }
}

/** Finds a closing bracket at the end that has no opening one. */
export function findClosingBracket(text: string): Span | null {
  if (!text.endsWith(']')) return null
  let depth = 0
  for (const sign of text) {
    if (sign === '[') depth++
    else if (sign === ']' && --depth < 0) return { start: 0, end: text.length }
  }
  return null
}

/** A line that starts with `=` in preceding text would become a heading if it ended with one. */
export function findHeadingEnd(text: string, place: EscapePlace): Span | null {
  if (!text.endsWith('=') || !place.lineHead.startsWith('=') || place.isLineStart || place.context.isLine) return null
  if (text.includes('\n') || !place.isLineEnd) return null
  return { start: text.length - 1, end: text.length }
}
