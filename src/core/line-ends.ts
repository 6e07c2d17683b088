/**
 * Texts with CR LF line ends, as editors on Windows write them. They are read as if lines ended in LF, and written with
 * their own line ends.
 */

/** Converts all line ends to LF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
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

/** Restores line ends: returns a changed text, whose lines end in LF, with the line ends of the original text. */
export function withLineEndsOf(original: string, text: string): string {
  if (!original.includes('\r\n')) return text
  if (!/(?:^|[^\r])\n/.test(original)) return text.replaceAll('\n', '\r\n')
  const now = text.split('\n')
  const ends = lineEnds(original.split('\n'), now)
  return now.map((line, index) => (index === now.length - 1 ? line : line + ends[index]!)).join('\n')
}

/** Maximum distance, in lines, to search for an equal line. */
const reach = 100

/**
 * Leading lines that both texts share keep their line ends, and so does an equal line within reach. A new or changed
 * line gets the line end of the line that it replaces.
 */
function lineEnds(old: readonly string[], now: readonly string[]): string[] {
  const plain = old.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const start = commonStart(plain, now)
  const places = placesOf(plain)
  const ends: string[] = []
  let reached = -1
  for (const [index, line] of now.entries()) {
    const queue = places.get(line) ?? []
    while (queue.length > 0 && queue.at(-1)! <= reached) queue.pop()
    const found = index < start ? index : (queue.at(-1) ?? Number.POSITIVE_INFINITY)
    if (found - reached <= reach) reached = found
    const isEqual = found === reached
    const place = isEqual ? reached : reached + 1
    ends.push(old[place]?.endsWith('\r') === true ? '\r' : '')
  }
  return ends
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
