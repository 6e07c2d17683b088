/** Bytes written one after another, and numbers of variable length. */

/** Bytes that grow. */
export interface ByteWriter {
  readonly length: number
  readonly byte: (value: number) => void
  /** An unsigned number below 2^53: seven bits a byte, lowest first. */
  readonly varint: (value: number) => void
  readonly uint32: (value: number) => void
  readonly bytes: (added: Uint8Array) => void
  /** A text as UTF-8, its length before it. */
  readonly text: (value: string) => void
  /** What was written; valid until more is. */
  readonly view: () => Buffer
  readonly clear: () => void
}

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
  const varint = (value: number): void => {
    reserve(8)
    let rest = value
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
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
    text: value => {
      // Most are short and ASCII: then the length fits into the byte that is left free for it.
      reserve(1 + 3 * value.length)
      const written = value.length < 0x80 ? buffer.write(value, length + 1) : value.length
      if (written < 0x80) {
        buffer[length] = written
        length += 1 + written
        return
      }
      const encoded = Buffer.from(value)
      varint(encoded.length)
      bytes(encoded)
    },
    view: () => buffer.subarray(0, length),
    clear: () => {
      length = 0
    },
  }
}

/** A place in bytes from which one reads on. */
export interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

/** Reads a number of variable length and moves on. */
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
