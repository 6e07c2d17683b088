/**
 * Chooses the backend: native git if there is one that may run here, otherwise isomorphic-git. A few objects are read from files
 * before that, and then neither is needed.
 */

import { existsSync } from 'node:fs'
import { type CacheBytes, divideCacheBytes } from '../../core/cache-shares.ts'
import type { Repository } from '../repository/repository.ts'
import { shallowCommits } from '../repository/repository.ts'
import type { GitBackend, GitObject, History, PathFilter } from './backend.ts'
import { hasHash, loosePath, readLoose, startOf, textSize } from './objects.ts'
import { openPacks, type PackReader } from './packs.ts'
import { type RecentObjects, recentObjects } from './recent-objects.ts'

export type BackendName = GitBackend['name']

/** Maximum blobs of one request that are read here; git is faster for more. */
const fewBlobs = 32

/** Opens a backend; without a name the choice is made at the first call that needs one, so that opening costs nothing. */
export function openBackend(repository: Repository, name?: BackendName, cacheBytes = divideCacheBytes()): LazyBackend {
  return new LazyBackend(repository, name, cacheBytes)
}

export class LazyBackend implements GitBackend {
  readonly #repository: Repository
  readonly #wanted: BackendName | undefined
  #chosen: Promise<GitBackend> | null = null
  #name: BackendName
  readonly #packs: PackReader
  readonly #recent: RecentObjects
  readonly #cacheBytes: CacheBytes

  constructor(repository: Repository, wanted: BackendName | undefined, cacheBytes: CacheBytes) {
    this.#cacheBytes = cacheBytes
    this.#repository = repository
    this.#wanted = wanted
    this.#name = wanted ?? 'git'
    this.#packs = openPacks(repository.objectDirectory)
    this.#recent = recentObjects(cacheBytes('objects'))
  }

  get name(): BackendName {
    return this.#name
  }

  /** Makes the choice; returns the name of the backend. */
  async choose(): Promise<BackendName> {
    return (await this.#backend()).name
  }

  async read(hash: string): Promise<GitObject> {
    return this.#recent.get(hash) ?? this.#readHere(hash) ?? (await this.#backend()).read(hash)
  }

  /** Returns true if git has an object now, whatever is remembered of it: git may have removed it since. */
  async has(hash: string): Promise<boolean> {
    if (existsSync(loosePath(this.#repository.objectDirectory, hash)) || this.#packs.read(hash) !== null) return true
    for await (const [size] of this.sizes([hash])) return size != null
    return false
  }

  async *stream(hash: string): AsyncIterable<Buffer> {
    yield* (await this.#backend()).stream(hash)
  }

  async *readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null> {
    const left = hashes[Symbol.iterator]()
    for (let count = 0; count < fewBlobs; count++) {
      const { value: hash, done } = left.next()
      if (done) return
      const here = this.#readHere(hash)
      if (here === null) return yield* (await this.#backend()).readBlobs(onwards(hash, left))
      yield here.content
    }
    yield* (await this.#backend()).readBlobs(onwards(null, left))
  }

  async *starts(hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]> {
    const left = hashes[Symbol.iterator]()
    for (let count = 0; count < fewBlobs; count++) {
      const { value: hash, done } = left.next()
      if (done) return
      const here = this.#readHere(hash)
      if (here === null) return yield* (await this.#backend()).starts(onwards(hash, left))
      yield [startOf(here.content)]
    }
    yield* (await this.#backend()).starts(onwards(null, left))
  }

  async *sizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    yield* (await this.#backend()).sizes(hashes)
  }

  async *textSizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    const left = hashes[Symbol.iterator]()
    for (let count = 0; count < fewBlobs; count++) {
      const { value: hash, done } = left.next()
      if (done) return
      const here = this.#readHere(hash)
      if (here === null) return yield* (await this.#backend()).textSizes(onwards(hash, left))
      yield [textSize(here.content)]
    }
    yield* (await this.#backend()).textSizes(onwards(null, left))
  }

  async history(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    return (await this.#backend()).history(from, to, filter)
  }

  async *chain(tip: string): AsyncIterable<string> {
    yield* (await this.#backend()).chain(tip)
  }

  async renew(): Promise<void> {
    await (await this.#chosen)?.renew()
  }

  close(): void {
    this.#packs.close()
    this.#chosen?.then(
      backend => backend.close(),
      () => {},
    )
  }

  /** Null if a backend was named, or is needed to decide. */
  #readHere(hash: string): GitObject | null {
    if (this.#wanted !== undefined) return null
    const { objectDirectory } = this.#repository
    return this.#recent.set(hash, readLoose(objectDirectory, hash) ?? this.#readPacked(hash))
  }

  #readPacked(hash: string): GitObject | null {
    const object = this.#packs.read(hash)
    return object !== null && hasHash(object, hash) ? object : null
  }

  #backend(): Promise<GitBackend> {
    this.#chosen ??= this.#choose()
    return this.#chosen
  }

  async #choose(): Promise<GitBackend> {
    const { gitDirectory, commonDirectory, objectDirectory } = this.#repository
    const shallow = () => shallowCommits(this.#repository)
    if (this.#wanted !== 'isomorphic-git') {
      const { mayRunGit, openNative } = await import('./native.ts')
      if (this.#wanted === 'git' || mayRunGit(this.#repository))
        return openNative({ gitDirectory, objectDirectory, shallow, recent: this.#recent })
      this.#name = 'isomorphic-git'
    }
    const { openIsomorphic } = await import('./isomorphic.ts')
    return openIsomorphic({ commonDirectory, objectDirectory, shallow, memory: this.#cacheBytes('packObjects') })
  }
}

/** One hash, and the rest. */
function* onwards(first: string | null, left: Iterator<string>): Iterable<string> {
  if (first !== null) yield first
  for (let next = left.next(); !next.done; next = left.next()) yield next.value
}
