/** Parses search box input: words, "quoted phrases", prefixes with an asterisk, filters, #tags and operators. */

import { compactKeys, compactWords, continues, identifierKey, isContraction, signedKey, tagKey } from '../words/keys.ts'
import { type Language, noLanguage } from '../words/language.ts'
import { termPrefixes } from '../words/term-prefixes.ts'
import { adjoins, listTokens, type Token } from '../words/tokens.ts'
import { type Expression, hasOperators, type ReadItem, readExpression } from './expression.ts'

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
  /** True if a page may lack it: the choices of the query tell. */
  readonly isChoice?: boolean
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

/** A condition with OR or NOT. Words that it asks for are parts of the query, named by their index; those that it excludes are its own. */
export type Choice =
  | { readonly any: readonly Choice[] }
  | { readonly all: readonly Choice[] }
  | { readonly not: Choice }
  | { readonly at: number }
  | { readonly part: QueryPart }
  | { readonly filter: QueryFilter }

/** A parsed search. Without parts, filters and choices it finds nothing. */
export interface Query {
  readonly parts: readonly QueryPart[]
  /** Further conditions, of which parts with `isChoice` are members. */
  readonly choices: readonly Choice[]
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

/** Pattern of an item, where a word and the value of a filter may have these characters. */
const itemOf = (word: string, value: string): RegExp =>
  new RegExp(
    String.raw`(?<minus>[-!]?)(?:(?<operator>intitle|incategory|linksto|hastemplate|insource):\s?(?:\/(?<pattern>(?:[^/\\]|\\.)+)\/(?<flags>i?)|["“”](?<quotedValue>[^"“”]*)["“”]|(?<value>${value}))|["“”](?<phrase>[^"“”]*)["“”]|(?<word>${word}))|["“”]`,
    'giy',
  )

const item = itemOf('[^\\s"“”]+', '[^\\s"“”]+')
/** In a query with operators, parentheses and bars end a word. */
const operand = itemOf('[^\\s"“”()|]+', '(?:[^\\s"“”()]|\\([^\\s"“”()]*\\))+')

/** Parses a query. Never throws: symbols only separate words, and a quote without its partner is a symbol. */
export function parseQuery(text: string, language: Language = noLanguage): Query {
  const typed = cutQuery(text)
  const isExpression = hasOperators(typed)
  const asked = isExpression
    ? readExpression(typed, { readItem: readWith(operand), wordItem: word => ({ word }) })
    : null
  const items = isExpression ? membersOf(asked) : [...listItems(typed)].map(item => ({ item }))
  const collected = collect(items, language)
  const parts = withoutMinor(distinctParts(withNumbers(collected.parts)), language)
  const { excluded, filters } = collected
  const isPlain =
    !isExpression &&
    excluded.length + filters.length === 0 &&
    !parts.some(({ inTitle, kind }) => inTitle || kind === 'phrase')
  const joined = joinChoices(parts, collected)
  return { ...joined, excluded: distinctParts(excluded), filters, text: isPlain ? typed.trim() : '', language }
}

/** Conditions that must all hold. */
function membersOf(asked: Expression<Groups> | null): readonly Expression<Groups>[] {
  if (asked === null) return []
  return 'all' in asked ? asked.all.flatMap(membersOf) : [asked]
}

/** The conditions of a query: choices of words and filters, beside those that hold or do not hold. */
interface Collected extends Record<'parts' | 'excluded', QueryPart[]> {
  readonly filters: QueryFilter[]
  readonly choices: OwnChoice[]
}

/** A choice before its words are numbered. */
type OwnChoice =
  | { readonly any: readonly OwnChoice[] }
  | { readonly all: readonly OwnChoice[] }
  | { readonly not: OwnChoice }
  | { readonly part: QueryPart }
  | { readonly filter: QueryFilter }

function collect(items: readonly Expression<Groups>[], language: Language): Collected {
  const collected: Collected = { parts: [], excluded: [], filters: [], choices: [] }
  const budget = { words: maxWords, filters: maxFilters }
  for (const one of items) {
    const groups = 'item' in one ? one.item : 'not' in one && 'item' in one.not ? negated(one.not.item) : null
    const [first, ...others] = groups === null ? [] : filtersOf(groups, budget)
    if (groups === null || others.length > 0) {
      const choice = groups === null ? choiceOf(one, budget, language) : leafOf(groups, [first!, ...others])
      if (choice !== null) collected.choices.push(choice)
    } else if (first !== undefined) collected.filters.push(first)
    else if (isNegated(groups)) collected.excluded.push(...readParts(groups, budget, noLanguage))
    else collected.parts.push(...readParts(groups, budget, language))
  }
  return collected
}

function choiceOf(asked: Expression<Groups>, budget: Budget, language: Language): OwnChoice | null {
  if ('not' in asked) {
    const not = choiceOf(asked.not, budget, noLanguage)
    return not && { not }
  }
  if ('item' in asked) {
    const filters = filtersOf(asked.item, budget)
    if (filters.length > 0) return leafOf(asked.item, filters)
    const parts = withNumbers(readParts(asked.item, budget, isNegated(asked.item) ? noLanguage : language))
    const all = parts.map(part => ({ part }))
    if (all.length === 0) return null
    const own = all.length === 1 ? all[0]! : isNegated(asked.item) ? { any: all } : { all }
    return isNegated(asked.item) ? { not: own } : own
  }
  const members = ('any' in asked ? asked.any : asked.all).flatMap(one => choiceOf(one, budget, language) ?? [])
  if (members.length < 2) return members[0] ?? null
  if ('any' in asked) return { any: members }
  const parts = members.flatMap(one => ('part' in one ? [one.part] : []))
  if (parts.length < members.length) return { all: members }
  return { all: withoutMinor(withNumbers(parts), language).map(part => ({ part })) }
}

/** Several values of one filter are a choice: `incategory:Food|Drink`. */
function leafOf(groups: Groups, filters: readonly QueryFilter[]): OwnChoice {
  if (filters.length === 1) return { filter: filters[0]! }
  const any = filters.map(filter => ({ filter: { ...filter, negated: false } }))
  return isNegated(groups) ? { not: { any } } : { any }
}

/** Numbers the words that choices ask for, and adds them to the parts. */
function joinChoices(parts: readonly QueryPart[], { choices }: Collected): Pick<Query, 'parts' | 'choices'> {
  const all = [...parts]
  const join = (choice: OwnChoice, isWanted: boolean): Choice => {
    if ('part' in choice) return isWanted ? { at: all.push({ ...choice.part, isChoice: true }) - 1 } : choice
    if ('filter' in choice) return choice
    if ('not' in choice) return { not: join(choice.not, !isWanted) }
    return 'any' in choice
      ? { any: choice.any.map(one => join(one, isWanted)) }
      : { all: choice.all.map(one => join(one, isWanted)) }
  }
  const joined = choices.map(choice => join(choice, true))
  return { parts: all, choices: joined }
}

/** Lists the filters in choices. */
export function filtersIn(choices: readonly Choice[]): readonly QueryFilter[] {
  return choices.flatMap(choice => {
    if ('filter' in choice) return [choice.filter]
    if ('not' in choice) return filtersIn([choice.not])
    return 'any' in choice ? filtersIn(choice.any) : 'all' in choice ? filtersIn(choice.all) : []
  })
}

/** Returns a choice with other filters. */
export function withFilters(choice: Choice, other: (filter: QueryFilter) => QueryFilter): Choice {
  if ('filter' in choice) return { filter: other(choice.filter) }
  if ('not' in choice) return { not: withFilters(choice.not, other) }
  if ('any' in choice) return { any: choice.any.map(one => withFilters(one, other)) }
  return 'all' in choice ? { all: choice.all.map(one => withFilters(one, other)) } : choice
}

/** Lists the words that choices exclude. */
export function excludedIn(choices: readonly Choice[]): readonly QueryPart[] {
  return choices.flatMap(choice => {
    if ('part' in choice) return [choice.part]
    if ('not' in choice) return excludedIn([choice.not])
    return 'any' in choice ? excludedIn(choice.any) : 'all' in choice ? excludedIn(choice.all) : []
  })
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

/** Words and filters that may still be read. */
interface Budget {
  words: number
  filters: number
}

const isNegated = ({ minus = '' }: Groups): boolean => minus !== ''

function negated(groups: Groups): Groups {
  return { ...groups, minus: isNegated(groups) ? '' : '-' }
}

/** `prefix:` takes the whole rest, since titles have spaces. */
function readWith(pattern: RegExp): ReadItem<Groups> {
  return (text, at) => {
    const rest = prefixRest.exec(text.slice(at))
    if (rest !== null)
      return { item: { ...rest.groups, operator: 'prefix', value: rest.groups!.bare }, end: text.length }
    pattern.lastIndex = at
    const found = pattern.exec(text)
    return found === null ? null : { item: found.groups as Groups, end: pattern.lastIndex }
  }
}

function* listItems(text: string): Generator<Groups, void, undefined> {
  const read = readWith(item)
  for (let at = 0; at < text.length; ) {
    at += /^\s*/.exec(text.slice(at))![0].length
    const found = read(text, at)
    if (found === null) return
    yield found.item
    at = found.end
  }
}

/** Lists the filters of an item; none if it is words. A title has no bar, so that bars separate several. */
function filtersOf(groups: Groups, budget: Budget): QueryFilter[] {
  const filter = readFilter(groups)
  if (filter === null) return []
  const values = filter.kind === 'source' || filter.kind === 'prefix' ? [filter.value] : filter.value.split('|')
  const filters = values.filter(value => value.trim() !== '').map(value => ({ ...filter, value }))
  const read = filters.slice(0, Math.max(0, budget.filters))
  budget.filters -= read.length
  return read
}

function readFilter(groups: Groups): QueryFilter | null {
  const { operator, pattern, flags, quotedValue, value } = groups
  const kind = operator === undefined ? undefined : filterKinds[operator.toLowerCase()]
  if (kind === undefined) return null
  if (pattern !== undefined && kind !== 'source') return null
  const isPattern = pattern !== undefined ? { ignoreCase: flags !== '' } : undefined
  return { kind, negated: isNegated(groups), value: pattern ?? quotedValue ?? value ?? '', pattern: isPattern }
}

function readParts(groups: Groups, budget: Budget, language: Language): QueryPart[] {
  const { operator, phrase, word, quotedValue, value } = groups
  if (operator !== undefined && operator.toLowerCase() !== 'intitle') return []
  const inTitle = operator !== undefined
  const quoted = phrase ?? quotedValue
  const text = quoted ?? word ?? value ?? ''
  const tokens = firstTokens(text, budget.words)
  budget.words -= tokens.length
  const tag = quoted === undefined && !inTitle ? tagKey(text) : null
  const parts = quoted === undefined ? looseParts(tokens, text, language) : phraseParts(tokens, text)
  if (tag !== null && parts.length > 0) return [tagPart(tag, tokens, parts)]
  return parts.map(part => ({ ...part, inTitle }))
}

/** The tag itself or, if no page has it, its words. */
function tagPart(tag: string, tokens: readonly Token[], parts: readonly QueryPart[]): QueryPart {
  const words = tokens.map(token => token.plain)
  const otherwise =
    parts.length === 1
      ? parts[0]!
      : { ...plainPart, kind: 'identifier' as const, words, alternatives: [words.map(exactKey)] }
  return { ...plainPart, kind: 'identifier', words, alternatives: [[exactKey(tag)]], otherwise }
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
