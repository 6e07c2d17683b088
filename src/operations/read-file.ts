/** Reads the metadata of a media file. Source: MediaWiki REST API reference, "Get file". */

import type { FileObject } from '../core/file.ts'
import { fileObject, withMetadata } from './resources/file-object.ts'
import { findFile } from './resources/find-file.ts'
import type { Wiki } from './wiki.ts'

export interface ReadFileQuery {
  /** With or without `File:`. */
  readonly title: string
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
}

/** Result of `readFile`. */
export interface ReadFile {
  readonly file: FileObject
  /** SHA-1 of the bytes, in base 36. */
  readonly sha1: string
}

/** Reads the metadata of a file; a redirect is followed to its file. Errors: rest-nonexistent-title, rest-cannot-load-file. */
export async function readFile(wiki: Wiki, { title, base }: ReadFileQuery): Promise<ReadFile> {
  await wiki.store.refresh()
  const described = await withMetadata(wiki, findFile(wiki.store, title))
  return { file: fileObject(described, { base, full: true }), sha1: described.metadata.sha1 }
}
