/** The checksum of the index's files: fast also in a new process, where node's zlib would take longer to load. */

/** FNV's prime and offset, for 32 bits. */
const prime = 0x01000193
const offset = 0x811c9dc5

/**
 * Returns a 32-bit checksum: FNV-1a, but over words of four bytes. A change within one word always changes the sum; other damage
 * goes unnoticed once in four billion cases.
 */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2)
  let sum = offset ^ bytes.length
  for (let at = 0; at < words.length; at++) sum = mixed(sum ^ (words[at] as number))
  for (let at = words.length * 4; at < bytes.length; at++) sum = mixed(sum ^ (bytes[at] as number))
  return sum >>> 0
}

/** A multiplication moves bits up only, so high bits are mixed down. */
function mixed(sum: number): number {
  const product = Math.imul(sum, prime)
  return product ^ (product >>> 15)
}
