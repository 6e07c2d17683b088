/** Bytes of media files, and their thumbnails. */

import { WikiError } from '../core/errors.ts'
import type { Picture } from '../media/media.ts'
import { type FileWithMetadata, mediaFile, previewWidths, withMetadata } from './resources/file-object.ts'
import { findFile } from './resources/find-file.ts'
import type { Wiki } from './wiki.ts'

/** A file whose bytes can be read repeatedly. */
export interface OpenedFile extends FileWithMetadata {
  readonly content: () => AsyncIterable<Buffer>
}

/**
 * Opens a file, with or without `File:`; a redirect is followed to its file.
 *
 * Errors: rest-nonexistent-title, rest-cannot-load-file, wiki-lfs-missing.
 */
export async function openFile(wiki: Wiki, title: string): Promise<OpenedFile> {
  await wiki.store.refresh()
  const described = await withMetadata(wiki, findFile(wiki.store, title))
  if (described.file.lfs?.path === null)
    throw new WikiError('wiki-lfs-missing', { params: [described.file.title], hint: 'git lfs pull' })
  return { ...described, content: () => wiki.store.content(described.file) }
}

/** Makes a thumbnail, at least this many pixels wide if the file is; null if the original must be used. */
export async function openThumbnail(
  wiki: Wiki,
  { file, metadata }: FileWithMetadata,
  width: number,
): Promise<Picture | null> {
  const media = await wiki.media()
  const exact = previewWidths(metadata)
  const { client, turns } = wiki
  return turns.whileAway(client, () => media.thumbnail(mediaFile(wiki.store, file), { metadata, width, exact, client }))
}
