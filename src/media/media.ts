/** The media of a wiki: facts and thumbnails of files, cached in a folder that may be deleted. */

import { join } from 'node:path'
import { mediaFormats } from '../core/file.ts'
import { openDiskCache } from '../files/disk-cache.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { createDecoder, type Decoder } from './decoder.ts'
import { type ByteFacts, type Content, readByteFacts } from './facts.ts'
import { openFactsFile } from './facts-file.ts'
import { createExpiringCache, type Once, shareRunning } from './memory.ts'
import { thumbnailSize } from './scale.ts'
import { type Format, formatOf } from './signatures.ts'
import { makeThumbnail, type PictureFormat, pictureFormats, type ThumbnailRequest } from './thumbnail.ts'

/** Maximum bytes of all cached thumbnails. */
const thumbnailBytes = 256 * 1024 * 1024

/** A file whose facts are requested. */
export interface MediaFile {
  /** Hash that its bytes have in git. */
  readonly blob: string
  /** Lower case, no dot; "" if it has none. */
  readonly extension: string
  readonly content: Content
}

export interface MediaFacts extends ByteFacts, Format {
  /** Picture format that decides how thumbnails are made; null if it is not a picture. */
  readonly picture: PictureFormat | null
}

/** Returns the facts that follow from the extension, for a file whose bytes are missing. */
export function unreadFacts(extension: string): MediaFacts {
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
  readonly facts: MediaFacts
  /** Pixels. */
  readonly width: number
  /** Widths that are made exactly as requested; others are rounded up to a standard width. */
  readonly exact: readonly number[]
}

export interface Media {
  facts(file: MediaFile): Promise<MediaFacts>
  /** A picture of the file with at least this width; null to use the original. */
  thumbnail(file: MediaFile, query: ThumbnailQuery): Promise<Picture | null>
  /** Ends work in progress. */
  close(): void
}

/** Files that are read at once; each may need much memory. */
const readLimit = 2

/** Milliseconds before a failed file is tried again, so that repeated requests are cheap. */
const failureMilliseconds = 10 * 60 * 1000

/** Opens the media of a wiki. Nothing is read or started before the first request. */
export function openMedia(folder: string): Media {
  const decoder = createDecoder()
  const workshop = { folder, decoder, limited: createConcurrencyLimit(readLimit), once: shareRunning() }
  const byteFacts = createFactsReader(workshop)
  const pictureOf = createThumbnailMaker(workshop)
  return {
    async facts(file) {
      const known = await byteFacts(file)
      const { signature, width, height, shows } = known
      const picture = width === null || height === null || signature === null ? undefined : pictureFormats[signature]
      return { ...known, ...formatOf(signature, file.extension, shows), picture: picture ?? null }
    },
    async thumbnail(file, { facts, width, exact }) {
      const { picture } = facts
      if (picture === null) return null
      const size = { width: facts.width as number, height: facts.height as number }
      const to = thumbnailSize(size, width, { ...picture, exact })
      if (to === null) return null
      const bytes = await pictureOf(file, {
        format: picture,
        to,
        animated: facts.signature === 'gif' && facts.duration !== null,
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
  readonly limited: ConcurrencyLimit
  readonly once: Once
}

/** Reads facts from the cache, or else from the bytes. */
function createFactsReader({ folder, decoder, limited, once }: Workshop): (file: MediaFile) => Promise<ByteFacts> {
  const settledFacts = openFactsFile(join(folder, 'facts.jsonl'))
  const unsettledFacts = createExpiringCache<ByteFacts>()
  return async ({ blob, content }) => {
    const known = (await settledFacts.get(blob)) ?? unsettledFacts.get(blob)
    if (known !== undefined) return known
    return once(`facts ${blob}`, async () => {
      const { facts, settled } = await limited(() => readByteFacts(content, decoder))
      if (settled) await settledFacts.set(blob, facts)
      else unsettledFacts.set(blob, facts, failureMilliseconds)
      return facts
    })
  }
}

type ThumbnailWish = Omit<ThumbnailRequest, 'content'>

/** Reads a thumbnail from the cache, or makes it. */
function createThumbnailMaker({ folder, decoder, limited, once }: Workshop) {
  const thumbnails = openDiskCache(join(folder, 'thumbnails'), { totalBytes: thumbnailBytes })
  const failures = createExpiringCache<true>()
  return async ({ blob, content }: MediaFile, wish: ThumbnailWish): Promise<Uint8Array | null> => {
    const name = `${blob}-${wish.to.width}.${wish.format.encode}`
    if (failures.get(name)) return null
    const known = await thumbnails.get(name)
    if (known !== null) return known
    return once(`thumbnail ${name}`, async () => {
      const { bytes, settled } = await limited(() => makeThumbnail({ ...wish, content }, decoder))
      if (bytes !== null) await thumbnails.set(name, bytes)
      else failures.set(name, true, settled ? Number.POSITIVE_INFINITY : failureMilliseconds)
      return bytes
    })
  }
}
