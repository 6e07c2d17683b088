/** Builds the JSON object of a media file. Source: MediaWiki REST API reference, "File object". */

import type { FileFormat, FileObject } from '../../core/file.ts'
import { type Media, type MediaFile, type MediaMetadata, metadataByExtension } from '../../media/media.ts'
import { fitInto } from '../../media/scale.ts'
import type { Size } from '../../media/svg.ts'
import type { FileEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { visibleUploader } from '../access/hidden.ts'
import { extensionOf } from './file-item.ts'
import { fileRoute, readingRoute, thumbnailRoute } from './routes.ts'

/** Boxes, in pixels, that the two previews fit into. */
const preferredBox: Size = { width: 800, height: 600 }
const thumbnailBox: Size = { width: 2560, height: 2048 }

/** Media types with a duration. */
const playing: readonly string[] = ['AUDIO', 'VIDEO', 'MULTIMEDIA']

/** A file together with the metadata read from its bytes. */
export interface FileWithMetadata {
  readonly file: FileEntry
  readonly metadata: MediaMetadata
}

/** A wiki's pages and files, and the metadata of its media files. */
export interface WikiFiles {
  readonly store: Store
  readonly media: () => Promise<Media>
}

/** Returns a file with its metadata: cached, or read from its bytes. */
export async function withMetadata(wiki: WikiFiles, file: FileEntry): Promise<FileWithMetadata> {
  const held = await wiki.store.withContent(file)
  if (held.lfs?.path === null) return { file: held, metadata: metadataByExtension(extensionOf(held.title)) }
  const media = await wiki.media()
  return { file: held, metadata: await media.metadata(mediaFile(wiki.store, held)) }
}

/** Converts a file of the wiki to the input of `src/media`. */
export function mediaFile(store: Store, file: FileEntry): MediaFile {
  return { blob: file.lfs?.oid ?? file.blob, extension: extensionOf(file.title), content: () => store.content(file) }
}

/** Name of a file in URL form, without the namespace. */
export function fileName({ key }: FileEntry): string {
  return key.slice(key.indexOf(':') + 1)
}

/** Returns a file in the form of lists or, with `full`, with its original. `base` is the absolute URL of the API. */
export function fileObject(described: FileWithMetadata, { base, full }: { base: string; full: boolean }): FileObject {
  const { file } = described
  return {
    title: fileName(file).replaceAll('_', ' '),
    file_description_url: readingRoute(base, file.key),
    latest: { timestamp: file.timestamp, user: visibleUploader(file) },
    preferred: previewIn(preferredBox, described, base),
    ...(full && { original: originalOf(described, base) }),
    thumbnail: previewIn(thumbnailBox, described, base),
  }
}

/** Widths of the two previews of a file, pixels. */
export function previewWidths({ picture, width, height }: MediaMetadata): number[] {
  if (picture === null || width === null || height === null) return []
  return [preferredBox, thumbnailBox].map(box => fitInto({ width, height }, box).width)
}

function originalOf({ file, metadata }: FileWithMetadata, base: string): FileFormat {
  const { mediatype, width, height } = metadata
  const url = fileRoute(base, fileName(file))
  return { mediatype, size: file.size, width, height, duration: durationOf(metadata), url }
}

/**
 * Returns the preview of a file. A file without an image is its own preview, because MediaWiki's API never returns null
 * here.
 */
function previewIn(box: Size, described: FileWithMetadata, base: string): FileFormat {
  const { file, metadata } = described
  const original = originalOf(described, base)
  const { picture, width, height } = metadata
  if (picture === null || width === null || height === null) return original
  const preview = fitInto({ width, height }, box)
  const isWhole = preview.width === width && preview.height === height
  if (isWhole && picture.shown && !picture.grows) return original
  const url = thumbnailRoute(base, fileName(file), preview.width)
  // Made on request, so its size is not known, even if it is as large as the original.
  return { ...original, ...preview, size: null, url }
}

/** Whole seconds for audio and video, 0 if the length is unknown; an animation's are not rounded, as in MediaWiki. */
function durationOf({ mediatype, duration }: MediaMetadata): number | null {
  if (!playing.includes(mediatype)) return duration
  return duration === null ? 0 : Math.max(1, Math.round(duration))
}
