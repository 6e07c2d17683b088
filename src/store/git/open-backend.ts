/** Chooses the backend: native git where there is one that may run here, isomorphic-git where not. */

import type { Repository } from '../repository.ts'
import { shallowCommits } from '../repository.ts'
import type { GitBackend, GitObject, History, PathFilter } from './backend.ts'

export type BackendName = GitBackend['name']

/** Opens a backend; without a name the choice is made at the first call that needs one, so that opening costs nothing. */
export function openBackend(repository: Repository, name?: BackendName): LazyBackend {
  return new LazyBackend(repository, name)
}

export class LazyBackend implements GitBackend {
  readonly #repository: Repository
  readonly #wanted: BackendName | undefined
  #chosen: Promise<GitBackend> | null = null
  #name: BackendName

  constructor(repository: Repository, wanted: BackendName | undefined) {
    this.#repository = repository
    this.#wanted = wanted
    this.#name = wanted ?? 'git'
  }

  get name(): BackendName {
    return this.#name
  }

  /** Makes the choice; gives the name of the backend that answers. */
  async choose(): Promise<BackendName> {
    return (await this.#backend()).name
  }

  async read(hash: string): Promise<GitObject> {
    return (await this.#backend()).read(hash)
  }

  async *stream(hash: string): AsyncIterable<Buffer> {
    yield* (await this.#backend()).stream(hash)
  }

  async *readBlobs(hashes: Iterable<string>): AsyncIterable<Buffer | null> {
    yield* (await this.#backend()).readBlobs(hashes)
  }

  async sizes(hashes: readonly string[]): Promise<(number | null)[]> {
    return (await this.#backend()).sizes(hashes)
  }

  async history(from: string | null, to: string, filter: PathFilter): Promise<History | null> {
    return (await this.#backend()).history(from, to, filter)
  }

  async *chain(tip: string): AsyncIterable<string> {
    yield* (await this.#backend()).chain(tip)
  }

  close(): void {
    this.#chosen?.then(
      backend => backend.close(),
      () => {},
    )
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
        return openNative({ gitDirectory, objectDirectory, shallow })
      this.#name = 'isomorphic-git'
    }
    const { openIsomorphic } = await import('./isomorphic.ts')
    return openIsomorphic({ commonDirectory, objectDirectory, shallow })
  }
}
