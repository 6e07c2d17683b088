/**
 * The backend over a git binary: bulk history from one streaming `git log`, objects from loose files or from one long-lived
 * `git cat-file --batch`. Every call names the git directory, and switches off what a repository's own configuration could
 * run or change (external diffs, signatures, replaced objects, the file system monitor).
 */

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { WikiError } from '../../core/errors.ts'
import type { Repository } from '../repository.ts'
import type {
  CommitChanges,
  CommitHeader,
  GitBackend,
  GitObject,
  History,
  ObjectType,
  PathChange,
  PathFilter,
} from './backend.ts'
import { type LogEntry, parseLog } from './log.ts'
import { looseSize, readLoose, streamLoose } from './objects.ts'
import { walkHistory } from './walk.ts'

/** Ranges up to this many commits are read object by object: quicker than starting `git log`. */
const walkedCommits = 32

/** How many blobs are asked for before the first answer is awaited. */
const readAhead = 256

export interface NativeOptions {
  readonly gitDirectory: string
  readonly objectDirectory: string
  readonly shallow: () => ReadonlySet<string>
}

/**
 * Whether there is a git binary that would open this repository by itself: one start of it, a few milliseconds, once for each
 * process that needs git. Git runs what a repository's configuration names (filters, transports of a partial clone); so it
 * opens one of somebody else only where the user said so (`safe.directory`). Naming the git directory would pass that over.
 */
export function mayRunGit(repository: Place): boolean {
  const question = isOwn(repository)
    ? ['--version']
    : ['-C', repository.workTree ?? repository.gitDirectory, 'rev-parse', '--git-dir']
  return spawnSync('git', question, { windowsHide: true, stdio: 'ignore' }).status === 0
}

type Place = Pick<Repository, 'gitDirectory' | 'commonDirectory' | 'workTree'>

function isOwn({ gitDirectory, commonDirectory, workTree }: Place): boolean {
  const user = process.geteuid?.()
  const folders = [gitDirectory, commonDirectory, workTree ?? gitDirectory]
  return folders.every(folder => statSync(folder, { throwIfNoEntry: false })?.uid === user)
}

/** Opens the backend. */
export function openNative(options: NativeOptions): GitBackend {
  return new NativeGit(options)
}

class NativeGit implements GitBackend {
  readonly name = 'git'
  readonly #options: NativeOptions
  #batch: BatchReader | null = null

  constructor(options: NativeOptions) {
    this.#options = options
  }

