/** Bytes of media files, and their thumbnails. */

import { WikiError } from '../core/errors.ts'
import type { Picture } from '../media/media.ts'
import { type KnownFile, knownFile, mediaFile, previewWidths } from './resources/file-object.ts'
import { findFile } from './resources/find-file.ts'
import type { Wiki } from './wiki.ts'

/** A file whose bytes can be read repeatedly. */
export interface OpenedFile extends KnownFile {
  readonly content: () => AsyncIterable<Buffer>
}

/**
 * Opens a file, with or without `File:`; a redirect is followed to its file.
 *
 * Errors: rest-nonexistent-title, rest-cannot-load-file, wiki-lfs-missing.
 */
export async function openFile(wiki: Wiki, title: string): Promise<OpenedFile> {
  await wiki.store.refresh()
  const known = await knownFile(wiki, findFile(wiki.store, title))
  if (known.file.lfs?.path === null)
    throw new WikiError('wiki-lfs-missing', { params: [known.file.title], hint: 'git lfs pull' })
  return { ...known, content: () => wiki.store.content(known.file) }
}

/** Makes a thumbnail, at least this many pixels wide if the file is; null if the original must be used. */
export async function openThumbnail(wiki: Wiki, { file, facts }: KnownFile, width: number): Promise<Picture | null> {
  const media = await wiki.media()
  return media.thumbnail(mediaFile(wiki.store, file), { facts, width, exact: previewWidths(facts) })
}
