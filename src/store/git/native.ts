/**
 * The backend over a git binary: bulk history from streaming `git log`, objects from loose files or from one long-lived
 * `git cat-file --batch`.
 */

import { missingObject } from '../repository/missing-object.ts'
import { feed, gitVersion, lineBatches, type Running, startGit, taken } from '../repository/process.ts'
import type { RepositoryDirectories } from '../repository/repository.ts'
import { isTrusted } from '../repository/trust.ts'
import type { GitBackend, GitObject, History, PathFilter } from './backend.ts'
import { BatchReader, readMany, streamObject } from './batch-reader.ts'
import { readStarts, readTextSizes } from './blob-scan.ts'
import { logHistory, logMainLine } from './native-history.ts'
import { looseSize, readLoose, startOf, streamLoose, textSize } from './objects.ts'
import { isTooLarge, isUnreadable, maxResumed, readPastDamage } from './read-past-damage.ts'
import type { RecentObjects } from './recent-objects.ts'
import { checkTreeSize } from './tree-size.ts'
import { walkChain, walkHistory } from './walk.ts'

/** Ranges up to this many commits are read object by object, which is faster than starting `git log`. */
const walkedCommits = 32

/** Largest number of blobs that is read through the running process; beyond it, a process of their own is faster. */
const fewBlobs = 256

/** Requests that the running process gets before the answer to the first one: each answer may take the memory of a large blob. */
const requestsAhead = 4

export interface NativeOptions {
  readonly gitDirectory: string
  readonly objectDirectory: string
  readonly shallow: () => ReadonlySet<string>
  /** Cache of trees and commits. */
  readonly recent?: RecentObjects
}

/**
 * Returns true if there is a git binary and git itself would open the repository. Starts git at most twice, a few milliseconds
 * each. The git directory is not named, because that would bypass `safe.directory`.
 */
