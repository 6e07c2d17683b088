/** Locates a query's words in a text. */

import { adjoins, asciiToken, listTokens, longestWord, type Token } from '../words/tokens.ts'
import type { Query, QueryPart } from './query.ts'

/** A range of a text, as UTF-16 offsets. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** A match. */
export interface MatchRange extends TextRange {
  /** Query part that matched. */
  readonly part: QueryPart
}

/** The parts of a query by the last word of a match. */
interface Endings {
  readonly words: ReadonlyMap<string, readonly QueryPart[]>
  readonly prefixes: readonly QueryPart[]
  /** Words of the longest part. */
  readonly longest: number
}

const nothing: readonly QueryPart[] = []

/**
 * Lists the matches of any of the parts in order of their ends; they may overlap. Takes time linear in the text. For a phrase
 * that spans several lines the range is the part on the last line.
 */
export function* listMatches(text: string, parts: readonly QueryPart[]): Generator<MatchRange, void, undefined> {
  const endings = indexEndings(parts)
  if (endings.longest === 1) return yield* wordMatches(text, endings)
  const tokens: Token[] = []
  for (const token of listTokens(text)) {
    if (tokens.push(token) > 2 * endings.longest) tokens.splice(0, endings.longest)
    for (const part of partsEndingWith(token, endings)) {
      if (matchesAtEnd(part, tokens)) yield rangeOf(part, tokens, text)
    }
  }
}

const notAscii = /[^\0-\x7F]/

/** Finds single words. Only lines with characters beyond ASCII are tokenised; others are matched directly. */
function* wordMatches(text: string, endings: Endings): Generator<MatchRange, void, undefined> {
  const sought = searchPattern(endings)
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const feed = text.indexOf('\n', start)
    end = feed < 0 ? text.length : feed
    const line = text.slice(start, end)
    for (const token of notAscii.test(line) ? listTokens(line) : soughtTokens(line, sought)) {
      for (const part of partsEndingWith(token, endings)) {
        const { start: from, end: to } = rangeOf(part, [token], line)
        yield { part, start: start + from, end: start + to }
      }
    }
  }
}

/** Finds the ASCII words of the query and words with its prefixes; null if there are none. */
function searchPattern({ words, prefixes }: Endings): RegExp | null {
  const isAscii = (word: string): boolean => /^[0-9a-z]+$/.test(word)
  // For words found by their prefix, the whole word is unknown.
  const [whole, cut] = [[...words.keys()], prefixes.map(part => part.words.at(-1)!)].map(list => list.filter(isAscii))
  const begun = [...cut!, ...whole!.filter(word => word.length >= longestWord)]
  const choices = [...begun.map(word => `${word}[0-9a-z]*`), ...whole!.map(word => `${word}(?![0-9a-z])`)]
  return choices.length === 0 ? null : new RegExp(`(?<![0-9a-z])(?:${choices.join('|')})`, 'gi')
}

function* soughtTokens(line: string, sought: RegExp | null): Generator<Token, void, undefined> {
  if (sought === null) return
  for (const found of line.matchAll(sought)) yield asciiToken(found[0], found.index)
}

/** Maximum distance of words that belong together, in characters. */
const onePlace = 400

/** True if a page's title, headings or lead contain the whole query, or one place of its text does. */
export function isTogether({ parts }: Query, { head, text }: { head: string; text: string }): boolean {
  const isAll = (found: Iterable<unknown>): boolean => new Set(found).size === parts.length
  if (isAll([...listMatches(head, parts)].map(({ part }) => part))) return true
  const lastEnds = new Map<QueryPart, number>()
  for (const { part, start, end } of listMatches(text, parts)) {
    lastEnds.set(part, end)
    if (
      lastEnds.size === parts.length &&
      isAll([...lastEnds].flatMap(([one, at]) => (at > start - onePlace ? one : [])))
    )
      return true
  }
  return false
}

function indexEndings(parts: readonly QueryPart[]): Endings {
  const words = new Map<string, QueryPart[]>()
  for (const part of parts) {
    for (const word of [part.words.at(-1)!, ...part.forms]) words.set(word, [...(words.get(word) ?? []), part])
  }
  const prefixes = parts.filter(part => part.prefix)
  return { words, prefixes, longest: Math.max(1, ...parts.map(part => part.words.length)) }
}

function partsEndingWith(token: Token, { words, prefixes }: Endings): readonly QueryPart[] {
  const exact = words.get(token.word) ?? nothing
  const plain = token.plain === token.word ? nothing : (words.get(token.plain) ?? nothing)
  const begun = prefixes.length === 0 ? nothing : prefixes.filter(part => startsWith(token, part.words.at(-1)!))
  return plain.length + begun.length === 0 ? exact : [...exact, ...plain, ...begun]
}

function matchesAtEnd(part: QueryPart, tokens: readonly Token[]): boolean {
  const first = tokens.length - part.words.length
  if (first < 0) return false
  if (part.kind === 'pair' && !adjoins(tokens[first]!, tokens[first + 1]!)) return false
  return part.words.slice(0, -1).every((word, index) => isWord(tokens[first + index]!, word))
}

function rangeOf(part: QueryPart, tokens: readonly Token[], text: string): MatchRange {
  const last = tokens.at(-1)!
  let first = tokens.length - 1
  const stop = tokens.length - part.words.length
  while (first > stop && !text.slice(tokens[first - 1]!.end, tokens[first]!.start).includes('\n')) first--
  return { part, start: tokens[first]!.start, end: part.prefix ? endOfPrefix(last, part.words.at(-1)!) : last.end }
}

/** The end of the matched letters; of the whole word if folding changed its length. */
function endOfPrefix(token: Token, prefix: string): number {
  const form = token.word.startsWith(prefix) ? token.word : token.plain
  return form.length === token.end - token.start ? token.start + prefix.length : token.end
}

function isWord(token: Token, word: string): boolean {
  return token.word === word || token.plain === word
}

function startsWith(token: Token, prefix: string): boolean {
  return !token.sign && (token.word.startsWith(prefix) || token.plain.startsWith(prefix))
}
