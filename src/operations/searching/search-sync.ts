/**
 * Keeps the search index of a wiki up to date: before every query it is compared with the revision index, and changed
 * pages are indexed again. It is stored in the folder `search` of the derived files and may be deleted at any time.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises'
import { isWikiError } from '../../core/errors.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { SegmentedIndex } from '../../search/segmented-index.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import { tryFolderLock } from '../../store/repository/lock-file.ts'
import type { Store } from '../../store/store.ts'
import { shownText } from '../access/hidden.ts'
import { latestOf } from '../resources/find-page.ts'
import type { DocumentFrame } from './search-documents.ts'
import type { SearchWorker } from './search-worker.ts'
import { countChanged, pageState, type StalePages, stalePages, unfinishedNote } from './stale-pages.ts'

/** Number of pages indexed in one batch. */
const batchPages = 500

/** Bytes of a page above which a server has a worker index it. */
const largeText = 256 * 1024

/** Milliseconds of work between yields to the event loop. */
const turn = 8

/**
 * Factor by which the wait for a few pages may be extended on a busy machine, because the result would be wrong without
 * them.
 */
const littlePatience = 20

/** Maximum milliseconds of such an extended wait. */
const longestLittlePatience = 10_000

/** Maximum number of index updates for one query. */
const maxRounds = 20

/** Milliseconds that another process may take for a large update, and milliseconds between two checks for its end. */
const longestTurn = 10 * 60 * 1000
const turnPause = 100

/** The current index, and the number of missing pages. */
export interface SearchState {
  readonly index: SearchIndex
  /** Pages that are still to be indexed; 0 if the index is up to date. */
  readonly missing: number
}

export interface SearchSyncOptions {
  /** Called with the progress of a long build: pages done, and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Called with a message for the user, once. */
  readonly notice?: ((message: string) => void) | undefined
  /** True if no caller waits, so that large segments are merged too. */
  readonly isIdle?: boolean
}

/**
 * Queries the index. Waits this many milliseconds until it is up to date, twenty times as long if only a few pages are
 * missing, then queries the available part. A damaged index is rebuilt and queried again.
 */
export type SearchAccess = <Result>(question: (state: SearchState) => Result, options?: SearchWait) => Promise<Result>

export interface SearchWait {
  readonly patience?: number | undefined
  /** Called with what is waited for: another request of the client may begin meanwhile. */
  readonly whileAway?: (wait: () => Promise<void>) => Promise<void>
}

/** State of an open search index. */
interface OpenIndex {
  readonly store: Store
  readonly options: SearchSyncOptions
  readonly index: SegmentedIndex
  readonly folder: string
  /** State that the index represents; undefined if it is out of date. */
  indexedState: string | undefined
  missing: number
  /** Pages to index, found while choosing where to index them; null if they must be searched for. */
  found: { readonly state: string; readonly pages: StalePages } | null
  /** True if a text could not be read: it is missing or damaged, and may be there later. */
  lacksTexts: boolean
  /** True if no caller waits, or if the update was so large that a little more work does not matter. */
  isIdle: boolean
  isClosed: boolean
  /** True if long work runs in a worker. */
  usesThread: boolean
  isThreadBroken: boolean
  /** The running worker. */
  worker: SearchWorker | null
}

/** The search of one wiki. */
export interface SearchSync {
  readonly access: SearchAccess
  /** Runs large builds and merges in a worker from now on. */
  readonly useWorker: () => void
  /** Stops work in progress soon; finished parts are kept. */
  readonly close: () => Promise<void>
}

/** Creates the search of a store; nothing is read before the first query. */
export function searchSync(store: Store, options: SearchSyncOptions = {}): SearchSync {
  let opening: Promise<OpenIndex> | undefined
  let running: Promise<void> | undefined
  let usesThread = false
  const bringUpToDate = async (
    opened: OpenIndex,
    patience: number,
    whileAway: NonNullable<SearchWait['whileAway']>,
  ): Promise<SearchState> => {
    const isTrue = (): boolean => opened.indexedState === pageState(store)
    // Node's timers take a millisecond to load in a cold command.
    if (isTrue()) return { index: opened.index, missing: 0 }
    const end = performance.now() + (isLittle(opened) ? extended(patience) : patience)
    // A wiki may change faster than it is indexed, and a closing one is not indexed.
    for (let round = 0; round < maxRounds && !opened.isClosed && !isTrue(); round++) {
      running ??= update(opened).finally(() => {
        running = undefined
      })
      // Errors go to the waiting caller; if there is none, the next update tries again.
      running.catch(() => undefined)
      const left = end - performance.now()
      if (left <= 0) break
      const done = running
      await whileAway(() =>
        left === Number.POSITIVE_INFINITY ? done : Promise.race([done, wait(left, undefined, { ref: false })]),
      )
    }
    return { index: opened.index, missing: isTrue() ? 0 : Math.max(1, opened.missing || neverIndexed(opened)) }
  }
  const access: SearchAccess = async (question, { patience = Number.POSITIVE_INFINITY, whileAway = inPlace } = {}) => {
    opening ??= open(store, options)
    const opened = await opening
    opened.usesThread = usesThread && !opened.isThreadBroken
    const state = await bringUpToDate(opened, patience, whileAway)
    try {
      return question(state)
    } catch (error) {
      if (!(await isDamage(error))) throw error
      opened.index.discard()
      opened.indexedState = undefined
      return question(await bringUpToDate(opened, patience, whileAway))
    }
  }
  const close = async (): Promise<void> => {
    const opened = await opening
    if (opened === undefined) return
    opened.isClosed = true
    await opened.worker?.stop()
    await running?.catch(() => undefined)
    opened.index.close()
  }
  const useWorker = (): void => {
    usesThread = true
  }
  return { access, useWorker, close }
}

