/** Splits texts into lines and gives each distinct line a small integer. Source: docs/reference/comparison.md#lines. */

/** A text cut at its line feeds; the line feed belongs to no line. */
export interface Lines {
  readonly text: string
  /** Start of each line, in UTF-16 units, then the start that a further line would have. */
  readonly starts: Int32Array
  /** One number a line, equal for equal lines of all texts numbered with the same map. */
  readonly ids: Int32Array
}

/**
 * Cuts a text into lines and numbers them. A final line feed opens no further line, the empty text has no line, and a
 * carriage return is an ordinary character.
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

/** Returns the number of a text: the one it has, or the next one. */
export function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  const next = numbers.size
  numbers.set(text, next)
  return next
}

/** Returns one line without its line feed. */
export function lineAt(lines: Lines, index: number): string {
  return lines.text.slice(lines.starts[index]!, lines.starts[index + 1]! - 1)
}

/** Returns a function that turns ever later positions of a text (UTF-16 units) into bytes of UTF-8 before them. */
export function byteCounter(text: string): (position: number) => number {
  let reached = 0
  let bytes = 0
  return position => {
    bytes += Buffer.byteLength(text.slice(reached, position))
    reached = position
    return bytes
  }
}
