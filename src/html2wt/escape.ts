/** Escapes text that wikitext would read as markup, by a table of unsafe patterns and one function. */

import { redirectWords } from '../core/redirect.ts'
import { allowedTags } from '../wikitext/sanitize/allowed.ts'
import { decodeEntity } from '../wikitext/sanitize/entities.ts'
import { urlProtocols } from '../wikitext/sanitize/urls.ts'
import type { Site } from '../wikitext/site.ts'
import type { Context } from './context.ts'
import { extensionTags } from './extension-tags.ts'

/** Surroundings of a text, which determine what counts as markup in it. */
export interface Place {
  readonly context: Context
  /** True if the text starts a line. */
  readonly isLineStart: boolean
  /** Start of the line that the text continues. */
  readonly lineHead: string
  /** True if the text ends its line. */
  readonly isLineEnd: boolean
  /** True if the text starts the page. */
  readonly isPageStart: boolean
  /** Text that follows in the same block. */
  readonly following: string
  /** Beginning of all text that follows, also in later blocks. Braces and tags do not end with a block. */
  readonly later: string
  readonly hasVariants: boolean
  /** True if a bare URL follows. */
  readonly isBeforeAddress: boolean
  /** True if a link in brackets may follow on the line. */
  readonly isBeforeBracket: boolean
  /** The current line from its last unclosed `[[` on. */
  readonly openLink: string
  readonly site: Pick<Site, 'language' | 'magicLinks' | 'switches'>
  /** True if the line contains an open bracket followed by a URL. */
  readonly isAddressOpen: boolean
  /** If the text follows a list item's bullets: `bare` directly, `spaced` after a space. */
  readonly bullets: '' | 'bare' | 'spaced'
  /** True if the text is on a cell's first line. */
  readonly isCellStart: boolean
  /** True if a single pipe does not end the cell's attributes: they are written, or a link precedes. */
  readonly hasAttributes: boolean
  /** Returns true if the text can be the target of a link. */
  readonly isTarget: (text: string) => boolean
}

interface Unsafe {
  /** Substring of every match; texts without it are not searched. */
  readonly sign?: string
  readonly pattern?: RegExp
  readonly patternOf?: (place: Place) => RegExp
  /** Finds matches that one pattern cannot describe. */
  readonly find?: (text: string, place: Place) => Span | Span[] | null
  /** True if all finds are wrapped together. */
  readonly isOne?: boolean
  /** True if the pattern counts only at the start of a line. */
  readonly atLineStart?: boolean
  readonly where?: (place: Place) => boolean
  /** Removes what is not markup from the end of a match. */
  readonly shorten?: (found: string) => string
  /** Returns true for a match that is not markup after all. */
  readonly unless?: (found: string, place: Place) => boolean
  /** True if only the first line of the text counts. */
  readonly isFirstLine?: boolean
  /** True if the whole text is wrapped, not only the match. */
  readonly isWhole?: boolean
}

const tagNames = `(?:${[...allowedTags].join('|')}|${[...extensionTags].join('|')})`
const protocols = urlProtocols.filter(one => one !== '//').map(one => one.replace(/[/.]/g, '\\$&'))
const address = `(?:${protocols.join('|')})(?=[^\\s<>"\\[\\]]*[\\p{L}\\p{N}/_~%$@#*+=&-])`
/** Removes the signs after an address, which do not belong to it. A character reference stays whole. */
function withoutEndSigns(found: string): string {
  const signs = found.includes('(') ? /(?<![,.;:!?\\])[,.;:!?\\]+$/ : /(?<![,.;:!?\\)])[,.;:!?\\)]+$/
  const kept = found.replace(signs, '')
  return /&[#\w]{1,32}$/.test(kept) && found[kept.length] === ';' ? `${kept};` : kept
}

/** The renderer does not count characters above U+FFFF as letters. */
const wordStart = '(?:(?<![\\p{L}\\p{N}_])|(?<=[\\u{10000}-\\u{10ffff}]))'
const inWikiLink = ({ context }: Place): boolean => context.link === 'wiki' || context.link === 'media'
const inPlainText = ({ context }: Place): boolean => context.link === ''

function isNoMagic(found: string, { site }: Place): boolean {
  return !site.magicLinks.has(found.split(/[ \t\u00a0]/)[0]!)
}

