/** The checksum of the index's files: quick also in a process that has just begun, where node's zlib would take longer to load. */

/** FNV's prime and offset, for 32 bits. */
const prime = 0x01000193
const offset = 0x811c9dc5

/**
 * Gives the checksum of bytes, 32 bits: FNV-1a, but over words of four bytes. Other bytes anywhere in one word always make
 * another sum; of all other damage one in four billion makes the same.
 */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2)
  let sum = offset ^ bytes.length
  for (let at = 0; at < words.length; at++) sum = mixed(sum ^ (words[at] as number))
  for (let at = words.length * 4; at < bytes.length; at++) sum = mixed(sum ^ (bytes[at] as number))
  return sum >>> 0
}

/** A multiplication moves bits up only; so what is high comes down, too. */
function mixed(sum: number): number {
  const product = Math.imul(sum, prime)
  return product ^ (product >>> 15)
}
