/**
 * A history from two streams of git: all commits, and the changes of main-line merges against their main-line parent. The commits
 * themselves are read as objects, as `walk.ts` reads them: git's formats leave out what they cannot show, such as a date before 1970.
 */

import { totalmem } from 'node:os'
import { readText } from '../../files/read-file.ts'
import { missingObject } from '../repository/missing-object.ts'
import { feed, lineBatches, output, type Running } from '../repository/process.ts'
import type { CommitChanges, GitObject, History, PathChange, PathFilter } from './backend.ts'
import { BatchReader } from './batch-reader.ts'
import { type LogEntry, parseLog } from './log.ts'
import { mainParent, mainParentFirst } from './main-line.ts'
import { parseCommit, startOfMessage } from './objects.ts'
import { lessHistory, tooLarge } from './size-limits.ts'

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
  '-O/dev/null',
  '--topo-order',
  '--reverse',
]

const commitFormat = ['-c', '--format=tformat:%x01%H%x00%P']

/** Lists commits with their parents, children first. */
const lineOptions = ['log', '--topo-order', '--no-color', '--no-show-signature', '--format=tformat:%H %P']

/** Compares each commit of standard input with the one parent named on its line. */
const mergeOptions = [
  'diff-tree',
  '--stdin',
  '--always',
  '-r',
  '-z',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '-O/dev/null',
  '--format=tformat:%x01%H',
]

/** Fields that `commitFormat` has after the hash. */
const commitFields = 1

type Start = (parameters: readonly string[]) => Running

/** Limits of git while it prints nothing: it collects all changes of a commit, or looks for a file in billions of empty folders. */
const silence = { milliseconds: 300_000, bytes: totalmem() / 4 }

/** Milliseconds between two looks at its memory. */
const lookPause = 1000

/** Returns the commits between two: see `GitBackend.history`. */
export async function logHistory(
  start: Start,
  range: { readonly from: string | null; readonly to: string },
  filter: PathFilter,
  limits = silence,
): Promise<History | null> {
  const { from, to } = range
  const commits = from === null ? [to] : [to, `^${from}`]
  const log = start([...logOptions, ...commitFormat, ...commits])
  const chain = await readChain(start, to, commits)
  if (from !== null && chain.root !== from) {
    log.child.kill()
    return null
  }
  const merges = start(mergeOptions)
  feed(merges, chain.merges())
  const objects = start(['cat-file', '--batch'])
  const streams = { commits: spoken(log, limits), merges: spoken(merges, limits), objects: new BatchReader(objects) }
  return {
    chainLength: chain.length,
    batches: endedAfter([log, merges, objects], joinStreams(streams, chain, filter)),
  }
}

/** Returns the hashes of the main line, newest first: see `GitBackend.chain`. */
export async function* logMainLine(start: Start, tip: string): AsyncIterable<string> {
  for await (const steps of mainLine(start, tip, [tip])) for (const { hash } of steps) yield hash
}

/** Yields the output of a process. Errors: wiki-too-large if it is over a limit while its output is waited for. */
async function* spoken(running: Running, limits: typeof silence): AsyncIterable<Buffer> {
  const chunks = output(running)[Symbol.asyncIterator]()
  const take = () => nextWithin(limits, running, chunks)
  for (let next = await take(); !next.done; next = await take()) yield next.value
}

async function nextWithin(
  { milliseconds, bytes }: typeof silence,
  { child }: Running,
  chunks: AsyncIterator<Buffer>,
): Promise<IteratorResult<Buffer>> {
  const start = performance.now()
  let isOver = false
  const look = setInterval(() => {
    isOver = performance.now() - start > milliseconds || residentBytes(child.pid) > bytes
    if (isOver) child.kill('SIGKILL')
  }, lookPause)
  try {
    return await chunks.next()
  } catch (error) {
    throw isOver ? tooLarge('git can read in a limited time and memory', lessHistory) : error
  } finally {
    clearInterval(look)
  }
}

/** Memory of a process; 0 on systems without `/proc`. */
function residentBytes(id: number | undefined): number {
  try {
    const [, resident = 0, shared = 0] = readText(`/proc/${id}/statm`).split(' ').map(Number)
    return (resident - shared) * pageBytes
  } catch {
    return 0
  }
}

/** Bytes of one unit of `statm`; larger pages only make the limit higher. */
const pageBytes = 4096

/** Ends all processes when reading stops: if one log fails, the other is not read to its end. */
async function* endedAfter<T>(running: readonly Running[], read: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* read
  } finally {
    for (const { child } of running) child.kill()
  }
}

/** A commit of the main line, and the parent that continues the line. */
interface Step {
  readonly hash: string
  readonly parent: string | undefined
  readonly isMerge: boolean
}

