/**
 * Finds and orders the revisions and pages of a history: the rule of the ids, explained in `docs/reference/storage.md`. It is a
 * function of the commits alone and depends neither on titles nor on dates.
 */

import { unsharded } from '../format/paths.ts'
import { movedPath, newLayout, restoredPath, unchangedPath } from '../format/trailers.ts'
import type { CommitChanges, PathChange } from '../git/backend.ts'
import { maxChanges, tooLarge } from '../git/size-limits.ts'
import { createPause } from './slices.ts'

/** Receives the result of the numbering, in order. Pages are named by their ordinals. */
export interface RecordWriter {
  /** Page at a path. */
  pageAt(path: string): number | undefined
  /** Text of the page's last revision. */
  lastBlob(page: number): string
  addPage(path: string): number
  /** Moves the page. */
  movePage(page: number, path: string): void
  /** Deletes the page, with the text that its path held before. */
  deletePage(page: number, blob: string, commit: CommitChanges): void
  /**
   * Restores the page deleted last at a path with this text or, if the commit names the path, with any text. Undefined if there
   * is none.
   */
  restorePage(path: string, blob: string, isNamed: boolean): number | undefined
  addRevision(page: number, path: string, blob: string, commit: CommitChanges): void
  setFile(path: string, blob: string, commit: CommitChanges): void
  /** Moves the file, with the commit as its latest. */
  moveFile(from: string, to: string, commit: CommitChanges): void
  deleteFile(path: string, commit: CommitChanges): void
  /** Ends a chain commit. */
  endCommit(commit: CommitChanges): void
}

/** Properties of paths and texts that the numbering needs. */
export interface NumberingRules {
  /** Folder of the pages, "" for the repository's top. */
  readonly root: string
  /** Kind of a path: a page, a media file, or null for files outside the wiki. */
  kindOf(path: string): 'page' | 'file' | null
  /** Returns true if a blob's text is a redirect. Called only if a page may have left one behind, which is rare. */
  isRedirect(blob: string): Promise<boolean>
}

/** Numbers a history: takes its commits, parents first, and writes the records. Others run between the pages of a large commit, too. */
export async function numberHistory(
  batches: AsyncIterable<readonly CommitChanges[]>,
  records: RecordWriter,
  rules: NumberingRules,
  onChainCommit: () => void = () => {},
): Promise<void> {
  const numbering = new Numbering(records, rules)
  const pause = createPause()
  for await (const batch of batches) {
    for (const commit of batch) {
      for (const blob of leftBehind(commit)) if (await rules.isRedirect(blob)) numbering.redirects.add(blob)
      for (const _ of numbering.take(commit)) await pause()
      if (commit.onChain) onChainCommit()
    }
  }
}

interface Move {
  readonly from: string
  readonly to: string
}

/** Blobs that replaced a text which the same commit has elsewhere: redirects, if a page was moved. */
function leftBehind(commit: CommitChanges): string[] {
  if (commit.changes.length < 2 || !commit.changes.some(change => change.before === null)) return []
  const added = new Set(commit.changes.filter(change => change.before === null).map(change => change.after))
  return commit.changes.flatMap(({ before, after }) =>
    before !== null && after !== null && added.has(before) ? [after] : [],
  )
}

class Numbering {
  /** Blobs that are known to be redirects. */
  readonly redirects = new Set<string>()
  readonly #records: RecordWriter
  readonly #rules: NumberingRules
  /** Commits of side branches that no merge on the chain has brought in yet. */
  readonly #pending = new Map<string, CommitChanges>()
  #pendingChanges = 0

  constructor(records: RecordWriter, rules: NumberingRules) {
    this.#records = records
    this.#rules = rules
  }

  /** Takes a commit in steps, each a few pages or files at most. */
  *take(commit: CommitChanges): Generator<void, void> {
    if (commit.onChain) return yield* this.#takeChain(commit)
    this.#pending.set(commit.hash, commit)
    this.#pendingChanges += commit.changes.length
    if (this.#pendingChanges > maxChanges)
      throw tooLarge(`the limit of ${maxChanges} changed files beside the main line`)
  }

  *#takeChain(commit: CommitChanges): Generator<void, void> {
    const fileCommits = new Map<string, CommitChanges>()
    if (commit.parents.length > 1) yield* this.#takeSides(commit, fileCommits)
    yield* this.#settle(commit, fileCommits)
    this.#records.endCommit(commit)
    yield
  }

  *#takeSides(merge: CommitChanges, fileCommits: Map<string, CommitChanges>): Generator<void, void> {
    const merged = new Map(merge.changes.map(change => [change.path, change]))
    for (const side of this.#broughtIn(merge)) yield* this.#numberSide(side, merged, fileCommits)
  }

