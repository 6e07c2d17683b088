/** Plans the restoration of a lost edit: each of its changes is merged by words into the branch's current text. */

import { isUtf8 } from 'node:buffer'
import { parseConfig } from '../../core/config.ts'
import { modelOfPath } from '../../core/content-models.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { withLineEndsOf, withLineFeeds } from '../../core/line-ends.ts'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import { isTextHidden } from '../../store/format/hidden-revisions.ts'
import type { PathChange } from '../../store/git/backend.ts'
import { hashBlob } from '../../store/git/objects.ts'
import { missingObject } from '../../store/repository/missing-object.ts'
import type { Store } from '../../store/store.ts'
import { checkUnfiltered } from '../access/filtered-text.ts'
import { mergeEdits } from '../comparing/merge-edits.ts'
import { pathsAtTip } from './paths-at-tip.ts'

/** The branch's files with planned edits applied. Stores only changed paths. */
export class Overlay {
  readonly #blobs = new Map<string, string | null>()
  readonly #contents = new Map<string, Buffer>()
  readonly #record: BranchRecord
  /** False for a dry run. */
  readonly isWritten: boolean

  constructor(record: BranchRecord, isWritten: boolean) {
    this.#record = record
    this.isWritten = isWritten
  }

  /** Blob at a path of the branch; null if there is none. */
  async blobAt(path: string): Promise<string | null> {
    const changed = this.#blobs.get(path)
    if (changed !== undefined) return changed
    return this.#record.tip === null ? null : this.#record.blobAt(this.#record.tip, path)
  }

  /** Content of a blob. Errors: wiki-objects-missing. */
  async content(blob: string): Promise<Buffer> {
    const content = this.#contents.get(blob) ?? (await this.#record.content(blob))
    if (content === null) throw missingObject(blob)
    return content
  }

  set({ path, to, content }: RestoredPath): void {
    this.#blobs.set(path, to)
    if (to !== null && content !== null) this.#contents.set(to, content)
  }
}

/** New content of one path. */
export interface RestoredPath {
  readonly path: string
  /** Blobs before and after on the branch; null if there is no file. */
  readonly from: string | null
  readonly to: string | null
  /** Bytes of `to` if git does not have them yet. */
  readonly content: Buffer | null
}

/** Changes of one commit, or their inverse, to apply to the branch's current state. */
export interface WantedChanges {
  readonly commit: string
  /** All changes of the commit: a move is one of two paths. */
  readonly all: readonly PathChange[]
  /** Paths of the wanted changes. */
  readonly paths: ReadonlySet<string>
  /** Paths to use as given, even if their pages have moved since. */
  readonly fixed?: ReadonlySet<string>
  /** Current paths of changed ones, as far as they are known. */
  readonly current?: ReadonlyMap<string, string>
  /**
   * Creates the error for a change that cannot be merged, from the title and both differences as far as they are known.
   */
  readonly conflict: (title: string, data: Readonly<Record<string, unknown>>) => WikiError
  /** Creates the error for a text that is hidden from readers. */
  readonly denied: () => WikiError
}

/**
 * Plans the restoration of some paths of a commit; empty if the branch has all of it. Errors: edit-conflict if the same words
 * were changed since, rest-permission-denied-revision for a hidden text, wiki-title-collision, wiki-objects-missing.
 */
export async function planRestore(
  store: Store,
  record: BranchRecord,
  overlay: Overlay,
  commit: string,
  paths: ReadonlySet<string>,
): Promise<RestoredPath[]> {
  const all = (await record.changes(commit))?.changes
  if (all === undefined) throw missingObject(commit)
  const short = commit.slice(0, 10)
  const conflict: WantedChanges['conflict'] = (title, data) =>
    new WikiError('edit-conflict', {
      params: [title],
      hint: `Combine both by hand (git show ${short}), then: wiki verify --accept ${short}`,
      data: { commit, ...data },
    })
  const denied = () =>
    new WikiError('rest-permission-denied-revision', {
      params: [short],
      hint: `Its text is hidden. To accept its loss: wiki verify --accept ${short}`,
    })
  const current = await currentPaths(record, overlay, { commit, all, paths })
  const wanted = new Set([...paths, ...current.keys()])
  return planChanges(store, record, overlay, { commit, all, paths: wanted, current, conflict, denied })
}

/**
 * Finds the changes of a commit to pages that had other paths when they were undone: by the path that they have now, else all of them.
 * Returns the current paths by those that the commit changed.
 */
async function currentPaths(
  record: BranchRecord,
  overlay: Overlay,
  { commit, all, paths }: Pick<WantedChanges, 'commit' | 'all' | 'paths'>,
): Promise<ReadonlyMap<string, string>> {
  const current = new Map<string, string>()
  const own = new Set(all.map(({ path }) => path))
  const others = [...paths].filter(path => !own.has(path))
  if (others.length === 0) return current
  const places = await pathsAtTip(record, [{ hash: commit, changes: all }])
  for (const path of others) {
    const there = all.filter(change => places(commit, change) === path)
    for (const change of there.length > 0 ? there : all) {
      const isGone = (await overlay.blobAt(change.path)) === null && (await overlay.blobAt(path)) !== null
      if (!paths.has(change.path)) current.set(change.path, all.length === 1 && isGone ? path : places(commit, change))
    }
  }
  return current
}

