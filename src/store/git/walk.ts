/**
 * History read object by object: the only way without a git binary, and the fastest one for a few new commits with it. The
 * comparison descends into trees only if their hashes differ.
 */

import type { CommitChanges, CommitHeader, GitObject, History, PathChange, PathFilter } from './backend.ts'
import { mainParent, mainParentFirst } from './main-line.ts'
import {
  fileModes,
  linkMode,
  parseCommit,
  parseTree,
  startOfMessage,
  type TreeEntry,
  treeMode,
  treeOfCommit,
} from './objects.ts'
import { changeCounter } from './size-limits.ts'

export type ReadObject = (hash: string) => Promise<GitObject>

interface WalkedCommit extends CommitHeader {
  readonly tree: string
  /** The parent that continues the main line; undefined at a root. */
  readonly main: string | undefined
}

export interface WalkOptions {
  /** Commits whose parents are cut off (shallow clone). */
  readonly shallow: ReadonlySet<string>
  readonly filter: PathFilter
  /** Returns undefined when the range holds more commits than this. */
  readonly limit?: number
}

/** As `GitBackend.history`; undefined if the range is over the limit. */
export async function walkHistory(
  read: ReadObject,
  from: string | null,
  to: string,
  options: WalkOptions,
): Promise<History | null | undefined> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const commits = new CommitReader(read, options.shallow)
  const chain = await mainLine(commits, from, to, limit)
  if (chain === null || chain === undefined) return chain
  const sides = await sideCommits(commits, from, chain, limit)
  if (sides === undefined) return undefined
  return { chainLength: chain.length, batches: changesOf(read, commits, chain, sides, options.filter) }
}

/** As `GitBackend.chain`. Before a commit that `stops` it ends, and returns that commit. */
export async function* walkChain(
  read: ReadObject,
  tip: string,
  shallow: ReadonlySet<string>,
  stops: (hash: string) => boolean = () => false,
): AsyncGenerator<string, string | undefined> {
  const commits = new CommitReader(read, shallow)
  let at: string | undefined = tip
  for (; at !== undefined && !stops(at); at = await commits.mainParent(at)) yield at
  return at
}

/** Modes of files and symbolic links. */
export const linkedModes: ReadonlySet<string> = new Set([...fileModes, linkMode])

/** Lists the paths whose content differs between any two commits, in bytewise order of the paths. */
export async function compareCommits(
  read: ReadObject,
  { from, to }: { readonly from: string; readonly to: string },
  filter: PathFilter,
  modes = fileModes,
): Promise<PathChange[]> {
  const [before, after] = [treeOfCommit((await read(from)).content), treeOfCommit((await read(to)).content)]
  return diffTree(new TreeReader(read), { before, after, commit: to, modes }, filter)
}

/** Lists the files of a commit with their blobs, in bytewise order of the paths. */
export async function listCommit(
  read: ReadObject,
  hash: string,
  filter: PathFilter,
  modes = fileModes,
): Promise<PathChange[]> {
  const after = treeOfCommit((await read(hash)).content)
  return diffTree(new TreeReader(read), { before: null, after, commit: hash, modes }, filter)
}

/** Reads a commit and its changes against its first parent; all its paths, if it has none. */
export async function changesOfCommit(
  read: ReadObject,
  hash: string,
  options: { readonly shallow: ReadonlySet<string>; readonly filter: PathFilter },
): Promise<CommitChanges> {
  const commits = new CommitReader(read, options.shallow)
  return commitChanges(new TreeReader(read), commits, hash, true, options.filter)
}

class CommitReader {
  readonly #read: ReadObject
  readonly #shallow: ReadonlySet<string>
  readonly #seen = new Map<string, WalkedCommit>()

  constructor(read: ReadObject, shallow: ReadonlySet<string>) {
    this.#read = read
    this.#shallow = shallow
  }

  async commit(hash: string): Promise<WalkedCommit> {
    const cached = this.#seen.get(hash)
    if (cached) return cached
    const { content } = await this.#read(hash)
    const header = parseCommit(hash, content)
    const parents = this.#shallow.has(hash) ? [] : header.parents
    const main = parents.length < 2 ? parents[0] : mainParent(parents, startOfMessage(content))
    const commit = { ...header, parents, main, tree: treeOfCommit(content) }
    this.#seen.set(hash, commit)
    return commit
  }

  /** Parent that continues the main line; undefined at a root. */
  async mainParent(hash: string): Promise<string | undefined> {
    return (await this.commit(hash)).main
  }

  /** A commit of the main line: the parent that continues it comes first. */
  async onMainLine(hash: string): Promise<WalkedCommit> {
    const commit = await this.commit(hash)
    return { ...commit, parents: mainParentFirst(commit.parents, commit.main) }
  }
}

/** Oldest first, without `from`; null if `from` is not on it, undefined over the limit. */
async function mainLine(
  commits: CommitReader,
  from: string | null,
  to: string,
  limit: number,
): Promise<string[] | null | undefined> {
  const chain: string[] = []
  let at: string | undefined = to
  while (at !== undefined && at !== from) {
    if (chain.length >= limit) return undefined
    chain.push(at)
    at = await commits.mainParent(at)
  }
  return from !== null && at === undefined ? null : chain.reverse()
}

