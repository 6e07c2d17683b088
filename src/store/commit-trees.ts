/** Commits of this clone, on any branch, and the files of their trees. */

import type { PathChange } from './git/backend.ts'
import type { LazyBackend } from './git/open-backend.ts'
import type { Standing } from './git/tree-file.ts'
import type { ReadObject } from './git/walk.ts'
import type { IndexSource } from './index/pinned-index.ts'
import { kindOfPath } from './index/record-writer.ts'
import { type Repository, shallowCommits } from './repository/repository.ts'

interface TreeSources {
  readonly repository: Repository
  readonly backend: LazyBackend
  readonly live: IndexSource
}

export class CommitTrees {
  readonly #repository: Repository
  readonly #backend: LazyBackend
  readonly #live: IndexSource
  readonly #read: ReadObject

  constructor({ repository, backend, live }: TreeSources) {
    this.#repository = repository
    this.#backend = backend
    this.#live = live
    this.#read = hash => backend.read(hash)
  }

  /** Commit of a name in git's syntax (a branch, a tag, a hash, `HEAD~2`); null if this clone has none. */
  async commitNamed(name: string): Promise<string | null> {
    const { resolveCommit } = await import('./git/commit-name.ts')
    return resolveCommit(this.#repository, { read: this.#read, name, backend: () => this.#backend.choose() })
  }

  /** Newest common commit of two commits; null if this clone has none, or may lack a newer one. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    const { mergeBase } = await import('./git/merge-base.ts')
    return mergeBase({ read: this.#read, shallow: shallowCommits(this.#repository) }, one, other)
  }

  /** Files of pages, media files, or all other files, that differ between two commits, in bytewise order of their paths. */
  async changesBetween(
    from: string,
    to: string,
    kind: 'page' | 'file' | null = 'page',
  ): Promise<readonly PathChange[]> {
    const { compareCommits } = await import('./git/walk.ts')
    return compareCommits(this.#read, { from, to }, path => this.#kindOf(path) === kind)
  }

  /** Lists the files and symbolic links that were added or removed between two commits, in bytewise order of their paths. */
  async movedPaths(from: string, to: string): Promise<readonly string[]> {
    const { compareCommits, linkedModes } = await import('./git/walk.ts')
    const changes = await compareCommits(this.#read, { from, to }, () => true, linkedModes)
    return changes.flatMap(({ path, before, after }) => (before === null || after === null ? path : []))
  }

  /** Pages and media files of a commit: path to blob. */
  async filesOf(commit: string): Promise<Map<string, string>> {
    const { listCommit } = await import('./git/walk.ts')
    const files = await listCommit(this.#read, commit, path => this.#kindOf(path) !== null)
    return new Map(files.map(({ path, after }) => [path, after as string]))
  }

  /** Every path of a commit, including files that are neither pages nor media, and symbolic links. */
  async pathsOf(commit: string): Promise<string[]> {
    const { linkedModes, listCommit } = await import('./git/walk.ts')
    return (await listCommit(this.#read, commit, () => true, linkedModes)).map(({ path }) => path)
  }

  /** Bytes, as Latin-1, of the paths of a commit that are not UTF-8. */
  async misnamedPaths(commit: string): Promise<string[]> {
    const { misnamedPaths } = await import('./git/misnamed.ts')
    const suspect = (await this.pathsOf(commit)).filter(path => path.includes('\ufffd'))
    return suspect.length === 0 ? [] : misnamedPaths(this.#read, commit, suspect)
  }

  /** Blob of the file at a path of a commit, page or not; null if there is none. */
  async blobAt(commit: string, path: string): Promise<string | null> {
    const { blobAt } = await import('./git/tree-file.ts')
    return blobAt(this.#read, commit, path)
  }

  /** Looks up the place of a file at the tip: see `standingOf`. */
  async standing(path: string): Promise<Standing> {
    const { tip } = this.#live.index.state
    if (tip === null) return { path, other: null }
    const { standingOf } = await import('./git/tree-file.ts')
    return standingOf(this.#read, tip, path)
  }

  /** Blobs at paths of the tip, by path. */
  async blobsAtTip(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { tip } = this.#live.index.state
    if (tip === null || paths.length === 0) return new Map()
    const { blobsAt } = await import('./git/tree-file.ts')
    return blobsAt(this.#read, tip, paths)
  }

  /** Path that the symbolic link at a path of the tip names; null if there is no link, or it leads out of the repository. */
  async linkAtTip(path: string): Promise<string | null> {
    const { tip } = this.#live.index.state
    if (tip === null) return null
    const { linkAt } = await import('./git/tree-file.ts')
    return linkAt(this.#read, tip, path)
  }

  #kindOf(path: string): 'page' | 'file' | null {
    return kindOfPath(path, this.#live.rules.root)
  }
}
