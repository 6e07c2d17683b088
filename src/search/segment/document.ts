/** A page as the index stores it, and its terms. */

import { crc32 } from 'node:zlib'
import type { PageText } from '../text/page-text.ts'
import { linkTermOf, termPrefixes, titleTerm } from '../words/term-prefixes.ts'
import { listTokens } from '../words/tokens.ts'
import { fields } from './postings.ts'
import type { DocumentRecord } from './segment-writer.ts'

/** A page for the index. */
export interface SearchDocument extends Omit<PageText, 'title' | 'links' | 'templates'> {
  /** Page id. */
  readonly id: number
  /** Id of the revision the text is from. */
  readonly revision: number
  /** Hash of the text: the id of an unshared revision may later name another revision. */
  readonly blob?: string | undefined
  /** Everything else that its document is made from, in any form: it is made again when this changes. */
  readonly inputs?: string | undefined
  readonly namespace: number
  /** Prefixed title, reading form. */
  readonly title: string
  /** Title that the page gives itself, for example in front matter; null if none. */
  readonly ownTitle: string | null
  /** Titles of the redirects to it, in the same namespace; reading form. */
  readonly redirects: readonly string[]
  /** Folded titles of the pages that it links to. */
  readonly links: readonly string[]
  /** Folded names by which its links find their targets, as far as they are not titles. */
  readonly linkNames: readonly string[]
  /** Names of the page in its front matter, by which links may find it. */
  readonly aliases: readonly string[]
  /** Tags in its front matter. Those in its text are keys of the text. */
  readonly tags: readonly string[]
  /** Folded titles of its categories. */
  readonly categories: readonly string[]
  /** Folded titles of the templates that it calls. */
  readonly templates: readonly string[]
  /** Title of the page that it redirects to, reading form; null if it is not a redirect. */
  readonly target: string | null
  /** Last words of the names of pictures in the source; null if it may show a picture under any name. */
  readonly pictures: readonly string[] | null
  /** Keys of the templates that it calls. */
  readonly templateKeys: readonly string[]
  /** True for a redirect that is found as a title of its target: it has no words of its own. */
  readonly silent: boolean
}

/** Fields that results show without reading the page's text. */
export interface StoredDocument {
  readonly title: string
  readonly redirects: readonly string[]
  readonly description: string | null
  /** Path of the picture that the front matter names. */
  readonly image: string | null
  /** Last words of the names of pictures in the source, see `pictureWords`; omitted if there are none. */
  readonly pictures?: readonly string[] | null
  /** Keys of the called templates, which may show pictures; omitted if there are none. */
  readonly templates?: readonly string[]
  readonly target: string | null
  /** Names in the page's front matter; omitted if there are none. */
  readonly aliases?: readonly string[]
}

/** Maximum words of a title from which it is indexed again. */
const maxTitleWords = 24

/** A document ready to be written. */
export interface AnalysedDocument {
  readonly record: Omit<DocumentRecord, 'lengths'>
  /** The texts of each field. */
  readonly texts: readonly (readonly string[])[]
  /** Terms that are not words, with a number instead of a frequency. */
  readonly prefixedTerms: ReadonlyMap<string, number>
}

/** Returns a fingerprint that changes if a page's document must be rebuilt although its revision is the same. */
export function fingerprintOf({
  title,
  redirects,
  target,
  silent,
  blob = '',
  inputs = '',
}: Pick<SearchDocument, 'title' | 'redirects' | 'target' | 'silent' | 'blob' | 'inputs'>): number {
  return crc32([String(silent), title, target ?? '', ...redirects, blob, inputs].join('\n'))
}

/** Lists the terms of a page. */
export function analyseDocument(document: SearchDocument): AnalysedDocument {
  const terms = new Map<string, number>()
  const add = (prefix: string, names: readonly string[]): void => {
    for (const name of names) terms.set(prefix + name, 1)
  }
  add(termPrefixes.category, document.categories)
  add(termPrefixes.link, document.links)
  add(termPrefixes.linkName, document.linkNames)
  add(termPrefixes.template, document.templates)
  add(termPrefixes.redirect, document.target === null ? [] : [titleTerm(document.target)])
  const { silent, namespace, title, ownTitle } = document
  const numbered = silent ? null : numberedTitle(nameOf(title, title, namespace))
  add(termPrefixes.ownTitle, ownTitle === null ? [] : [`${namespace}:${titleTerm(ownTitle)}`])
  add(
    termPrefixes.shortTitle,
    numbered === null ? [] : [`${namespace}:${numbered}`, `${namespace}:${numberOf(numbered)}`],
  )
  const shortNames = silent ? [] : shortNamesOf(document)
  const shortTitles = shortNames.map(name => `${namespace}:${name}`)
  add(termPrefixes.shortTitle, shortTitles)
  const titles = silent ? [] : [title, ...document.redirects]
  for (const [at, title] of titles.entries()) {
    for (const term of listTitleTerms(title, document)) if (!terms.has(term)) terms.set(term, at + 1)
  }
  if (!silent && ownTitle !== null)
    for (const term of listWordTerms(titleTerm(ownTitle), namespace)) if (!terms.has(term)) terms.set(term, 1)
  return { record: recordOf(document), texts: fieldTexts(document, shortNames), prefixedTerms: terms }
}

/** Returns the texts of a document by field: no phrase spans two fields. */
export function fieldTexts(document: SearchDocument, shortNames = shortNamesOf(document)): string[][] {
  const { title, ownTitle, redirects, headings, lead, body, tags, silent } = document
  if (silent) return fields.map(() => [])
  const names = new Set([...acronymsOf(ownTitle ?? title), ...shortNames])
  return [
    [title, ownTitle ?? ''],
    [...redirects, ...names],
    [...headings],
    [lead],
    [body, ...tags.map(tag => `#${tag}`)],
  ]
}

