/** The media of a wiki: metadata and thumbnails of files, cached in a folder that may be deleted. */

import { join } from 'node:path'
import { mediaFormats } from '../core/file.ts'
import { createJobQueue } from '../core/job-queue.ts'
import { openDiskCache } from '../files/disk-cache.ts'
import { createDecoder, type Decoder } from './decoder.ts'
import { createExpiringCache, type Once, shareRunning } from './memory.ts'
import { type ByteMetadata, type Content, readMetadata } from './metadata.ts'
import { openMetadataFile } from './metadata-file.ts'
import { thumbnailSize } from './scale.ts'
import { type Format, formatOf } from './signatures.ts'
import { makeThumbnail, type PictureFormat, pictureFormats, type ThumbnailRequest } from './thumbnail.ts'

/** Maximum bytes of all cached thumbnails. */
const thumbnailBytes = 256 * 1024 * 1024

/** A file whose metadata is requested. */
export interface MediaFile {
  /** Hash that its bytes have in git. */
  readonly blob: string
  /** Lower case, no dot; "" if it has none. */
  readonly extension: string
  readonly content: Content
}

export interface MediaMetadata extends ByteMetadata, Format {
  /** Picture format that decides how thumbnails are made; null if it is not a picture. */
  readonly picture: PictureFormat | null
}

/** Returns the metadata that follows from the extension, for a file whose bytes are missing. */
export function metadataByExtension(extension: string): MediaMetadata {
  const format = Object.hasOwn(mediaFormats, extension) ? mediaFormats[extension] : undefined
  const { mediatype = 'UNKNOWN', mime = 'application/octet-stream' } = format ?? {}
  const measures = { signature: null, width: null, height: null, duration: null, shows: null }
  return { sha1: '', mediatype, mime, ...measures, picture: null }
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly width: number
}

export interface ThumbnailQuery {
  /** The client that a new thumbnail counts for; "" for nobody. */
  readonly client?: string
  readonly metadata: MediaMetadata
  /** Pixels. */
  readonly width: number
  /** Widths that are made exactly as requested; others are rounded up to a standard width. */
  readonly exact: readonly number[]
}

export interface Media {
  metadata(file: MediaFile): Promise<MediaMetadata>
  /** A picture of the file with at least this width; null to use the original. */
  thumbnail(file: MediaFile, query: ThumbnailQuery): Promise<Picture | null>
  /** Ends work in progress. */
  close(): void
}

/** Files that are read at once; each may need much memory. */
const readLimit = 2

/** Milliseconds before a failed file is tried again, so that repeated requests are cheap. */
const failureMilliseconds = 10 * 60 * 1000

/** Thumbnails in memory. */
const unsettledLimit = 32

/** Opens the media of a wiki. Nothing is read or started before the first request. */
export function openMedia(folder: string): Media {
  const decoder = createDecoder()
  const queue = createJobQueue({ most: readLimit })
  const limited: Workshop['limited'] = (client, work) => queue.add(client, work)!
  const workshop = { folder, decoder, limited, once: shareRunning() }
  const byteMetadata = createMetadataReader(workshop)
  const pictureOf = createThumbnailMaker(workshop)
  return {
    async metadata(file) {
      const read = await byteMetadata(file)
      const { signature, width, height, shows } = read
      const picture = width === null || height === null || signature === null ? undefined : pictureFormats[signature]
      return { ...read, ...formatOf(signature, file.extension, shows), picture: picture ?? null }
    },
    async thumbnail(file, { metadata, width, exact, client = '' }) {
      const { picture } = metadata
      if (picture === null) return null
      const size = { width: metadata.width as number, height: metadata.height as number }
      const to = thumbnailSize(size, width, { ...picture, exact })
      if (to === null) return null
      const bytes = await pictureOf(file, {
        format: picture,
        to,
        animated: metadata.signature === 'gif' && metadata.duration !== null,
        client,
      })
      return bytes === null ? null : { bytes, mime: picture.mime, width: to.width }
    },
    close: () => decoder.close(),
  }
}

/** Resources shared by measuring and thumbnailing. */
interface Workshop {
  readonly folder: string
  readonly decoder: Decoder
  /** Runs work when the client's turn comes. */
  readonly limited: <Result>(client: string, work: () => Promise<Result>) => Promise<Result>
  readonly once: Once
}

/** Reads metadata from the cache, or else from the bytes. */
function createMetadataReader({
  folder,
  decoder,
  limited,
  once,
}: Workshop): (file: MediaFile) => Promise<ByteMetadata> {
  const settledMetadata = openMetadataFile(join(folder, 'facts.jsonl'))
  const unsettledMetadata = createExpiringCache<ByteMetadata>()
  return async ({ blob, content }) => {
    const cached = (await settledMetadata.get(blob)) ?? unsettledMetadata.get(blob)
    if (cached !== undefined) return cached
    return once(`metadata ${blob}`, async () => {
      const { metadata, settled } = await limited('', () => readMetadata(content, decoder))
      if (settled) await settledMetadata.set(blob, metadata)
      else unsettledMetadata.set(blob, metadata, failureMilliseconds)
      return metadata
    })
  }
}

type ThumbnailWish = Omit<ThumbnailRequest, 'content'> & { readonly client: string }

/** Reads a thumbnail from the cache, or makes it. */
function createThumbnailMaker({ folder, decoder, limited, once }: Workshop) {
  const thumbnails = openDiskCache(join(folder, 'thumbnails'), { totalBytes: thumbnailBytes })
  const failures = createExpiringCache<true>()
  // The first frame of an animation, where decoding all of them failed for a reason that a retry may not have.
  const unsettled = createExpiringCache<Uint8Array>(unsettledLimit)
  return async ({ blob, content }: MediaFile, { client, ...wish }: ThumbnailWish): Promise<Uint8Array | null> => {
    const name = `${blob}-${wish.to.width}.${wish.format.encode}`
    if (failures.get(name)) return null
    const cached = unsettled.get(name) ?? (await thumbnails.get(name))
    if (cached !== null) return cached
    return once(`thumbnail ${name}`, async () => {
      const { bytes, settled } = await limited(client, () => makeThumbnail({ ...wish, content }, decoder))
      if (bytes !== null && settled) await thumbnails.set(name, bytes, client)
      else if (bytes !== null) unsettled.set(name, bytes, failureMilliseconds)
      else failures.set(name, true, settled ? Number.POSITIVE_INFINITY : failureMilliseconds)
      return bytes
    })
  }
}