export function mayRunGit(repository: RepositoryDirectories): boolean {
  return isTrusted(repository) && gitVersion() !== null
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
    const { objectDirectory, recent } = this.#options
    const cached = recent?.get(hash)
    if (cached !== undefined) return cached
    const loose = readLoose(objectDirectory, hash)
    if (loose !== null) return recent?.set(hash, loose) ?? loose
    const object = await this.#readInTurn(hash)
    if (object === null) throw missingObject(hash)
    return object
  }

  async #readInTurn(hash: string): Promise<GitObject | null> {
    try {
      return await this.#reader().read(hash)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      // The process ended at a damaged object, which may be that of another request.
      return this.#readAlone(hash)
    }
  }

  /** Null for an object that is missing or damaged. */
  async #readAlone(hash: string): Promise<GitObject | null> {
    const reader = new BatchReader(this.#start(['cat-file', '--batch']))
    try {
      return await reader.read(hash)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      return null
    } finally {
      reader.close()
    }
  }

  async *stream(hash: string): AsyncIterable<Buffer> {
    const loose = streamLoose(this.#options.objectDirectory, hash)
    if (loose !== null) return yield* loose
    yield* streamObject(this.#start(['cat-file', '--batch']), hash)
  }

  async *readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null> {
    const some = (asked: Iterable<string>) => this.#readSome(asked)
    for await (const contents of readPastDamage(hashes, some, hash => this.#contentAlone(hash))) yield* contents
  }

  async *#readSome(hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]> {
    const source = hashes[Symbol.iterator]()
    const first = taken(source, fewBlobs)
    if (first.length < fewBlobs) return yield* this.#readFew(first)
    const running = this.#start(['cat-file', '--batch', '--buffer'])
    for await (const object of readMany(running, withRest(first, source))) yield [object?.content ?? null]
  }

  async *#readFew(hashes: readonly string[]): AsyncIterable<readonly (Buffer | null)[]> {
    const reader = this.#reader()
    const waiting: Promise<GitObject | null>[] = []
    const left = hashes.values()
    const request = (): void => {
      const { done, value } = left.next()
      if (done) return
      const answer = reader.read(value)
      // A caller may stop early: then nothing waits for the rest.
      answer.catch(() => {})
      waiting.push(answer)
    }
    for (let count = 0; count < requestsAhead; count++) request()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      yield [await contentUnlessTooLarge(next)]
      request()
    }
  }

  async *starts(hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]> {
    const some = (asked: Iterable<string>) => readStarts(this.#start(['cat-file', '--batch', '--buffer']), asked)
    const alone = async (hash: string) => {
      const content = await this.#contentAlone(hash)
      return content && startOf(content)
    }
    yield* readPastDamage(hashes, some, alone)
  }

  async #contentAlone(hash: string): Promise<Buffer | null> {
    return (await this.#readAlone(hash))?.content ?? null
  }

  async *sizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    const alone = async (hash: string) => (await this.#contentAlone(hash))?.length ?? null
    yield* readPastDamage(hashes, some => this.#sizesOfSome(some), alone)
  }

  async *#sizesOfSome(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    const source = hashes[Symbol.iterator]()
    const first = taken(source, walkedCommits)
    if (first.length === 0) return
    const loose =
      first.length < walkedCommits ? first.map(hash => looseSize(this.#options.objectDirectory, hash)) : [null]
    if (!loose.includes(null)) return yield loose
    const running = this.#start(['cat-file', '--batch-check=%(objectsize)', '--buffer'])
    const failure = feed(running, withRest(first, source))
    try {
      // The line of a missing blob is its hash and a word.
      for await (const lines of lineBatches(running))
        yield lines.map(line => (/^\d+$/.test(line) ? Number(line) : null))
    } catch (error) {
      throw failure() ?? error
    }
  }

  async *textSizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    const some = (asked: Iterable<string>) => readTextSizes(this.#start(['cat-file', '--batch', '--buffer']), asked)
    let isCounted = false
    const alone = async (hash: string) => {
      const content = await this.#contentAlone(hash)
      if (content !== null) return textSize(content)
      if (!isCounted) await this.#refuseManyMissing()
      isCounted = true
      return null
    }
    yield* readPastDamage(hashes, some, alone)
  }

  /**
   * A clone without texts lacks thousands. In a partial clone a process ends at each missing object, after it has read all trees, so
   * that they are counted by one that does not end. Errors: wiki-objects-missing.
   */
  async #refuseManyMissing(): Promise<void> {
    const running = this.#start(['rev-list', '--objects', '--missing=print', '--all'])
    running.child.stdin.end()
    const missing: string[] = []
    try {
      for await (const lines of lineBatches(running)) {
        missing.push(...lines.filter(line => line.startsWith('?')))
        if (missing.length > maxResumed) break
      }
    } catch (error) {
      // The commits themselves may be damaged; their reader reports that.
      if (!isUnreadable(error)) throw error
    }
    if (missing.length > maxResumed) throw missingObject(missing[0]!.slice(1))
  }

  async history(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    const read = (hash: string) => this.read(hash)
    // A young wiki's commits are loose: its whole history is read so, too. In a pack each read would wait for a process.
    if (from !== null || looseSize(this.#options.objectDirectory, to) !== null) {
      const shallow = this.#options.shallow()
      const walked = await walkHistory(read, from, to, { shallow, filter, limit: walkedCommits })
      if (walked !== undefined) return walked
    }
    await checkTreeSize(read, to)
    // Git may have removed the commit that an index knows, after the branch was rewritten. A process that reads an older pack still has it.
    if (from !== null && (await this.#readAlone(from)) === null) return null
    return logHistory(parameters => this.#start(parameters), { from, to }, filter)
  }

  async *chain(tip: string): AsyncIterable<string> {
    const { objectDirectory, shallow } = this.#options
    // After git has rewritten a few commits, the first ones known are near: no process need start for them.
    let left = walkedCommits
    const stops = (hash: string) => left-- === 0 || looseSize(objectDirectory, hash) === null
    const rest = yield* walkChain(hash => this.read(hash), tip, shallow(), stops)
    if (rest !== undefined) yield* logMainLine(parameters => this.#start(parameters), rest)
  }

  async renew(): Promise<void> {
    this.#batch?.finish()
    this.#batch = null
  }

  close(): void {
    this.#batch?.close()
    this.#batch = null
  }

  #reader(): BatchReader {
    if (this.#batch === null || this.#batch.ended) this.#batch = new BatchReader(this.#start(['cat-file', '--batch']))
    return this.#batch
  }

  #start(parameters: readonly string[]): Running {
    return startGit(this.#options.gitDirectory, parameters)
  }
}

async function contentUnlessTooLarge(answer: Promise<GitObject | null>): Promise<Buffer | null> {
  try {
    return (await answer)?.content ?? null
  } catch (error) {
    if (!isTooLarge(error)) throw error
    return null
  }
}

function* withRest(first: readonly string[], rest: Iterator<string>): Generator<string> {
  yield* first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
