/** Renaming a page, with its history; a redirect stays at the old title. */

import { WikiError } from '../core/errors.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan, FileChange, PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkShown } from './access/hidden.ts'
import { type ChangeRequest, committedPage, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { parseWrittenTitle } from './resources/find-page.ts'
import { latestOf } from './resources/page-object.ts'
import { redirectTarget } from './resources/redirect.ts'
import type { Wiki } from './wiki.ts'

export interface MovePageRequest extends ChangeRequest {
  readonly from: string
  readonly to: string
  /** Whether a redirect stays behind; only wikitext pages can leave one. True if omitted. */
  readonly redirect?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Commit of the page's latest revision; missing, none is asked for. */
  readonly expected?: string | null | undefined
}

export interface MovedPage {
  readonly id: number
  readonly from: { readonly key: string; readonly title: string }
  readonly to: { readonly key: string; readonly title: string; readonly path: string }
  /** Whether a redirect stays at the old title. */
  readonly redirect: boolean
  /** Whether a redirect had the new title and was deleted first. */
  readonly replaced: boolean
  /** Id of the new revision; null in a dry run. */
  readonly latest: number | null
  readonly leftAlone: readonly string[]
}

/** File and Category: a link without a colon would show the file, or put the redirect into the category. */
const namespacesBehindColon: ReadonlySet<number> = new Set([6, 14])

interface Move {
  readonly page: PageEntry
  readonly path: string
  readonly redirect: boolean
  /** A redirect to this very page, without a history, that has the new title. */
  readonly inTheWay: PageEntry | null
}

/**
 * Moves a page to another title as one commit: its id and history go with it. A redirect to the page that has the new
 * title and was never edited makes way, in a commit before.
 *
 * Errors: apierror-invalidtitle, apierror-pagecannotexist, apierror-missingtitle, apierror-articleexists, wiki-no-author,
 * and those of the store's commit.
 */
export async function movePage({ store }: Wiki, request: MovePageRequest): Promise<MovedPage> {
  await store.refresh()
  const from = parseWrittenTitle(request.from, store.titles)
  const to = parseWrittenTitle(request.to, store.titles)
  const planned = findMove(store, from, to, request)
  if (request.dryRun) return moved(to, planned, { latest: null, leftAlone: [] })
  const cleared = planned.inTheWay === null ? [] : await clearTheWay(store, from, to, request)
  let move = planned
  const committed = await store.commit(() => {
    move = findMove(store, from, to, request)
    if (move.inTheWay !== null) throw titleTaken(to)
    return movePlan(store, move, to, request)
  })
  const written = await committedPage(store, committed, to.key)
  const latest = written?.revision.id ?? null
  const leftAlone = [...cleared, ...committed.leftAlone]
  return moved(to, { ...move, inTheWay: planned.inTheWay }, { latest, leftAlone })
}

function findMove(store: Store, from: Title, to: Title, { redirect = true, expected }: MovePageRequest): Move {
  const page = store.findPage(from.key)
  if (page === undefined) throw new WikiError('apierror-missingtitle', { params: [from.text] })
  if (expected !== undefined && latestOf(store, page).commit !== expected)
    throw new WikiError('rest-precondition-failed', { params: [from.text], hint: 'Read the page again' })
  const there = store.findPage(to.key) ?? null
  if (there !== null && !mayMakeWay(store, there, page)) throw titleTaken(to)
  const path = withEndingOf(page.path, store.newPath(to, page.model))
  return { page, path, redirect: redirect && page.model === 'wikitext', inTheWay: there }
}

function titleTaken(to: Title): WikiError {
  return new WikiError('apierror-articleexists', { params: [to.text] })
}

/** Source: MediaWiki MovePage::isValidMoveTarget. */
function mayMakeWay(store: Store, there: PageEntry, page: PageEntry): boolean {
  return there.id !== page.id && there.edits === 1 && redirectTarget(store, there)?.page?.id === page.id
}

/** A page written `.mediawiki` stays so where the model has several endings and the new name has the usual one. */
function withEndingOf(old: string, path: string): string {
  const ending = /\.[^./]+$/
  return path.replace(ending, own => (own === '.wiki' ? (ending.exec(old)?.[0] ?? own) : own))
}

async function clearTheWay(store: Store, from: Title, to: Title, request: MovePageRequest): Promise<readonly string[]> {
  const { leftAlone } = await store.commit(() => {
    const { inTheWay } = findMove(store, from, to, request)
    if (inTheWay === null) return null
    const comment = `Deleted to make way for move from "[[${from.text}]]"`
    return planOf(request, { changes: [{ path: inTheWay.path, content: null }], comment, subject: comment })
  })
  return leftAlone
}

async function movePlan(store: Store, move: Move, to: Title, request: MovePageRequest): Promise<CommitPlan> {
  const { page, path, redirect } = move
  const latest = latestOf(store, page)
  // The move makes a revision that nobody has hidden.
  checkShown(latest)
  const old: FileChange = { path: page.path, content: redirect ? Buffer.from(redirectText(to)) : null }
  return planOf(request, {
    changes: [{ path, content: await store.movedBlob(latest.blob, page.path, path), isBlob: true }, old],
    comment: cleanComment(request.comment ?? ''),
    subject: `Move ${page.title} to ${to.text}`,
  })
}

function redirectText({ namespace, text }: Title): string {
  const colon = namespacesBehindColon.has(namespace) ? ':' : ''
  return `#REDIRECT [[${colon}${text}]]\n`
}

function moved(to: Title, move: Move, written: Pick<MovedPage, 'latest' | 'leftAlone'>): MovedPage {
  const { page, path, redirect, inTheWay } = move
  return {
    id: page.id,
    from: { key: page.key, title: page.title },
    to: { key: to.key, title: to.text, path },
    redirect,
    replaced: inTheWay !== null,
    ...written,
  }
}
