/** Truths about the elements of any comparison, and how ours differ from those of MediaWiki. */

import type { DiffElement } from '../../src/core/comparison.ts'

/** The texts of a comparison. */
interface Texts {
  readonly from: string
  readonly to: string
}

const lineFeed = 10

/** Lists what a comparison says about its texts that is not true. An offset inside a text is that of a line with the element's words. */
export function falseElements(diff: readonly DiffElement[], { from, to }: Texts): string[] {
  const sides = { from: Buffer.from(from), to: Buffer.from(to) }
  const found: string[] = []
  for (const [at, element] of diff.entries()) {
    const { type, lineNumber, offset } = element
    const [hasFrom, hasTo] = [![1, 5].includes(type), ![2, 4].includes(type)]
    const isWhole = [type, lineNumber ?? 0].every(Number.isInteger) && type >= 0 && type <= 5
    const says = (text: string) => found.push(`element ${at} (type ${type}): ${text}`)
    if (!isWhole) says(`line ${lineNumber}`)
    if (hasFrom !== (offset.from !== null) || hasTo !== (offset.to !== null)) says('an offset too many or too few')
    if (hasFrom && !begins(sides.from, offset.from, lineOf(element, 0))) says(`not at ${offset.from} of from`)
    if (hasTo && !begins(sides.to, offset.to, lineOf(element, 1))) says(`not at ${offset.to} of to`)
    const isNumbered = lineNumber !== undefined && lineStart(sides.to, lineNumber) === offset.to
    if (hasTo ? !isNumbered : lineNumber !== undefined) says(`line ${lineNumber}`)
    const isContext = type === 0 && [-2, -1, 1, 2].some(step => (diff[at + step]?.type ?? 0) !== 0)
    if (type === 0 && !isContext) says('not near a change')
  }
  return [...found, ...missingLines(diff, sides)]
}

/** The texts are equal wherever the elements say nothing, and two equal lines are listed at each end of it. */
function missingLines(diff: readonly DiffElement[], sides: { readonly from: Buffer; readonly to: Buffer }): string[] {
  let [from, to] = [0, 0]
  for (const [at, element] of diff.entries()) {
    const { offset } = element
    const gap = offset.from === null ? (offset.to ?? to) - to : offset.from - from
    if (gap < 0 || !sides.from.subarray(from, from + gap).equals(sides.to.subarray(to, to + gap)))
      return [`the texts differ at ${from} and ${to}, which no element says`]
    if (gap > 0 && !hasContext(diff, at)) return [`lines beside a change are missing at ${from}`]
    from += gap + (offset.from === null ? 0 : lineOf(element, 0).length + 1)
    to += gap + (offset.to === null ? 0 : lineOf(element, 1).length + 1)
  }
  const rest = [sides.from.subarray(from), sides.to.subarray(to)].map(bytes => bytes.toString().replace(/\n$/, ''))
  if (rest[0] !== rest[1]) return ['the texts differ behind the last element']
  return from < sides.from.length && diff.length > 0 && !hasContext(diff, diff.length)
    ? ['the last lines are missing']
    : []
}

/** True if two unchanged lines stand before an element, unless it is the first, and from it on, unless it is behind the last. */
function hasContext(diff: readonly DiffElement[], at: number): boolean {
  const isContext = (index: number): boolean => diff[index]?.type === 0
  return (
    (at === 0 || (isContext(at - 1) && isContext(at - 2))) &&
    (at === diff.length || (isContext(at) && isContext(at + 1)))
  )
}

/**
 * Returns recorded elements with both offsets of each joined line: ours, if the line with these words begins there. A moved line
 * right behind its old position is one changed line (type 3); MediaWiki gives it one offset, its API reference wants one wherever the
 * line exists.
 */
export function withBothOffsets(
  recorded: readonly DiffElement[],
  ours: readonly DiffElement[] | undefined,
  { from, to }: Texts,
): DiffElement[] {
  const [fromBytes, toBytes] = [Buffer.from(from), Buffer.from(to)]
  return recorded.map((element, at) => {
    if (element.type !== 3 || (element.offset.from !== null && element.offset.to !== null)) return element
    const offset = { ...element.offset }
    if (offset.to === null) offset.to = lineStart(toBytes, element.lineNumber)
    const own = ours?.[at]?.offset?.from ?? null
    if (offset.from === null && begins(fromBytes, own, lineOf(element, 0))) offset.from = own
    return offset.to !== null && begins(toBytes, offset.to, lineOf(element, 1)) ? { ...element, offset } : element
  })
}

/** The line of one text: the merged one without the ranges of a type, 0 for additions and 1 for deletions. */
function lineOf({ text, highlightRanges = [] }: DiffElement, dropped: 0 | 1): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  let reached = 0
  for (const { start, length, type } of highlightRanges) {
    if (type !== dropped) continue
    parts.push(bytes.subarray(reached, start))
    reached = start + length
  }
  return Buffer.concat([...parts, bytes.subarray(reached)])
}

/** True if a line with exactly these bytes begins at an offset. */
function begins(bytes: Buffer, offset: number | null, line: Buffer): boolean {
  if (offset === null || !Number.isInteger(offset) || offset < 0 || offset > bytes.length) return false
  if (offset > 0 && bytes[offset - 1] !== lineFeed) return false
  const end = offset + line.length
  return bytes.subarray(offset, end).equals(line) && (end === bytes.length || bytes[end] === lineFeed)
}

/** Returns the start of a line, by its number from 1; null behind the last. */
function lineStart(bytes: Buffer, number = 1): number | null {
  let start = 0
  for (let line = 1; line < number; line++) {
    start = bytes.indexOf(lineFeed, start) + 1
    if (start === 0) return null
  }
  return start
}
