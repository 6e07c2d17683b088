/** Collects the metadata of media files that rendering needs. */

import type { FileMetadata } from '../../wikitext/wiki-source.ts'
import { type FileWithMetadata, fileName, type WikiFiles, withMetadata } from './file-object.ts'
import { fileOfTitle, parseFileTitle } from './find-file.ts'
import { fileRoute, thumbnailRoute } from './routes.ts'

/**
 * Returns files by name, without `File:`, in order, as data that a worker can receive; null for missing files. A name that redirects to
 * a file has that file's metadata. The wiki is not refreshed.
 */
export async function filesWithMetadata(
  wiki: WikiFiles,
  names: readonly string[],
): Promise<readonly (FileWithMetadata | null)[]> {
  return Promise.all(
    names.map(async name => {
      const title = parseFileTitle(wiki.store, name)
      const file = title === null ? undefined : fileOfTitle(wiki.store, title)
      return file === undefined ? null : withMetadata(wiki, file)
    }),
  )
}

/** Converts a file to the renderer's metadata; `base` is the prefix of URLs. */
export function metadataOf({ file, metadata }: FileWithMetadata, base: string): FileMetadata {
  const name = fileName(file)
  const { mediatype, mime, width, height, duration, picture } = metadata
  const url = fileRoute(base, name)
  const isWhole = (wanted: number) =>
    picture === null || (picture.shown && !picture.grows && wanted >= (width as number))
  return {
    name,
    mediatype,
    mime,
    size: file.size,
    width,
    height,
    duration,
    url,
    thumbnail: wanted => (isWhole(wanted) ? url : thumbnailRoute(base, name, wanted)),
  }
}