  async read(hash: string): Promise<GitObject> {
    const object = readLoose(this.#options.objectDirectory, hash) ?? (await this.#reader().read(hash))
    if (object === null)
      throw new WikiError('wiki-bad-repository', { params: [this.#options.gitDirectory, `object ${hash} is missing`] })
    return object
  }

  async *stream(hash: string): AsyncIterable<Buffer> {
    const loose = streamLoose(this.#options.objectDirectory, hash)
    if (loose !== null) return yield* loose
    const running = this.#spawn(['cat-file', 'blob', hash])
    try {
      running.child.stdin.end()
      yield* output(running)
    } finally {
      running.child.kill()
    }
  }

  async *readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null> {
    const reader = this.#reader()
    const waiting: Promise<GitObject | null>[] = []
    for (const hash of hashes) {
      const answer = reader.read(hash)
      // A caller may stop before it has taken all: then nobody waits for the rest.
      answer.catch(() => {})
      waiting.push(answer)
      if (waiting.length >= readAhead) yield (await waiting.shift())?.content ?? null
    }
    for (const answer of waiting) yield (await answer)?.content ?? null
  }

  async sizes(hashes: readonly string[]): Promise<(number | null)[]> {
    const loose =
      hashes.length > walkedCommits ? [] : hashes.map(hash => looseSize(this.#options.objectDirectory, hash))
    if (loose.length === hashes.length && loose.every(size => size !== null)) return loose
    const running = this.#spawn(['cat-file', '--batch-check=%(objectsize)', '--buffer'])
    running.child.stdin.end(hashes.length > 0 ? `${hashes.join('\n')}\n` : '')
    const sizes: (number | null)[] = []
    // A missing blob's line is its hash and a word.
    for await (const line of lines(running)) sizes.push(/^\d+$/.test(line) ? Number(line) : null)
    return sizes
  }

  async history(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    const read = (hash: string) => this.read(hash)
    if (from !== null) {
      const shallow = this.#options.shallow()
      const walked = await walkHistory(read, from, to, { shallow, filter, limit: walkedCommits })
      if (walked !== undefined) return walked
    }
    return this.#log(from, to, filter)
  }

  async #log(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    const range = from === null ? [to] : [to, `^${from}`]
    const order = ['--topo-order', '--reverse']
    const listed = this.#spawn(['rev-list', '--first-parent', '--parents', '--reverse', ...range])
    const commits = this.#spawn([
      'log',
      ...logOptions,
      ...order,
      '-c',
      '--format=tformat:%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%B',
      ...range,
    ])
    const merges = this.#spawn([
      'log',
      ...logOptions,
      ...order,
      '--first-parent',
      '--merges',
      '-m',
      '--format=tformat:%x01%H',
      ...range,
    ])
    const chain = new Set<string>()
    let root: string | undefined
    for await (const line of lines(listed)) {
      if (chain.size === 0) root = line.slice(41, 81)
      chain.add(line.slice(0, 40))
    }
    if (from !== null && (chain.size === 0 || root !== from)) {
      for (const { child } of [commits, merges]) child.kill()
      return null
    }
    return { chainLength: chain.size, batches: joinStreams(output(commits), output(merges), chain, filter) }
  }

  chain(tip: string): AsyncIterable<string> {
    return lines(this.#spawn(['rev-list', '--first-parent', tip]))
  }

  close(): void {
    this.#batch?.close()
    this.#batch = null
  }

  #reader(): BatchReader {
    if (this.#batch === null || this.#batch.ended) this.#batch = new BatchReader(this.#spawn(['cat-file', '--batch']))
    return this.#batch
  }

  #spawn(parameters: readonly string[]): Running {
    const child = spawn('git', [`--git-dir=${this.#options.gitDirectory}`, ...safeOptions, ...parameters], {
      windowsHide: true,
    })
    child.stdin.on('error', () => {})
    return { child, gitDirectory: this.#options.gitDirectory, ...watch(child) }
  }
}

const safeOptions = [
  '--no-replace-objects',
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showRoot=true',
]

const logOptions = [
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
]

/** Puts the two logs together: the first has every commit, the second what the chain's merges change of their first parent. */
async function* joinStreams(
  commits: AsyncIterable<Buffer>,
  merges: AsyncIterable<Buffer>,
  chain: ReadonlySet<string>,
  filter: PathFilter,
): AsyncIterable<CommitChanges[]> {
  const mergeLog = parseLog(merges, 0, filter)[Symbol.asyncIterator]()
  const mergeEntries: LogEntry[] = []
  for await (const entries of parseLog(commits, 5, filter)) {
    const batch: CommitChanges[] = []
    for (const entry of entries) {
      const header = headerOf(entry)
      const onChain = chain.has(entry.hash)
      const isMerge = onChain && header.parents.length > 1
      batch.push({
        ...header,
        onChain,
        changes: isMerge ? await nextMerge(mergeLog, mergeEntries, entry.hash) : entry.changes,
      })
    }
    yield batch
  }
}

function headerOf({ hash, fields }: LogEntry): CommitHeader {
  const [parents = '', authorName = '', authorAddress = '', time = '', message = ''] = fields
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    authorName: authorName.trim(),
    authorAddress,
    time: Number(time) || 0,
    message,
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

/** A git process. Its end is watched from the start: a short one may be over before its output is read. */
interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly gitDirectory: string
  /** Standard output. Node throws away, at the process's end, what nobody reads yet: so it is piped on from the start. */
  readonly stdout: Readable
  readonly ended: Promise<number | null>
  readonly errors: () => string
}

/** Bytes of output that wait for their reader. */
const readBytes = 1024 * 1024

/** Bytes of standard error that are kept. */
const errorLimit = 4096

function watch(child: ChildProcessWithoutNullStreams): Pick<Running, 'stdout' | 'ended' | 'errors'> {
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(0, errorLimit)
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  ended.catch(() => {})
  return { stdout: child.stdout.pipe(new PassThrough({ highWaterMark: readBytes })), ended, errors: () => errors }
}

/** Standard output; throws when the process could not start or failed. */
async function* output(running: Running): AsyncIterable<Buffer> {
  for await (const chunk of running.stdout) yield chunk
  if ((await running.ended) !== 0) throw gitFailure(running)
}

function gitFailure({ gitDirectory, errors }: Running): WikiError {
  return new WikiError('wiki-bad-repository', { params: [gitDirectory, errors().split('\n')[0] || 'git failed'] })
}

async function* lines(running: Running): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of output(running)) {
    const parts = (rest + chunk.toString('latin1')).split('\n')
    rest = parts.pop() as string
    yield* parts
  }
  if (rest !== '') yield rest
}

interface Waiting {
  readonly resolve: (object: GitObject | null) => void
  readonly reject: (error: unknown) => void
}

/** One `git cat-file --batch`: requests go in, answers come back in the same order. */
class BatchReader {
  ended = false
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting: Waiting[] = []
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the answer being received, header and final LF included; 0 while its header is not here yet. */
  #wanted = 0

  constructor(running: Running) {
    this.#child = running.child
    running.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    running.ended.then(
      () => this.#fail(gitFailure(running)),
      error => this.#fail(error),
    )
  }

  read(hash: string): Promise<GitObject | null> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new Error('git cat-file has ended'))
      this.#waiting.push({ resolve, reject })
      this.#child.stdin.write(`${hash}\n`)
    })
  }

  close(): void {
    this.ended = true
    this.#child.stdin.end()
    this.#child.kill()
  }

  #fail(error: unknown): void {
    this.ended = true
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length > 0 && this.#length >= this.#wanted) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length)
      this.#chunks = [bytes]
      const used = this.#answer(bytes)
      if (used === 0) return
      this.#chunks = [bytes.subarray(used)]
      this.#length -= used
      this.#wanted = 0
    }
  }

  /** Gives one answer to whoever waits longest; 0 where it is not complete yet. */
  #answer(bytes: Buffer): number {
    const end = bytes.indexOf(0x0a)
    if (end < 0) return 0
    const [, type, size] = bytes.toString('latin1', 0, end).split(' ')
    if (size === undefined) {
      this.#waiting.shift()?.resolve(null)
      return end + 1
    }
    this.#wanted = end + 1 + Number(size) + 1
    if (bytes.length < this.#wanted) return 0
    const content = Buffer.from(bytes.subarray(end + 1, this.#wanted - 1))
    this.#waiting.shift()?.resolve({ type: type as ObjectType, content })
    return this.#wanted
  }
}
