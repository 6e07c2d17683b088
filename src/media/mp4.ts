/** Video properties of an MP4 file. Source: ISO/IEC 14496-12, boxes moov, mvhd, trak and tkhd. */

import type { Size } from './svg.ts'

export interface Movie {
  /** Of the first video track, pixels as shown; null if there is none. */
  readonly size: Size | null
  /** Seconds; null if the file does not have it. */
  readonly duration: number | null
}

/** Maximum boxes examined in one file; real files need a few dozen. */
const boxLimit = 10_000

/** Boxes whose content is read. */
const containers = new Set(['moov', 'trak'])

/** Reads the headers of an MP4 file and of its tracks. */
export function readMp4(bytes: Buffer): Movie {
  let film: Movie = { size: null, duration: null }
  let at = 0
  for (let count = 0; count < boxLimit && at + 16 <= bytes.length; count++) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const short = bytes.readUInt32BE(at)
    const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    const content = bytes.subarray(at + 8, Math.max(at + 8, at + length))
    if (type === 'mvhd') film = { ...film, duration: movieDuration(content) }
    if (type === 'tkhd') film = { ...film, size: film.size ?? trackSize(content) }
    // Length 0 means up to the end of the file.
    if (length < 8 && !containers.has(type)) break
    at += containers.has(type) ? (short === 1 ? 16 : 8) : length
  }
  return film
}

/** Version 1 has 64 bits for times, version 0 has 32. */
function movieDuration(header: Buffer): number | null {
  const isLong = header[0] === 1
  if (header.length < (isLong ? 32 : 20)) return null
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale === 0 ? null : length / scale
}

/** A track header ends with its matrix, 36 bytes, and its size in 16.16 numbers. */
function trackSize(header: Buffer): Size | null {
  const end = header[0] === 1 ? 96 : 84
  if (header.length < end) return null
  const [width, height] = [header.readUInt32BE(end - 8) / 65_536, header.readUInt32BE(end - 4) / 65_536]
  if (width < 1 || height < 1) return null
  // The first entry of a matrix that rotates by 90 degrees is 0.
  return header.readInt32BE(end - 44) === 0 ? { width: height, height: width } : { width, height }
}