/** Counts pages that the index cannot contain. Changed pages may be missing as well, which the update detects. */
function neverIndexed({ store, index }: OpenIndex): number {
  return Math.max(0, store.countPages() - index.count)
}

const inPlace = (wait: () => Promise<void>): Promise<void> => wait()

function extended(patience: number): number {
  return Math.max(patience, Math.min(patience * littlePatience, longestLittlePatience))
}

async function open(store: Store, options: SearchSyncOptions): Promise<OpenIndex> {
  const { SegmentedIndex } = await import('../../search/segmented-index.ts')
  const folder = join(store.cacheDirectory, 'search')
  const [terms, pages, blocks] = (['searchTerms', 'searchPages', 'searchBlocks'] as const).map(store.cacheBytes)
  const index = SegmentedIndex.open(folder, { terms: terms!, pages: pages!, blocks: blocks! })
  return {
    store,
    options,
    index,
    folder,
    // A killed process may have left the lock, together with files to clean up.
    indexedState: index.note === pageState(store) && !existsSync(join(folder, 'lock')) ? index.note : undefined,
    missing: 0,
    found: null,
    lacksTexts: false,
    isIdle: options.isIdle ?? false,
    isClosed: false,
    usesThread: false,
    isThreadBroken: false,
    worker: null,
  }
}

/** Without the lock, held by another process, the same is done in memory and not stored. */
async function update(opened: OpenIndex): Promise<void> {
  const { store, index } = opened
  const release = await takeTurnAfterThread(opened)
  try {
    if (opened.isClosed) return
    if (index.isOutdated) index.reload()
    const state = pageState(store)
    const isStored = index.note === state
    if (!isStored) await catchUpSoundly(opened, release !== null)
    if (opened.isClosed) return
    index.note = state
    opened.indexedState = state
    if (release !== null) await keep(opened, isStored)
  } finally {
    opened.found = null
    opened.missing = 0
    release?.()
  }
  if (release !== null && opened.usesThread && index.isMergeable()) void workAside(opened).catch(() => undefined)
}

/** Leaves a large update to a worker. If the worker fails, the update runs here. */
async function takeTurnAfterThread(opened: OpenIndex): Promise<(() => void) | null> {
  const release = await takeTurn(opened)
  if (release === null || !opened.usesThread) return release
  if (opened.index.isOutdated) opened.index.reload()
  if (isLittle(opened) && !(await hasLargePage(opened))) return release
  release()
  await workAside(opened)
  return opened.isClosed ? null : takeTurn(opened)
}

/**
 * Runs a worker like another process: its results are read from the stored index. Throws wiki-work-limit if it has no memory left:
 * this process must not take it instead.
 */
async function workAside(opened: OpenIndex): Promise<void> {
  const { store, index, options } = opened
  if (opened.worker !== null || opened.isClosed) return
  const { indexInWorker } = await import('./search-worker.ts')
  const isBuilding = !isLittle(opened)
  opened.worker = indexInWorker(store, {
    progress: (done, total) => {
      opened.missing = total - done
      options.progress?.(done, total)
    },
    notice: options.notice,
    check: () => {
      if (isBuilding && index.isOutdated) index.reload()
    },
  })
  try {
    await opened.worker?.done
  } catch (error) {
    options.notice?.(`The worker for the search index failed: ${(error as Error).message}`)
    if (isWikiError(error, 'wiki-work-limit')) throw error
    opened.isThreadBroken = true
  } finally {
    opened.worker = null
    // The next query reads the stored index.
    opened.indexedState = undefined
  }
}

function isLittle({ store, index }: OpenIndex): boolean {
  return index.note === pageState(store) || countChanged(store, index) <= batchPages
}

/** Returns true if one of a few pages is so large that its words take long to find. */
async function hasLargePage(opened: OpenIndex): Promise<boolean> {
  const { store, index } = opened
  if (index.note === pageState(store)) return false
  const { stale } = await findStale(opened)
  return stale.flatMap(id => store.pageById(id) ?? []).some(page => latestOf(store, page).size > largeText)
}

