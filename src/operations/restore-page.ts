/** Restores a deleted page, with its id and history, and the media file of a `File:` title. */

import { WikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan, DeletedFile, FileChange, PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkVisible } from './access/hidden.ts'
import { type ChangeRequest, committedPage, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { checkFree } from './editing/free-path.ts'
import { checkCertain, resolveInPage } from './resolve-revision.ts'
import { deletedTitle } from './resources/dashed-title.ts'
import { deletionText, missingHint } from './resources/deleted-page.ts'
import { parseWrittenTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface RestorePageRequest extends ChangeRequest {
  /** Title of a deleted page, or `Title@revision` for an older text of it. */
  readonly title: string
  /** Id of the page, if several were deleted under the title; the one deleted last if omitted. */
  readonly id?: number | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface RestoredPage {
  /** Null if only a media file is restored. */
  readonly id: number | null
  readonly key: string
  readonly title: string
  /** Paths of the restored files: the page's, and the media file's. */
  readonly paths: readonly string[]
  /** Revision whose text is restored; null if only a media file is restored. */
  readonly from: number | null
  /** Id of the new revision; null in a dry run. */
  readonly latest: number | null
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

/** Returns the API's object of a restoration: it names no paths. */
export function restoredBody({ id, key, title, from, latest, commit }: RestoredPage) {
  return { id, key, title, from, latest, commit }
}

/** The page or file to restore. */
interface Restoration {
  readonly title: Title
  readonly page: PageEntry | null
  readonly revision: RevisionEntry | null
  readonly file: DeletedFile | null
}

/**
 * Restores a deleted page as one commit: a new revision of the same page, with its last text or an older one. Errors:
 * apierror-invalidtitle, apierror-pagecannotexist, apierror-missingtitle, apierror-articleexists, wiki-bad-revision,
 * rest-nonexistent-revision, rest-nonexistent-title-revision, rest-permission-denied-revision, wiki-usage, wiki-no-author, and
 * those of the store's commit.
 */
export async function restorePage({ store }: Wiki, request: RestorePageRequest): Promise<RestoredPage> {
  await store.refresh()
  let found = await findRestoration(store, request)
  if (request.dryRun) {
    const changes = [found.page, found.file].filter(one => one !== null)
    store.checkRights({ author: request.author, changes })
    return restored(found, { commit: null, latest: null, leftAlone: [] })
  }
  const committed = await store.commit(async () => {
    found = await findRestoration(store, request)
    return restorationPlan(store, found, request)
  })
  const written = found.page === null ? null : await committedPage(store, committed, found.page.key)
  const done = restored(found, { ...committed, latest: written?.revision.id ?? null })
  return written === null ? done : { ...done, id: written.page.id }
}

async function findRestoration(store: Store, request: RestorePageRequest): Promise<Restoration> {
  const { text, point } = splitAddress(store, request.title)
  const title = deletedTitle(store, parseWrittenTitle(text, store.titles))
  const file = await findLostFile(store, title)
  const isTaken = store.findPage(title.key) !== undefined
  if (isTaken && (file === null || request.id !== undefined || point !== null)) throw titleTaken(title)
  const page = isTaken ? null : chooseDeleted(store, title, request.id)
  if (page === null && file === null) throw nothingDeleted(store, title)
  if (page === null) return { title, page, file, revision: null }
  if (store.pageAtPath(page.path) !== undefined) throw titleTaken(title)
  return { title, page, file, revision: await findText(store, page, point, request.title) }
}

/** A title may contain @ itself, so a deleted page with the whole argument as its title takes precedence. */
function splitAddress(store: Store, address: string): { text: string; point: string | null } {
  const at = address.lastIndexOf('@')
  const isWhole = at <= 0 || store.deletedPages(parseWrittenTitle(address, store.titles).key).length > 0
  return isWhole ? { text: address, point: null } : { text: address.slice(0, at), point: address.slice(at + 1) }
}

async function findLostFile(store: Store, { key, namespace }: Title): Promise<DeletedFile | null> {
  return namespace === namespaceIds.file && store.findFile(key) === undefined ? store.deletedFile(key) : null
}

function chooseDeleted(store: Store, { key, text }: Title, id: number | undefined): PageEntry | null {
  const pages = store.deletedPages(key)
  if (id === undefined) return pages[0] ?? null
  const page = pages.find(candidate => candidate.id === id)
  if (page !== undefined) return page
  const candidates = pages.map(candidate => `${candidate.id} (${deletionText(store, candidate.id)})`).join('; ')
  const hint = candidates === '' ? undefined : `Deleted pages of this title: ${candidates}`
  throw new WikiError('apierror-missingtitle', { params: [`${text}, page ${id}`], ...(hint !== undefined && { hint }) })
}

async function findText(store: Store, page: PageEntry, point: string | null, address: string): Promise<RevisionEntry> {
  const found = point === null ? page.latest : await revisionAt(store, page, point, address)
  const revision = store.revision(found, { deleted: true })
  if (revision?.page !== page.id) throw revisionOfAnother(store, page, { revision, point: point ?? found })
  checkVisible(revision)
  const isLast = store.deletedPages(page.key).find(({ path }) => path === page.path)?.id === page.id
  if (isLast || revision.blob === store.revision(page.latest, { deleted: true })?.blob) return revision
  throw new WikiError('wiki-usage', {
    params: [`Another page was deleted at ${page.path} later: page ${page.id} can only come back with its last text`],
    hint: 'Restore that, then save the older text',
  })
}

/** The revision may belong to a page that had the title before. */
function revisionOfAnother(
  store: Store,
  { key, title }: PageEntry,
  { revision, point }: { readonly revision: RevisionEntry | undefined; readonly point: string | number },
): WikiError {
  const owner = store.deletedPages(key).find(({ id }) => id === revision?.page)?.id
  const hint =
    owner === undefined ? undefined : `It belongs to page ${owner}, which had the title before: add --id ${owner}`
  return new WikiError('rest-nonexistent-title-revision', {
    params: [point, title],
    ...(hint !== undefined && { hint }),
  })
}

async function revisionAt(store: Store, page: PageEntry, point: string, address: string): Promise<number> {
  if (/^\d{1,15}$/.test(point)) {
    checkCertain(store, Number(point))
    return Number(point)
  }
  const found = await resolveInPage(store, page, point, address)
  if (typeof found === 'number') return found
  throw new WikiError('wiki-usage', { params: [`${address} is not a revision`] })
}

async function restorationPlan(store: Store, found: Restoration, request: RestorePageRequest): Promise<CommitPlan> {
  const { title, page, revision, file } = found
  const changes: FileChange[] = []
  for (const one of [page, file]) if (one !== null) await checkFree(store, one.path)
  if (page !== null && revision !== null)
    changes.push({ path: page.path, content: await store.blob(revision.blob), isBlob: true })
  if (file !== null) changes.push({ path: file.path, content: { blob: file.blob } })
  const comment = cleanComment(request.comment ?? '') || `Restored "[[${title.text}]]"`
  const plan = planOf(request, { changes, comment, subject: `Restore ${title.text}` })
  return page === null ? plan : { ...plan, restored: page.path }
}

function titleTaken(title: Title): WikiError {
  return new WikiError('apierror-articleexists', {
    params: [title.text],
    hint: 'Move that page away first: wiki page move',
  })
}

function nothingDeleted(store: Store, { key, text }: Title): WikiError {
  return new WikiError('apierror-missingtitle', { params: [text], hint: missingHint(store, key, text) })
}

function restored(
  { title, page, revision, file }: Restoration,
  written: Pick<RestoredPage, 'commit' | 'latest' | 'leftAlone'>,
): RestoredPage {
  return {
    id: page?.id ?? null,
    key: title.key,
    title: title.text,
    paths: [page?.path, file?.path].filter(path => path !== undefined),
    from: revision?.id ?? null,
    latest: written.latest,
    commit: written.commit,
    leftAlone: written.leftAlone,
  }
}
