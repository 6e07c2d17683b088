/** The table of markup that a text must not contain, with the positions in which it is markup. */

import { redirectWords } from '../core/redirect.ts'
import { urlProtocols } from '../wikitext/sanitize/urls.ts'
import type { EscapePlace } from './escape-place.ts'
import {
  findClosedLink,
  findClosingBracket,
  findFirstBracket,
  findNestedBraces,
  findNestedLinks,
  findTags,
  findVariants,
  type Span,
} from './unsafe-spans.ts'

/** A kind of unsafe markup: a pattern or a function finds it, and the other members limit where it counts. */
export interface Unsafe {
  /** Substring of every match; texts without it are not searched. */
  readonly sign?: string
  readonly pattern?: RegExp
  readonly patternOf?: (place: EscapePlace) => RegExp
  /** Finds matches that one pattern cannot describe. */
  readonly find?: (text: string, place: EscapePlace) => Span | Span[] | null
  /** True if all finds are wrapped together. */
  readonly isOne?: boolean
  /** True if the pattern counts only at the start of a line. */
  readonly atLineStart?: boolean
  readonly where?: (place: EscapePlace) => boolean
  /** Removes what is not markup from the end of a match. */
  readonly shorten?: (found: string) => string
  /** Returns true for a match that is not markup after all. */
  readonly unless?: (found: string, place: EscapePlace) => boolean
  /** True if only the first line of the text counts. */
  readonly isFirstLine?: boolean
  /** True if the whole text is wrapped, not only the match. */
  readonly isWhole?: boolean
}

const protocols = urlProtocols.filter(one => one !== '//').map(one => one.replace(/[/.]/g, '\\$&'))
/** Matches a bare URL. */
export const address = `(?:${protocols.join('|')})(?=[^\\s<>"\\[\\]]*[\\p{L}\\p{N}/_~%$@#*+=&-])`

/** Removes the signs after an address, which do not belong to it. A character reference stays whole. */
function withoutEndSigns(found: string): string {
  const signs = found.includes('(') ? /(?<![,.;:!?\\])[,.;:!?\\]+$/ : /(?<![,.;:!?\\)])[,.;:!?\\)]+$/
  const address = found.replace(signs, '')
  return /&[#\w]{1,32}$/.test(address) && found[address.length] === ';' ? `${address};` : address
}

/** The renderer does not count characters above U+FFFF as letters. */
export const wordStart = '(?:(?<![\\p{L}\\p{N}_])|(?<=[\\u{10000}-\\u{10ffff}]))'
const inWikiLink = ({ context }: EscapePlace): boolean => context.link === 'wiki' || context.link === 'media'
const inPlainText = ({ context }: EscapePlace): boolean => context.link === ''
const outsideLinks = ({ context }: EscapePlace): boolean => context.link === '' || context.link === 'media'

function isNoMagic(found: string, { site }: EscapePlace): boolean {
  return !site.magicLinks.has(found.split(/[ \t\u00a0]/)[0]!)
}

/** Braces around what cannot be the name of a template or function are text. */
function isNoCall(found: string, { isTarget }: EscapePlace): boolean {
  const name = /^\{\{([^{|}]*)/.exec(found)?.[1]
  // A character reference may stand for what a name can have.
  return name !== undefined && !/[&:]/.test(name) && !isTarget(name)
}

/** A table may begin after the colons of indented lines, but after no other bullets. */
function isAfterColons({ bullets, context }: EscapePlace): boolean {
  return bullets !== '' && /^:*$/.test(context.list)
}

/** Markup that a text must not contain, with the positions in which it is markup. */
export const unsafe: readonly Unsafe[] = [
  { sign: "''", pattern: /'{2,}/g, isOne: true },
  { sign: '{{', pattern: /\{\{\{?[^{}\n][^{}]*\}\}\}?/g, unless: isNoCall },
  { sign: '{{', find: findNestedBraces },
  { sign: '{{', pattern: /\{\{/g, where: place => place.following.includes('}}') || place.later.includes('}}') },
  {
    sign: '[[',
    // An even number of brackets before a link leaves it one.
    pattern: /(?<=(?<!\[)(?:\[\[){0,20})\[\[(?!\[)[^[\]|\n][^[\]|]*(?:\]\]|\|(?:[^[\]]|\[(?!\[)|\](?!\]))+\]{2,3})/g,
    where: inPlainText,
    unless: (found, { isTarget }) => !isTarget(found.slice(2).replace(/(?<!\])\]+$/, '')),
  },
  { sign: '[[', find: findNestedLinks, where: inPlainText },
  { sign: ']]', find: findClosedLink, where: inPlainText },
  {
    sign: '[',
    pattern: /(?<!\[)\[+$/g,
    where: ({ isBeforeAddress, isBeforeBracket, following, context }) =>
      isBeforeAddress && context.link === '' && (isBeforeBracket || /^[^\n]*\]/.test(following)),
  },
  { sign: '{{', pattern: /\{\{/g, where: inWikiLink, isWhole: true },
  { pattern: /\[\[|\]\]/g, where: inWikiLink, isWhole: true },
  { sign: ']', find: findClosingBracket, where: inWikiLink, isWhole: true },
  {
    sign: '[',
    pattern: new RegExp(
      `\\[(?://|${protocols.join('|')})[^\\s\\]<>"\\[](?:[^\\][\\n]|\\[\\[[^\\][\\n]*\\]\\])*\\]`,
      'gi',
    ),
    where: ({ context }) => context.link !== 'external',
  },
  { sign: ']', pattern: /\]/g, where: ({ context }) => context.link === 'external', isWhole: true },
  { sign: ']', find: findFirstBracket, where: ({ isAddressOpen }) => isAddressOpen },
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
    where: outsideLinks,
    unless: isNoMagic,
  })),
  {
    sign: 'ISBN',
    pattern: new RegExp(
      `${wordStart}ISBN[ \\t\\u00a0]+(?:97[89][ \\t\\u00a0-]?)?(?:\\d[ \\t\\u00a0-]?){9}[\\dXx](?![\\p{L}\\p{N}_])`,
      'gu',
    ),
    where: outsideLinks,
    unless: isNoMagic,
  },
  { patternOf: ({ site }) => site.switches.pattern },
  { sign: '<', find: findTags },
  { sign: '<!--', pattern: /<!--/g },
  { sign: '~~~', pattern: /~{3,5}/g },
  // Parsoid looks for the end of a rule in all languages.
  { sign: '-{', pattern: /-\{/g, where: inWikiLink, isWhole: true },
  { sign: '-{', find: findVariants, where: ({ hasVariants }) => hasVariants },
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
