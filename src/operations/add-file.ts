/** Adds a media file, or a new version of one. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../core/errors.ts'
import { type FileListItem, mediaFormats } from '../core/file.ts'
import { withLineEndsOf } from '../core/line-ends.ts'
import { namespaceIds } from '../core/namespaces.ts'
import type { Title } from '../core/title.ts'
import { misfit } from '../media/fitting.ts'
import type { FileChange, FileEntry } from '../store/format/entries.ts'
import { pathOfFile, pathRules } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import { checkUnfiltered } from './access/filtered-text.ts'
import { checkVisible } from './access/hidden.ts'
import { type ChangeRequest, defaultModel, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { freePath } from './editing/free-path.ts'
import { savedText } from './editing/saved-text.ts'
import { underSettings } from './editing/under-settings.ts'
import { extensionOf, fileItem } from './resources/file-item.ts'
import { latestOf, parseWrittenTitle } from './resources/find-page.ts'
import { checkSource, fileOfSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export interface AddFileRequest extends ChangeRequest {
  /** File title, with or without `File:`. */
  readonly name: string
  readonly content: Uint8Array
  /** Expected blob of the file to replace, null for none; not checked if omitted. */
  readonly expected?: string | null | undefined
  /** If false, a file of the title with other bytes is not replaced; true if omitted. */
  readonly replace?: boolean | undefined
  /** Text of the page of the file: a page that exists gets it as a further paragraph, because neither may be lost. */
  readonly description?: string | undefined
}

export interface AddedFile {
  readonly file: FileListItem
  /** False if the file already had the same bytes, so that nothing was written. */
  readonly changed: boolean
  readonly leftAlone: readonly string[]
}

/**
 * Adds a media file, with its description, as one commit. An existing file of the title is replaced at its current path. The content
 * must fit the extension, because browsers and thumbnails follow the content, and readers the name.
 *
 * Errors: apierror-invalidtitle, wiki-bad-file, apierror-articleexists, wiki-no-author, rest-precondition-failed, those of
 * `createPage` for a description, and those of the store's commit.
 */
export async function addFile(wiki: Wiki, request: AddFileRequest): Promise<AddedFile> {
  const { store } = wiki
  await store.refresh()
  const prepared = underSettings(store, async () => {
    const title = fileTitleOf(store, request.name)
    checkContent(title, request.content, store.config.limits.file)
    const source = request.description?.trim() ?? ''
    const saved = { source, author: request.author, time: request.time }
    const model = store.findPage(title.key)?.model ?? defaultModel(title, store)
    return { title, description: source === '' ? '' : await savedText(wiki, saved, { title, model }) }
  })
  let added = await prepared()
  const committed = await store.commit(async () => {
    added = await prepared()
    const { title, description } = added
    const existing = store.findFile(title.key)
    checkExpectedFile(title, existing, request.expected)
    const isSame = existing !== undefined && (await holds(store, existing, request.content))
    if (existing !== undefined && !isSame && request.replace === false)
      throw new WikiError('apierror-articleexists', { params: [title.text] })
    const path = existing?.path ?? (await freePath(store, pathOfFile(title, pathRules(store.config, store.titles))))
    const described = description === '' ? null : await describedPage(store, title, description)
    const changes = [
      ...(isSame ? [] : [{ path, content: request.content }]),
      ...(described === null ? [] : [described]),
    ]
    if (changes.length === 0) return null
    const verb = existing === undefined ? 'Add' : isSame ? 'Describe' : 'Replace'
    return planOf(request, { changes, comment: cleanComment(request.comment ?? ''), subject: `${verb} ${title.text}` })
  })
  const file = await readSaved(store, `${committed.commit}`, () => store.findFile(added.title.key))
  return { file: fileItem(file), changed: committed.commit !== null, leftAlone: committed.leftAlone }
}

/** The change of the file's page; null if it has the description already. */
async function describedPage(store: Store, title: Title, description: string): Promise<FileChange | null> {
  const page = store.findPage(title.key)
  const model = page?.model ?? defaultModel(title, store)
  const latest = page === undefined ? undefined : latestOf(store, page)
  if (latest !== undefined) checkVisible(latest)
  if (page !== undefined && latest !== undefined)
    await checkUnfiltered(store, { path: page.path, blob: latest.blob }, true)
  const bytes = latest === undefined ? Buffer.alloc(0) : await store.bytes(latest.blob)
  if (!isUtf8(bytes)) throw new WikiError('wiki-not-utf8', { params: [title.text] })
  const stored = bytes.toString('utf8')
  const before = fileOfSource(stored)
  if (before.includes(description.trimEnd())) return null
  const text = before === '' ? description : withLineEndsOf(stored, `${before.trimEnd()}\n\n${description}`)
  checkSource(text, model, store.config.limits.source)
  return { path: page?.path ?? (await freePath(store, store.newPath(title, model))), content: Buffer.from(text) }
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
