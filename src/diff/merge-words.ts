/** Merges conflicting lines by words, and keeps the additions of both sides. */

import type { Span } from './changes.ts'
import { numberOf } from './lines.ts'
import { type MergePart, mergeSequences } from './merge-sequences.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

/** Lines that both sides changed, in the three texts. Each ends with a line feed or is empty. */
export interface Collision {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** Maximum length of a text that is merged by words, in UTF-16 units. Longer ones are left to the user. */
const longestText = 200_000
/** Maximum words of one side times words of the base, for the same purpose. */
const maxCells = 100_000_000
/** Number of unchanged words that separate two changes of one side. Fewer may match by chance. */
const wordsBetweenChanges = 3

/** A text as words, white space and other characters. */
interface Tokens {
  readonly text: string
  /** Start of each token, in UTF-16 units, then the end of the last one. */
  readonly starts: readonly number[]
  readonly ids: Int32Array
  readonly kinds: readonly TokenKind[]
}

type TokenKind = 'word' | 'blank' | 'sign' | 'line feed'

/**
 * Resolves a conflict; null if the two sides really changed the same words. If both add at one position and each
 * addition is complete, as whole lines or whole sentences, theirs comes first, then mine.
 */
export function settleByWords(collision: Collision, work?: WorkLimit): string | null {
  const { base, mine, theirs } = collision
  if (base === '') return joinAdditions(theirs, mine)
  if (Math.max(base.length, mine.length, theirs.length) > longestText) return null
  const numbers = new Map<string, number>()
  const tokens = [base, mine, theirs].map(text => splitTokens(text, numbers)) as [Tokens, Tokens, Tokens]
  const [baseTokens, mineTokens, theirsTokens] = tokens
  const workspace = createWorkspace(numbers.size, work)
  const parts = mergeSequences(baseTokens.ids, mineTokens.ids, theirsTokens.ids, workspace, {
    partsSides: (start, end) => baseTokens.kinds.slice(start, end).some(kind => kind !== 'blank'),
    partsChanges: (start, end) => partsChanges(baseTokens.kinds.slice(start, end)),
    maxCells,
  })
  const pieces = parts.map(part => settlePart(part, tokens))
  return pieces.includes(null) ? null : pieces.join('')
}

function partsChanges(kinds: readonly TokenKind[]): boolean {
  return kinds.includes('line feed') || kinds.filter(kind => kind === 'word').length >= wordsBetweenChanges
}

function settlePart(part: MergePart, [base, mine, theirs]: readonly [Tokens, Tokens, Tokens]): string | null {
  if (part.take === 'theirs') return sliceTokens(theirs, part.theirs)
  if (part.take !== 'conflict') return sliceTokens(mine, part.mine)
  const isAddition = part.base.start === part.base.end
  if (!isAddition || !endsSentence(sliceTokens(base, { start: 0, end: part.base.start }))) return null
  const [first, second] = [sliceTokens(theirs, part.theirs), sliceTokens(mine, part.mine)]
  return endsSentence(first) && endsSentence(second) ? joinAdditions(first, second) : null
}

/** Joins two additions; null if they share a line, because one may be a version of the other. */
function joinAdditions(first: string, second: string): string | null {
  const lines = new Set(contentLines(first))
  return contentLines(second).some(line => lines.has(line)) ? null : first + second
}

function contentLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** Maximum UTF-16 units of the end of a sentence. Only these are examined. */
const sentenceEnd = 8

/** Returns true for a text that ends with a sentence or a line, or is empty. */
function endsSentence(text: string): boolean {
  return (
    text === '' ||
    text.endsWith('\n') ||
    /[.!?\u2026\u3002\uff01\uff1f]["')\]\u2019\u201d\u00bb]{0,3} {0,2}$/.test(text.slice(-sentenceEnd))
  )
}

/** Runs of letters and digits, runs of white space, line feeds, and other characters one by one. */
const token = /(?<word>[\p{L}\p{M}\p{N}]+)|(?<blank>[^\S\n]+)|(?<feed>\n)|[\s\S]/gu
/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Maximum length of a run, in UTF-16 units, that is segmented at once. The segmenter takes more than linear time. */
const segmenterReach = 500

function splitTokens(text: string, numbers: Map<string, number>): Tokens {
  const starts: number[] = []
  const ids: number[] = []
  const kinds: TokenKind[] = []
  const add = (segment: string, start: number, kind: TokenKind): void => {
    starts.push(start)
    ids.push(numberOf(segment, numbers))
    kinds.push(kind)
  }
  for (const { 0: segment, index, groups } of text.matchAll(token)) {
    if (groups?.word === undefined) add(segment, index, groups?.blank ? 'blank' : groups?.feed ? 'line feed' : 'sign')
    else if (unspaced.test(segment)) for (const [word, at] of cutUnspaced(segment)) add(word, index + at, 'word')
    else add(segment, index, 'word')
  }
  starts.push(text.length)
  return { text, starts, ids: new Int32Array(ids), kinds }
}

/** Splits a run of letters without spaces into words with their positions. */
function* cutUnspaced(run: string): Generator<[word: string, start: number]> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  for (let start = 0; start < run.length; start += segmenterReach) {
    const part = run.slice(start, start + segmenterReach)
    for (const { segment, index } of segmenter.segment(part)) yield [segment, start + index]
  }
}

function sliceTokens({ text, starts }: Tokens, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}
