/**
 * The changes of the whole wiki: all revisions, and the deletions of pages that are still deleted, in the order in which they
 * reached the branch. Each has a place, counted from 0.
 */

import { deletionOfPage } from './deleted-pages.ts'
import type { Deletion, PageEntry, RevisionEntry } from './format/entries.ts'
import { lowerBound } from './index/base-rows.ts'
import type { RevisionRecord } from './index/records.ts'
import type { RevisionIndex } from './index/revision-index.ts'
import { pageAt } from './pages.ts'
import { flagsAt, type IndexView, type RevisionFlags, revisionAt } from './revisions.ts'

/** A change as filters see it; costly members are read on demand. */
export interface ChangeEntry {
  /** Id of the page. */
  readonly pageId: number
  readonly page: PageEntry
  /** Author time, milliseconds since 1970. */
  readonly time: number
  /** Null for a deletion. */
  readonly flags: RevisionFlags | null
  /** Null for a deletion. */
  readonly revision: RevisionEntry | null
  /** Null for a revision. */
  readonly deletion: Deletion | null
  /** Cursor of the change: see `placeOfChange`. */
  readonly cursor: string
}

/** The deletion of a page: the ordinals of page and commit, and the change's place. */
interface PlacedDeletion {
  readonly page: number
  readonly commit: number
  readonly place: number
}

const deletionsByIndex = new WeakMap<
  RevisionIndex,
  { readonly state: string; readonly deletions: readonly PlacedDeletion[] }
>()

/** Returns the deletions in order of their places; computed once for each state of the index. */
export function deletionsOf(index: RevisionIndex): readonly PlacedDeletion[] {
  const state = `${index.revisionCount} ${index.commitCount}`
  const found = deletionsByIndex.get(index)
  if (found?.state === state) return found.deletions
  const deletions = placeDeletions(index)
  deletionsByIndex.set(index, { state, deletions })
  return deletions
}

function placeDeletions(index: RevisionIndex): readonly PlacedDeletion[] {
  const deleted = index.pages.deleted().map(page => ({ page, commit: index.pages.at(page).deletedBy ?? 0 }))
  deleted.sort((a, b) => a.commit - b.commit || a.page - b.page)
  return deleted.map((deletion, at) => ({ ...deletion, place: index.firstRevisionOf(deletion.commit + 1) + at }))
}

/** Returns the number of changes. */
export function countChanges({ index }: IndexView): number {
  return index.revisionCount + deletionsOf(index).length
}

/** Returns the change at a place. */
function changeAt(view: IndexView, deletions: readonly PlacedDeletion[], place: number): ChangeEntry {
  const at = lowerBound(deletions.length, next => (deletions[next] as PlacedDeletion).place < place)
  const deletion = deletions[at]
  return deletion?.place === place ? deletionEntry(view, deletion, at) : new RevisionChange(view, place - at)
}

/** A revision as a change. A class, because a filter may examine a million of them. */
class RevisionChange implements ChangeEntry {
  readonly deletion = null
  readonly #view: IndexView
  readonly #ordinal: number
  readonly #record: RevisionRecord

  constructor(view: IndexView, ordinal: number) {
    this.#view = view
    this.#ordinal = ordinal
    this.#record = view.index.revision(ordinal)
  }

  get pageId(): number {
    return this.#view.index.pageId(this.#record.page)
  }

  get page(): PageEntry {
    return pageAt(this.#view.index, this.#record.page)
  }

  get time(): number {
    return this.#view.index.commit(this.#record.commit).time * 1000
  }

  get flags(): RevisionFlags {
    return flagsAt(this.#view, this.#ordinal)
  }

  get revision(): RevisionEntry {
    return revisionAt(this.#view, this.#ordinal)
  }

  get cursor(): string {
    return String(this.#view.index.revisionId(this.#ordinal))
  }
}

/** The cursor of a deletion names the revision before it and the page. */
function deletionEntry(view: IndexView, { page, commit, place }: PlacedDeletion, at: number): ChangeEntry {
  const { index } = view
  const before = place - at - 1
  const pageId = index.pageId(page)
  return {
    pageId,
    get page() {
      return pageAt(index, page)
    },
    time: index.commit(commit).time * 1000,
    flags: null,
    revision: null,
    get deletion() {
      return deletionOfPage(view, pageId)
    },
    cursor: `${before < 0 ? 0 : index.revisionId(before)}-${pageId}`,
  }
}

/**
 * Returns the place of the change that a cursor names; undefined for an invalid cursor. If a deleted page was restored since, the
 * place after the cursor's revision.
 */
export function placeOfChange({ index }: IndexView, cursor: string): number | undefined {
  const [, revision, page] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(cursor) ?? []
  const ordinal = revision === '0' && page !== undefined ? -1 : index.revisionOrdinal(Number(revision))
  if (revision === undefined || ordinal === undefined) return undefined
  const deletions = deletionsOf(index)
  if (page === undefined) return placeOfRevision(deletions, ordinal)
  const deleted = index.pageOrdinal(Number(page))
  const named = deletions.find(deletion => deletion.page === deleted)
  return named?.place ?? placeOfRevision(deletions, ordinal) + 1
}

/** All deletions with at most this many revisions before them precede the revision. */
function placeOfRevision(deletions: readonly PlacedDeletion[], ordinal: number): number {
  return ordinal + lowerBound(deletions.length, at => (deletions[at] as PlacedDeletion).place - at <= ordinal)
}

/** The changes to visit: first and last place, both included, in steps of 1 or -1. */
export interface ChangeWalk {
  readonly from: number
  readonly to: number
  readonly step: 1 | -1
}

/** Visits changes one by one, one in a step, until `visit` returns false. */
export function* visitChanges(
  view: IndexView,
  { from, to, step }: ChangeWalk,
  visit: (change: ChangeEntry) => boolean,
): Generator<void> {
  const deletions = deletionsOf(view.index)
  for (let place = from; step > 0 ? place <= to : place >= to; place += step) {
    if (!visit(changeAt(view, deletions, place))) return
    yield
  }
}
