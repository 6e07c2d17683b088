/** Converts the long texts of requests and responses slice by slice, so that a server serves others between two slices. */

import { setImmediate as turn } from 'node:timers/promises'
import { composableSlices, composed } from '../../core/composed-text.ts'

/** Bytes, or UTF-16 units, that are converted at once: a few milliseconds. */
export const sliceSize = 128 * 1024

/** Returns true for a text, or bytes, of more than one slice. */
export function isLong({ length }: { readonly length: number }): boolean {
  return length > sliceSize
}

/** Decodes UTF-8 as `toString` does. */
export async function decoded(bytes: Buffer): Promise<string> {
  if (bytes.length <= sliceSize) return bytes.toString('utf8')
  const texts: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = endOfSlice(bytes, start)
    texts.push(bytes.toString('utf8', start, end))
    start = end
    await turn()
  }
  return texts.join('')
}

/** Index of a byte near the end of a slice before which no character is cut. Of four continuation bytes the last begins an error. */
function endOfSlice(bytes: Buffer, start: number): number {
  const end = start + sliceSize
  for (let at = end; at > end - 4 && at < bytes.length; at--) if ((bytes[at]! & 0xc0) !== 0x80) return at
  return Math.min(end, bytes.length)
}

/**
 * Normalises a text as MediaWiki does with all input: to NFC, and without lone surrogates, which JSON can contain but
 * UTF-8 cannot.
 */
export async function wellFormed(text: string): Promise<string> {
  if (text.length <= sliceSize) return wellFormedAtOnce(text)
  const slices: string[] = []
  let isSame = true
  for (const slice of composableSlices(text, sliceSize)) {
    const formed = wellFormedAtOnce(slice)
    isSame &&= formed === slice
    slices.push(formed)
    await turn()
  }
  return isSame ? text : slices.join('')
}

/** Normalises a short text as `wellFormed` does. */
export function wellFormedAtOnce(text: string): string {
  return composed(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/** Replaces each CR LF by a line feed. For a million of them splitting takes a sixth of the time of `replaceAll`. */
export async function withLineFeeds(text: string): Promise<string> {
  if (!isLong(text)) return text.replaceAll('\r\n', '\n')
  const slices: string[] = []
  // A slice may end between the two.
  let end = ''
  for (const slice of slicesOf(text)) {
    const whole = end + slice
    end = whole.endsWith('\r') ? '\r' : ''
    slices.push(
      whole
        .slice(0, whole.length - end.length)
        .split('\r\n')
        .join('\n'),
    )
    await turn()
  }
  return slices.join('') + end
}

/** Encodes texts as UTF-8, one after the other. A text may end in half a character only if no other follows. */
export async function encoded(texts: Iterable<string>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  const turnAfter = countedTurns()
  for (const text of texts) {
    for (const slice of slicesOf(text)) {
      pieces.push(Buffer.from(slice))
      await turnAfter(slice.length)
    }
  }
  return joined(pieces)
}

async function joined(pieces: readonly Buffer[]): Promise<Uint8Array<ArrayBuffer>> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  const turnAfter = countedTurns()
  for (const piece of pieces) {
    at += piece.copy(whole, at)
    await turnAfter(piece.length)
  }
  return whole
}

/** Returns a function that counts what was converted, and yields to the event loop after each slice of it. */
function countedTurns(): (size: number) => Promise<void> {
  let left = sliceSize
  return async size => {
    left -= size
    if (left > 0) return
    await turn()
    left = sliceSize
  }
}

/** Cuts a text into slices, none of which ends in the first half of a character. */
export function* slicesOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > sliceSize) {
    const isHalved = (text.charCodeAt(start + sliceSize - 1) & 0xfc00) === 0xd800
    const end = start + sliceSize - Number(isHalved)
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start)
}

/** Passes bytes on in slices, which are views of them. */
export async function* bytesInSlices(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < bytes.length; start += sliceSize) {
    if (start > 0) await turn()
    yield bytes.subarray(start, start + sliceSize)
  }
}
