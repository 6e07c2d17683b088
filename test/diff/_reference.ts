/** The choice of the common subsequence by docs/reference/comparison.md, with lists and maps, without regard to speed. */

type Items = readonly number[]
type Range = readonly [start: number, end: number]

/** An entry of the row pass: a pair of equal items, and its predecessor. */
interface Entry {
  readonly p: number
  readonly q: number
  readonly before: Entry | null
}

/** Flags of the changed items of both lists, before runs are shifted. */
export function referenceChanges(from: Items, to: Items): { from: Uint8Array; to: Uint8Array } {
  const changed = { from: new Uint8Array(from.length).fill(1), to: new Uint8Array(to.length).fill(1) }
  const match = (fromAt: number, toAt: number): void => {
    changed.from[fromAt] = 0
    changed.to[toAt] = 0
  }
  let skip = 0
  while (skip < from.length && skip < to.length && from[skip] === to[skip]) match(skip, skip++)
  let [fromEnd, toEnd] = [from.length, to.length]
  while (fromEnd > skip + 1 && toEnd > skip + 1 && from[fromEnd - 1] === to[toEnd - 1]) match(--fromEnd, --toEnd)
  const toPlaces = range(skip, toEnd).filter(place => from.slice(skip, fromEnd).includes(to[place]!))
  const fromPlaces = range(skip, fromEnd).filter(place => toPlaces.some(other => to[other] === from[place]))
  const x = fromPlaces.map(place => from[place]!)
  const y = toPlaces.map(place => to[place]!)
  solve(x, [0, x.length], y, [0, y.length], (xAt, yAt) => match(fromPlaces[xAt]!, toPlaces[yAt]!))
  return changed
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}

function solve(x: Items, xRange: Range, y: Items, yRange: Range, match: (xAt: number, yAt: number) => void): void {
  let [xStart, xEnd] = xRange
  let [yStart, yEnd] = yRange
  while (xStart < xEnd && yStart < yEnd && x[xStart] === y[yStart]) match(xStart++, yStart++)
  while (xStart < xEnd && yStart < yEnd && x[xEnd - 1] === y[yEnd - 1]) match(--xEnd, --yEnd)
  if (xStart === xEnd || yStart === yEnd) return
  const isXShort = xEnd - xStart <= yEnd - yStart
  const parts = isXShort
    ? cutShort(x, [xStart, xEnd], y, [yStart, yEnd], match)
    : cutShort(y, [yStart, yEnd], x, [xStart, xEnd], (p, q) => match(q, p))
  for (const [p, q] of parts) solve(x, isXShort ? p : q, y, isXShort ? q : p, match)
}

function cutShort(
  p: Items,
  pRange: Range,
  q: Items,
  qRange: Range,
  match: (pAt: number, qAt: number) => void,
): [p: Range, q: Range][] {
  const n = pRange[1] - pRange[0]
  if (n === 1) {
    const first = range(...qRange).find(at => q[at] === p[pRange[0]])
    if (first !== undefined) match(pRange[0], first)
    return []
  }
  const path = rowPass(p, pRange, q, qRange)
  if (path.length === 0) return []
  const chunks = Math.min(7, n) + 1
  let [pAt, qAt] = [pRange[0], qRange[0]]
  return range(0, chunks).map(c => {
    const isLast = c === chunks - 1
    const pCut = isLast ? pRange[1] : pRange[0] + Math.floor((n + chunks - 1 + n * c) / chunks)
    const qCut = isLast ? qRange[1] : (path.findLast(entry => entry.p < pCut)?.q ?? qRange[0] - 1) + 1
    const part: [Range, Range] = [
      [pAt, pCut],
      [qAt, qCut],
    ]
    pAt = pCut
    qAt = qCut
    return part
  })
}

function rowPass(p: Items, pRange: Range, q: Items, qRange: Range): Entry[] {
  let entries: Entry[] = []
  for (const at of range(...pRange)) {
    const places = range(...qRange).filter(place => q[place] === p[at])
    const next = [...entries]
    for (let k = 0; k <= entries.length; k++) {
      const [low, high] = [entries[k - 1]?.q ?? -1, entries[k]?.q ?? Number.POSITIVE_INFINITY]
      const place = places.find(candidate => candidate > low && candidate < high)
      if (place !== undefined) next[k] = { p: at, q: place, before: entries[k - 1] ?? null }
    }
    entries = next
  }
  const path: Entry[] = []
  for (let entry = entries.at(-1) ?? null; entry !== null; entry = entry.before) path.unshift(entry)
  return path
}
