/**
 * Word breaks inside runs of letters on lines with Thai, which is written without spaces. Source:
 * docs/reference/comparison.md#thai.
 */

/** Kinds of characters in the break table. Of its fifteen only these occur inside words. */
type Kind = 'thai' | 'alphabetic' | 'number' | 'other' | 'currency' | 'terminator'

/** For each kind, the following kinds that start a new word. All other pairs stay together. */
const breaksBefore: Readonly<Record<Kind, readonly Kind[]>> = {
  thai: ['alphabetic', 'currency'],
  alphabetic: ['thai'],
  number: ['thai'],
  other: ['thai', 'alphabetic', 'number', 'currency'],
  currency: ['thai'],
  terminator: ['thai', 'alphabetic', 'number', 'currency'],
}

/** Ranges of code points, both ends included. Unlisted ones have the kind `other`. */
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
 * Runs of Thai letters, vowel signs and tone marks, which a dictionary segments. Longer runs than people write are
 * split, because the segmenter takes more than linear time.
 */
const thaiRun = /[\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e]{1,4096}/g

/** Returns true if a line contains Thai letters, digits or signs. */
export function hasThai(line: string): boolean {
  return /[\u0e01-\u0e3a\u0e3f-\u0e5b]/.test(line)
}

/**
 * Marks word starts inside the letter runs of a line with Thai: one byte per UTF-16 unit, 1 = a word starts here.
 *
 * MediaWiki's extension segments Thai with the word list of libthai, which cannot be distributed here. `Intl.Segmenter`
 * uses the dictionary of the JavaScript engine instead. So on lines with Thai a comparison may mark other words than
 * MediaWiki's and, if the similarity of two lines is near a threshold, produce another type of element.
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
