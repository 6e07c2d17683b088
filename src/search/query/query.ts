/** Parses search box input: words, "quoted phrases", prefixes with an asterisk, and filters. */

import { compactKeys, compactWords, continues, identifierKey, isContraction, signedKey } from '../words/keys.ts'
import { type Language, noLanguage } from '../words/language.ts'
import { termPrefixes } from '../words/term-prefixes.ts'
import { adjoins, listTokens, type Token } from '../words/tokens.ts'

/** A key that a page must have. */
export interface QueryKey {
  readonly key: string
  /** True if longer keys with this prefix match, too. */
  readonly prefix: boolean
  /** True if similar keys do not match: it was quoted, or consists of signs or digits. */
  readonly literal: boolean
  /** True for a stem: any form of the word matches. */
  readonly stem: boolean
  /** Share of the weight of its part. */
  readonly weight: number
}

/** A part of a query; a page must match all parts. */
export interface QueryPart {
  /** A pair is two signs (see `Token`) with nothing between them; a phrase was quoted; an identifier has several parts. */
  readonly kind: 'word' | 'sign' | 'pair' | 'phrase' | 'identifier'
  /** Folded words that follow one another; just one of kind `word` and `sign`. */
  readonly words: readonly string[]
  /** True if the last of them is a prefix. */
  readonly prefix: boolean
  /** True if only the title, or that of a redirect, counts. */
  readonly inTitle: boolean
  /** Other forms of the word, if they were looked up. */
  readonly forms: readonly string[]
  /** Part that is used instead if this one finds nothing. */
  readonly otherwise?: QueryPart
  /** Alternative sets of required terms. For a phrase these are its words; their positions are checked later. */
  readonly alternatives: readonly (readonly QueryKey[])[]
}

/** Further condition on a page, or its negation. */
export interface QueryFilter {
  readonly kind: 'category' | 'link' | 'template' | 'prefix' | 'source'
  readonly value: string
  readonly negated: boolean
  /** Of kind `source`: true if the value is a regular expression. */
  readonly pattern?: { readonly ignoreCase: boolean } | undefined
}

/** A parsed search. Without parts and filters it finds nothing. */
export interface Query {
  readonly parts: readonly QueryPart[]
  /** Parts that a page must not contain. */
  readonly excluded: readonly QueryPart[]
  readonly filters: readonly QueryFilter[]
  /** Input as typed, if it may be a title; "" if it has quotes or filters. */
  readonly text: string
  /** Language whose stemmer applies. */
  readonly language: Language
}

/** Maximum length of a query, in UTF-16 units. */
const longestQuery = 300
/** Maximum words and signs of a query that are used. */
const maxWords = 16
const maxFilters = 8
/** Minimum letters of a prefix: shorter ones would read a large part of the index. */
const shortestPrefix = 3
/** Share of a word's weight that any inflected form earns; the rest is for the form that was typed. */
const stemWeight = 0.5

const filterKinds: Readonly<Record<string, QueryFilter['kind']>> = {
  incategory: 'category',
  linksto: 'link',
  hastemplate: 'template',
  insource: 'source',
  prefix: 'prefix',
}

