/** Collects the facts about media files that rendering needs. */

import type { FileFacts } from '../../wikitext/wiki-source.ts'
import { fileName, type KnownFile, knownFile, type WikiFiles } from './file-object.ts'
import { fileOfTitle, parseFileTitle } from './find-file.ts'
import { fileRoute, thumbnailRoute } from './routes.ts'

/**
 * Returns the facts of files by name, without `File:`, in order; null for missing files. A name that redirects to a file has that
 * file's facts. The wiki is not refreshed.
 */
export async function fileFacts(
  wiki: WikiFiles,
  names: readonly string[],
  { base }: { readonly base: string },
): Promise<readonly (FileFacts | null)[]> {
  return (await knownFiles(wiki, names)).map(known => known && factsOf(known, base))
}

/** Returns the facts of files by name, as `fileFacts` does, as data. */
export async function knownFiles(wiki: WikiFiles, names: readonly string[]): Promise<readonly (KnownFile | null)[]> {
  return Promise.all(
    names.map(async name => {
      const title = parseFileTitle(wiki.store, name)
      const file = title === null ? undefined : fileOfTitle(wiki.store, title)
      return file === undefined ? null : knownFile(wiki, file)
    }),
  )
}

/** Converts a file to the renderer's facts; `base` is the prefix of URLs. */
export function factsOf({ file, facts }: KnownFile, base: string): FileFacts {
  const name = fileName(file)
  const { mediatype, mime, width, height, duration, picture } = facts
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
