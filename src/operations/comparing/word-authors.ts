/** Attributes each word of a page to the revision that introduced it. Pure, so it can run in a worker. */

import type { AuthoredLine, AuthoredSpan } from '../../core/authorship.ts'
import { WikiError } from '../../core/errors.ts'
import { Authorship, type WrittenLine } from '../../diff/authorship.ts'

/** The revisions of a page whose texts count, oldest first. */
export interface FollowedPage {
  readonly title: string
  readonly ids: readonly number[]
  /** Texts of these revisions, in their order. */
  readonly texts: AsyncIterable<string>
  /** Maximum bytes of former texts in memory. */
  readonly maxRemembered: number
}

/** The same, with a limit on the response. */
export interface WrittenPage extends FollowedPage {
  /** Maximum characters of the lines as JSON. */
  readonly maxJson: number
}

/** Authors of the words of a page. */
export interface WordAuthors<Lines> {
  /** Number of words that each revision introduced. */
  readonly words: readonly number[]
  readonly lines: Lines
}

/**
 * Approximate bytes of the lines of a result, and of their words, and the maximum of all of them. They are objects, so that lines of
 * one letter take hundreds of times the bytes of their text.
 */
const [lineBytes, wordBytes] = [1000, 250]
const maxLineBytes = 220_000_000

/**
 * Follows the words of a page through its revisions, and awaits `pause` between steps. Errors:
 * rest-resource-limit-exceeded.
 */
export async function findWordAuthors(
  page: FollowedPage,
  pause: () => Promise<void> | void,
): Promise<WordAuthors<AuthoredLine[]>> {
  const lines = await followAll(page, pause, maxLineBytes)
  return { words: countWords(lines, page.ids.length), lines: lines.map(line => authoredLine(line, page.ids)) }
}

/** Returns the same with the lines as JSON, for a worker, whose objects would take long to transfer. */
export async function writeWordAuthors(page: WrittenPage): Promise<WordAuthors<string>> {
  const lines = await followAll(page, () => {})
  const written: string[] = []
  let size = 0
  for (const line of lines) {
    const json = JSON.stringify(authoredLine(line, page.ids))
    size += json.length + 1
    if (size > page.maxJson) throw tooLarge(`authorship of ${page.title}`, page.maxJson)
    written.push(json)
  }
  return { words: countWords(lines, page.ids.length), lines: `[${written.join(',')}]` }
}

/** Creates the error of a history that is too large to process or to send. */
export function tooLarge(what: string, most: number): WikiError {
  return new WikiError('rest-resource-limit-exceeded', {
    params: [what, `${most} bytes`],
    hint: 'git blame shows the authors of its lines',
  })
}

async function followAll(
  { title, texts, maxRemembered }: FollowedPage,
  pause: () => Promise<void> | void,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<WrittenLine[]> {
  const authorship = new Authorship()
  for await (const text of texts) {
    if (minLineBytes(text) > maxBytes) throw tooLarge(`authorship of ${title}`, maxBytes)
    for (const _ of authorship.add(text)) {
      if (authorship.size > maxRemembered) throw tooLarge(`history of ${title}`, maxRemembered)
      await pause()
    }
  }
  const { lines, words } = authorship.counts()
  if (lines * lineBytes + words * wordBytes > maxBytes) throw tooLarge(`authorship of ${title}`, maxBytes)
  return authorship.lines()
}

/**
 * Returns the bytes that the lines of a text take at least; 0 for a short one. It is known before the text is compared, which takes as much
 * memory for an earlier text as for the last one.
 */
function minLineBytes(text: string): number {
  if (text.length * (lineBytes + wordBytes) < maxLineBytes) return 0
  let [lines, words, isInside] = [1, 0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a) lines++
    const isBlank = code <= 0x20
    // Punctuation separates words as well, so there may be more.
    if (!isBlank && !isInside) words++
    isInside = !isBlank
  }
  return lines * lineBytes + words * wordBytes
}

function countWords(lines: readonly WrittenLine[], revisions: number): number[] {
  const words = new Array<number>(revisions).fill(0)
  for (const line of lines) for (const { version } of line.words) words[version] = (words[version] ?? 0) + 1
  return words
}

function authoredLine({ text, words }: WrittenLine, ids: readonly number[]): AuthoredLine {
  const first = words[0]
  if (first === undefined) return { revision: null, spans: text === '' ? [] : [{ text, revision: null }] }
  const spans: AuthoredSpan[] = []
  const idOf = (version: number): number => ids[version] as number
  let [start, version] = [0, first.version]
  for (const word of words) {
    if (word.version === version) continue
    spans.push({ text: text.slice(start, word.start), revision: idOf(version) })
    ;[start, version] = [word.start, word.version]
  }
  spans.push({ text: text.slice(start), revision: idOf(version) })
  return { revision: idOf(mostFrequent(words)), spans }
}

/** Returns the highest of the most frequent versions. */
function mostFrequent(words: WrittenLine['words']): number {
  const counts = new Map<number, number>()
  for (const { version } of words) counts.set(version, (counts.get(version) ?? 0) + 1)
  return [...counts].reduce((best, next) =>
    next[1] > best[1] || (next[1] === best[1] && next[0] > best[0]) ? next : best,
  )[0]
}
