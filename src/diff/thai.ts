/** Word breaks inside runs of letters on lines with Thai, which has no blanks between words. Source: docs/reference/comparison.md#thai. */

/** Kinds of characters the break table knows. Of the table's fifteen only these stand inside words. */
type Kind = 'thai' | 'alphabetic' | 'number' | 'other' | 'currency' | 'terminator'

/** Kind before to the kinds after it that begin a new word. The other pairs, and equal kinds, stay together. */
const breaksBefore: Readonly<Record<Kind, readonly Kind[]>> = {
  thai: ['alphabetic', 'currency'],
  alphabetic: ['thai'],
  number: ['thai'],
  other: ['thai', 'alphabetic', 'number', 'currency'],
  currency: ['thai'],
  terminator: ['thai', 'alphabetic', 'number', 'currency'],
}

/** Ranges of code points, both ends included. What no row names is of kind `other`. */
const kinds: readonly (readonly [first: number, last: number, kind: Kind])[] = [
  [0x30, 0x39, 'number'],
  [0x41, 0x5a, 'alphabetic'],
  [0x5f, 0x5f, 'alphabetic'],
  [0x61, 0x7a, 'alphabetic'],
  [0xe01, 0xe2e, 'thai'],
  [0xe30, 0xe3a, 'thai'],
  [0xe3f, 0xe3f, 'currency'],
  [0xe40, 0xe45, 'thai'],
  [0xe47, 0xe4e, 'thai'],
  [0xe4f, 0xe4f, 'alphabetic'],
  [0xe50, 0xe59, 'number'],
  [0xe5a, 0xe5b, 'terminator'],
]

/**
 * Runs of Thai letters, vowel and tone signs: what is cut by a dictionary. Longer ones than people write are cut in
 * pieces, because the segmenter's time grows faster than the length.
 */
const thaiRun = /[\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e]{1,4096}/g

/** Returns true if a line holds Thai letters, digits or signs. */
export function hasThai(line: string): boolean {
  return /[\u0e01-\u0e3a\u0e3f-\u0e5b]/.test(line)
}

/**
 * Marks where words begin inside the letter runs of a line with Thai: one byte a UTF-16 unit, 1 = a word begins here.
 *
 * MediaWiki's extension cuts Thai with the word list of libthai, which is not ours to ship. Here `Intl.Segmenter` cuts
 * it, with the dictionary of the JavaScript engine: on lines with Thai a comparison may mark other words than
 * MediaWiki's, and, where a line's likeness to another stands near a threshold, another type of element.
 */
export function thaiBreaks(line: string): Uint8Array {
  const breaks = new Uint8Array(line.length + 1)
  let previous: Kind | undefined
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at)!
    const kind = kindOf(code)
    if (previous !== undefined && breaksBefore[previous].includes(kind)) breaks[at] = 1
    previous = kind
    at += code > 0xffff ? 2 : 1
  }
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  for (const { index: start, 0: run } of line.matchAll(thaiRun)) {
    for (const { index } of segmenter.segment(run)) if (index > 0) breaks[start + index] = 1
  }
  return breaks
}

function kindOf(code: number): Kind {
  for (const [first, last, kind] of kinds) if (code >= first && code <= last) return kind
  return 'other'
}
