/**
 * Unpacks bzip2, which Node does not support. One block of at most 900 KB is decoded at a time. Its output, which may be fifty
 * times as large, is returned in pieces, so memory is bounded for any stream.
 *
 * Source: the bzip2 format as Joe Tsai's specification of 2016 describes it.
 */

import { BrokenPackage } from './broken-package.ts'

/** Six bytes at the beginning of each block, and six at the end of a stream: digits of pi and of its square root. */
const blockMagic = 0x314159265359
const endMagic = 0x177245385090

/** Bytes of a block before the last step of compression, for each level. */
const levelBytes = 100_000
/** Longest code of a symbol, bits. */
const longestCode = 20
/** Maximum bytes of a block's tables. */
const tableBytes = 64 * 1024
/** Symbols that are coded with one table before the next table is selected. */
const groupSymbols = 50
/** Bytes that are returned at a time. */
const pieceBytes = 64 * 1024

/** Unpacks one stream, or several concatenated ones. Throws `BrokenPackage`. */
export async function* bunzip2(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    yield* unpack(source)
  } finally {
    await source.return?.()
  }
}

async function* unpack(source: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  const bits = new Bits()
  let isEnded = false
  /** Reads until a whole block is available, even if it is poorly compressed. */
  const fill = async (level: number): Promise<void> => {
    const wanted = (level * levelBytes * longestCode) / 8 + tableBytes
    const pieces: Uint8Array[] = []
    for (let have = bits.available; have < wanted && !isEnded; ) {
      const next = await source.next()
      if (next.done) isEnded = true
      else have += pieces.push(next.value) && next.value.length
    }
    bits.add(pieces)
  }
  await fill(9)
  while (bits.available > 0) {
    const level = readHeader(bits)
    const table = new Uint32Array(level * levelBytes)
    let checksum = 0
    for (; ; await fill(level)) {
      const magic = bits.read(24) * 2 ** 24 + bits.read(24)
      if (magic === endMagic) break
      if (magic !== blockMagic) throw broken('a block lacks its signature')
      checksum = (((checksum << 1) | (checksum >>> 31)) ^ (yield* unpackBlock(bits, table))) >>> 0
    }
    if (readWord(bits) !== checksum) throw broken('its checksum is wrong')
    bits.align()
    await fill(9)
  }
}

function broken(problem: string): BrokenPackage {
  return new BrokenPackage(`its bzip2 data are damaged: ${problem}`)
}

/** Reads bits, the highest of each byte first. */
class Bits {
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #value = 0
  #count = 0

  /** Bytes not read yet. */
  get available(): number {
    return this.#bytes.length - this.#at
  }

  add(pieces: readonly Uint8Array[]): void {
    if (pieces.length === 0) return
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), ...pieces])
    this.#at = 0
  }

  /** Reads up to 24 bits as a number. */
  read(count: number): number {
    while (this.#count < count) {
      if (this.#at === this.#bytes.length) throw broken('it ends early')
      this.#value = (this.#value << 8) | this.#bytes[this.#at++]!
      this.#count += 8
    }
    this.#count -= count
    return (this.#value >>> this.#count) & (2 ** count - 1)
  }

  /** Skips to the beginning of a byte. */
  align(): void {
    this.#count = 0
  }
}

function readWord(bits: Bits): number {
  return bits.read(16) * 2 ** 16 + bits.read(16)
}

function readHeader(bits: Bits): number {
  const level = bits.read(24) === 0x425a68 ? bits.read(8) - 0x30 : 0
  if (level < 1 || level > 9) throw broken('a stream lacks its signature')
  return level
}

/** Yields the unpacked bytes of a block; returns its checksum. */
function* unpackBlock(bits: Bits, table: Uint32Array): Generator<Uint8Array, number> {
  const expected = readWord(bits)
  if (bits.read(1) === 1) throw broken('it has an obsolete format version')
  const origin = bits.read(24)
  const length = readSymbols(bits, table)
  if (origin >= length) throw broken('a block has an invalid start')
  linkBytes(table, length)
  const checksum = yield* expandRuns(table, origin, length)
  if (checksum !== expected) throw broken('the checksum of a block is wrong')
  return checksum
}

/** Reads the set of byte values that occur in a block. */
function readAlphabet(bits: Bits): Uint8Array {
  const rows = bits.read(16)
  const alphabet: number[] = []
  for (let row = 0; row < 16; row++) {
    if (((rows >>> (15 - row)) & 1) === 0) continue
    const columns = bits.read(16)
    for (let column = 0; column < 16; column++) {
      if ((columns >>> (15 - column)) & 1) alphabet.push(row * 16 + column)
    }
  }
  return Uint8Array.from(alphabet)
}

/** Reads the table of each group of symbols. */
function readSelectors(bits: Bits, tables: number): Uint8Array {
  const selectors = new Uint8Array(bits.read(15))
  const recent = Uint8Array.from({ length: tables }, (_, number) => number)
  for (let at = 0; at < selectors.length; at++) {
    let place = 0
    while (bits.read(1) === 1) if (++place >= tables) throw broken('a table is selected that does not exist')
    selectors[at] = toFront(recent, place)
  }
  return selectors
}

/** Moves the item at an index to the front and returns it. */
function toFront(recent: Uint8Array, place: number): number {
  const moved = recent[place]!
  recent.copyWithin(1, 0, place)
  recent[0] = moved
  return moved
}

/** A Huffman code: for each length the highest code, and the offset from a code to its symbol. */
interface Code {
  readonly highest: Int32Array
  readonly offsets: Int32Array
  readonly symbols: readonly number[]
  readonly shortest: number
}

function readCode(bits: Bits, symbols: number): Code {
  const lengths = new Uint8Array(symbols)
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > longestCode) throw broken('a code is too long')
      if (bits.read(1) === 0) break
      length += bits.read(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  return codeOf(lengths)
}

function codeOf(lengths: Uint8Array): Code {
  const highest = new Int32Array(longestCode + 1).fill(-1)
  const offsets = new Int32Array(longestCode + 1)
  const symbols: number[] = []
  let code = 0
  for (let length = 1; length <= longestCode; length++, code *= 2) {
    offsets[length] = symbols.length - code
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length && symbols.push(symbol)) code++
    }
    highest[length] = code - 1
  }
  return { highest, offsets, symbols, shortest: Math.min(...lengths) }
}

