/** A history from two streams of `git log`: all commits, and what the chain's merges change of their first parents. */

import type { CommitChanges, History, PathChange, PathFilter } from './backend.ts'
import { type LogEntry, parseLog } from './log.ts'
import { lineBatches, output, type Running } from './process.ts'

const logOptions = [
  'log',
  '-z',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-show-signature',
  '--no-notes',
  '--no-mailmap',
  '--encoding=UTF-8',
  '-O/dev/null',
  '--topo-order',
  '--reverse',
]

const commitFormat = ['-c', '--format=tformat:%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%B']
const mergeFormat = ['--first-parent', '--merges', '-m', '--format=tformat:%x01%H']

/** Fields that `commitFormat` has behind the hash. */
const commitFields = 5

/** Gives the commits between two: see `GitBackend.history`. */
export async function logHistory(
  start: (parameters: readonly string[]) => Running,
  range: { readonly from: string | null; readonly to: string },
  filter: PathFilter,
): Promise<History | null> {
  const { from, to } = range
  const commits = from === null ? [to] : [to, `^${from}`]
  const listed = start(['rev-list', '--first-parent', '--parents', '--reverse', ...commits])
  const log = start([...logOptions, ...commitFormat, ...commits])
  const merges = start([...logOptions, ...mergeFormat, ...commits])
  const chain = await readChain(listed)
  if (from !== null && chain.root !== from) {
    for (const { child } of [log, merges]) child.kill()
    return null
  }
  return {
    chainLength: chain.length,
    batches: endedAfter([log, merges], joinStreams(output(log), output(merges), chain, filter)),
  }
}

/** Ends processes with what is read of them: of two logs the other one is not read to its end where one fails. */
async function* endedAfter<T>(running: readonly Running[], read: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* read
  } finally {
    for (const { child } of running) child.kill()
  }
}

/** The first-parent chain, oldest first: as bytes, because a string for each of a million hashes is too much. */
class Chain {
  length = 0
  /** The commit before the first one; undefined if there is none. */
  root: string | undefined
  #hashes = Buffer.alloc(hashBytes * 1024)
  #at = 0
  #next: string | undefined

  add(line: string): void {
    if (this.length === 0) this.root = line.slice(41, 81)
    const at = this.length++ * hashBytes
    if (at === this.#hashes.length) this.#hashes = Buffer.concat([this.#hashes], at * 2)
    this.#hashes.write(line.slice(0, 40), at, 'hex')
  }

  /** Whether a commit is the next one of the chain; it is passed then. Parents come first in a log, so nothing is left out. */
  passes(hash: string): boolean {
    this.#next ??= this.#hashes.toString('hex', this.#at * hashBytes, (this.#at + 1) * hashBytes)
    if (this.#next !== hash || this.#at === this.length) return false
    this.#at++
    this.#next = undefined
    return true
  }
}

const hashBytes = 20

async function readChain(listed: Running): Promise<Chain> {
  const chain = new Chain()
  for await (const lines of lineBatches(listed)) for (const line of lines) chain.add(line)
  return chain
}

/** Puts the two logs together. */
async function* joinStreams(
  commits: AsyncIterable<Buffer>,
  merges: AsyncIterable<Buffer>,
  chain: Chain,
  filter: PathFilter,
): AsyncIterable<CommitChanges[]> {
  const mergeLog = parseLog(merges, 0, filter)[Symbol.asyncIterator]()
  const mergeEntries: LogEntry[] = []
  for await (const entries of parseLog(commits, commitFields, filter)) {
    const batch: CommitChanges[] = []
    for (const entry of entries) {
      const commit = commitOf(entry, chain.passes(entry.hash))
      const isMerge = commit.onChain && commit.parents.length > 1
      batch.push(isMerge ? { ...commit, changes: await nextMerge(mergeLog, mergeEntries, entry.hash) } : commit)
    }
    yield batch
  }
}

function commitOf({ hash, fields, changes }: LogEntry, onChain: boolean): CommitChanges {
  const [parents = '', authorName = '', authorAddress = '', time = '', message = ''] = fields
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    authorName: authorName.trim(),
    authorAddress,
    time: Number(time) || 0,
    message,
    onChain,
    changes,
  }
}

async function nextMerge(log: AsyncIterator<LogEntry[]>, entries: LogEntry[], hash: string): Promise<PathChange[]> {
  while (entries.length === 0) {
    const next = await log.next()
    if (next.done) break
    entries.push(...next.value.reverse())
  }
  const entry = entries.pop()
  if (entry?.hash !== hash) throw new Error(`git log left out the merge ${hash}`)
  return entry.changes
}
