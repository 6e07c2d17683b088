/** Duration of an animated PNG. Source: PNG specification (third edition), chunks acTL and fcTL. */

/** Bytes of the file's signature, and of a chunk beside its content: length, type, checksum. */
const signatureBytes = 8
const frameBytes = 12

/**
 * Sums the delays of a PNG's frames, in seconds, times its number of plays (once if it plays for ever); null for a still
 * picture. A truncated file counts up to its end. Source: MediaWiki 1.43 PNGMetadataExtractor.
 */
export function apngDuration(bytes: Buffer): number | null {
  let [pictures, plays, seconds] = [0, 0, 0]
  let at = signatureBytes
  while (at + frameBytes <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const content = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'acTL' && content.length >= 8) [pictures, plays] = [content.readUInt32BE(0), content.readUInt32BE(4)]
    // Without acTL before the image data there is no animation.
    if (type === 'IDAT' && pictures === 0) return null
    if (type === 'fcTL' && content.length >= 24) seconds += content.readUInt16BE(20) / (content.readUInt16BE(22) || 100)
    at += frameBytes + length
  }
  return pictures > 1 && seconds > 0 ? seconds * Math.max(1, plays) : null
}
