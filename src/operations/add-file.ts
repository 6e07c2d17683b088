/** Adds a media file, or a new version of one. */

import { WikiError } from '../core/errors.ts'
import { type FileListItem, mediaFormats } from '../core/file.ts'
import { namespaceIds } from '../core/namespaces.ts'
import type { Title } from '../core/title.ts'
import { misfit } from '../media/fitting.ts'
import type { FileEntry } from '../store/format/entries.ts'
import { pathOfFile, pathRules } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import { type ChangeRequest, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { extensionOf, fileItem } from './resources/file-item.ts'
import { parseWrittenTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface AddFileRequest extends ChangeRequest {
  /** File title, with or without `File:`. */
  readonly name: string
  readonly content: Uint8Array
  /** Expected blob of the file to replace, null for none; not checked if omitted. */
  readonly expected?: string | null | undefined
}

export interface AddedFile {
  readonly file: FileListItem
  /** False if the file already had the same bytes, so that nothing was written. */
  readonly changed: boolean
  readonly leftAlone: readonly string[]
}

/**
 * Adds a media file as one commit. An existing file of the title is replaced at its current path. The content must fit the
 * extension, because browsers and thumbnails follow the content, and readers the name.
 *
 * Errors: apierror-invalidtitle, wiki-bad-file, wiki-no-author, rest-precondition-failed, and those of the store's
 * commit.
 */
export async function addFile({ store }: Wiki, request: AddFileRequest): Promise<AddedFile> {
  await store.refresh()
  const title = fileTitleOf(store, request.name)
  checkContent(title, request.content, store.config.limits.file)
  const committed = await store.commit(async () => {
    const existing = store.findFile(title.key)
    checkExpectedFile(title, existing, request.expected)
    if (existing !== undefined && (await holds(store, existing, request.content))) return null
    return planOf(request, {
      changes: [
        { path: existing?.path ?? pathOfFile(title, pathRules(store.config, store.titles)), content: request.content },
      ],
      comment: cleanComment(request.comment ?? ''),
      subject: `${existing === undefined ? 'Add' : 'Replace'} ${title.text}`,
    })
  })
  const file = await readSaved(store, `${committed.commit}`, () => store.findFile(title.key))
  return { file: fileItem(file), changed: committed.commit !== null, leftAlone: committed.leftAlone }
}

/** Throws `rest-precondition-failed` if the file is not the one that the client expects: a blob, or null for none. */
export function checkExpectedFile(
  title: Title,
  file: FileEntry | undefined,
  expected: string | null | undefined,
): void {
  if (expected === undefined || expected === (file?.blob ?? null)) return
  throw new WikiError('rest-precondition-failed', { params: [title.text], hint: 'Read the file again' })
}

async function holds(store: Store, file: FileEntry, content: Uint8Array): Promise<boolean> {
  return file.size === content.byteLength && (await store.blob(file.blob)).equals(content)
}

/**
 * Parses the title of a file to add. Errors: apierror-invalidtitle; wiki-bad-file for a title that no media file can
 * have.
 */
export function fileTitleOf(store: Store, name: string): Title {
  const title = parseWrittenTitle(name, store.titles, namespaceIds.file)
  const reason =
    title.namespace !== namespaceIds.file
      ? 'its title is not in the namespace File'
      : Object.hasOwn(mediaFormats, extensionOf(title.name))
        ? null
        : `its name ends in none of ${Object.keys(mediaFormats).join(', ')}`
  if (reason !== null) throw new WikiError('wiki-bad-file', { params: [name, reason] })
  return title
}

function checkContent(title: Title, content: Uint8Array, limit: number): void {
  if (content.byteLength === 0) throw new WikiError('wiki-bad-file', { params: [title.text, 'it is empty'] })
  if (content.byteLength > limit)
    throw new WikiError('wiki-bad-file', {
      params: [title.text, `it is larger than ${limit} bytes`],
      hint: 'wiki config set limits.file <bytes> allows larger files',
    })
  const reason = misfit(content, extensionOf(title.name))
  if (reason !== null) throw new WikiError('wiki-bad-file', { params: [title.text, reason] })
}
