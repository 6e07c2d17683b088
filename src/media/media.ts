/** The media of a wiki: facts and thumbnails of files, worked out once and kept in a folder that may be deleted. */

import { join } from 'node:path'
import { createDecoder } from './decoder.ts'
import { type ByteFacts, type Content, readByteFacts } from './facts.ts'
import { openFactsFile } from './facts-file.ts'
import { createGate } from './gate.ts'
import { thumbnailSize } from './scale.ts'
import { type Format, formatOf } from './signatures.ts'
import type { Size } from './svg.ts'
import { makeThumbnail, type PictureFormat, pictureFormats } from './thumbnail.ts'
import { openThumbnailFolder } from './thumbnail-folder.ts'

/** A file whose facts are asked for. */
export interface MediaFile {
  /** Hash that its bytes have in git. */
  readonly blob: string
  /** Lower case, no dot; "" where it has none. */
  readonly extension: string
  readonly content: Content
}

export interface MediaFacts extends ByteFacts, Format {
  /** How thumbnails of it are made; null where it is no picture. */
  readonly picture: PictureFormat | null
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
  /** Widths that are made as they are asked for; others are rounded up to a usual one. */
  readonly exact: readonly number[]
}

export interface Media {
  facts(file: MediaFile): Promise<MediaFacts>
  /** A picture of the file at least so wide; null where the original has to stand in. */
  thumbnail(file: MediaFile, query: ThumbnailQuery): Promise<Picture | null>
  /** Ends what is under way. */
  close(): void
}

/** Files that are read at once, because each may take memory. */
const readLimit = 2

/** Thumbnails that could not be made are remembered, so many of them. */
const failureLimit = 10_000

/** Opens the media of a wiki. Nothing is read or started before the first question. */
export function openMedia(folder: string): Media {
  const decoder = createDecoder()
  const facts = openFactsFile(join(folder, 'facts.jsonl'))
  const thumbnails = openThumbnailFolder(join(folder, 'thumbnails'))
  const gate = createGate(readLimit)
  const once = shareRunning()
  const failures = new Set<string>()

  const bytesOf = async (file: MediaFile): Promise<ByteFacts> => {
    const known = await facts.find(file.blob)
    if (known !== undefined) return known
    return once(`facts ${file.blob}`, async () => {
      const read = await gate(() => readByteFacts(file.content, decoder))
      if (read.settled) await facts.keep(file.blob, read.facts)
      return read.facts
    })
  }

  const thumbnailBytes = async (file: MediaFile, { facts, to }: { facts: MediaFacts; to: Size }) => {
    const format = facts.picture as PictureFormat
    const name = `${file.blob}-${to.width}.${format.encode}`
    if (failures.has(name)) return null
    const known = await thumbnails.find(name)
    if (known !== null) return known
    return once(`thumbnail ${name}`, async () => {
      const from = { width: facts.width as number, height: facts.height as number }
      const request = { format, content: file.content, from, to, animated: facts.duration !== null }
      const { bytes, settled } = await gate(() => makeThumbnail(request, decoder))
      if (bytes !== null) await thumbnails.keep(name, bytes)
      else if (settled && failures.size < failureLimit) failures.add(name)
      return bytes
    })
  }

  return {
    async facts(file) {
      const known = await bytesOf(file)
      const { signature, width, height, shows } = known
      const picture = width === null || height === null || signature === null ? undefined : pictureFormats[signature]
      return { ...known, ...formatOf(signature, file.extension, shows), picture: picture ?? null }
    },
    async thumbnail(file, { facts, width, exact }) {
      const { picture } = facts
      if (picture === null) return null
      const size = { width: facts.width as number, height: facts.height as number }
      const to = thumbnailSize(size, width, { ...picture, exact })
      const bytes = to === null ? null : await thumbnailBytes(file, { facts, to })
      return to === null || bytes === null ? null : { bytes, mime: picture.mime, width: to.width }
    },
    close: () => decoder.close(),
  }
}

/** Gives those who ask the same question at one time one answer. */
function shareRunning(): <Result>(name: string, action: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<unknown>>()
  return async <Result>(name: string, action: () => Promise<Result>) => {
    const found = running.get(name) as Promise<Result> | undefined
    if (found !== undefined) return found
    const started = action().finally(() => running.delete(name))
    running.set(name, started)
    return started
  }
}
