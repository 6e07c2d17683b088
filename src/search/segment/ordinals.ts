/** Documents of a segment as ascending lists of their ordinals. */

/** If a list is longer by this factor, it is searched instead of scanned. */
const farLonger = 16

/** Calls a function with the indexes of each number that occurs in both of two ascending lists. */
export function forEachCommon(a: Uint32Array, b: Uint32Array, visit: (atA: number, atB: number) => void): void {
  if (a.length > b.length) {
    forEachCommon(b, a, (atB, atA) => visit(atA, atB))
    return
  }
  const isSearched = a.length * farLonger < b.length
  for (let [atA, atB] = [0, 0]; atA < a.length && atB < b.length; atA++) {
    const value = a[atA]!
    if (isSearched) atB = placeFor(b, value, atB)
    else while (atB < b.length && b[atB]! < value) atB++
    if (b[atB] === value) visit(atA, atB++)
  }
}

/** Finds a number in an ascending list; -1 if it is not there. */
export function placeOf(list: Uint32Array, value: number): number {
  const place = placeFor(list, value, 0)
  return list[place] === value ? place : -1
}

/** The index of the first number at or after an index that is not lower. */
function placeFor(list: Uint32Array, value: number, from: number): number {
  let [low, high] = [from, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Lists the numbers of any of the lists. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  const filled = lists.filter(({ length }) => length > 0)
  if (filled.length < 2) return filled[0] ?? new Uint32Array()
  const marked = new Uint8Array(Math.max(...filled.map(list => list.at(-1)!)) + 1)
  let count = 0
  for (const list of filled) {
    for (let at = 0; at < list.length; at++) {
      count += 1 - marked[list[at]!]!
      marked[list[at]!] = 1
    }
  }
  const united = new Uint32Array(count)
  for (let ordinal = 0, at = 0; at < count; ordinal++) if (marked[ordinal] === 1) united[at++] = ordinal
  return united
}

/** Lists the numbers common to all lists, of which there is at least one. */
export function intersect(lists: readonly Uint32Array[]): Uint32Array {
  return lists
    .toSorted((a, b) => a.length - b.length)
    .reduce((few, many) => {
      const common = new Uint32Array(few.length)
      let length = 0
      forEachCommon(few, many, at => {
        common[length++] = few[at]!
      })
      return common.subarray(0, length)
    })
}

/** Lists the numbers of the list that are in none of the others. */
export function without(list: Uint32Array, others: readonly Uint32Array[]): Uint32Array {
  const excluded = union(others)
  if (excluded.length === 0) return list
  const left = new Uint32Array(list.length)
  let [length, next] = [0, 0]
  const keepUntil = (end: number): void => {
    while (next < end) left[length++] = list[next++]!
  }
  forEachCommon(list, excluded, at => {
    keepUntil(at)
    next = at + 1
  })
  keepUntil(list.length)
  return left.subarray(0, length)
}
