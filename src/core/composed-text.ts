/** Unicode's composed form, NFC, in time proportional to the text. */

/** Texts of letters before the first combining mark are composed. */
const mayCompose = /[^\0-\u02ff]/

/** Largest number of combining marks in a row that are put in order. Source: UAX #15, Stream-Safe Text Format. */
const mostMarks = 30

/** The combining marks around an index. */
const marksAround = /(?<=(\p{M}*))\p{M}+/uy

/**
 * Composes a text. A run of more than 30 combining marks stays as written: to put them in order takes time that grows with the square
 * of their number, hours for a few megabytes, and no language has so many.
 */
export function composed(text: string): string {
  if (!mayCompose.test(text)) return text
  let written = ''
  let done = 0
  for (const { start, end } of longRuns(text)) {
    written += text.slice(done, start).normalize('NFC') + text.slice(start, end)
    done = end
  }
  return written + text.slice(done).normalize('NFC')
}

/** Looks at every 31st character, which no longer run can avoid. */
function* longRuns(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = mostMarks; at < text.length; at += mostMarks + 1) {
    marksAround.lastIndex = at
    const found = marksAround.exec(text)
    if (found === null) continue
    const [marks, before = ''] = found
    const run = before + marks
    if (run.length <= mostMarks || (run.length <= 2 * mostMarks && [...run].length <= mostMarks)) continue
    const start = found.index - before.length
    yield { start, end: start + run.length }
    at = Math.max(at, start + run.length)
  }
}

/**
 * A character that composes with nothing before it, or a run of marks so long that both halves stay as written. Source: UAX #15,
 * boundaries of normalization; those outside the BMP are left out.
 */
const boundary = /[^\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{10000}-\u{10ffff}]|(\p{M}{31})\p{M}{31}/gu

/**
 * Cuts a text into slices of this many UTF-16 units or a few more, which can be composed one by one. Without a boundary after
 * that many units the slice is longer.
 */
export function* composableSlices(text: string, units: number): Generator<string> {
  let start = 0
  while (text.length - start > units) {
    boundary.lastIndex = start + units
    const found = boundary.exec(text)
    if (found === null) break
    const end = found.index + (found[1]?.length ?? 0)
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start)
}

/** Longest text that is decomposed; names of files have at most 255 bytes. */
const longestDecomposed = 1000

/** Returns the decomposed form of a name, NFD; a longer text as it is. */
export function decomposed(name: string): string {
  return /[^\0-\x7f]/.test(name) && name.length <= longestDecomposed ? name.normalize('NFD') : name
}

/**
 * Folds case, so that "ß", its capital and "SS" are equal. Only lower, upper, lower folds the capital sharp s, which is its own upper case,
 * and the Greek iota subscript.
 */
export function fullCaseFold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase()
}
