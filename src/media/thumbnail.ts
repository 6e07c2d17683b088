/** Makes thumbnails: the formats that have them, and the steps for sharp. */

import type { Decoder } from './decoder.ts'
import { isDrawable } from './drawing-steps.ts'
import type { Content } from './metadata.ts'
import type { Signature } from './signatures.ts'
import type { Size } from './svg.ts'

export interface PictureFormat {
  /** MIME type of the thumbnail. */
  readonly mime: string
  /** Method of sharp that writes it, which is also its file extension. */
  readonly encode: 'png' | 'jpeg' | 'gif' | 'webp'
  /** Maximum pixels of a picture, all frames of an animation together. */
  readonly pixelLimit: number
  /** True if browsers show the original itself. */
  readonly shown: boolean
  /** True for drawings, which can be rendered at any size. */
  readonly grows: boolean
}

/** Most formats are decoded whole, at four bytes a pixel; a JPEG can be decoded at a reduced size. */
const usual = { pixelLimit: 64_000_000, shown: true, grows: false }
const animationLimit = 25_000_000

const png = { mime: 'image/png', encode: 'png' } as const
const webp = { mime: 'image/webp', encode: 'webp' } as const

/** Formats that have thumbnails, and what those are. */
export const pictureFormats: Partial<Record<Signature, PictureFormat>> = {
  png: { ...usual, ...png },
  jpeg: { ...usual, mime: 'image/jpeg', encode: 'jpeg', pixelLimit: 150_000_000 },
  gif: { ...usual, mime: 'image/gif', encode: 'gif' },
  webp: { ...usual, ...webp },
  avif: { ...usual, ...webp },
  tiff: { ...usual, ...webp, shown: false },
  svg: { ...usual, ...png, grows: true },
}

/** Maximum bytes of a file with a thumbnail; fewer for a drawing, whose every byte is work. */
const sourceLimit = 64 * 1024 * 1024
const drawingLimit = 4 * 1024 * 1024

/** Milliseconds for the decoder; a drawing within the step limit takes less than one second. */
const pictureMilliseconds = 20_000
const drawingMilliseconds = 10_000

export interface ThumbnailRequest {
  readonly format: PictureFormat
  readonly content: Content
  readonly to: Size
  readonly animated: boolean
}

/** Makes a thumbnail; null if none can be made. `settled` is false if a retry may succeed, or give a better one. */
export async function makeThumbnail(
  request: ThumbnailRequest,
  decoder: Decoder,
): Promise<{ bytes: Uint8Array | null; settled: boolean }> {
  const limit = request.format.grows ? drawingLimit : sourceLimit
  const bytes = await readWhole(request.content, limit)
  if (bytes === null || (request.format.grows && !(await isDrawable(bytes)))) return { bytes: null, settled: true }
  const milliseconds = request.format.grows ? drawingMilliseconds : pictureMilliseconds
  let settled = true
  const density = request.format.grows ? await drawingDensity(bytes, request.to, decoder) : null
  if (density === 'failed') return { bytes: null, settled: false }
  for (const options of attempts(request, density)) {
    const params = { bytes, options, steps: steps(request) }
    const reply = await decoder.run('picture', params, milliseconds)
    if ('result' in reply) return { bytes: reply.result, settled }
    settled &&= !('failed' in reply)
  }
  return { bytes: null, settled }
}

/** Ways to open a picture: an animation with all its frames or, if they are too many, the first one. */
function attempts({ format, animated }: ThumbnailRequest, density: number | null): object[] {
  const still = { limitInputPixels: format.pixelLimit, failOn: 'none', sequentialRead: true }
  if (density !== null) return [{ ...still, density }]
  return animated ? [{ ...still, animated: true, limitInputPixels: animationLimit }, still] : [still]
}

/** Dots per inch at which a drawing has its own size, and the maximum. */
const usualDensity = 72
const densestDensity = 100_000

/**
 * Dots per inch at which a drawing has the wanted size, so that no pixels are stretched. The renderer and MediaWiki may differ
 * in a drawing's own size.
 */
async function drawingDensity(bytes: Buffer, to: Size, decoder: Decoder): Promise<number | 'failed'> {
  const reply = await decoder.run('drawingSize', { bytes }, drawingMilliseconds)
  if ('failed' in reply) return 'failed'
  const { width = 0, height = 0 } = 'result' in reply ? reply.result : {}
  if (!(width > 0 && height > 0)) return usualDensity
  const scale = Math.max(to.width / width, to.height / height)
  return Math.min(Math.max(usualDensity * scale, 1), densestDensity)
}

function steps({ format, to }: ThumbnailRequest): [string, ...unknown[]][] {
  return [
    // For other formats the stored size is returned.
    ...(format.encode === 'jpeg' ? [['autoOrient'] as [string]] : []),
    ['resize', { width: to.width, height: to.height, fit: 'fill' }],
    [format.encode, format.encode === 'jpeg' ? { quality: 82, progressive: true } : {}],
  ]
}

async function readWhole(content: Content, limit: number): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content()) {
    size += piece.length
    if (size > limit) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