function readSymbol(bits: Bits, { highest, offsets, symbols, shortest }: Code): number {
  let length = shortest
  for (let code = bits.read(length); length <= longestCode; code = code * 2 + bits.read(1), length++) {
    const place = code + offsets[length]!
    if (code <= highest[length]! && place >= 0 && place < symbols.length) return symbols[place]!
  }
  throw broken('a symbol has no code')
}

/** Reads the block's transformed bytes into the low bytes of the table; returns their number. */
function readSymbols(bits: Bits, table: Uint32Array): number {
  const recent = readAlphabet(bits)
  const end = recent.length + 1
  const tables = bits.read(3)
  if (recent.length === 0 || tables < 2 || tables > 6) throw broken('a block has no tables')
  const selectors = readSelectors(bits, tables)
  const codes = Array.from({ length: tables }, () => readCode(bits, end + 1))
  let length = 0
  let run = 0
  let weight = 1
  for (let count = 0; ; count++) {
    const code = codes[selectors[Math.floor(count / groupSymbols)] ?? -1]
    if (code === undefined) throw broken('a block has more symbols than tables')
    const symbol = readSymbol(bits, code)
    if (symbol <= 1) {
      // The two digits of a run length: the last byte is repeated so often.
      run += weight << symbol
      weight *= 2
      if (run > table.length) throw broken('a run is longer than a block')
      continue
    }
    if (length + run > table.length) throw broken('a block is too long')
    table.fill(recent[0]!, length, length + run)
    length += run
    run = 0
    weight = 1
    if (symbol === end) return length
    if (length === table.length) throw broken('a block is too long')
    table[length++] = toFront(recent, symbol - 1)
  }
}

/** Links each byte to the one that follows it in the text: the inverse of the Burrows-Wheeler transform. */
function linkBytes(table: Uint32Array, length: number): void {
  const places = new Uint32Array(256)
  for (let at = 0; at < length; at++) places[table[at]! & 0xff]!++
  for (let byte = 0, sum = 0; byte < 256; byte++) {
    const count = places[byte]!
    places[byte] = sum
    sum += count
  }
  for (let at = 0; at < length; at++) {
    const place = places[table[at]! & 0xff]!++
    table[place] = (table[place]! | (at << 8)) >>> 0
  }
}

/** Returns the text by following the links: after four equal bytes comes the number of further ones. */
function* expandRuns(table: Uint32Array, origin: number, length: number): Generator<Uint8Array, number> {
  let piece = Buffer.allocUnsafe(pieceBytes)
  let filled = 0
  let checksum = 0xffffffff
  let link = table[origin]! >>> 8
  let [last, equal] = [-1, 0]
  for (let at = 0; at < length; at++) {
    const entry = table[link]!
    const byte = entry & 0xff
    link = entry >>> 8
    const isCount = equal === 4
    if (!isCount) [equal, last] = [byte === last ? equal + 1 : 1, byte]
    for (let copies = isCount ? byte : 1; copies > 0; copies--) {
      checksum = (checksum << 8) ^ checksums[((checksum >>> 24) ^ last) & 0xff]!
      piece[filled++] = last
    }
    if (isCount) [equal, last] = [0, -1]
    if (filled < pieceBytes - 256) continue
    yield piece.subarray(0, filled)
    piece = Buffer.allocUnsafe(pieceBytes)
    filled = 0
  }
  if (filled > 0) yield piece.subarray(0, filled)
  return ~checksum >>> 0
}

/** The checksum's remainders by byte, the highest bit first. */
const checksums = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder < 0 ? 0x04c11db7 : 0)
  return remainder
})
