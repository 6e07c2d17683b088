/** Duration of an animated GIF. Source: GIF89a specification, sections 20 to 23. */

/** Bytes of the file's header, up to its global colours. */
const headerBytes = 13

/** Introducers of blocks. */
const extension = 0x21
const graphicControl = 0xf9
const image = 0x2c

/**
 * Sums the delays of a GIF's frames, in seconds; null for a still picture. A truncated file counts up to its end. Delays are
 * added in MediaWiki's order, so that the result equals its number to the last digit.
 */
export function gifDuration(bytes: Buffer): number | null {
  let [at, images, seconds] = [headerBytes + colourBytes(bytes[10]), 0, 0]
  for (;;) {
    const block = bytes[at]
    if (block === extension) {
      if (bytes[at + 1] === graphicControl && at + 6 <= bytes.length) seconds += bytes.readUInt16LE(at + 4) * 0.01
      at = endOfBlocks(bytes, at + 2)
    } else if (block === image) {
      images++
      // Position, size and flags; the local colours; the code size of the compression.
      at = endOfBlocks(bytes, at + 10 + colourBytes(bytes[at + 9]) + 1)
    } else {
      return images > 1 && seconds > 0 ? seconds : null
    }
  }
}

/** Bytes of the colour table that follows a byte of flags. */
function colourBytes(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

/** Skips data blocks, each with its length before it; the last one is empty. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}
