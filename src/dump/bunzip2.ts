/** Unpacks bzip2, of which Node knows nothing. */

import unbzip2Stream from 'unbzip2-stream'
import { BrokenPackage } from './broken-package.ts'

/** Most bytes that one step of bzip2 may give: it unpacks up to a megabyte at once, and that may hold very much. */
const bzip2StepBytes = 512 * 1024 * 1024
/** Bytes that are handed to bzip2 in one step. */
const bzip2Piece = 16 * 1024

/** Unpacks bzip2. Throws `BrokenPackage`. */
export async function* bunzip2(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacker = unbzip2Stream()
  let ready: Uint8Array[] = []
  let stepBytes = 0
  let failure: unknown = null
  unpacker.on('error', error => {
    failure ??= error
  })
  unpacker.on('data', (chunk: Uint8Array) => {
    stepBytes += chunk.length
    if (stepBytes > bzip2StepBytes) throw new Error('a part of it unpacks to more than 512 MiB')
    ready.push(chunk)
  })
  const taken = () => {
    if (failure !== null)
      throw new BrokenPackage(`its bzip2 data are damaged: ${failure instanceof Error ? failure.message : failure}`)
    const chunk = ready
    ready = []
    stepBytes = 0
    return chunk
  }
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += bzip2Piece) {
      unpacker.write(chunk.subarray(at, at + bzip2Piece))
      yield* taken()
    }
  }
  unpacker.end()
  yield* taken()
}