  /** Commits that a merge brings in, in post-order: parents first, first parents before later ones. */
  #broughtIn(merge: CommitChanges): CommitChanges[] {
    const order: CommitChanges[] = []
    for (const parent of merge.parents.slice(1)) this.#postOrder(parent, order)
    return order
  }

  #postOrder(start: string, order: CommitChanges[]): void {
    const stack: { commit: CommitChanges; next: number }[] = []
    const enter = (hash: string) => {
      const commit = this.#pending.get(hash)
      if (commit === undefined) return
      this.#pending.delete(hash)
      this.#pendingChanges -= commit.changes.length
      stack.push({ commit, next: 0 })
    }
    enter(start)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const parent = top.commit.parents[top.next++]
      if (parent !== undefined) enter(parent)
      else order.push((stack.pop() as { commit: CommitChanges }).commit)
    }
  }

  /** A commit of a side branch is a revision of the pages that it changes and that the merge changed too. */
  *#numberSide(
    side: CommitChanges,
    merged: ReadonlyMap<string, PathChange>,
    fileCommits: Map<string, CommitChanges>,
  ): Generator<void, void> {
    const stays = (path: string) => merged.get(path)?.after !== null
    const shared = side.changes.filter(change => merged.has(change.path))
    const isMerged = ({ from, to }: Move) =>
      merged.get(from)?.after === null && merged.get(to)?.before === null && stays(to)
    const changes = yield* this.#relocate(
      shared,
      side,
      move => this.#rules.kindOf(move.to) === 'page' && isMerged(move),
    )
    const pages = changes.filter(change => this.#rules.kindOf(change.path) === 'page')
    const gone = new Set(pages.filter(({ after }) => after === null).map(({ path }) => path))
    // A page leaves its path if the merge does not keep it there, or if a redirect replaces it.
    const leaves = (path: string) => merged.get(path)?.after === null || !gone.has(path)
    const moves = this.#findMoves(pages, side).filter(
      move => merged.get(move.to)?.before === null && stays(move.to) && leaves(move.from),
    )
    const moved = yield* this.#movePages(moves)
    for (const { path, after } of pages) {
      yield
      if (after === null) continue
      const page =
        moved.get(path) ?? this.#records.pageAt(path) ?? (stays(path) ? this.#newPage(path, after, side) : undefined)
      if (page !== undefined) this.#records.addRevision(page, path, after, side)
    }
    this.#addUnchanged(side, path => merged.has(path))
    for (const { path, after } of changes) if (merged.get(path)?.after === after) fileCommits.set(path, side)
  }

  /** After a chain commit every page is as in that commit. */
  *#settle(commit: CommitChanges, fileCommits: ReadonlyMap<string, CommitChanges>): Generator<void, void> {
    const changes = yield* this.#relocate(commit.changes, commit, () => true)
    const pages = changes.filter(change => this.#rules.kindOf(change.path) === 'page')
    const back = this.#moveBack(pages, commit)
    for (const { to } of back) this.#deleteReplaced(to, commit)
    const moved = yield* this.#movePages(back.length > 0 ? back : this.#findMoves(pages, commit))
    for (const { path, before, after } of pages) {
      yield
      const page = after === null ? this.#records.pageAt(path) : undefined
      if (page === undefined) continue
      this.#records.deletePage(page, before ?? this.#records.lastBlob(page), fileCommits.get(path) ?? commit)
    }
    for (const { path, after } of pages) {
      yield
      if (after !== null) this.#settlePage(path, after, commit, moved)
    }
    this.#addUnchanged(commit, () => true)
    for (const { path, after } of changes) {
      yield
      if (this.#rules.kindOf(path) !== 'file') continue
      const by = fileCommits.get(path) ?? commit
      if (after === null) this.#records.deleteFile(path, by)
      else this.#records.setFile(path, after, by)
    }
  }

  /**
   * A commit may declare a layout change: then a file whose path changes only in the folder of the layout is the same page, or
   * media file, and this is not a revision of it. Returns the remaining changes.
   */
  *#relocate(
    changes: readonly PathChange[],
    commit: CommitChanges,
    isTaken: (move: Move) => boolean,
  ): Generator<void, readonly PathChange[]> {
    const layout = newLayout(commit.message)
    if (layout === null) return changes
    const { root, kindOf } = this.#rules
    const isOfPage = ({ from, to }: Move) =>
      kindOf(from) === 'file' || (this.#records.pageAt(from) !== undefined && this.#records.pageAt(to) === undefined)
    const moves = findRelocations(changes, layout, root).filter(move => isTaken(move) && isOfPage(move))
    yield* this.#movePages(moves.filter(move => kindOf(move.from) === 'page'))
    for (const { from, to } of moves) {
      yield
      if (kindOf(from) === 'file') this.#records.moveFile(from, to, commit)
    }
    const moved = new Set(moves.flatMap(({ from, to }) => [from, to]))
    return changes.filter(change => !moved.has(change.path))
  }

  /** A commit may declare itself a revision of a page whose text it leaves unchanged. */
  #addUnchanged(commit: CommitChanges, isTaken: (path: string) => boolean): void {
    const path = unchangedPath(commit.message)
    if (path === null || !isTaken(path) || commit.changes.some(change => change.path === path)) return
    const page = this.#records.pageAt(path)
    if (page !== undefined) this.#records.addRevision(page, path, this.#records.lastBlob(page), commit)
  }

  #settlePage(path: string, blob: string, commit: CommitChanges, moved: ReadonlyMap<string, number>): void {
    const page = moved.get(path) ?? this.#records.pageAt(path)
    const isSettled = page !== undefined && !moved.has(path) && this.#records.lastBlob(page) === blob
    if (!isSettled) this.#records.addRevision(page ?? this.#newPage(path, blob, commit), path, blob, commit)
  }

  /** Returns the page that begins at a free path: a page deleted there continues if its text, or the commit, says so. */
  #newPage(path: string, blob: string, { message }: CommitChanges): number {
    return this.#records.restorePage(path, blob, restoredPath(message) === path) ?? this.#records.addPage(path)
  }

  /**
   * A move: the content of one path is now, unchanged, at another that was free; the first path is free now, or holds a redirect.
   * Paths with the same text are paired in order. A commit may also declare that its one page moved.
   */
  #findMoves(changes: readonly PathChange[], commit: CommitChanges): Move[] {
    const free = changes.filter(change => change.before === null && this.#records.pageAt(change.path) === undefined)
    if (free.length === 0) return []
    const sources = groupByBefore(changes)
    const moves: Move[] = []
    for (const { path, after } of free) {
      const from = this.#nextSource(sources.get(after))
      if (from !== undefined) moves.push({ from, to: path })
    }
    return moves.length > 0 || free.length > 1 ? moves : this.#declaredMove(changes, free[0] as PathChange, commit)
  }

  #declaredMove(changes: readonly PathChange[], { path }: PathChange, commit: CommitChanges): Move[] {
    const from = movedPath(commit.message)
    // Another text may stay at the path, as a note for readers: it begins a page of its own.
    const isLeft = changes.some(change => change.path === from && change.before !== null)
    return from !== null && isLeft && this.#records.pageAt(from) !== undefined ? [{ from, to: path }] : []
  }

  /** A page may declare that it moves to a path where another page was, with the same bytes: what a move had left there ends. */
  #moveBack(changes: readonly PathChange[], { message }: CommitChanges): Move[] {
    const from = movedPath(message)
    const source = changes.find(({ path, before, after }) => path === from && before !== null && after === null)
    if (source === undefined || this.#records.pageAt(source.path) === undefined) return []
    const targets = changes.filter(({ before, after }) => before !== null && after === source.before)
    return targets.length === 1 && changes.every(({ before }) => before !== null)
      ? [{ from: source.path, to: targets[0]!.path }]
      : []
  }

  #deleteReplaced(path: string, commit: CommitChanges): void {
    const page = this.#records.pageAt(path)
    if (page !== undefined) this.#records.deletePage(page, this.#records.lastBlob(page), commit)
  }

  /** Takes the first of the changes that left its path. */
  #nextSource(candidates: PathChange[] | undefined): string | undefined {
    for (let source = candidates?.shift(); source !== undefined; source = candidates?.shift()) {
      if (this.#records.pageAt(source.path) === undefined) continue
      if (source.after === null || this.redirects.has(source.after)) return source.path
    }
    return undefined
  }

  *#movePages(moves: readonly Move[]): Generator<void, Map<string, number>> {
    const pages = moves.map(move => [move.to, this.#records.pageAt(move.from) as number] as const)
    for (const [path, page] of pages) {
      yield
      this.#records.movePage(page, path)
    }
    return new Map(pages)
  }
}

/** Pairs removed and added paths with the same bytes that differ in the folder of the layout alone. */
function findRelocations(changes: readonly PathChange[], layout: string, root: string): Move[] {
  const plain = (path: string, isSharded: boolean) => (isSharded ? unsharded(path, root) : path) ?? ''
  const left = changes.filter(({ after }) => after === null)
  const sources = new Map(left.map(change => [plain(change.path, layout !== 'sharded'), change]))
  sources.delete('')
  return changes.flatMap(({ path, before, after }) => {
    const source = before === null ? sources.get(plain(path, layout === 'sharded')) : undefined
    return source?.before === after ? [{ from: source.path, to: path }] : []
  })
}

function groupByBefore(changes: readonly PathChange[]): Map<string | null, PathChange[]> {
  const groups = new Map<string | null, PathChange[]>()
  for (const change of changes) {
    if (change.before === null) continue
    const group = groups.get(change.before)
    if (group) group.push(change)
    else groups.set(change.before, [change])
  }
  return groups
}
