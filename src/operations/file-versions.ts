/** The versions of a media file, each with its bytes, and going back to one of them. */

import { WikiError } from '../core/errors.ts'
import type { FileUser } from '../core/file.ts'
import type { Picture } from '../media/media.ts'
import type { FileEntry, FileVersion as StoredVersion } from '../store/format/entries.ts'
import { isHidden, visibleUploader } from './access/hidden.ts'
import { type AddedFile, addFile } from './add-file.ts'
import type { ChangeRequest } from './editing/edit.ts'
import { type OpenedFile, openThumbnail } from './open-file.ts'
import { withMetadata } from './resources/file-object.ts'
import { findFile } from './resources/find-file.ts'
import type { Wiki } from './wiki.ts'

/** A version as lists show it. */
export interface FileVersion {
  /** Hash of the commit that brought it, which names the version. */
  readonly commit: string
  readonly timestamp: string
  readonly user: FileUser
  /** Null if it is hidden. */
  readonly comment: string | null
  /** Bytes; null if this clone lacks them, or readers may not see them. */
  readonly size: number | null
  readonly isLatest: boolean
}

/** Versions that are looked through for one that a commit names. */
const maxVersions = 200

/** Lists the versions of a file, the latest first, at most `limit`. Errors: rest-nonexistent-title, rest-cannot-load-file. */
export async function fileVersions(
  { store }: Pick<Wiki, 'store'>,
  { title, limit }: { readonly title: string; readonly limit: number },
): Promise<FileVersion[]> {
  await store.refresh()
  const file = findFile(store, title)
  const versions = await store.fileVersions(file, limit)
  const sizes = await store.sizesOf(versions.map(({ blob }) => blob))
  return versions.map((version, at) => ({
    commit: version.commit,
    timestamp: version.timestamp,
    user: visibleUploader(version),
    comment: isHidden(version, 'comment') ? null : version.comment,
    size: isHidden(version, 'text') ? null : (sizes[at] ?? null),
    isLatest: at === 0 && version.blob === file.blob,
  }))
}

export interface FileVersionQuery {
  /** With or without `File:`. */
  readonly title: string
  /** Hash of the commit that brought the version. */
  readonly commit: string
}

/**
 * Opens a version. Errors: rest-nonexistent-title, rest-cannot-load-file, rest-permission-denied-revision if it is hidden,
 * rest-nonexistent-revision if there is none, wiki-lfs-missing.
 */
export async function openFileVersion(wiki: Wiki, query: FileVersionQuery): Promise<OpenedFile> {
  await wiki.store.refresh()
  const described = await withMetadata(wiki, await versionEntry(wiki, query))
  if (described.file.lfs?.path === null)
    throw new WikiError('wiki-lfs-missing', { params: [described.file.title], hint: 'git lfs pull' })
  return { ...described, content: () => wiki.store.content(described.file) }
}

/** Makes a picture of a version; null if its original must be used. Errors: those of `openFileVersion`. */
export async function versionThumbnail(wiki: Wiki, query: FileVersionQuery, width: number): Promise<Picture | null> {
  return openThumbnail(wiki, await openFileVersion(wiki, query), width)
}

async function versionEntry({ store }: Wiki, { title, commit }: FileVersionQuery): Promise<FileEntry> {
  const file = findFile(store, title)
  const version = (await store.fileVersions(file, maxVersions)).find(one => one.commit === commit)
  if (version === undefined) throw new WikiError('rest-nonexistent-revision', { params: [commit.slice(0, 40)] })
  if (isHidden(version, 'text')) throw new WikiError('rest-permission-denied-revision', { params: [commit] })
  return { ...file, ...entryOf(version), size: (await store.sizesOf([version.blob]))[0] ?? 0 }
}

function entryOf({
  path,
  blob,
  commit,
  timestamp,
  user,
  hidden,
}: StoredVersion): Omit<FileEntry, 'key' | 'title' | 'size'> {
  return { path, blob, commit, timestamp, user, hidden }
}

/**
 * Adds a version's bytes again as the latest version, as one commit. Errors: those of `openFileVersion` and `addFile`;
 * rest-precondition-failed if the file has changed meanwhile.
 */
export async function revertFile(wiki: Wiki, request: ChangeRequest & FileVersionQuery): Promise<AddedFile> {
  const { title, commit, ...change } = request
  await wiki.store.refresh()
  const { key, blob } = findFile(wiki.store, title)
  const { content } = await openFileVersion(wiki, { title, commit })
  const pieces: Uint8Array[] = []
  for await (const piece of content()) pieces.push(piece)
  return addFile(wiki, { ...change, name: key, content: Buffer.concat(pieces), expected: blob })
}
