/** Hides parts of a revision from readers, or shows them again, by a setting in wiki.json. */

import { configFile, setConfigValue } from '../core/config.ts'
import { WikiError } from '../core/errors.ts'
import type { HiddenRevision, HideablePart } from '../core/wiki-config.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { type ChangeRequest, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { settingsToChange } from './editing/settings-text.ts'
import type { Wiki } from './wiki.ts'

export interface HideRevisionRequest extends ChangeRequest {
  readonly id: number
  /** Commit of that revision, if the caller knows it, because ids of unshared revisions may be reassigned. */
  readonly commit?: string | undefined
  /** Parts to hide from readers; an empty list shows everything again. */
  readonly parts: readonly HideablePart[]
  readonly reason: string
}

export interface HiddenState {
  readonly id: number
  readonly page: { readonly id: number; readonly title: string }
  readonly hidden: readonly HideablePart[]
  readonly reason: string
  /** False if nothing changed and nothing was written. */
  readonly changed: boolean
  /** Other revisions of the page with the hidden text: a move creates one, and so does an edit that restores a text. */
  readonly sameText: readonly number[]
  readonly leftAlone: readonly string[]
}

/**
 * Sets the hidden parts of a revision, as a commit. Anyone with the repository can still read them with git. Errors:
 * rest-nonexistent-revision, wiki-hide-latest, wiki-settings-kept, wiki-no-author, and those of the store's commit.
 */
export async function hideRevision({ store }: Wiki, request: HideRevisionRequest): Promise<HiddenState> {
  await store.refresh()
  const { id, parts, reason } = request
  const { commit, leftAlone } = await store.commit(async () => {
    const revision = findRevision(store, id)
    checkSame(revision, request.commit)
    checkCurrent(store, revision, parts)
    const before = await settingsToChange(store)
    if (sameHidden(store, revision, parts, reason)) return null
    const after = setConfigValue(before, 'hidden', JSON.stringify(withRevision(store, revision, { parts, reason })))
    return planOf(request, {
      changes: [{ path: configFile, content: Buffer.from(after) }],
      comment: cleanComment(request.comment ?? reason),
      subject: `${parts.length > 0 ? 'Hide' : 'Show'} revision ${id}`,
    })
  })
  await store.refresh()
  const revision = findRevision(store, id)
  const page = store.pageById(revision.page, { deleted: true })!
  const sameText = parts.includes('text') ? sameTextShown(store, page, revision) : []
  return {
    id,
    page: { id: page.id, title: page.title },
    hidden: parts,
    reason,
    changed: commit !== null,
    sameText,
    leftAlone,
  }
}

/** Maximum number of revisions listed. */
const maxNamed = 20

function sameTextShown(store: Store, page: PageEntry, { blob }: RevisionEntry): number[] {
  const found: number[] = []
  for (const revision of store.revisionsOf(page)) {
    if (revision.blob !== blob || revision.hidden.includes('text')) continue
    if (found.push(revision.id) === maxNamed) break
  }
  return found
}

function findRevision(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  return revision
}

/** Refuses a revision that has got the id since the caller read it. */
function checkSame({ id, commit }: RevisionEntry, expected: string | undefined): void {
  if (expected === undefined || expected === commit) return
  const hint = 'Since git pulled or rewrote commits, its id names another revision. Read the history again'
  throw new WikiError('rest-nonexistent-revision', { params: [id], hint })
}

/** Refuses to hide the latest text of a page, which readers see as the page itself. */
function checkCurrent(store: Store, { id, page }: RevisionEntry, parts: readonly HideablePart[]): void {
  const entry = store.pageById(page)
  if (entry?.latest !== id || !parts.includes('text')) return
  throw new WikiError('wiki-hide-latest', { params: [id, entry.title], hint: 'Save a text without it first' })
}

function keyOf({ commit, blob }: RevisionEntry): string {
  return `${commit}/${blob}`
}

/** The entry stays when everything is shown again, because caches hold responses made while it was hidden. */
function withRevision(store: Store, revision: RevisionEntry, state: HiddenRevision): Record<string, HiddenRevision> {
  const { [keyOf(revision)]: _, ...others } = store.config.hidden
  const before = store.hiddenState(revision)
  return { ...others, [keyOf(revision)]: { ...state, changed: timeAfter(before?.changed) } }
}

/** The current second, or the one after the last change: two states never share a time. */
function timeAfter(changed: string | undefined): string {
  const last = changed === undefined ? Number.NaN : Date.parse(changed)
  const isNear = Math.abs(last - Date.now()) < 60_000
  const time = isNear ? Math.max(Date.now(), last + 1000) : Date.now()
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

function sameHidden(store: Store, revision: RevisionEntry, parts: readonly HideablePart[], reason: string): boolean {
  const before = store.hiddenState(revision)
  if (before === undefined) return parts.length === 0
  return before.reason === reason && before.parts.toSorted().join() === parts.toSorted().join()
}
