/**
 * The backend without a git binary: loose objects and packs are read here, anything else through isomorphic-git with one shared cache;
 * history object by object. isomorphic-git only reads, because it takes no locks and never fsyncs (write.ts writes).
 */

import fs from 'node:fs'
import git from 'isomorphic-git'
import { WikiError } from '../../core/errors.ts'
import { missingObject } from '../repository/missing-object.ts'
import type { GitBackend, GitObject, History, PathFilter } from './backend.ts'
import { hasHash, maxObjectBytes, readLoose, startOf, streamLoose, textSize } from './objects.ts'
import { openPacks, type PackReader } from './packs.ts'
import { walkChain, walkHistory } from './walk.ts'

export interface IsomorphicOptions {
  /** The common git directory: objects and refs. */
  readonly commonDirectory: string
  readonly objectDirectory: string
  readonly shallow: () => ReadonlySet<string>
  /** Bytes of objects read after which isomorphic-git's unbounded cache of packs and objects is dropped. */
  readonly memory: number
}

/** Opens the backend. */
export function openIsomorphic(options: IsomorphicOptions): GitBackend {
  return new IsomorphicGit(options)
}

/** The library reads what is beyond them. */
const packLimits = { packs: 256, bytes: maxObjectBytes }

class IsomorphicGit implements GitBackend {
  readonly name = 'isomorphic-git'
  readonly #options: IsomorphicOptions
  readonly #packs: PackReader
  #cache = {}
  /** Bytes of the objects that were read through the cache. */
  #unpacked = 0

  constructor(options: IsomorphicOptions) {
    this.#options = options
    this.#packs = openPacks(options.objectDirectory, packLimits)
  }

  async read(hash: string): Promise<GitObject> {
    const loose = readLoose(this.#options.objectDirectory, hash)
    if (loose !== null) return loose
    if (this.#packs.has(hash)) return this.#readPacked(hash)
    try {
      const found = await git.readObject({
        fs,
        gitdir: this.#options.commonDirectory,
        oid: hash,
        format: 'content',
        cache: this.#cache,
      })
      const bytes = found.object as Uint8Array
      this.#countUnpacked(bytes.byteLength)
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const object = { type: found.type as GitObject['type'], content }
      if (!hasHash(object, hash)) throw missingObject(hash)
      return object
    } catch (cause) {
      if (!isOfSystem(cause)) throw missingObject(hash)
      throw new WikiError('wiki-bad-repository', {
        params: [this.#options.commonDirectory, `object ${hash} cannot be read`],
        cause,
      })
    }
  }

  /** The library would expand an object without a limit, whatever its header says. Another git may replace the pack between two reads. */
  #readPacked(hash: string): GitObject {
    const object = this.#packs.read(hash) ?? this.#packs.read(hash)
    if (object === null || !hasHash(object, hash)) throw missingObject(hash)
    return object
  }

  #countUnpacked(bytes: number): void {
    this.#unpacked += bytes
    if (this.#unpacked <= this.#options.memory) return
    this.#unpacked = 0
    this.#cache = {}
  }

  async *stream(hash: string): AsyncIterable<Buffer> {
    const loose = streamLoose(this.#options.objectDirectory, hash)
    if (loose !== null) yield* loose
    // An object in a pack can only be read whole.
    else yield (await this.read(hash)).content
  }

  async *readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null> {
    for (const hash of hashes) {
      yield await this.read(hash).then(
        object => object.content,
        () => null,
      )
    }
  }

  async *starts(hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]> {
    for await (const content of this.readBlobs(hashes)) yield [content && startOf(content)]
  }

  async *sizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    for await (const content of this.readBlobs(hashes)) yield [content?.length ?? null]
  }

  async *textSizes(hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
    for await (const content of this.readBlobs(hashes)) yield [content === null ? null : textSize(content)]
  }

  async history(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    const options = { shallow: this.#options.shallow(), filter }
    return (await walkHistory(hash => this.read(hash), from, to, options)) ?? null
  }

  chain(tip: string): AsyncIterable<string> {
    return walkChain(hash => this.read(hash), tip, this.#options.shallow())
  }

  async renew(): Promise<void> {}

  close(): void {
    this.#packs.close()
  }
}

/** True for the error of a system call, such as too many open files. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
