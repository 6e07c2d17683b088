/**
 * Splits texts into lines and maps each distinct line to a small integer. Source: docs/reference/comparison.md#lines.
 */

/** A text split at its line feeds, which belong to no line. */
export interface Lines {
  readonly text: string
  /** Start of each line, in UTF-16 units, then the start of the line that would follow. */
  readonly starts: Int32Array
  /** One number per line, equal for equal lines of all texts that share the map. */
  readonly ids: Int32Array
}

/**
 * Splits a text into lines and numbers them. A final line feed starts no further line, an empty text has no lines, and
 * a carriage return is an ordinary character.
 */
export function splitLines(text: string, numbers: Map<string, number>): Lines {
  const starts: number[] = [0]
  const ids: number[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    ids.push(numberOf(text.slice(start, end), numbers))
    start = end + 1
    starts.push(start)
  }
  return { text, starts: new Int32Array(starts), ids: new Int32Array(ids) }
}

/** Returns the number of a text, assigning the next one if it is new. */
export function numberOf(text: string, numbers: Map<string, number>): number {
  const number = numbers.get(text)
  if (number !== undefined) return number
  const next = numbers.size
  numbers.set(text, next)
  return next
}

/** Returns one line without its line feed. */
export function lineAt(lines: Lines, index: number): string {
  return lines.text.slice(lines.starts[index]!, lines.starts[index + 1]! - 1)
}

/** Returns a function that converts ascending UTF-16 positions of a text to UTF-8 byte offsets. */
export function byteCounter(text: string): (position: number) => number {
  let reached = 0
  let bytes = 0
  return position => {
    bytes += Buffer.byteLength(text.slice(reached, position))
    reached = position
    return bytes
  }
}