/** For each merge on the chain the commits that it brought in, in post-order. */
async function sideCommits(
  commits: CommitReader,
  from: string | null,
  chain: readonly string[],
  limit: number,
): Promise<Map<string, string[]> | undefined> {
  const sides = new Map<string, string[]>()
  const merges = []
  for (const hash of chain) if ((await commits.commit(hash)).parents.length > 1) merges.push(hash)
  if (merges.length === 0) return sides
  if (limit !== Number.POSITIVE_INFINITY) return undefined
  const reached = new Set(from === null ? [] : await ancestors(commits, from))
  for (const hash of chain) {
    const order: string[] = []
    for (const parent of (await commits.onMainLine(hash)).parents.slice(1)) await visit(commits, parent, reached, order)
    reached.add(hash)
    sides.set(hash, order)
  }
  return sides
}

async function ancestors(commits: CommitReader, from: string): Promise<Set<string>> {
  const order: string[] = []
  const reached = new Set<string>()
  await visit(commits, from, reached, order)
  return reached
}

/** Appends the commits that `start` reaches and `reached` lacks, parents first. An explicit stack: histories are deep. */
async function visit(commits: CommitReader, start: string, reached: Set<string>, order: string[]): Promise<void> {
  if (reached.has(start)) return
  const stack = [{ hash: start, next: 0 }]
  reached.add(start)
  while (stack.length > 0) {
    const top = stack[stack.length - 1] as { hash: string; next: number }
    const parent = (await commits.commit(top.hash)).parents[top.next++]
    if (parent === undefined) {
      order.push(top.hash)
      stack.pop()
    } else if (!reached.has(parent)) {
      reached.add(parent)
      stack.push({ hash: parent, next: 0 })
    }
  }
}

async function* changesOf(
  read: ReadObject,
  commits: CommitReader,
  chain: readonly string[],
  sides: ReadonlyMap<string, readonly string[]>,
  filter: PathFilter,
): AsyncIterable<CommitChanges[]> {
  const trees = new TreeReader(read)
  for (const hash of chain) {
    for (const side of sides.get(hash) ?? []) yield [await commitChanges(trees, commits, side, false, filter)]
    yield [await commitChanges(trees, commits, hash, true, filter)]
  }
}

async function commitChanges(
  trees: TreeReader,
  commits: CommitReader,
  hash: string,
  onChain: boolean,
  filter: PathFilter,
): Promise<CommitChanges> {
  const { tree, main: _, ...header } = await (onChain ? commits.onMainLine(hash) : commits.commit(hash))
  const parents = onChain ? header.parents.slice(0, 1) : header.parents
  const before =
    parents.length === 0 ? [null] : await Promise.all(parents.map(async p => (await commits.commit(p)).tree))
  const changes = await diffTree(trees, { before: before[0] ?? null, after: tree, commit: hash }, filter)
  for (const other of before.slice(1)) {
    const others = await diffTree(trees, { before: other, after: tree, commit: hash }, filter)
    const differs = new Set(others.map(change => change.path))
    changes.splice(0, changes.length, ...changes.filter(change => differs.has(change.path)))
  }
  return { ...header, onChain, changes }
}

/** Recently read trees; a folder is compared with its successor, so the last few suffice. */
class TreeReader {
  readonly #read: ReadObject
  readonly #recent = new Map<string, TreeEntry[]>()

  constructor(read: ReadObject) {
    this.#read = read
  }

  async entries(hash: string): Promise<TreeEntry[]> {
    const cached = this.#recent.get(hash)
    if (cached) return cached
    const entries = parseTree((await this.#read(hash)).content)
    if (this.#recent.size >= 512) this.#recent.delete(this.#recent.keys().next().value as string)
    this.#recent.set(hash, entries)
    return entries
  }
}

/**
 * Lists the paths whose blobs differ between two trees, the second one that of a commit, in bytewise order of the paths. Mode changes
 * alone do not count. Errors: wiki-too-large.
 */
async function diffTree(
  trees: TreeReader,
  {
    before,
    after,
    commit,
    modes = fileModes,
  }: {
    readonly before: string | null
    readonly after: string
    readonly commit: string
    readonly modes?: ReadonlySet<string>
  },
  filter: PathFilter,
): Promise<PathChange[]> {
  const changes: PathChange[] = []
  const count = changeCounter(commit)
  const stack: { prefix: string; before: string | null; after: string | null }[] = [{ prefix: '', before, after }]
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    if (pair.before === pair.after) continue
    const old = pair.before === null ? [] : await trees.entries(pair.before)
    const now = pair.after === null ? [] : await trees.entries(pair.after)
    compareEntries(pair.prefix, old, now, (path, was, is) => {
      count(1)
      const [oldTree, newTree] = [folder(was), folder(is)]
      if (oldTree !== newTree) stack.push({ prefix: `${path}/`, before: oldTree, after: newTree })
      const [oldBlob, newBlob] = [blob(was, modes), blob(is, modes)]
      if (oldBlob !== newBlob && filter(path)) changes.push({ path, before: oldBlob, after: newBlob })
    })
  }
  return changes.sort((a, b) => compareBytes(a.path, b.path))
}

function folder(entry: TreeEntry | undefined): string | null {
  return entry?.mode === treeMode ? entry.hash : null
}

function blob(entry: TreeEntry | undefined, modes: ReadonlySet<string>): string | null {
  return entry && modes.has(entry.mode) ? entry.hash : null
}

function compareEntries(
  prefix: string,
  old: readonly TreeEntry[],
  now: readonly TreeEntry[],
  differs: (path: string, was: TreeEntry | undefined, is: TreeEntry | undefined) => void,
): void {
  const before = new Map(old.map(entry => [entry.name, entry]))
  for (const entry of now) {
    const was = before.get(entry.name)
    before.delete(entry.name)
    if (was?.hash !== entry.hash || was.mode !== entry.mode) differs(prefix + entry.name, was, entry)
  }
  for (const [name, was] of before) differs(prefix + name, was, undefined)
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