/** Plans changes; empty if the branch has them. Errors: those that `wanted` makes, wiki-title-collision, wiki-objects-missing. */
export async function planChanges(
  store: Store,
  record: BranchRecord,
  overlay: Overlay,
  wanted: WantedChanges,
): Promise<RestoredPath[]> {
  const changes = wanted.all.filter(({ path }) => wanted.paths.has(path))
  const places = await pathsAtTip(record, [{ hash: wanted.commit, changes }])
  const planned: RestoredPath[] = []
  for (const change of changes) {
    const current = wanted.current?.get(change.path) ?? places(wanted.commit, change)
    const path = wanted.fixed?.has(change.path) ? change.path : current
    const from = await overlay.blobAt(path)
    if (from === change.after) continue
    if (isHiddenChange(store, change)) throw wanted.denied()
    const target = { wanted, path, from, change: await withNewerText(overlay, change, wanted.all) }
    planned.push({ path, from, ...(await contentFor(store, record, overlay, target)) })
  }
  return planned
}

function isHiddenChange({ config }: Store, { before, after }: PathChange): boolean {
  return [before, after].some(blob => blob !== null && isTextHidden(config.hidden, blob))
}

/** A move carries the page's current text. The path that it leaves is deleted, whatever its text is now. */
async function withNewerText(overlay: Overlay, change: PathChange, all: readonly PathChange[]): Promise<PathChange> {
  const [gone, come] = [all.filter(({ after }) => after === null), all.filter(({ before }) => before === null)]
  const source = change.before === null ? gone.find(({ before }) => before === change.after) : undefined
  const isLeft = change.after === null && come.some(({ after }) => after === change.before)
  if (source !== undefined) return { ...change, after: (await overlay.blobAt(source.path)) ?? change.after }
  return isLeft ? { ...change, before: (await overlay.blobAt(change.path)) ?? change.before } : change
}

interface Target {
  readonly wanted: WantedChanges
  readonly path: string
  readonly from: string | null
  readonly change: PathChange
}

async function contentFor(
  store: Store,
  record: BranchRecord,
  overlay: Overlay,
  { wanted, path, from, change }: Target,
): Promise<Pick<RestoredPath, 'to' | 'content'>> {
  const { before, after } = change
  if (from === null && after !== null) checkTitle(store, record, path)
  if (from === before || from === null) return { to: after, content: null }
  const conflict = { record, wanted, path }
  if (after === null || record.kindOf(path) === 'file') throw collision(conflict, {})
  const [base, submitted, current] = [
    before === null ? Buffer.alloc(0) : await overlay.content(before),
    await overlay.content(after),
    await overlay.content(from),
  ]
  if (![base, submitted, current].every(isUtf8)) throw collision(conflict, {})
  await checkUnfiltered(store, { path, blob: from }, overlay.isWritten)
  const content = mergedContent(conflict, { base, submitted, current })
  return { to: hashBlob(content), content }
}

/** A page may have been created under the title meanwhile, in another file. */
function checkTitle(store: Store, record: BranchRecord, path: string): void {
  const title = record.titleOf(path)
  const holder = title === null ? undefined : store.findPage(title.replaceAll(' ', '_'))
  if (holder !== undefined && holder.path !== path)
    throw new WikiError('wiki-title-collision', { params: [path, holder.path] })
}

interface Conflict {
  readonly record: BranchRecord
  readonly wanted: WantedChanges
  readonly path: string
}

function mergedContent(
  conflict: Conflict,
  bytes: { readonly base: Buffer; readonly submitted: Buffer; readonly current: Buffer },
): Buffer {
  const { path } = conflict
  const now = bytes.current.toString('utf8')
  const [base, submitted, current] = [bytes.base.toString('utf8'), bytes.submitted.toString('utf8'), now].map(
    withLineFeeds,
  ) as [string, string, string]
  const model = modelOfPath(path) ?? 'json'
  const merged = mergeEdits({ base, submitted, current, policy: 'words', model, isUndo: true })
  if (!('text' in merged)) throw collision(conflict, merged)
  if (path === 'wiki.json') checkSettings(conflict, merged.text)
  return Buffer.from(withLineEndsOf(now, merged.text))
}

/** Two valid halves may form invalid settings. */
function checkSettings(conflict: Conflict, text: string): void {
  try {
    parseConfig(text)
  } catch (error) {
    if (isWikiError(error)) throw collision(conflict, {})
    throw error
  }
}

function collision(
  { record, wanted, path }: Conflict,
  { local, remote }: { readonly local?: unknown; readonly remote?: unknown },
): WikiError {
  return wanted.conflict(record.titleOf(path) ?? path, {
    path,
    ...(local != null && { local: { diff: local } }),
    ...(remote != null && { remote: { diff: remote } }),
  })
}
