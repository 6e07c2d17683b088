/**
 * Paths of the branch that a disk holds in one file, because it ignores case or Unicode form. A page whose name is changed so keeps its
 * file. Of two pages one has the file; the entry of the other one is marked in git's index as that of a file that the work tree is meant to
 * lack (`skip-worktree`), so that no `git commit -a` records the one's text, or a deletion, for the other.
 */

import { foldedName, foldedPath, isShortName } from '../../core/file-names.ts'
import { isSameFile, mayHaveOtherNames, nameOnDisk } from '../../files/same-file.ts'
import { readWorkFile, type WorkTree } from '../../files/work-file.ts'
import { comparePaths } from '../format/paths.ts'
import { hashBlob } from '../git/objects.ts'
import type { FollowedPath } from './followed-path.ts'
import { isAnnounced, isSkipped, stagedHash } from './staging.ts'
import type { StagingTable } from './staging-table.ts'

/** A move of the branch, as the change of a file. */
export interface FileMove extends FollowedPath {
  /** Path under which the file lies, if it is that of another page so far. `before` is its text. */
  readonly file?: string
  /** Move of that page, if it stays: it has no file then. */
  readonly displaced?: FollowedPath
}

export interface FileMoves {
  readonly moves: readonly FileMove[]
  /** Pages without a file, because another one has it. */
  readonly unshown: readonly FollowedPath[]
}

/** A path that leads to a file. */
interface Claim {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly move?: FollowedPath | undefined
}

export class SharedFiles {
  readonly #tree: WorkTree
  readonly #staged: StagingTable
  #names: Names | undefined

  constructor(tree: WorkTree, staged: StagingTable) {
    this.#tree = tree
    this.#staged = staged
  }