/** Maximum letters of an acronym, and maximum words of a title that are examined. */
const [fewestLetters, maxLetters, maxInitials] = [3, 6, 12]

/** Lists the acronyms of a title: `RBF` for Opt-in Full Replace-by-Fee. They are found like redirects. */
function acronymsOf(title: string): string[] {
  const words = title.match(/[\p{L}\p{M}]+/gu)?.slice(0, maxInitials) ?? []
  const initials = words.map(word => [...word][0]!).join('')
  const found = new Set<string>()
  for (let length = fewestLetters; length <= maxLetters; length++)
    for (let at = 0; at + length <= initials.length; at++) found.add(initials.slice(at, at + length).toLowerCase())
  return [...found]
}

/** Bounds of the length of a word that may be composed of beginnings of a title's words, and of each beginning. */
const [shortestClipped, longestClipped, shortestBeginning] = [5, 12, 2]

/**
 * Lists the words of a page's text that stand for its title: its initials in capitals (`PSBT`), or beginnings of words that follow
 * each other (`segwit` for Segregated Witness). In lower case; takes time proportional to the text.
 */
function shortNamesOf({ title, ownTitle, lead, body }: SearchDocument): readonly string[] {
  const name = ownTitle ?? title
  const words = (name.toLowerCase().match(/\p{L}{2,}/gu) ?? []).slice(0, maxInitials)
  if (words.length < 2) return []
  const acronyms = new Set(acronymsOf(name))
  const openings = new Set([...words, ...acronyms].map(word => word.slice(0, shortestBeginning)))
  // An expression skips the other words of a text faster than code can.
  const candidates = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...openings].join('|')})[\\p{L}\\p{N}]+`, 'giu')
  const found = new Set<string>()
  for (const [word] of `${lead}\n${body}`.matchAll(candidates)) {
    const folded = word.toLowerCase()
    if (acronyms.has(folded) ? word === word.toUpperCase() : isClipped(folded, words)) found.add(folded)
  }
  return [...found]
}

function isClipped(name: string, words: readonly string[]): boolean {
  if (name.length < shortestClipped || name.length > longestClipped) return false
  const fits = (at: number, word: number): boolean =>
    at === name.length || clips(name.slice(at), words[word]).some(length => fits(at + length, word + 1))
  return words.some((first, at) => clips(name, first).some(length => length < name.length && fits(length, at + 1)))
}

/** Lists the lengths of the beginnings that a name and a word have in common. */
function clips(name: string, word = ''): number[] {
  let common = 0
  while (common < word.length && name[common] === word[common]) common++
  return Array.from({ length: Math.max(0, common - shortestBeginning + 1) }, (_, at) => at + shortestBeginning)
}

/**
 * Adds the terms of a title, from its start and from each of its words; the number of the title takes the place of a
 * frequency.
 */
function* listTitleTerms(title: string, { namespace, title: own }: SearchDocument): Generator<string, void, undefined> {
  const folded = titleTerm(nameOf(title, own, namespace))
  yield `${termPrefixes.title}${namespace}:${folded}`
  yield* listWordTerms(folded, namespace, 1)
}

/**
 * Adds the terms of a folded title from the start of its words, for numbers also without leading zeros; `from` skips the first
 * words.
 */
function* listWordTerms(folded: string, namespace: number, from = 0): Generator<string, void, undefined> {
  let words = 0
  for (const { index } of folded.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)) {
    if (words++ >= maxTitleWords) break
    const rest = folded.slice(index)
    const number = rest.replace(/^0+(?=\d)/, '')
    if (words > from) yield `${termPrefixes.titleWord}${namespace}:${rest}`
    if (number !== rest) yield `${termPrefixes.titleWord}${namespace}:${number}`
  }
}

/** A title without its namespace. */
function nameOf(title: string, own: string, namespace: number): string {
  if (namespace === 0) return title
  const colon = own.indexOf(':')
  return title.startsWith(own.slice(0, colon + 1)) ? title.slice(colon + 1) : title
}

/** Returns the canonical form of a numbered title with any separator: `bip32` for BIP-0032 and BIP 32. Else null. */
export function numberedTitle(name: string): string | null {
  const tokens = listTokens(name)
  const [first, second, third] = [tokens.next().value, tokens.next().value, tokens.next().value]
  if (first === undefined || third !== undefined) return null
  const whole = first.plain + (second?.plain ?? '')
  const parts = /^([\p{L}\p{M}]+)0*(0|[1-9]\d*)$/u.exec(whole)
  return parts === null || (second !== undefined && parts[1] !== first.plain) ? null : parts[1]! + parts[2]!
}

/** `341` of `bip341`. */
function numberOf(numbered: string): string {
  return numbered.replace(/^[\p{L}\p{M}]+/u, '')
}

function recordOf(document: SearchDocument): AnalysedDocument['record'] {
  const { id, revision, namespace, title, redirects, description, image, target, aliases } = document
  const { pictures, templateKeys } = document
  const stored: StoredDocument = {
    title,
    redirects,
    description,
    image,
    target,
    ...(pictures?.length !== 0 && { pictures }),
    ...(templateKeys.length > 0 && { templates: templateKeys }),
    ...(aliases.length > 0 && { aliases }),
  }
  const fingerprint = fingerprintOf(document)
  return {
    id,
    revision,
    namespace,
    fingerprint,
    linkTerm: linkTermOf(title),
    stored: Buffer.from(JSON.stringify(stored)),
  }
}

export { termPrefixes, titleTerm } from '../words/term-prefixes.ts'
