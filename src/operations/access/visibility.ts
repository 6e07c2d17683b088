/**
 * Tracks changes of hidden revisions, for the validators of responses. Parts that an import hides stay hidden and do
 * not count. wiki.json keeps an entry for every revision that was ever hidden, even after it is shown again.
 */

import { hash } from 'node:crypto'
import type { HiddenRevision } from '../../core/wiki-config.ts'
import type { FileEntry } from '../../store/format/entries.ts'
import { type HiddenBlob, hiddenByCommit } from '../../store/format/hidden-revisions.ts'
import type { Store } from '../../store/store.ts'

/** Visibility of the revisions that a response covers, after something was hidden for the first time. */
export interface Visibility {
  /** Unchanged until something else is hidden or shown; never equal to the tag of an earlier state. */
  readonly tag: string
  /** Milliseconds since 1970: the first whole second in which no client received an older state. Null if unknown. */
  readonly since: number | null
}

type Entry = readonly [key: string, state: HiddenRevision]

/** Returns the visibility of one revision; null if nothing of it was ever hidden here. */
export function revisionVisibility({ store }: { readonly store: Store }, id: number): Visibility | null {
  const { hidden } = store.config
  if (isEmpty(hidden)) return null
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) return null
  const state = store.hiddenState(revision)
  return state === undefined ? null : visibilityOf([[`${revision.commit}/${revision.blob}`, state]])
}

/** Returns the visibility of the whole history that a revision belongs to; null if nothing of it was ever hidden here. */
export function historyVisibility({ store }: { readonly store: Store }, id: number): Visibility | null {
  if (isEmpty(store.config.hidden)) return null
  const page = store.revision(id, { deleted: true })?.page
  const entries = page === undefined ? undefined : entriesByPage(store).get(page)
  return entries === undefined ? null : visibilityOf(entries)
}

/** Returns the visibility of media files; null if nothing about them was ever hidden here. */
export function filesVisibility(
  { store }: { readonly store: Store },
  files: readonly Pick<FileEntry, 'commit'>[],
): Visibility | null {
  const commits = hiddenByCommit(store.config.hidden)
  const entries = files.flatMap(({ commit }) => entriesOf(commit, commits.get(commit) ?? []))
  return entries.length === 0 ? null : visibilityOf(entries)
}

/** Returns the first whole second after the last change of any visibility, in milliseconds since 1970; 0 if unknown. */
export function lastChange({ store }: { readonly store: Store }): number {
  const times = Object.values(store.config.hidden).map(state => timeOf(state))
  return times.reduce((latest, time) => (time > latest ? time : latest), 0)
}

function isEmpty(hidden: object): boolean {
  for (const _ in hidden) return false
  return true
}

function entriesOf(commit: string, blobs: readonly HiddenBlob[]): Entry[] {
  return blobs.map(([blob, state]) => [`${commit}/${blob}`, state])
}

interface PageEntries {
  /** State of the index for which they were computed. */
  readonly state: string
  readonly entries: ReadonlyMap<number, readonly Entry[]>
}

const pageCache = new WeakMap<object, PageEntries>()

/** Groups hidden parts by page, once for each state of the wiki. */
function entriesByPage(store: Store): ReadonlyMap<number, readonly Entry[]> {
  const {
    state,
    config: { hidden },
  } = store
  const cached = pageCache.get(hidden)
  if (cached?.state === state) return cached.entries
  const entries = new Map<number, Entry[]>()
  for (const [commit, blobs] of hiddenByCommit(hidden)) {
    const pages = new Map(store.commits(commit).map(({ blob, page }) => [`${page} ${blob}`, { blob, page }]))
    for (const { blob, page } of pages.values()) {
      const here = entriesOf(
        commit,
        blobs.filter(([hiddenBlob]) => hiddenBlob === blob),
      )
      if (here.length > 0) entries.set(page, [...(entries.get(page) ?? []), ...here])
    }
  }
  pageCache.set(hidden, { state, entries })
  return entries
}

function visibilityOf(entries: readonly Entry[]): Visibility {
  const states = entries.map(([key, { parts, changed }]) => [key, [...parts].sort(), changed ?? null])
  const tag = hash('sha1', JSON.stringify(states.sort())).slice(0, 12)
  const since = Math.max(...entries.map(([, state]) => timeOf(state)))
  return { tag, since: Number.isNaN(since) ? null : since }
}

/** Milliseconds by which another machine's clock may be ahead. */
const clockSkew = 60_000

/** Returns the first whole second after a change; NaN if it is unknown or invalid. */
function timeOf({ changed }: HiddenRevision): number {
  const time = changed === undefined ? Number.NaN : Date.parse(changed) + 1000
  return time > Date.now() + clockSkew ? Number.NaN : time
}
