/** Numbers of terms, and their order. */

/** Units of a term in its sort key, seven bits each; and bits of a term's number. */
const keyLength = 6
const numberBits = 22

/** Terms that are decoded at once. */
const madeTogether = 512

/** Bit that turns an ASCII capital into a small letter; digits have it set. */
const smallLetter = 0x20

const isBigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

/** Numbers of terms, from 0 on. */
export interface TermNumbers {
  readonly count: number
  /** Memory in use. */
  readonly bytes: number
  readonly of: (term: string) => number
  /** The number of a part of a text, ASCII letters and digits, as a term in small letters. */
  readonly ofWord: (text: string, start: number, end: number) => number
  /** The terms in order of their UTF-16 units. */
  readonly inOrder: () => Generator<readonly [term: string, number: number], void, undefined>
}

/** Concatenated terms, as UTF-16 units. */
interface TermUnits {
  count: number
  units: Uint16Array<ArrayBuffer>
  /** Start of each term, then the start of the next one. */
  starts: Uint32Array<ArrayBuffer>
}

/**
 * Starts with no terms. A hash table holds their numbers: most words of a page are known already, and are looked up in its
 * text without creating a string. The seed keeps pages from choosing words with one slot.
 */
export function termNumbers(): TermNumbers {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const terms: TermUnits = { count: 0, units: new Uint16Array(8 * 1024), starts: new Uint32Array(1024) }
  /** For each slot the hash and the number, counted from 1. */
  let table = new Uint32Array(2 * 4096)
  const find = (text: string, start: number, end: number, bits: number): number => {
    const hash = hashOf(text, start, end, bits, seed)
    const mask = table.length - 2
    let slot = (2 * hash) & mask
    for (; table[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (table[slot] === hash && isTerm(terms, table[slot + 1]! - 1, text, start, end, bits))
        return table[slot + 1]! - 1
    }
    table[slot] = hash
    table[slot + 1] = terms.count + 1
    addTerm(terms, text, start, end, bits)
    if (4 * terms.count > table.length) table = enlarge(table)
    return terms.count - 1
  }
  return {
    get count() {
      return terms.count
    },
    get bytes() {
      return terms.units.byteLength + terms.starts.byteLength + table.byteLength
    },
    of: text => find(text, 0, text.length, 0),
    ofWord: (text, start, end) => find(text, start, end, smallLetter),
    inOrder: () => termsInOrder(terms),
  }
}

function hashOf(text: string, start: number, end: number, bits: number, seed: number): number {
  let hash = seed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text.charCodeAt(at) | bits), 0x5bd1e995)
  return (hash ^ (hash >>> 15)) >>> 0
}

function isTerm(
  { units, starts }: TermUnits,
  number: number,
  text: string,
  start: number,
  end: number,
  bits: number,
): boolean {
  const first = starts[number]!
  if (starts[number + 1]! - first !== end - start) return false
  for (let at = start; at < end; at++) if (units[first + at - start] !== (text.charCodeAt(at) | bits)) return false
  return true
}

function addTerm(terms: TermUnits, text: string, start: number, end: number, bits: number): void {
  if (terms.count + 2 > terms.starts.length) terms.starts = growTo(terms.starts, 2 * terms.starts.length)
  let length = terms.starts[terms.count]!
  while (length + end - start > terms.units.length) {
    const more = new Uint16Array(2 * terms.units.length)
    more.set(terms.units)
    terms.units = more
  }
  for (let at = start; at < end; at++) terms.units[length++] = text.charCodeAt(at) | bits
  terms.starts[++terms.count] = length
}

function enlarge(table: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * table.length)
  const mask = larger.length - 2
  for (let from = 0; from < table.length; from += 2) {
    if (table[from + 1] === 0) continue
    let slot = (2 * table[from]!) & mask
    while (larger[slot + 1] !== 0) slot = (slot + 2) & mask
    larger[slot] = table[from]!
    larger[slot + 1] = table[from + 1]!
  }
  return larger
}

/** One string for many terms: creating each separately takes several times as long. */
function* termsInOrder(terms: TermUnits): Generator<readonly [term: string, number: number], void, undefined> {
  const { starts } = terms
  const sorted = sortTerms(terms)
  for (let first = 0; first < sorted.length; first += madeTogether) {
    const numbers = sorted.subarray(first, first + madeTogether)
    const text = textOf(terms, numbers)
    let at = 0
    for (const number of numbers) {
      const end = at + starts[number + 1]! - starts[number]!
      yield [text.slice(at, end), number]
      at = end
    }
  }
}

function textOf({ units, starts }: TermUnits, numbers: Uint32Array): string {
  const length = numbers.reduce((sum, number) => sum + starts[number + 1]! - starts[number]!, 0)
  const joined = new Uint16Array(length)
  let at = 0
  for (const number of numbers) {
    for (let from = starts[number]!; from < starts[number + 1]!; from++) joined[at++] = units[from]!
  }
  const bytes = Buffer.from(joined.buffer)
  return (isBigEndian ? bytes.swap16() : bytes).toString('utf16le')
}

/** The same numbers in an array with more room. */
export function growTo(values: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length)
  larger.set(values)
  return larger
}

/** Sorts by numeric keys, in a tenth of the time of comparing terms; only terms with equal keys are compared. */
function sortTerms(terms: TermUnits): Uint32Array {
  const byTerm = (a: number, b: number): number => compareTerms(terms, a, b)
  if (terms.count >= 2 ** numberBits) return Uint32Array.from({ length: terms.count }, (_, at) => at).sort(byTerm)
  const sorted = sortKeys(terms)
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    const key = keyOf(terms, sorted[start]!)
    while (end < sorted.length && keyOf(terms, sorted[end]!) === key) end++
    if (end - start > 1) sorted.subarray(start, end).sort(byTerm)
    start = end
  }
  return sorted
}

function compareTerms({ units, starts }: TermUnits, a: number, b: number): number {
  const [startA, startB] = [starts[a]!, starts[b]!]
  const [lengthA, lengthB] = [starts[a + 1]! - startA, starts[b + 1]! - startB]
  for (let at = 0; at < lengthA && at < lengthB; at++) {
    const difference = units[startA + at]! - units[startB + at]!
    if (difference !== 0) return difference
  }
  return lengthA - lengthB
}

function sortKeys(terms: TermUnits): Uint32Array {
  const packed = new BigUint64Array(terms.count)
  const halves = new Uint32Array(packed.buffer)
  const [high, low] = isBigEndian ? [0, 1] : [1, 0]
  for (let number = 0; number < terms.count; number++) {
    const key = keyOf(terms, number)
    halves[2 * number + high] = Math.floor(key / 2 ** (32 - numberBits))
    halves[2 * number + low] = (key % 2 ** (32 - numberBits)) * 2 ** numberBits + number
  }
  packed.sort()
  const sorted = new Uint32Array(terms.count)
  for (let at = 0; at < sorted.length; at++) sorted[at] = halves[2 * at + low]! % 2 ** numberBits
  return sorted
}

/** Of two terms with different keys the one with the lower key comes first. */
function keyOf({ units, starts }: TermUnits, number: number): number {
  const [start, end] = [starts[number]!, starts[number + 1]!]
  let key = 0
  let isAscii = true
  for (let at = start; at < start + keyLength; at++) {
    // After a character beyond ASCII the key is constant: it is equal for many terms.
    const unit: number = isAscii && at < end ? Math.min(units[at]!, 127) : 0
    isAscii &&= unit < 127
    key = key * 128 + unit
  }
  return key
}
