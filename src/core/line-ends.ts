/**
 * The text of a page, and the bytes of its file. A page holds what XML can express, in lines that end in LF; a file in git may have CR LF,
 * a lone CR, control characters or decomposed letters. It is read as if it held such a text, and written with its own characters where
 * the text is the same. Source: MediaWiki TextContent::normalizeLineEndings, UtfNormal\\Validator::cleanUp.
 */

import { composed } from './composed-text.ts'

/** Characters that XML 1.0 cannot express, and with them half surrogate pairs, which UTF-8 cannot. */
export const unsayable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

/** Quick test for characters that reading replaces. */
const replaced = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Surrogate}/u

/** Converts all line ends to LF. */
export function withPlainEnds(text: string): string {
  // For a million line ends splitting takes a sixth of the time of `replaceAll`.
  return text.includes('\r') ? text.split('\r\n').join('\n').replaceAll('\r', '\n') : text
}

/** Converts all line ends to LF, and characters that no page can hold to U+FFFD. */
export function withLineFeeds(text: string): string {
  return replaced.test(text) ? withPlainEnds(text).replace(unsayable, '\ufffd') : text
}

/** Returns a text in the form in which pages are saved: with `withLineFeeds`, and composed. */
export function savedForm(text: string): string {
  return composed(withLineFeeds(text))
}

/**
 * Returns a function from offsets in `withLineFeeds(text)` to offsets in the text itself, in UTF-16 units; null if they
 * are equal. The offset after a line end is that of the next line.
 */
export function offsetsInText(text: string): ((offset: number) => number) | null {
  if (!text.includes('\r\n')) return null
  const offsets = new Uint32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    offsets[count++] = at
    if (text[at] === '\r' && text[at + 1] === '\n') at++
  }
  offsets[count] = text.length
  return offset => offsets[offset] ?? text.length
}

/**
 * Restores the characters of a file: returns a changed text, in the form of `savedForm`, with the original's own characters and line ends
 * in lines that are the same, and in the words around a change within a line.
 */
export function withLineEndsOf(original: string, text: string): string {
  if (!replaced.test(original) && composed(original) === original) return text
  const old = linesIn(original)
  if (old.every(({ raw, plain, end }, at) => raw === plain && (end === '\r\n' || at === old.length - 1)))
    return text.replaceAll('\n', '\r\n')
  const now = text.split('\n')
  let before = ''
  return originalLines(
    old.map(({ plain }) => plain),
    now.map(composed),
  )
    .map(({ place, isEqual }, index) => {
      const line = old[place]
      const words = line === undefined ? now[index]! : isEqual ? line.raw : withWordsOf(line, now[index]!)
      if (index === now.length - 1) return words
      // A CR and the LF of an empty line would be one line end.
      const end = line?.end || '\n'
      before = before === '\r' && words === '' && end === '\n' ? '\r' : end
      return words + before
    })
    .join('')
}

/**
 * Returns a changed text with the byte order mark of the original. Decoders, browsers and editors leave the mark out of what they show, so
 * a text without it still has it.
 */
export function withMarkOf(original: string, text: string): string {
  return original.startsWith('\ufeff') && text !== '' && !text.startsWith('\ufeff') ? `\ufeff${text}` : text
}

/** Returns the end that all lines of a text have; null if they differ, or there is none. */
export function commonEnd(text: string): '\n' | '\r\n' | null {
  const ends = new Set(text.match(/\r\n?|\n/g))
  const [end] = ends
  return ends.size === 1 && (end === '\n' || end === '\r\n') ? end : null
}

/** A line of a file. */
interface Line {
  readonly raw: string
  /** As a page holds it. */
  readonly plain: string
  /** "" after the last one. */
  readonly end: string
}

function linesIn(text: string): Line[] {
  const parts = text.split(/(\r\n?|\n)/)
  return Array.from({ length: (parts.length + 1) / 2 }, (_, at) => {
    const raw = parts[2 * at]!
    return { raw, plain: savedForm(raw), end: parts[2 * at + 1] ?? '' }
  })
}

/** Keeps the words before and after a change. A space composes with nothing. */
function withWordsOf({ raw, plain }: Line, now: string): string {
  if (raw === plain) return now
  const [before, words] = [raw.split(' '), now.split(' ')]
  const old = before.map(savedForm)
  const most = Math.min(old.length, words.length)
  let start = 0
  while (start < most && old[start] === words[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === words.at(-1 - end)) end++
  const middle = words.slice(start, words.length - end)
  return [...before.slice(0, start), ...middle, ...before.slice(before.length - end)].join(' ')
}

/** Maximum distance, in lines, to search for an equal line. */
const reach = 100

/** Index of the original line that a line equals or replaces. */
interface Origin {
  readonly place: number
  readonly isEqual: boolean
}

/** Leading lines that both texts share are equal, and so is an equal line within reach. */
function originalLines(old: readonly string[], now: readonly string[]): Origin[] {
  const start = commonStart(old, now)
  const places = placesOf(old)
  const origins: Origin[] = []
  let reached = -1
  for (const [index, line] of now.entries()) {
    const queue = places.get(line) ?? []
    while (queue.length > 0 && queue.at(-1)! <= reached) queue.pop()
    const found = index < start ? index : (queue.at(-1) ?? Number.POSITIVE_INFINITY)
    const isEqual = found - reached <= reach
    if (isEqual) reached = found
    origins.push({ place: isEqual ? reached : reached + 1, isEqual })
  }
  return origins
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  let start = 0
  while (start < now.length && old[start] === now[start]) start++
  return start
}

/** The positions of each line, last one first. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (let index = lines.length - 1; index >= 0; index--) {
    const indexes = places.get(lines[index]!)
    if (indexes === undefined) places.set(lines[index]!, [index])
    else indexes.push(index)
  }
  return places
}
