import type { DiffElement } from '../../src/core/comparison.ts'

/** The statements of a comparison about one text, and whether they are true. */
interface Reading {
  readonly from: string
  readonly to: string
}

/** Lines of an element that each text has. */
function linesOf({ type, text, highlightRanges = [] }: DiffElement): { from: string | null; to: string | null } {
  const without = (kind: 0 | 1): string => {
    const bytes = Buffer.from(text)
    const kept: Buffer[] = []
    let at = 0
    for (const range of highlightRanges) {
      if (range.type === kind) kept.push(bytes.subarray(at, range.start))
      if (range.type === kind) at = range.start + range.length
    }
    return Buffer.concat([...kept, bytes.subarray(at)]).toString()
  }
  if (type === 0) return { from: text, to: text }
  if (type === 1) return { from: null, to: text }
  if (type === 2 || type === 4) return { from: text, to: null }
  return { from: type === 5 ? null : without(0), to: without(1) }
}

/** Rebuilds both texts from one of them and the comparison: the elements, and the unchanged lines between them. */
export function applyComparison(from: string, elements: readonly DiffElement[]): Reading {
  const source = Buffer.from(from)
  let [before, after] = ['', '']
  for (const element of elements) {
    const [fromBytes, toBytes] = [Buffer.byteLength(before), Buffer.byteLength(after)]
    const { offset } = element
    const gap = offset.from === null ? (offset.to ?? toBytes) - toBytes : offset.from - fromBytes
    const unchanged = source.subarray(fromBytes, fromBytes + gap).toString()
    const lines = linesOf(element)
    before += unchanged + (lines.from === null ? '' : `${lines.from}\n`)
    after += unchanged + (lines.to === null ? '' : `${lines.to}\n`)
  }
  const rest = source.subarray(Buffer.byteLength(before)).toString()
  return { from: before + rest, to: after + rest }
}