const prefixRest = /^(?<minus>[-!]?)prefix:(?<bare>.+)$/i
const item =
  /(?<minus>-?)(?:(?<operator>intitle|incategory|linksto|hastemplate|insource):\s?(?:\/(?<pattern>(?:[^/\\]|\\.)+)\/(?<flags>i?)|["“”](?<quotedValue>[^"“”]*)["“”]|(?<value>[^\s"“”]+))|["“”](?<phrase>[^"“”]*)["“”]|(?<word>[^\s"“”]+))|["“”]/giy

/** Parses a query. Never throws: symbols only separate words, and a quote without its partner is a symbol. */
export function parseQuery(text: string, language: Language = noLanguage): Query {
  const query: { [Kind in 'parts' | 'excluded' | 'filters']: Query[Kind][number][] } = {
    parts: [],
    excluded: [],
    filters: [],
  }
  const budget = { left: maxWords }
  const typed = cutQuery(text)
  for (const groups of listItems(typed)) {
    const negated = groups.minus === '-'
    const filter = readFilter(groups, negated)
    const target = negated ? query.excluded : query.parts
    if (filter === null) target.push(...readParts(groups, budget, negated ? noLanguage : language))
    else if (query.filters.length < maxFilters && filter.value.trim() !== '') query.filters.push(filter)
  }
  const parts = withoutMinor(distinctParts(withNumbers(query.parts)), language)
  const isPlain =
    query.excluded.length + query.filters.length === 0 &&
    !parts.some(({ kind, inTitle }) => inTitle || kind === 'phrase')
  const { filters } = query
  return { parts, excluded: distinctParts(query.excluded), filters, text: isPlain ? typed.trim() : '', language }
}

/** A word and the following number may be written as one: BIP 32 is also `bip-0032`. */
function withNumbers(parts: readonly QueryPart[]): QueryPart[] {
  const wholes = parts.map((part, at) => numberKey(part, parts[at + 1]))
  return parts.map((part, at) => {
    const whole = wholes[at] ?? wholes[at - 1] ?? null
    return whole === null ? part : { ...part, alternatives: [...part.alternatives, [exactKey(whole)]] }
  })
}

function numberKey(word: QueryPart, number: QueryPart | undefined): string | null {
  if (number === undefined || [word, number].some(part => part.kind !== 'word' || part.prefix)) return null
  if (word.inTitle !== number.inTitle || !/^\d+$/.test(number.words[0]!)) return null
  return compactWords(word.words[0]!, number.words[0]!)
}

/** Words that occur in every text count only if the query has no others. */
function withoutMinor(parts: readonly QueryPart[], { stopWords }: Language): QueryPart[] {
  const isStopped = ({ kind, words, prefix, inTitle }: QueryPart): boolean =>
    kind === 'word' && !prefix && !inTitle && stopWords.has(words[0]!)
  return parts.every(isStopped) ? [...parts] : parts.filter(part => !isStopped(part))
}

type Groups = Readonly<Record<string, string | undefined>>

/** `prefix:` takes the whole rest, since titles have spaces. */
function* listItems(text: string): Generator<Groups, void, undefined> {
  for (let at = 0; at < text.length; ) {
    at += /^\s*/.exec(text.slice(at))![0].length
    const rest = prefixRest.exec(text.slice(at))
    if (rest !== null) return yield { ...rest.groups, operator: 'prefix', value: rest.groups!.bare }
    item.lastIndex = at
    const found = item.exec(text)
    if (found === null) return
    yield found.groups as Groups
    at = item.lastIndex
  }
}

function readFilter({ operator, pattern, flags, quotedValue, value }: Groups, negated: boolean): QueryFilter | null {
  const kind = operator === undefined ? undefined : filterKinds[operator.toLowerCase()]
  if (kind === undefined) return null
  if (pattern !== undefined && kind !== 'source') return null
  const isPattern = pattern !== undefined ? { ignoreCase: flags !== '' } : undefined
  return { kind, negated, value: pattern ?? quotedValue ?? value ?? '', pattern: isPattern }
}

function readParts(groups: Groups, budget: { left: number }, language: Language): QueryPart[] {
  const { operator, phrase, word, quotedValue, value } = groups
  const inTitle = operator?.toLowerCase() === 'intitle'
  const quoted = phrase ?? quotedValue
  const text = quoted ?? word ?? value ?? ''
  const tokens = firstTokens(text, budget.left)
  budget.left -= tokens.length
  const parts = quoted === undefined ? looseParts(tokens, text, language) : phraseParts(tokens, text)
  return parts.map(part => ({ ...part, inTitle }))
}

/** True if the order of words counts. */
export function hasPhrases({ parts, excluded }: Query): boolean {
  return [...parts, ...excluded].some(isPhrase)
}

/** True for a phrase of several words. */
export function isPhrase(part: QueryPart): boolean {
  return part.kind === 'phrase' && part.words.length > 1
}

/** Returns the query with its last word as a prefix; null if that changes nothing. */
export function withPrefixQuery(query: Query): Query | null {
  const last = query.parts.at(-1)
  if (last?.kind !== 'word' || last.prefix) return null
  const begun = wordPart(last.words[0]!, { prefix: true })
  return begun.prefix ? { ...query, parts: [...query.parts.slice(0, -1), { ...begun, inTitle: last.inTitle }] } : null
}

/** Returns the query with some of its words replaced. */
export function replaceWords(query: Query, words: ReadonlyMap<string, string>): Query {
  const parts = query.parts.map(part => {
    const other = part.kind === 'word' ? words.get(part.words[0]!) : undefined
    return other === undefined ? part : { ...wordPart(other), inTitle: part.inTitle }
  })
  return { ...query, parts }
}

/** Returns the query with looser parts; null if it has none. */
export function withAlternatives(query: Query): Query | null {
  if (!query.parts.some(({ otherwise }) => otherwise !== undefined)) return null
  return { ...query, parts: query.parts.map(part => part.otherwise ?? part) }
}

/** Returns the query with the words of its identifiers as separate parts. */
export function splitIdentifiers(query: Query): Query {
  const parts = query.parts.flatMap(part =>
    part.kind === 'identifier' ? part.words.map(word => ({ ...wordPart(word), inTitle: part.inTitle })) : [part],
  )
  return { ...query, parts }
}

function distinctParts(parts: readonly QueryPart[]): QueryPart[] {
  const keyOf = ({ kind, words, prefix, inTitle }: QueryPart): string => JSON.stringify([kind, words, prefix, inTitle])
  return [...new Map(parts.map(part => [keyOf(part), part])).values()]
}

function cutQuery(text: string): string {
  if (text.length <= longestQuery) return text
  const cut = text.slice(0, longestQuery)
  const space = cut.lastIndexOf(' ')
  return space > 0 ? cut.slice(0, space) : cut
}

function firstTokens(text: string, count: number): Token[] {
  const tokens: Token[] = []
  for (const token of listTokens(text)) {
    if (tokens.length >= count) break
    tokens.push(token)
  }
  return tokens
}

function looseParts(tokens: readonly Token[], text: string, language: Language): QueryPart[] {
  const parts: QueryPart[] = []
  for (let at = 0; at < tokens.length; ) {
    const count = raisedTo(tokens, at, text)
    if (count > 1) parts.push(powerPart(tokens.slice(at, at + count), text))
    const next = count > 1 ? at + count : endOfRun(tokens, at, text)
    if (count === 1) parts.push(...runParts(tokens, { at, next, text, language }))
    at = next
  }
  return parts
}

/** Index after the tokens that are joined to the first. */
function endOfRun(tokens: readonly Token[], first: number, text: string): number {
  let end = first + 1
  while (end < tokens.length && continues(tokens.slice(first, end), tokens[end]!, text)) end++
  return end
}

function runParts(
  tokens: readonly Token[],
  { at, next, text, language }: { at: number; next: number; text: string; language: Language },
): QueryPart[] {
  const run = tokens.slice(at, next)
  if (isContraction(run, text)) return contractionParts(run, text, language)
  const whole = identifierKey(run)
  if (whole !== null) return [identifierPart(run, whole, text)]
  const signed = run.length === 1 ? signedKey(text, run[0]!) : null
  if (signed !== null)
    return [{ ...plainPart, kind: 'identifier', words: [run[0]!.plain], alternatives: [[exactKey(signed)]] }]
  return run.flatMap((_, index) => simpleParts(tokens, at + index, { text, language }))
}

/** The words of `don't`, each of which a text may also have as a part of `dont`. */
function contractionParts(run: readonly Token[], text: string, language: Language): QueryPart[] {
  const whole = compactKeys(run, text).map(key => [exactKey(key)])
  const parts = run.flatMap((_, index) => simpleParts(run, index, { text, language }))
  return parts.map(part => ({ ...part, alternatives: [...part.alternatives, ...whole] }))
}

/**
 * `2^256` is meant as adjacent words; a text may also have it as a superscript, which is read as one word, or in other words.
 */
function powerPart(run: readonly Token[], text: string): QueryPart {
  const words = run.map(token => token.plain)
  const alternatives = [[exactKey(words.join(''))], words.map(exactKey)]
  return { ...phraseParts(run, text)[0]!, otherwise: { ...plainPart, kind: 'identifier', words, alternatives } }
}

/** Number of tokens that are powers of one another, as in `2^256`, and are meant as adjacent; 1 if there are none. */
function raisedTo(tokens: readonly Token[], first: number, text: string): number {
  let count = 1
  for (; first + count < tokens.length; count++) {
    const end = tokens[first + count - 1]!.end
    if (text[end] !== '^' || tokens[first + count]!.start !== end + 1) break
  }
  return count
}

function simpleParts(
  tokens: readonly Token[],
  index: number,
  { text, language }: { text: string; language: Language },
): QueryPart[] {
  const token = tokens[index]!
  if (!token.sign) return [wordPart(token.plain, { prefix: isStarred(token, text), language })]
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  if (next && adjoins(token, next)) return [pairPart(token.word, next.word)]
  return before && adjoins(before, token) ? [] : [signPart(token.word)]
}

const plainPart = { prefix: false, inTitle: false, forms: [] } as const

/** A word matches in any of its forms; the typed form counts more. */
function wordPart(word: string, { prefix: asPrefix = false, language = noLanguage } = {}): QueryPart {
  const prefix = asPrefix && [...word].length >= shortestPrefix
  const stem = prefix ? null : language.stem(word)
  const own: QueryKey = { key: word, prefix, literal: /\d/.test(word), stem: false, weight: 1 }
  const alternatives = stem === null ? [[own]] : [[{ ...own, weight: 1 - stemWeight }], [stemKey(stem)]]
  return { ...plainPart, kind: 'word', words: [word], prefix, alternatives }
}

function stemKey(stem: string): QueryKey {
  return { key: termPrefixes.stem + stem, prefix: false, literal: true, stem: true, weight: stemWeight }
}

function signPart(sign: string): QueryPart {
  return { ...plainPart, kind: 'sign', words: [sign], alternatives: [[exactKey(sign)]] }
}

function pairPart(sign: string, next: string): QueryPart {
  return { ...plainPart, kind: 'pair', words: [sign, next], alternatives: [[exactKey(sign + next)]] }
}

/** Matches as a whole, without its separator, or by all of its parts. */
function identifierPart(run: readonly Token[], whole: string, text: string): QueryPart {
  const words = run.map(token => token.plain)
  const compact = compactKeys(run, text).map(key => [exactKey(key)])
  const alternatives = [[exactKey(whole)], words.map(exactKey), ...compact]
  return { ...plainPart, kind: 'identifier', words, alternatives }
}

function exactKey(key: string): QueryKey {
  return { key, prefix: false, literal: true, stem: false, weight: 1 }
}

/** The words as written, with their accents. */
function phraseParts(tokens: readonly Token[], text: string): QueryPart[] {
  const last = tokens.at(-1)
  if (last === undefined) return []
  const prefix = isStarred(last, text) && last.word.length >= shortestPrefix && !last.sign
  const keys = tokens.map(({ word }, index) => ({
    ...exactKey(word),
    prefix: prefix && index === tokens.length - 1,
  }))
  return [{ ...plainPart, kind: 'phrase', words: tokens.map(token => token.word), prefix, alternatives: [keys] }]
}

/** `bril*`, but not `a*b`. */
function isStarred(token: Token, text: string): boolean {
  return text[token.end] === '*' && !/^[\p{L}\p{N}]/u.test(text.slice(token.end + 1))
}
