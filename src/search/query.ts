/** What people type into the search box: words, "quoted phrases", beginnings of words with an asterisk. */

import { signKey } from './keys.ts'
import { adjoins, listTokens, stripAccents, type Token } from './tokens.ts'

/** A key that the index must hold for a page. */
export interface QueryKey {
  readonly key: string
  /** True where a longer key that begins so will do. */
  readonly prefix: boolean
  /** True where no similar key will do: it was quoted, or is made of signs. */
  readonly literal: boolean
}

/** One of the things that a page must hold, all of them. */
export interface QueryPart {
  /** A pair is two signs (see `Token`) with nothing between them; a phrase was quoted. */
  readonly kind: 'word' | 'sign' | 'pair' | 'phrase'
  /** Folded words that follow one another; just one of kind `word` and `sign`. */
  readonly words: readonly string[]
  /** True where the last of them is only the beginning of a word. */
  readonly prefix: boolean
  /** What the index can say about it. Of a phrase: that its words are there, in any order. */
  readonly keys: readonly QueryKey[]
}

/** A search as typed, taken apart. Without parts it finds nothing. */
export interface Query {
  readonly parts: readonly QueryPart[]
}

/** Longest query that is read, in UTF-16 units. */
const longestQuery = 300
/** Most words and signs of a query that are looked for. */
const mostWords = 16
/** Beginnings of words need this many letters: shorter ones read a good part of the index. */
const shortestPrefix = 3

const quotes = /["“”]/

/** Takes a query apart. Never throws: symbols only separate words, and a quote without its partner is a symbol. */
export function parseQuery(text: string): Query {
  const pieces = cutQuery(text).split(quotes)
  const parts: QueryPart[] = []
  let left = mostWords
  for (const [index, piece] of pieces.entries()) {
    const tokens = firstTokens(piece, left)
    left -= tokens.length
    const quoted = index % 2 === 1 && index < pieces.length - 1
    const words = wordParts(tokens, piece)
    if (!quoted) parts.push(...words)
    else if (words.length > 0) parts.push(phrasePart(tokens, words))
  }
  return { parts: distinctParts(parts) }
}

/** True where the index alone cannot tell whether a page matches: see `holdsPhrases`. */
export function hasPhrases(query: Query): boolean {
  return query.parts.some(isPhrase)
}

/** True for a phrase of several words. */
export function isPhrase(part: QueryPart): boolean {
  return part.kind === 'phrase' && part.words.length > 1
}

/** The second chance of a query that found nothing: no accents, and the last word may be the beginning of one. */
export function loosenQuery(query: Query): Query {
  const last = query.parts.length - 1
  return {
    parts: query.parts.map((part, index) =>
      part.kind === 'word' ? wordPart(stripAccents(part.words[0]!), part.prefix || index === last) : part,
    ),
  }
}

/** Makes a query of the words that the index has instead of those that were asked for; the rest of it stays. */
export function replaceWords(query: Query, words: readonly string[]): Query {
  const others = query.parts.filter(part => part.kind !== 'word')
  const known = new Set(others.flatMap(part => part.words))
  return { parts: [...others, ...words.filter(word => !known.has(word)).map(word => wordPart(word, false))] }
}

function distinctParts(parts: readonly QueryPart[]): QueryPart[] {
  const distinct = new Map(parts.map(part => [JSON.stringify([part.kind, part.words, part.prefix]), part]))
  return [...distinct.values()]
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

function wordParts(tokens: readonly Token[], text: string): QueryPart[] {
  return tokens.flatMap((token, index) => {
    if (!token.sign) return [wordPart(token.word, isStarred(token, text))]
    const [before, next] = [tokens[index - 1], tokens[index + 1]]
    if (next && adjoins(token, next)) return [pairPart(token.word, next.word)]
    return before && adjoins(before, token) ? [] : [signPart(token.word)]
  })
}

function wordPart(word: string, asPrefix: boolean): QueryPart {
  const prefix = asPrefix && [...word].length >= shortestPrefix
  return { kind: 'word', words: [word], prefix, keys: [{ key: word, prefix, literal: false }] }
}

function signPart(sign: string): QueryPart {
  return { kind: 'sign', words: [sign], prefix: false, keys: [{ key: signKey(sign, ''), prefix: true, literal: true }] }
}

function pairPart(sign: string, next: string): QueryPart {
  return {
    kind: 'pair',
    words: [sign, next],
    prefix: false,
    keys: [{ key: signKey(sign, next), prefix: false, literal: true }],
  }
}

function phrasePart(tokens: readonly Token[], words: readonly QueryPart[]): QueryPart {
  return {
    kind: 'phrase',
    words: tokens.map(token => token.word),
    prefix: words.at(-1)!.prefix,
    keys: words.flatMap(part => part.keys.map(key => ({ ...key, literal: true }))),
  }
}

/** `bril*`, but not `a*b`. */
function isStarred(token: Token, text: string): boolean {
  return text[token.end] === '*' && !/^[\p{L}\p{N}]/u.test(text.slice(token.end + 1))
}
