/** Metadata read from the bytes of a media file. Malformed bytes never throw. */

import { createHash } from 'node:crypto'
import { apngDuration } from './apng.ts'
import type { Decoder } from './decoder.ts'
import { gifDuration } from './gif.ts'
import { readMp4 } from './mp4.ts'
import { findSignature, formatOf, type Signature } from './signatures.ts'
import { svgSize } from './svg.ts'
import { theoraSize } from './theora.ts'

/** Metadata that depends on a file's bytes alone, not on its name. This is what is cached. */
export interface ByteMetadata {
  /** SHA-1 of the bytes, in base 36, 31 digits, as MediaWiki names files. */
  readonly sha1: string
  readonly signature: Signature | null
  /** Pixels as shown; null if it has none, or they are unknown. */
  readonly width: number | null
  readonly height: number | null
  /** Seconds; null if it does not play, or the length is unknown. */
  readonly duration: number | null
  /** True if an audio container also has video; null if it is not a container or unknown. */
  readonly shows: boolean | null
}

/** The bytes of a file, piece by piece. */
export type Content = () => AsyncIterable<Buffer>

/** Bytes of a longer file that are decoded, from its beginning. */
const decodedBytes = 32 * 1024 * 1024

/** Bytes read to find the size of a picture. They suffice for most files; otherwise a second attempt reads more. */
const imageHeads = [256 * 1024, 16 * 1024 * 1024]

const decodeMilliseconds = 30_000

interface Measures {
  readonly width?: number | null | undefined
  readonly height?: number | null | undefined
  readonly duration?: number | null | undefined
  readonly shows?: boolean | null | undefined
}

/**
 * Reads a file once and returns its metadata. `settled` is false if decoding failed for a reason that a retry may not
 * have.
 */
export async function readMetadata(
  content: Content,
  decoder: Decoder,
): Promise<{ metadata: ByteMetadata; settled: boolean }> {
  const { head, sha1, size } = await readContent(content)
  const signature = findSignature(head)
  const measures = signature === null ? {} : await measure(signature, { head, size, decoder })
  const metadata = {
    sha1,
    signature,
    width: wholeNumber(measures?.width),
    height: wholeNumber(measures?.height),
    duration: seconds(measures?.duration),
    shows: measures?.shows ?? null,
  }
  return { metadata, settled: measures !== null }
}

async function readContent(content: Content): Promise<{ head: Buffer; sha1: string; size: number }> {
  const hash = createHash('sha1')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content()) {
    hash.update(piece)
    if (size < decodedBytes) pieces.push(piece.subarray(0, decodedBytes - size))
    size += piece.length
  }
  const sha1 = BigInt(`0x${hash.digest('hex')}`)
    .toString(36)
    .padStart(31, '0')
  return { head: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), sha1, size }
}

interface Bytes {
  /** The whole file, or its first `decodedBytes`. */
  readonly head: Buffer
  /** Of the whole file. */
  readonly size: number
  readonly decoder: Decoder
}

type Measure = (bytes: Bytes, signature: Signature) => Promise<Measures | null>

/** Measures files by signature; other formats have nothing to measure. Null if decoding failed and may be retried. */
const measuring: Partial<Record<Signature, Measure>> = {
  png: async bytes => animated(await imageMeasures(bytes), apngDuration(bytes.head)),
  jpeg: imageMeasures,
  webp: imageMeasures,
  avif: imageMeasures,
  tiff: imageMeasures,
  gif: async bytes => animated(await imageMeasures(bytes), gifDuration(bytes.head)),
  svg: async ({ head }) => svgSize(head) ?? {},
  mp3: soundMeasures,
  flac: soundMeasures,
  wav: soundMeasures,
  webm: soundMeasures,
  mp4: async (bytes, signature) => {
    const { size, duration } = readMp4(bytes.head)
    const sound = await soundMeasures(bytes, signature)
    return sound && { ...sound, ...size, duration: sound.duration ?? duration, shows: size !== null }
  },
  ogg: async (bytes, signature) => {
    const size = theoraSize(bytes.head)
    const sound = await soundMeasures(bytes, signature)
    return sound && { ...sound, ...size, shows: size !== null }
  },
}

async function measure(signature: Signature, bytes: Bytes): Promise<Measures | null> {
  const read = measuring[signature]
  return read === undefined ? {} : read(bytes, signature)
}

function animated(measures: Measures | null, duration: number | null): Measures | null {
  return measures === null ? null : { ...measures, duration }
}

async function imageMeasures({ head, decoder }: Bytes): Promise<Measures | null> {
  for (const length of imageHeads) {
    const reply = await decoder.run('imageSize', { bytes: head.subarray(0, length) }, decodeMilliseconds)
    if ('failed' in reply) return null
    if ('result' in reply) return reply.result
    if (head.length <= length) break
  }
  return {}
}

async function soundMeasures({ head, size, decoder }: Bytes, signature: Signature): Promise<Measures | null> {
  const { mime } = formatOf(signature, '', null)
  const reply = await decoder.run('soundLength', { bytes: head, mime, size }, decodeMilliseconds)
  if ('failed' in reply) return null
  return 'result' in reply ? reply.result : {}
}

function wholeNumber(value: number | null | undefined): number | null {
  const rounded = Math.round(Number(value ?? 0))
  return rounded > 0 && rounded <= 0x7fffffff ? rounded : null
}

function seconds(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) && value > 0 ? value : null
}
