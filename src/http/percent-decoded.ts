/** Decodes the type `application/x-www-form-urlencoded`. Source: the URL Standard. */

import { setImmediate as turn } from 'node:timers/promises'
import { isLong, sliceSize, slicesOf } from '../operations/workers/long-text.ts'

/** Returns the bytes of a name or a value, of a long one slice by slice, so that a server serves others between two slices. */
export async function percentDecoded(text: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text))
  let length = 0
  for (const slice of slicesOf(text)) {
    length += bytes.write(slice, length)
    if (isLong(text)) await turn()
  }
  return bytes.subarray(0, await decodeSigns(bytes.subarray(0, length)))
}

/** Replaces plus signs, and percent signs before two hexadecimal digits, in place. Returns the number of bytes that are left. */
async function decodeSigns(bytes: Buffer): Promise<number> {
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    const value = byte === percentSign ? hexPair(bytes[at + 1], bytes[at + 2]) : null
    bytes[end++] = value ?? (byte === plusSign ? space : byte)
    if (value !== null) at += 2
    if (end % sliceSize === 0) await turn()
  }
  return end
}

const [percentSign, plusSign, space] = [0x25, 0x2b, 0x20]

/** Value of two hexadecimal digits; null if they are none. */
function hexPair(high: number | undefined, low: number | undefined): number | null {
  const value = digitOf(high) * 16 + digitOf(low)
  return Number.isNaN(value) ? null : value
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
