/** Decodes UTF-8 in pieces, never splitting a character; reports the line of an invalid byte. */

import { isUtf8 } from 'node:buffer'

/** Thrown for bytes that are not UTF-8; `line` counts from 0 within the last returned piece. */
export class BrokenText extends Error {
  readonly line: number

  constructor(line: number) {
    super('it is not valid UTF-8')
    this.line = line
  }
}

/** Returns the text of byte chunks. Throws `BrokenText`. */
export async function* utf8Pieces(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk])
    const end = bytes.length - cutTail(bytes)
    const whole = bytes.subarray(0, end)
    if (!isUtf8(whole)) throw new BrokenText(brokenLine(whole))
    rest = bytes.subarray(end)
    yield whole.toString('utf8')
  }
  if (rest.length > 0) throw new BrokenText(0)
}

/** Number of bytes at the end that begin a character continued in the next chunk. */
function cutTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < characterBytes(byte) ? back : 0
  }
  return 0
}

function characterBytes(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

function brokenLine(bytes: Buffer): number {
  let line = 0
  for (let at = 0; at < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, at)
    const end = feed < 0 ? bytes.length : feed + 1
    if (!isUtf8(bytes.subarray(at, end))) return line
    at = end
  }
  return line
}
