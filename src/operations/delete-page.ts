/** Deletes pages. Their history stays in git. */

import { WikiError } from '../core/errors.ts'
import type { Title } from '../core/title.ts'
import type { Store } from '../store/store.ts'
import { checkExpectedFile } from './add-file.ts'
import { type ChangeRequest, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { latestOf, writtenTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface DeletePagesRequest extends ChangeRequest {
  readonly titles: readonly string[]
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Expected commit of the page's latest revision, null for no page; not checked if omitted. */
  readonly expected?: string | null | undefined
  /** Expected blob of the media file of a `File:` title, null for none; not checked if omitted. */
  readonly expectedFile?: string | null | undefined
  /** Result of an earlier dry run. Nothing is deleted if a page or file has changed since. */
  readonly planned?: DeletedPages | undefined
}

/** A file to delete: of a page, or of the media of a `File:` title. */
export interface FileToDelete {
  readonly key: string
  readonly title: string
  readonly path: string
  /** Hash of the blob. */
  readonly blob: string
}

export interface DeletedPages {
  readonly deleted: readonly FileToDelete[]
  /** Hash of the commit; null in a dry run. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

/** Returns the API's object of a deletion: it names no paths. */
export function deletedBody({ deleted, commit }: DeletedPages) {
  return { deleted: deleted.map(({ key, title }) => ({ key, title })), commit }
}

/**
 * Deletes pages as one commit; with a `File:` title the media file too. If one title is unknown, nothing is written. Errors:
 * apierror-invalidtitle, apierror-pagecannotexist, apierror-missingtitle, rest-precondition-failed, edit-conflict, wiki-no-author, and
 * those of the store's commit.
 */
export async function deletePages({ store }: Wiki, request: DeletePagesRequest): Promise<DeletedPages> {
  await store.refresh()
  const titlesNow = () => request.titles.map(title => writtenTitle(store, title))
  let deleted: DeletedPages['deleted'] = []
  if (request.dryRun) {
    deleted = filesOf(store, titlesNow())
    store.checkRights({ author: request.author, changes: deleted })
    return { deleted, commit: null, leftAlone: [] }
  }
  const committed = await store.commit(() => {
    const titles = titlesNow()
    checkExpected(store, titles, request.expected)
    const [first] = titles
    if (first !== undefined) checkExpectedFile(first, store.findFile(first.key), request.expectedFile)
    deleted = filesOf(store, titles)
    checkPlanned(deleted, request.planned)
    if (deleted.length === 0) return null
    return planOf(request, {
      changes: deleted.map(({ path }) => ({ path, content: null })),
      comment: cleanComment(request.comment ?? ''),
      subject: deleted.length === 1 ? `Delete ${deleted[0]!.title}` : `Delete ${deleted.length} pages`,
    })
  })
  return { deleted, ...committed }
}

/** Throws `rest-precondition-failed` if the page has newer revisions. */
function checkExpected(store: Store, [title]: readonly Title[], expected: string | null | undefined): void {
  if (title === undefined || expected === undefined) return
  const page = store.findPage(title.key)
  if ((page === undefined ? null : latestOf(store, page).commit) === expected) return
  throw new WikiError('rest-precondition-failed', { params: [title.text], hint: 'Read the page again' })
}

/** Throws `edit-conflict` if a file is not the one that was shown before the deletion was confirmed. */
function checkPlanned(deleted: readonly FileToDelete[], planned: DeletedPages | undefined): void {
  if (planned === undefined) return
  const shown = new Map(planned.deleted.map(({ path, blob }) => [path, blob]))
  const changed = deleted.find(({ path, blob }) => shown.get(path) !== blob)
  if (changed !== undefined)
    throw new WikiError('edit-conflict', { params: [changed.title], hint: 'Nothing was deleted. Read the page again' })
}

function filesOf(store: Store, titles: readonly Title[]): readonly FileToDelete[] {
  const byPath = new Map<string, FileToDelete>()
  for (const { key, text } of titles) {
    const [page, file] = [store.findPage(key), store.findFile(key)]
    const found = [page && { ...page, blob: latestOf(store, page).blob }, file].filter(entry => entry !== undefined)
    if (found.length === 0) throw new WikiError('apierror-missingtitle', { params: [text] })
    for (const { title, path, blob } of found) byPath.set(path, { key, title, path, blob })
  }
  return [...byPath.values()]
}