  /** Returns the other path that the file at this one belongs to; null if it has a file of its own, or none. */
  takenBy(path: string): string | null {
    if (!mayHaveOtherNames(this.#tree, path)) return null
    const claims = this.#like(path)
      .filter(one => one !== path && this.#isShown(one) && isSameFile(this.#tree, path, one))
      .map(one => this.#claim(one))
    if (claims.length === 0) return null
    const own = this.#isShown(path) ? [this.#claim(path)] : []
    const owner = this.#owner([...own, ...claims])?.path ?? null
    return owner === path ? null : owner
  }

  /** Returns what moves of the branch are to files. `absent`: paths that had no file. The index has the moves already. */
  moves(paths: readonly FollowedPath[], absent: ReadonlySet<string>): FileMoves {
    const wanted = paths.map(({ path }) => path).filter(path => mayHaveOtherNames(this.#tree, path))
    if (wanted.length === 0) return { moves: lastFirst(paths), unshown: [] }
    const byPath = new Map(paths.map(move => [move.path, move]))
    const moved = namesOf(byPath.keys())
    const grouped = new Map<string, FileMoves>()
    for (const path of wanted) {
      if (grouped.has(path)) continue
      const group = this.#like(path, moved).filter(one => isSameFile(this.#tree, path, one))
      if (group.length < 2) continue
      const result = this.#shared(group.map(one => this.#claim(one, byPath.get(one), absent)))
      for (const [at, one] of group.entries()) grouped.set(one, at === 0 ? result : { moves: [], unshown: [] })
    }
    const rest = lastFirst(paths.filter(({ path }) => !grouped.has(path)))
    const results = [...grouped.values()]
    return {
      moves: [...results.flatMap(({ moves }) => moves), ...rest],
      unshown: results.flatMap(({ unshown }) => unshown),
    }
  }

  /**
   * Decides which page of several has the one file: the last in the order of git's index. With `core.ignoreCase` git looks names up there
   * in any case and finds the last entry first, so that `git add` would record the file of another page for this one.
   */
  #shared(claims: readonly Claim[]): FileMoves {
    const owner = this.#owner(claims.filter(({ before }) => before !== null))
    // Somebody's new file: the first page that is placed will find it.
    if (owner === undefined) return { moves: claims.flatMap(({ move }) => move ?? []), unshown: [] }
    const staying = claims
      .filter(({ after }) => after !== null)
      .sort((one, other) => comparePaths(one.path, other.path))
    const shown = staying.at(-1) ?? owner
    const isUnshown = (one: Claim) => one !== shown && one !== owner && (one.move !== undefined || one.before !== null)
    const unshown = staying.filter(isUnshown).map(asMove)
    if (shown === owner) return { moves: owner.move === undefined ? [] : [owner.move], unshown }
    const work = shown.move?.work ?? owner.move?.work
    const move = { ...asMove(shown), file: owner.path, before: owner.before, ...(work != null && { work }) }
    return { moves: [owner.after === null ? move : { ...move, displaced: asMove(owner) }], unshown }
  }

  /** The page whose text the file has; else the one whose name it has. */
  #owner(claims: readonly Claim[]): Claim | undefined {
    const first = claims[0]
    if (first === undefined || claims.length === 1) return first
    const file = readWorkFile(this.#tree, first.path)
    const hash = file === null || typeof file === 'string' ? null : hashBlob(file.content)
    const name = nameOnDisk(this.#tree, first.path)
    return claims.find(({ before }) => before === hash) ?? claims.find(({ path }) => path === name) ?? first
  }

  #claim(path: string, move?: FollowedPath, absent?: ReadonlySet<string>): Claim {
    const entry = this.#entry(path)
    const hash = entry === undefined || isAnnounced(entry) ? null : stagedHash(entry)
    if (move === undefined) return { path, before: this.#isShown(path) ? hash : null, after: hash }
    const before = absent?.has(path) ? null : move.before
    return { path, before, after: move.after, move }
  }

  #entry(path: string) {
    return this.#staged.get(Buffer.from(path))
  }

  #isShown(path: string): boolean {
    const entry = this.#entry(path)
    return entry !== undefined && !isSkipped(entry)
  }

  /** Paths of the index, and of these names, that a disk may treat as this one; itself first. */
  #like(path: string, more?: Names): string[] {
    this.#names ??= namesOf(this.#staged.entries().map(({ name }) => name.toString('utf8')))
    const found = new Set(this.#entry(path) === undefined && !more?.all.has(path) ? [] : [path])
    for (const { all, byKey, short } of more === undefined ? [this.#names] : [this.#names, more]) {
      for (const one of byKey.get(foldedPath(path)) ?? []) found.add(one)
      for (const one of isShortName(path) ? all : short) if (mayMean(one, path)) found.add(one)
    }
    return [...found]
  }
}

/** Of new pages that a disk may take for one file the last is placed first, so that it has the file: see `#shared`. */
function lastFirst(paths: readonly FollowedPath[]): readonly FollowedPath[] {
  const isNew = ({ before, after }: FollowedPath) => before === null && after !== null
  const added = paths.filter(isNew)
  if (new Set(added.map(({ path }) => foldedPath(path))).size === added.length) return paths
  return [...paths.filter(move => !isNew(move)), ...added.sort((one, other) => comparePaths(other.path, one.path))]
}

function asMove({ path, before, after, move }: Claim): FollowedPath {
  return move ?? { path, before, after }
}

/** Paths by what they have in common with those that a disk may treat as equal. */
interface Names {
  readonly all: ReadonlySet<string>
  readonly byKey: ReadonlyMap<string, readonly string[]>
  readonly short: readonly string[]
}

function namesOf(paths: Iterable<string>): Names {
  const all = new Set(paths)
  const byKey = new Map<string, string[]>()
  for (const path of all) {
    const key = foldedPath(path)
    const same = byKey.get(key)
    if (same === undefined) byKey.set(key, [path])
    else same.push(path)
  }
  return { all, byKey, short: [...all].filter(isShortName) }
}

/** Returns true if some disk may treat two paths as one. */
function mayMean(one: string, other: string): boolean {
  const [left, right] = [one.split('/'), other.split('/')]
  return (
    left.length === right.length &&
    left.every((name, at) => {
      const partner = right[at] as string
      return isShortName(name) || isShortName(partner) || foldedName(name) === foldedName(partner)
    })
  )
}
