/** A byte writer and reader, with numbers of variable length. */

/** A growing byte array. */
export interface ByteWriter {
  readonly length: number
  readonly byte: (value: number) => void
  /** An unsigned number below 2^53: seven bits a byte, lowest first. */
  readonly varint: (value: number) => void
  readonly uint32: (value: number) => void
  readonly bytes: (added: Uint8Array) => void
  /** A part of other bytes, usually short. */
  readonly part: (from: Uint8Array, start: number, end: number) => void
  /** A text as UTF-8, preceded by its length. */
  readonly text: (value: string) => void
  /** Appends another writer's bytes. */
  readonly moveTo: (other: Pick<ByteWriter, 'part'>) => void
  /** Bytes written so far; valid until the next write. */
  readonly view: () => Buffer
  readonly clear: () => void
}

/** Up to this number, bytes are copied faster one by one. */
const fewBytes = 32

/** Makes an empty writer. */
export function byteWriter(capacity = 1024): ByteWriter {
  let buffer = Buffer.allocUnsafe(capacity)
  let length = 0
  const reserve = (count: number): void => {
    if (length + count <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + count))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }
  const bytes = (added: Uint8Array): void => {
    reserve(added.length)
    buffer.set(added, length)
    length += added.length
  }
  const part = (from: Uint8Array, start: number, end: number): void => {
    if (end - start > fewBytes) bytes(from.subarray(start, end))
    else {
      reserve(end - start)
      for (let at = start; at < end; at++) buffer[length++] = from[at]!
    }
  }
  /** Most texts are short and ASCII: the length fits into a byte. Returns false, having written nothing, for others. */
  const ascii = (value: string): boolean => {
    reserve(1 + value.length)
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at)
      if (unit >= 0x80) return false
      buffer[length + 1 + at] = unit
    }
    buffer[length] = value.length
    length += 1 + value.length
    return true
  }
  const varint = (value: number): void => {
    reserve(8)
    let rest = value
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) buffer[length++] = (rest % 0x80) | 0x80
    for (; rest >= 0x80; rest >>>= 7) buffer[length++] = (rest & 0x7f) | 0x80
    buffer[length++] = rest
  }
  return {
    get length() {
      return length
    },
    byte: value => {
      reserve(1)
      buffer[length++] = value
    },
    varint,
    uint32: value => {
      reserve(4)
      length = buffer.writeUInt32LE(value >>> 0, length)
    },
    bytes,
    part,
    text: value => {
      if (value.length < fewBytes && ascii(value)) return
      const encoded = Buffer.from(value)
      varint(encoded.length)
      bytes(encoded)
    },
    moveTo: other => {
      other.part(buffer, 0, length)
      length = 0
    },
    view: () => buffer.subarray(0, length),
    clear: () => {
      length = 0
    },
  }
}

/** A read position in bytes. */
export interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

/** Reads a number of variable length and advances. */
export function readVarint(cursor: Cursor): number {
  let value = cursor.bytes[cursor.at++] as number
  if (value < 0x80) return value
  value &= 0x7f
  for (let factor = 0x80; ; factor *= 0x80) {
    const next = cursor.bytes[cursor.at++] as number
    value += (next & 0x7f) * factor
    if (!(next >= 0x80)) return value
  }
}

/** Skips this many numbers. */
export function skipVarints(cursor: Cursor, count: number): void {
  const { bytes } = cursor
  let at = cursor.at
  for (let left = count; left > 0; at++) if (!(bytes[at]! >= 0x80)) left--
  cursor.at = at
}
