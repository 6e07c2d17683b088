/** Deltas of packs: an object described by its difference from another. Source: git's Documentation/gitformat-pack.txt. */

const copyLimit = 0xffffff
const insertLimit = 0x7f

/** Makes the delta of two contents that differ in one place: common beginning, new bytes, common end. */
export function makeDelta(base: Buffer, target: Buffer): Buffer {
  const start = commonStart(base, target)
  const end = commonEnd(base, target, start)
  const parts = [varint(base.length), varint(target.length)]
  copy(parts, 0, start)
  for (let at = start; at < target.length - end; at += insertLimit) {
    const piece = target.subarray(at, Math.min(at + insertLimit, target.length - end))
    parts.push(Buffer.from([piece.length]), piece)
  }
  copy(parts, base.length - end, end)
  return Buffer.concat(parts)
}

function copy(parts: Buffer[], from: number, length: number): void {
  for (let done = 0; done < length; done += copyLimit)
    parts.push(copyOp(from + done, Math.min(copyLimit, length - done)))
}

function copyOp(offset: number, size: number): Buffer {
  const bytes = [0x80]
  for (let at = 0; at < 4; at++) pushByte(bytes, offset >>> (8 * at), 1 << at)
  for (let at = 0; at < 3; at++) pushByte(bytes, size >>> (8 * at), 0x10 << at)
  return Buffer.from(bytes)
}

/** Zero bytes are omitted; the first byte has a bit for each byte present. */
function pushByte(bytes: number[], value: number, bit: number): void {
  if ((value & 0xff) === 0) return
  bytes[0] = (bytes[0] as number) | bit
  bytes.push(value & 0xff)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

/** Compares ever larger pieces, then halves the differing one: native comparison is faster than a loop over bytes. */
function commonStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  const isSame = (from: number, to: number) => a.compare(b, from, to, from, to) === 0
  return sharedLength(most, isSame)
}

function commonEnd(a: Buffer, b: Buffer, start: number): number {
  const most = Math.min(a.length, b.length) - start
  const isSame = (from: number, to: number) =>
    a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0
  return sharedLength(most, isSame)
}

function sharedLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let done = 0
  for (let step = 64; done < most; step *= 2) {
    const end = Math.min(most, done + step)
    if (!isSame(done, end)) return firstDifference(done, end, isSame)
    done = end
  }
  return most
}

function firstDifference(from: number, to: number, isSame: (from: number, to: number) => boolean): number {
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (isSame(low, middle)) low = middle
    else high = middle
  }
  return low
}

/** Applies a delta to its base; null if the result would exceed this many bytes. Throws if delta and base do not fit. */
export function applyDelta(base: Buffer, delta: Buffer, most: number): Buffer | null {
  const cursor = { at: 0 }
  const source = readVarint(delta, cursor)
  const size = readVarint(delta, cursor)
  if (source !== base.length) throw new Error('A delta of something else')
  if (size > most) return null
  const target = Buffer.allocUnsafe(size)
  let end = 0
  while (cursor.at < delta.length) {
    const op = delta[cursor.at++]!
    const [from, offset, length] = op & 0x80 ? [base, ...readCopy(delta, cursor, op)] : [delta, cursor.at, op]
    if (from === delta) cursor.at += length
    if (length === 0 || offset + length > from.length || end + length > size) throw new Error('A damaged delta')
    from.copy(target, end, offset, offset + length)
    end += length
  }
  if (end !== size) throw new Error('A damaged delta')
  return target
}

function readVarint(bytes: Buffer, cursor: { at: number }): number {
  let value = 0
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[cursor.at++]!
    value += (byte & 0x7f) * unit
    if (!(byte & 0x80)) return value
  }
}

/** Reads the offset and the length of a copy instruction. */
function readCopy(delta: Buffer, cursor: { at: number }, op: number): [offset: number, length: number] {
  let offset = 0
  let length = 0
  for (let at = 0; at < 4; at++) if (op & (1 << at)) offset += delta[cursor.at++]! * 2 ** (8 * at)
  for (let at = 0; at < 3; at++) if (op & (0x10 << at)) length += delta[cursor.at++]! * 2 ** (8 * at)
  return [offset, length === 0 ? 0x10000 : length]
}
