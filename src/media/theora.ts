/** The size of the pictures in an Ogg file. Source: Theora specification 6.2, identification header. */

import type { Size } from './svg.ts'

/** Bytes at the start of a file that contain the first packets of all streams. */
const headBytes = 64 * 1024
const mark = Buffer.from('\x80theora', 'latin1')

/** Returns width and height of the pictures, pixels; null if there are none. */
export function theoraSize(bytes: Buffer): Size | null {
  const at = bytes.subarray(0, headBytes).indexOf(mark)
  if (at < 0 || at + 20 > bytes.length) return null
  // After the signature: three bytes of version, the frame in blocks of 16, then the visible part of it.
  return { width: bytes.readUIntBE(at + 14, 3), height: bytes.readUIntBE(at + 17, 3) }
}
