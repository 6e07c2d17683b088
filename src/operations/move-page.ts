/** Renames a page, with its history and the links to it. A redirect, or a note with a link, stays at the old title. */

import { posix } from 'node:path'
import { contentModels } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import { foldedPath } from '../core/file-names.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan, FileChange, PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkVisible } from './access/hidden.ts'
import { type ChangeRequest, committedPage, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { freePath } from './editing/free-path.ts'
import { isLeftBehind, leftBehind } from './renaming/move-redirect.ts'
import { type LinkUpdates, updateLinks } from './renaming/update-links.ts'
import { latestOf, writtenTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'
import { writePatch } from './workers/long-patch.ts'
import { createPause } from './workers/pause.ts'

export interface MovePageRequest extends ChangeRequest {
  readonly from: string
  readonly to: string
  /** False to leave nothing at the old title. A wikitext page leaves a redirect, a Markdown page a note with a link. */
  readonly redirect?: boolean | undefined
  /** True to rewrite links in the same commit, so that each keeps its target. */
  readonly updateLinks?: boolean | undefined
  /** With `updateLinks`: changes the text of links that show the old title. */
  readonly retitleLinks?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Expected commit of the page's latest revision; not checked if missing. */
  readonly expected?: string | null | undefined
}

export interface MovedPage {
  readonly id: number
  readonly from: { readonly key: string; readonly title: string }
  readonly to: { readonly key: string; readonly title: string; readonly path: string }
  /** True if a redirect or a note stays at the old title. */
  readonly redirect: boolean
  /** True if a redirect with the new title was deleted for it. */
  readonly replaced: boolean
  /** Id of the new revision; null in a dry run. */
  readonly latest: number | null
  /** Changed links, and links that could not be changed; missing unless requested. */
  readonly links?: MovedLinks
  /** The resulting difference as a patch; only in a dry run. */
  readonly patch?: string
  readonly leftAlone: readonly string[]
}

/** Returns the API's object of a move: it names no path. */
export function movedBody({ id, from, to, redirect, replaced, latest, links, patch }: MovedPage) {
  const rest = { ...(links !== undefined && { links }), ...(patch !== undefined && { patch }) }
  return { id, from, to: { key: to.key, title: to.title }, redirect, replaced, latest, ...rest }
}

export type MovedLinks = Pick<LinkUpdates, 'pages' | 'unchanged' | 'unread'>

interface Move {
  readonly page: PageEntry
  readonly to: Title
  readonly path: string
  /** Text that stays at the old title; null if none does. */
  readonly stays: string | null
  /** A redirect or note at the new title that leads to this page and has no other history. */
  readonly inTheWay: PageEntry | null
}

/**
 * Moves a page to another title as one commit. Its id and history stay. A redirect at the new title that leads to the
 * page and was never edited is deleted by a commit before it: the branch gets both, or neither. Errors: apierror-invalidtitle,
 * apierror-pagecannotexist, apierror-missingtitle, apierror-articleexists, wiki-no-author, and those of the store's
 * commit.
 */
export async function movePage(wiki: Wiki, request: MovePageRequest): Promise<MovedPage> {
  const { store } = wiki
  await store.refresh()
  let move = await findMove(store, request)
  let links = await preparedLinks(wiki, move, request)
  if (request.dryRun) {
    store.checkRights({ author: request.author, changes: [move.page, move, ...(links?.changes ?? [])] })
    const patch = request.updateLinks ? await patchOf(wiki, move, links) : undefined
    return moved(move, {
      latest: null,
      leftAlone: [],
      ...(patch !== undefined && { patch }),
      ...linksOf(links, request),
    })
  }
  const committed = await store.commit(async () => {
    move = await findMove(store, request)
    links = links?.tip === store.tip ? links : await preparedLinks(wiki, move, request)
    return movePlan(store, move, links, request)
  })
  const written = await committedPage(store, committed, move.to.key)
  return moved(move, {
    latest: written?.revision.id ?? null,
    leftAlone: committed.leftAlone,
    ...linksOf(links, request),
  })
}

async function findMove(store: Store, { redirect = true, expected, ...request }: MovePageRequest): Promise<Move> {
  const from = writtenTitle(store, request.from)
  const to = writtenTitle(store, request.to)
  const page = store.findPage(from.key)
  if (page === undefined) throw new WikiError('apierror-missingtitle', { params: [from.text] })
  if (expected !== undefined && latestOf(store, page).commit !== expected)
    throw new WikiError('rest-precondition-failed', { params: [from.text], hint: 'Read the page again' })
  const there = store.findPage(to.key) ?? null
  if (there !== null && !isLeftBehind(store, there, page)) throw titleTaken(to)
  const named = (path: string) => withEndingOf(page, path)
  const leaving = [page.path, ...(there === null ? [] : [there.path])]
  const pathTo = (options: { leaving?: string }) => store.newPath(to, page.model, { ...options, named })
  const gone = await freePath(store, pathTo({ leaving: page.path }), leaving)
  // If the names differ only in case, a redirect would be a second file that many disks take for the first.
  const isAlone = !redirect || foldedPath(gone) === foldedPath(page.path)
  if (isAlone || leftBehind(store, page, { title: to, path: gone }) === null)
    return { page, to, path: gone, stays: null, inTheWay: there }
  const path = await freePath(store, pathTo({}), leaving)
  return { page, to, path, stays: leftBehind(store, page, { title: to, path }), inTheWay: there }
}

function titleTaken(to: Title): WikiError {
  return new WikiError('apierror-articleexists', { params: [to.text] })
}

/** If the content model has several extensions, the file keeps its own, such as `.mediawiki`. */
function withEndingOf({ path: old, model }: PageEntry, path: string): string {
  const ending = /\.[^./]+$/
  return contentModels[model].extensionInTitle ? path : path.replace(ending, own => ending.exec(old)?.[0] ?? own)
}

/** Deletes what is in the way: in the commit of the move, the path would not be free, and the page would not keep its id. */
function clearingPlan({ page, inTheWay }: Move, request: MovePageRequest): CommitPlan | null {
  if (inTheWay === null) return null
  const comment = `Deleted to make way for move from "[[${page.title}]]"`
  return planOf(request, { changes: [{ path: inTheWay.path, content: null }], comment, subject: comment })
}

/** New texts of linking pages, for one state of the branch. */
interface PreparedLinks extends LinkUpdates {
  readonly tip: string | null
}

/** A page of Markdown that changes its folder keeps its own links, which are relative to it, in any case. */
function scopeOf({ page, path }: Move, { updateLinks = false }: MovePageRequest): 'all' | 'itself' | null {
  if (updateLinks) return 'all'
  return page.model === 'markdown' && posix.dirname(page.path) !== posix.dirname(path) ? 'itself' : null
}

/** Reading all pages takes long, so it happens before the lock is acquired. */
async function preparedLinks(wiki: Wiki, move: Move, request: MovePageRequest): Promise<PreparedLinks | null> {
  const of = scopeOf(move, request)
  if (of === null) return null
  const { page, to, path, stays, inTheWay } = move
  const { retitleLinks = false, dryRun = false } = request
  const rename = { page, to, path, staysNamed: stays !== null, retitles: retitleLinks, isWritten: !dryRun, of }
  const store = wiki.store.snapshot()
  try {
    const updates = await updateLinks({ ...wiki, store }, rename)
    return { tip: store.tip, ...(inTheWay === null ? updates : without(updates, inTheWay)) }
  } finally {
    store.close()
  }
}

/** A page that the move deletes keeps its links. */
function without(updates: LinkUpdates, { key, path }: PageEntry): LinkUpdates {
  return {
    ...updates,
    pages: updates.pages.filter(page => page.key !== key),
    changes: updates.changes.filter(change => change.path !== path),
  }
}

function linksOf(updates: LinkUpdates | null, { updateLinks }: MovePageRequest): { links?: MovedLinks } {
  if (updates === null || !updateLinks) return {}
  const { pages, unchanged, unread } = updates
  return { links: { pages, unchanged, unread } }
}

async function movePlan(
  store: Store,
  move: Move,
  links: LinkUpdates | null,
  request: MovePageRequest,
): Promise<CommitPlan> {
  const { page, to, path, stays } = move
  const latest = latestOf(store, page)
  // The move creates a visible revision of the text.
  checkVisible(latest)
  const text = links?.own == null ? await store.blob(latest.blob) : Buffer.from(links.own)
  const content = await store.checkout.movedContent(text, page.path, path)
  const old: FileChange = { path: page.path, content: stays === null ? null : Buffer.from(stays) }
  const isPlain = links?.own == null && (stays === null || page.model === 'wikitext')
  const first = clearingPlan(move, request)
  const plan = {
    ...(first !== null && { first }),
    ...planOf(request, {
      changes: [{ path, content, isBlob: true }, old, ...(links?.changes ?? [])],
      comment: cleanComment(request.comment ?? '') || `Moved "[[${page.title}]]" to "[[${to.text}]]"`,
      subject: `Move ${page.title} to ${to.text}`,
    }),
  }
  return isPlain ? plan : { ...plan, moved: page.path }
}

/** Formats the difference that the commit would make. */
async function patchOf(wiki: Wiki, { page, path, stays }: Move, links: LinkUpdates | null): Promise<string> {
  const { store } = wiki
  const text = async (blob: string) => (await store.bytes(blob)).toString('utf8')
  const before = await text(latestOf(store, page).blob)
  const own = links?.own ?? before
  const moved = { from: before, to: own, fromPath: page.path, toPath: path }
  const patches = [await writePatch(wiki, { ...moved, kind: stays === null ? 'move' : 'copy' })]
  const write = async (at: string, from: string, to: string) =>
    patches.push(await writePatch(wiki, { from, to, fromPath: at, toPath: at }))
  if (stays !== null) await write(page.path, before, stays)
  const pause = createPause()
  for (const { path: at, content } of links?.changes ?? []) {
    const entry = store.pageAtPath(at)
    const old = entry === undefined ? '' : await text(latestOf(store, entry).blob)
    await write(at, old, Buffer.from(content as Uint8Array).toString('utf8'))
    await pause()
  }
  return patches.join('')
}

function moved(move: Move, written: Pick<MovedPage, 'latest' | 'leftAlone' | 'links' | 'patch'>): MovedPage {
  const { page, to, path, stays, inTheWay } = move
  return {
    id: page.id,
    from: { key: page.key, title: page.title },
    to: { key: to.key, title: to.text, path },
    redirect: stays !== null,
    replaced: inTheWay !== null,
    ...written,
  }
}