/** Braces around what cannot be the name of a template or function are text. */
function isNoCall(found: string, { isTarget }: Place): boolean {
  const name = /^\{\{([^{|}]*)/.exec(found)?.[1]
  // A character reference may stand for what a name can have.
  return name !== undefined && !/[&:]/.test(name) && !isTarget(name)
}

/** A table may begin after the colons of indented lines, but after no other bullets. */
function isAfterColons({ bullets, context }: Place): boolean {
  return bullets !== '' && /^:*$/.test(context.list)
}

/** Markup that a text must not contain, with the positions in which it is markup. */
const unsafe: readonly Unsafe[] = [
  { sign: "''", pattern: /'{2,}/g, isOne: true },
  { sign: '{{', pattern: /\{\{\{?[^{}\n][^{}]*\}\}\}?/g, unless: isNoCall },
  { sign: '{{', find: nestedBraces },
  { sign: '{{', pattern: /\{\{/g, where: place => place.following.includes('}}') || place.later.includes('}}') },
  {
    sign: '[[',
    // An even number of brackets before a link leaves it one.
    pattern: /(?<=(?<!\[)(?:\[\[){0,20})\[\[(?!\[)[^[\]|\n][^[\]|]*(?:\]\]|\|(?:[^[\]]|\[(?!\[)|\](?!\]))+\]{2,3})/g,
    where: inPlainText,
    unless: (found, { isTarget }) => !isTarget(found.slice(2).replace(/(?<!\])\]+$/, '')),
  },
  { sign: '[[', find: nestedLinks, where: inPlainText },
  { sign: ']]', find: closedLink, where: inPlainText },
  {
    sign: '[',
    pattern: /(?<!\[)\[+$/g,
    where: ({ isBeforeAddress, isBeforeBracket, following, context }) =>
      isBeforeAddress && context.link === '' && (isBeforeBracket || /^[^\n]*\]/.test(following)),
  },
  { sign: '{{', pattern: /\{\{/g, where: inWikiLink, isWhole: true },
  { pattern: /\[\[|\]\]/g, where: inWikiLink, isWhole: true },
  { sign: ']', find: closingBracket, where: ({ context }) => context.link === 'wiki', isWhole: true },
  {
    sign: '[',
    pattern: new RegExp(
      `\\[(?://|${protocols.join('|')})[^\\s\\]<>"\\[](?:[^\\][\\n]|\\[\\[[^\\][\\n]*\\]\\])*\\]`,
      'gi',
    ),
    where: ({ context }) => context.link !== 'external',
  },
  { sign: ']', pattern: /\]/g, where: ({ context }) => context.link === 'external', isWhole: true },
  { sign: ']', find: firstBracket, where: ({ isAddressOpen }) => isAddressOpen },
  {
    sign: ':',
    pattern: new RegExp(`${wordStart}${address}[^\\s<>"\\[\\]]*`, 'giu'),
    shorten: withoutEndSigns,
    where: ({ context }) => context.link !== 'external' && context.link !== 'wiki',
  },
  {
    sign: '//[',
    // The host is an IPv6 address: no other brackets are part of addresses.
    pattern: /(?<![a-z])[a-z]{3,10}:\/\/\[[\da-f:.]{2,60}\][^\s<>"[\]]*/gi,
    where: ({ context }) => context.link !== 'external' && context.link !== 'wiki',
  },
  ...['RFC', 'PMID'].map(sign => ({
    sign,
    pattern: new RegExp(`${wordStart}${sign}[ \\t\\u00a0]+\\d+(?![\\p{L}\\p{N}_])`, 'gu'),
    where: inPlainText,
    unless: isNoMagic,
  })),
  {
    sign: 'ISBN',
    pattern: new RegExp(
      `${wordStart}ISBN[ \\t\\u00a0]+(?:97[89][ \\t\\u00a0-]?)?(?:\\d[ \\t\\u00a0-]?){9}[\\dXx](?![\\p{L}\\p{N}_])`,
      'gu',
    ),
    where: inPlainText,
    unless: isNoMagic,
  },
  { patternOf: ({ site }) => site.switches.pattern },
  { sign: '<', find: tags },
  { sign: '<!--', pattern: /<!--/g },
  { sign: '~~~', pattern: /~{3,5}/g },
  { sign: '-{', find: variants, where: ({ hasVariants }) => hasVariants },
  { pattern: /^[*#:;].*/g, where: ({ bullets }) => bullets === 'bare' },
  { sign: '{|', pattern: /^\s*\{\|/g, where: place => place.context.pre === 'indent' || isAfterColons(place) },
  { pattern: /^[*#:;]+/gm, atLineStart: true, where: ({ context }) => context.list === '' },
  { pattern: /^[*#:;].*/gm, atLineStart: true, where: ({ context }) => context.list !== '' },
  { sign: '----', pattern: /^-{4,1000}/gm, atLineStart: true },
  { sign: '{|', pattern: /^\{\|.*/gm, atLineStart: true },
  { sign: '{|', pattern: /^:*\{\|/gm, atLineStart: true },
  {
    sign: '=',
    patternOf: ({ isLineEnd }) => (isLineEnd ? /^=.+=(?=[ \t]*$)/gm : /^=.+=(?=[ \t]*\n)/gm),
    atLineStart: true,
    where: ({ context }) => !context.heading && !context.isLine,
  },
  { pattern: /^[|!].*/gm, atLineStart: true, where: ({ context }) => context.cell !== '' || context.inTable },
  {
    sign: '|',
    pattern: /[|](?![|])/g,
    where: ({ context, isCellStart, hasAttributes }) => context.cell !== '' && isCellStart && !hasAttributes,
    isWhole: true,
    isFirstLine: true,
  },
  {
    sign: '||',
    pattern: /[|]{2}/g,
    where: ({ context, isCellStart }) => context.cell !== '' && isCellStart,
    isWhole: true,
    isFirstLine: true,
  },
  {
    sign: '!!',
    pattern: /!!/g,
    where: ({ context, isCellStart }) => context.cell === 'th' && isCellStart,
    isWhole: true,
    isFirstLine: true,
  },
  { sign: ':', pattern: /:/g, where: ({ context }) => context.term, isWhole: true },
  { sign: '|', pattern: /\|/g, where: ({ context }) => context.link === 'media', isWhole: true },
  {
    patternOf: ({ site }) => redirectWord(site.language),
    atLineStart: true,
    where: ({ isPageStart }) => isPageStart,
  },
]

/** Matches the word of a redirect at the start of a page. */
function redirectWord(language: string): RegExp {
  return new RegExp(`^(?:${redirectWords(language).join('|')})`, 'giu')
}

function shieldReference(reference: string): string {
  const decoded = decodeEntity(reference)
  const isInvalid = decoded === '\ufffd' && !/^&#(?:x0*fffd|0*65533);$/i.test(reference)
  return decoded === null || isInvalid ? reference : `&amp;${reference.slice(1)}`
}

interface Span {
  start: number
  end: number
  /** True if the range ends with a start tag, whose content belongs to it. */
  isOpen?: boolean
}

/** Quick test: text without any of these is safe. */
const signs = /[&[\]<|:]|''|\{[{|]|-\{|__|~~~|!!|＿＿|^[*#;=!＃-]|=(?![\s\S])|RFC|PMID|ISBN/m

/** Returns true if the text contains anything that may be markup in some position. */
export function hasSigns(text: string): boolean {
  return signs.test(text)
}

/** Escapes a text so that it is read as plain text. */
export function escapeText(text: string, place: Place): string {
  if (!hasSigns(text)) return text
  const safe = withoutReferences(text)
  const found = spans(safe, place)
  if (found.length === 0) return safe
  let out = ''
  let at = 0
  for (const { start, end } of found) {
    out += `${safe.slice(at, start)}<nowiki>${safe.slice(start, end)}</nowiki>`
    at = end
  }
  return out + safe.slice(at)
}

function withoutReferences(text: string): string {
  const plain = text.includes('&')
    ? text.replace(/&(?:[A-Za-z0-9\u0080-\uffff]{1,32}|#[0-9]+|#[xX][0-9A-Fa-f]+);/g, shieldReference)
    : text
  return plain.includes('<') ? plain.replace(/<(\/?nowiki\s*\/?)>/gi, '&lt;$1&gt;') : plain
}

function spans(text: string, place: Place): Span[] {
  const found: Span[] = []
  for (const rule of unsafe) {
    if (rule.sign !== undefined && !text.includes(rule.sign)) continue
    if (rule.where !== undefined && !rule.where(place)) continue
    const isJoined = rule.isFirstLine === true && found.some(({ start, end }) => text.slice(start, end).includes('\n'))
    const own = findsOf(rule, text, place, isJoined)
    if (own.length > 0 && rule.isWhole) return [{ start: 0, end: text.length }]
    if (own.length > 1 && rule.isOne) found.push({ start: own[0]!.start, end: own.at(-1)!.end })
    else for (const one of own) found.push(one)
  }
  const closing = closingSign(text, place)
  if (closing !== null) found.push(closing)
  return found.length === 0 ? found : joined(withLinks(merged(found), text, place), text)
}

/**
 * Joins an unclosed start tag with what follows it, up to the end of its line. Source: Parsoid, the wikitext serialiser, on
 * `<nowiki>` around several tokens.
 */
function joined(found: readonly Span[], text: string): Span[] {
  const kept: Span[] = []
  for (const one of found) {
    const last = kept.at(-1)
    if (last?.isOpen === true && !text.slice(last.end, one.start).includes('\n'))
      Object.assign(last, { end: one.end, isOpen: one.isOpen === true })
    else kept.push(one)
  }
  for (const one of kept) if (one.isOpen) one.end = lineEnd(text, one.end)
  return merged(kept)
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

const linkStart = new RegExp(`${address}[^\\s<>"\\[\\]]*|(?:RFC|PMID|ISBN)[ \\t\\u00a0]+[\\d\\s-]+[xX]?`, 'iuy')

const linkEnd = new RegExp(`${wordStart}(?:RFC|PMID|ISBN)[ \\t\\u00a0]+[\\d \\t\\u00a0-]+[xX]?$`, 'u')
/** Maximum length of a magic link that is searched for before a range, with the character before it. */
const longestMagic = 64

/** Extends each match over an adjacent link: `<nowiki>` would separate the link from the word beside it. */
function withLinks(found: Span[], text: string, { context }: Place): Span[] {
  if (context.link !== '') return found
  for (const one of found) {
    const before = text.slice(Math.max(0, one.start - longestMagic), one.start)
    one.start -= linkEnd.exec(before)?.[0].length ?? 0
    linkStart.lastIndex = one.end
    // The next link may begin right after the digits of this one.
    while (linkStart.test(text)) one.end = linkStart.lastIndex
  }
  return merged(found)
}

function findsOf(
  { pattern: given, patternOf, find, atLineStart, isFirstLine, shorten, unless }: Unsafe,
  text: string,
  place: Place,
  isJoined: boolean,
): Span[] {
  const one = find?.(text, place)
  const pattern = given ?? patternOf?.(place)
  const found: Span[] = one ? [one].flat() : []
  if (pattern === undefined) return found
  // `<nowiki>` joins lines into one.
  const end = isFirstLine && !isJoined ? `${text}\n`.indexOf('\n') : text.length
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match.index >= end) break
    if (atLineStart && match.index === 0 && !place.isLineStart) continue
    if (unless?.(match[0], place)) continue
    const { length } = shorten?.(match[0]) ?? match[0]
    found.push({ start: match.index, end: match.index + length })
  }
  return found
}

const tagStart = new RegExp(`</?${tagNames}(?=[\\s/>])`, 'gi')
const wrapped = new RegExp(`<!--|</?${tagNames}(?=[\\s/>])`, 'iy')
const angle = /[<>]|(?![\s\S])/g

/** Finds the tags. */
function tags(text: string, place: Place): Span[] {
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
    const known = ends.get(name)
    if (known === undefined || (known !== -1 && known < from)) ends.set(name, lower.indexOf(`</${name}`, from))
    return ends.get(name)!
  }
}

/** An end tag, and a start tag without an end tag. */
const lonelyTag = /^<(?:\/|(?:br|wbr|hr|img|link|meta|td|tr)$)/i

/** Finds a bracket on the first line. */
function firstBracket(text: string): Span | null {
  const start = text.search(/[\]\n]/)
  return text[start] === ']' ? { start, end: start + 1 } : null
}

/** Finds links to pages, such as files, whose text has links. */
function nestedLinks(text: string, { isTarget }: Place): Span[] {
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
function nestedBraces(text: string): Span | null {
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
function variants(text: string): Span | null {
  const start = text.indexOf('-{')
  const end = text.lastIndexOf('}-')
  return start === -1 || end < start + 2 ? null : { start, end: end + 2 }
}

/** Spans up to the closing brackets that would turn the preceding text of the line into a link. */
function closedLink(text: string, { openLink, isTarget }: Place): Span | null {
  const [inner] = openLink === '' ? [] : (/^[^\n[]*?\]\]/.exec(text) ?? [])
  if (inner === undefined || !isTarget((openLink + inner).slice(2, -2))) return null
  return { start: 0, end: inner.length }
}

/** Finds a closing bracket at the end that has no opening one. */
function closingBracket(text: string): Span | null {
  if (!text.endsWith(']')) return null
  let depth = 0
  for (const sign of text) {
    if (sign === '[') depth++
    else if (sign === ']' && --depth < 0) return { start: 0, end: text.length }
  }
  return null
}

/** A line that starts with `=` in preceding text would become a heading if it ended with one. */
function closingSign(text: string, place: Place): Span | null {
  if (!text.endsWith('=') || !place.lineHead.startsWith('=') || place.isLineStart || place.context.isLine) return null
  if (text.includes('\n') || !place.isLineEnd) return null
  return { start: text.length - 1, end: text.length }
}

function merged(found: Span[]): Span[] {
  const sorted = found.sort((one, other) => one.start - other.start || other.end - one.end)
  const kept: Span[] = []
  for (const one of sorted) {
    const last = kept.at(-1)
    if (last === undefined || one.start > last.end) kept.push({ ...one })
    else if (one.end >= last.end) Object.assign(last, { end: one.end, isOpen: one.isOpen === true })
  }
  return kept
}