/** The main line from `tip` down, newest first. Of merges the commits are read: their messages tell the parent. */
async function* mainLine(start: Start, tip: string, commits: readonly string[]): AsyncIterable<Step[]> {
  let next: string | undefined = tip
  const objects = new BatchReader(start(['cat-file', '--batch']))
  try {
    for await (const lines of lineBatches(start([...lineOptions, ...commits]))) {
      const read = lines.map(line => line.split(' ').filter(Boolean))
      const messages = await messagesOf(
        read.flatMap(([hash, ...parents]) => (parents.length > 1 ? hash! : [])),
        objects,
      )
      const steps: Step[] = []
      for (const [hash, ...parents] of read) {
        if (hash !== next) continue
        next = mainParent(parents, messages.get(hash as string) ?? '')
        steps.push({ hash: hash as string, parent: next, isMerge: parents.length > 1 })
      }
      yield steps
    }
  } finally {
    objects.close()
  }
}

async function messagesOf(merges: readonly string[], objects: BatchReader): Promise<ReadonlyMap<string, string>> {
  const messages = new Map<string, string>()
  for await (const [hash, content] of contentsOf(merges, objects)) messages.set(hash, startOfMessage(content))
  return messages
}

/** Requests that the process has at a time: each answer may take the memory of a large commit. */
const requestsAhead = 8

/** The contents of commits, in their order. */
async function* contentsOf(hashes: readonly string[], objects: BatchReader): AsyncIterable<readonly [string, Buffer]> {
  const waiting: Promise<GitObject | null>[] = []
  for (const [at, hash] of hashes.entries()) {
    for (const ahead of hashes.slice(at + waiting.length, at + requestsAhead)) {
      const answer = objects.read(ahead)
      // A caller may stop early: then nothing waits for the rest.
      answer.catch(() => {})
      waiting.push(answer)
    }
    const object = await waiting.shift()!
    if (object === null) throw missingObject(hash)
    yield [hash, object.content]
  }
}

/** The main line as bytes, because a string for each of a million hashes takes too much memory. */
class Chain {
  length = 0
  /** The commit before the oldest one; undefined if there is none. */
  root: string | undefined
  /** Newest first. */
  #hashes = Buffer.alloc(hashBytes * 1024)
  readonly #merges: number[] = []
  #passed = 0
  #next: string | undefined

  add({ hash, parent, isMerge }: Step): void {
    if (isMerge) this.#merges.push(this.length)
    const at = this.length++ * hashBytes
    if (at === this.#hashes.length) this.#hashes = Buffer.concat([this.#hashes], at * 2)
    this.#hashes.write(hash, at, 'hex')
    this.root = parent
  }

  /** Returns true if a commit is the next one of the chain, and then advances. Logs list parents first, so none is skipped. */
  passes(hash: string): boolean {
    if (this.#passed === this.length) return false
    this.#next ??= this.#at(this.length - 1 - this.#passed)
    if (this.#next !== hash) return false
    this.#passed++
    this.#next = undefined
    return true
  }

  /** Parent, on the main line, of the commit that was passed last. */
  get parent(): string | undefined {
    return this.#at(this.length - this.#passed + 1)
  }

  /** The merges, oldest first, each with its parent on the main line. */
  *merges(): Iterable<string> {
    for (const at of this.#merges.toReversed()) yield `${this.#at(at)} ${this.#at(at + 1)}`
  }

  #at(place: number): string | undefined {
    if (place >= this.length) return this.root
    return this.#hashes.toString('hex', place * hashBytes, (place + 1) * hashBytes)
  }
}

const hashBytes = 20

async function readChain(start: Start, tip: string, commits: readonly string[]): Promise<Chain> {
  const chain = new Chain()
  for await (const steps of mainLine(start, tip, commits)) for (const step of steps) chain.add(step)
  return chain
}

interface Streams {
  readonly commits: AsyncIterable<Buffer>
  readonly merges: AsyncIterable<Buffer>
  readonly objects: BatchReader
}

/** Joins the two logs, and the commits themselves. */
async function* joinStreams(streams: Streams, chain: Chain, filter: PathFilter): AsyncIterable<CommitChanges[]> {
  const mergeLog = parseLog(streams.merges, 0, filter)[Symbol.asyncIterator]()
  const mergeEntries: LogEntry[] = []
  for await (const entries of parseLog(streams.commits, commitFields, filter)) {
    let at = 0
    const hashes = entries.map(({ hash }) => hash)
    for await (const [hash, content] of contentsOf(hashes, streams.objects)) {
      const entry = entries[at++]!
      const onChain = chain.passes(hash)
      const commit = { ...parseCommit(hash, content), parents: parentsIn(entry), onChain, changes: entry.changes }
      if (!onChain || commit.parents.length < 2) yield [commit]
      else {
        const changes = await nextMerge(mergeLog, mergeEntries, hash)
        yield [{ ...commit, parents: mainParentFirst(commit.parents, chain.parent), changes }]
      }
    }
  }
}

/** The parents as the log knows them: those beyond the boundary of a shallow clone are cut off. */
function parentsIn({ fields: [parents = ''] }: LogEntry): readonly string[] {
  return parents === '' ? [] : parents.split(' ')
}

async function nextMerge(log: AsyncIterator<LogEntry[]>, entries: LogEntry[], hash: string): Promise<PathChange[]> {
  while (entries.length === 0) {
    const next = await log.next()
    if (next.done) break
    entries.push(...next.value.reverse())
  }
  const entry = entries.pop()
  if (entry?.hash !== hash) throw new Error(`git left out the merge ${hash}`)
  return entry.changes
}