/** Finds the pages to index, once for each state of the wiki and of the index. */
async function findStale(opened: OpenIndex): Promise<StalePages> {
  const { store, index } = opened
  const state = `${pageState(store)}\n${index.note}`
  if (opened.found?.state !== state) opened.found = { state, pages: await stalePages(store, index) }
  return opened.found.pages
}

/** Acquires the lock; null if it is not available and the work is small or already done by another process. */
async function takeTurn(opened: OpenIndex): Promise<(() => void) | null> {
  const { options, index, folder } = opened
  const end = performance.now() + longestTurn
  for (let isReported = false; ; isReported = true) {
    const taken = takeLockIn(folder)
    if (taken !== 'busy') return taken
    if (index.isOutdated) index.reload()
    if (isLittle(opened) || opened.isClosed || performance.now() > end) return null
    if (!isReported) options.notice?.('Another process is building the search index; this one waits for it')
    await wait(turnPause)
  }
}

/** Null if no lock is possible, for example in a read-only folder. */
function takeLockIn(folder: string): (() => void) | 'busy' | null {
  try {
    return tryFolderLock(join(folder, 'lock')) ?? 'busy'
  } catch {
    return null
  }
}

/** An unwritable folder costs time, not results. An index that lacks texts is stored as incomplete, so the next process tries again. */
async function keep(opened: OpenIndex, isStored: boolean): Promise<void> {
  const { index } = opened
  const note = opened.lacksTexts ? unfinishedNote(opened.store, index.note) : index.note
  const quick = !opened.isIdle || opened.usesThread
  try {
    if (!isStored || index.isUnsaved) index.save(note)
    else index.tidy()
    const all = opened.isIdle && !opened.usesThread
    while (!opened.isClosed && (await index.merge({ quick, all }))) index.save(note)
  } catch {
    // Documents that could not be stored remain in memory.
  }
}

async function catchUpSoundly(opened: OpenIndex, isLocked: boolean): Promise<void> {
  try {
    await catchUp(opened, isLocked)
  } catch (error) {
    if (!(await isDamage(error))) throw error
    opened.index.discard()
    opened.found = null
    await catchUp(opened, isLocked)
  }
}

async function isDamage(error: unknown): Promise<boolean> {
  const { DamagedSegment } = await import('../../search/segment/checked-file.ts')
  return error instanceof DamagedSegment
}

async function catchUp(opened: OpenIndex, isLocked: boolean): Promise<void> {
  const { index } = opened
  // Stores the documents that a failed attempt collected.
  index.flush()
  const { stale, gone, frame } = await findStale(opened)
  opened.found = null
  index.remove(gone)
  const count = stale.length
  opened.missing = count
  opened.isIdle ||= count > batchPages
  reportBuild(opened, count)
  const ids = stale.toSorted((a, b) => a - b)
  for (let at = 0; at < count && !opened.isClosed; ) {
    at += await gatherBatch(opened, ids.slice(at, at + batchPages), frame)
    opened.missing = count - at
    opened.options.progress?.(at, count)
    if (isLocked && at < count) storePart(opened)
  }
  index.flush()
  if (opened.isClosed) return isLocked ? storePart(opened) : undefined
  if (count > batchPages) opened.options.notice?.(`The search index is built: ${shown(count)} pages`)
}

/** Stores the part of the index built so far, in case the process ends. */
function storePart({ store, index }: OpenIndex): void {
  try {
    if (index.isUnsaved) index.save(unfinishedNote(store, index.note))
  } catch {
    // Documents that could not be stored remain in memory.
  }
}

function reportBuild({ options }: OpenIndex, count: number): void {
  if (count > batchPages) options.notice?.(`The search index is being built: ${shown(count)} pages`)
}

function shown(count: number): string {
  return count.toLocaleString('en')
}

/** Indexes pages for a few milliseconds at a time; deleted ones are skipped. Returns the number of indexed pages. */
async function gatherBatch(
  opened: OpenIndex,
  ids: readonly number[],
  frame: (page: PageEntry) => DocumentFrame,
): Promise<number> {
  const { store, index } = opened
  const pages = ids.flatMap(id => store.pageById(id) ?? [])
  // Only a text needs the engine, which takes a third of the time of a search to load.
  const { documentMaker } = await import('./document-maker.ts')
  const makeDocument = documentMaker(store)
  const byRevision = new Map(pages.map(page => [page.latest, page]))
  let end = performance.now() + turn
  for await (const [revision, text] of store.presentTexts(pages.map(page => latestOf(store, page)))) {
    if (opened.isClosed) break
    const page = byRevision.get(revision.id)!
    // Without its revision the page counts as stale when all pages are compared.
    const described = text === null ? { ...frame(page), revision: 0 } : frame(page)
    opened.lacksTexts ||= text === null
    const document = await makeDocument(described, { page, text: shownText(revision, text ?? '') })
    if (index.gather(document)) index.flush()
    if (performance.now() < end) continue
    await pause()
    end = performance.now() + turn
  }
  return ids.length
}
