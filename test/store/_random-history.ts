/** Unusual histories: generated from a seed, through `git fast-import`. */

import { execFileSync } from 'node:child_process'

type Tree = ReadonlyMap<string, string>

interface MadeCommit {
  readonly mark: number
  readonly parents: readonly number[]
  readonly tree: Tree
}

export interface RandomHistory {
  /** Commits in the order of their creation; parents come first. */
  readonly commits: readonly MadeCommit[]
  /** Marks of the main branch, oldest first: the first-parent chain. */
  readonly chain: readonly number[]
  /** Input for `git fast-import`; it makes a branch `step-<n>` for each commit of the chain. */
  readonly stream: string
}

const paths = ['A.wiki', 'B.wiki', 'Talk/A.wiki', 'c/d.md', 'data.json', 'pic.png', 'notes.py', 'Ünï.wiki']

/** Makes a history of about this many commits, with branches, all kinds of merges, moves, deletions and re-creations. */
export function randomHistory(seed: number, size: number): RandomHistory {
  const maker = new HistoryMaker(seed)
  for (let step = 0; step < size; step++) maker.step()
  return maker.finish()
}

/** Makes a bare repository of it, with the branch `main` at this position of the chain (default: its end). */
export function writeHistory(folder: string, history: RandomHistory, place = history.chain.length - 1): void {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
  execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: history.stream })
  moveMain(folder, place)
}

/** Moves the branch `main` to this position of the chain. */
export function moveMain(folder: string, place: number): void {
  execFileSync('git', [`--git-dir=${folder}`, 'update-ref', 'refs/heads/main', `refs/heads/step-${place}`])
}

class HistoryMaker {
  readonly #random: () => number
  readonly #commits: MadeCommit[] = []
  readonly #chain: number[] = []
  readonly #stream: string[] = []
  #branches: MadeCommit[] = []
  #texts = 0

  constructor(seed: number) {
    this.#random = numbersFrom(seed)
    this.#advance(this.#commit([], new Map([['A.wiki', 'first\n']])))
  }

  step(): void {
    const kind = this.#random()
    if (kind < 0.35) this.#advance(this.#commit([this.#head()], this.#edited(this.#head().tree)))
    else if (kind < 0.5)
      this.#branches.push(
        this.#commit([this.#pick([...this.#branches, this.#head()])], this.#edited(this.#head().tree)),
      )
    else if (kind < 0.7 && this.#branches.length > 0) this.#growBranch()
    else if (this.#branches.length > 0) this.#merge()
  }

  finish(): RandomHistory {
    return { commits: this.#commits, chain: this.#chain, stream: this.#stream.join('') }
  }

  #growBranch(): void {
    const at = Math.floor(this.#random() * this.#branches.length)
    const branch = this.#branches[at] as MadeCommit
    const takesMain = this.#random() < 0.3
    const parents = takesMain ? [branch, this.#head()] : [branch]
    this.#branches[at] = this.#commit(parents, takesMain ? this.#mergedTree(parents) : this.#edited(branch.tree))
  }

  #merge(): void {
    const count = Math.min(this.#branches.length, 1 + Math.floor(this.#random() * 3))
    const parents = [this.#head(), ...this.#branches.slice(0, count)]
    this.#branches = this.#branches.slice(count)
    const isOurs = this.#random() < 0.2
    this.#advance(this.#commit(parents, isOurs ? this.#head().tree : this.#mergedTree(parents)))
  }

  /** Each path from one of the parents, sometimes resolved to a new text. */
  #mergedTree(parents: readonly MadeCommit[]): Tree {
    const tree = new Map<string, string>()
    for (const path of new Set(parents.flatMap(parent => [...parent.tree.keys()]))) {
      const text = this.#pick(parents).tree.get(path)
      if (text !== undefined) tree.set(path, this.#random() < 0.1 ? `${text}settled ${this.#texts++}\n` : text)
    }
    return tree
  }

  #edited(old: Tree): Tree {
    if (this.#random() < 0.12) return laidOut(old)
    if (this.#random() < 0.15) return this.#reverted(old)
    const tree = new Map(old)
    for (let edits = 1 + Math.floor(this.#random() * 2); edits > 0; edits--) this.#editOne(tree)
    return tree
  }

  /** A path that an earlier commit deleted is restored, as `git revert` does. */
  #reverted(old: Tree): Tree {
    const tree = new Map(old)
    for (const { parents, tree: after } of this.#commits.toReversed()) {
      const before = this.#commits[(parents[0] ?? 0) - 1]?.tree ?? new Map<string, string>()
      const back = [...before].filter(([path]) => !after.has(path) && !tree.has(path))
      for (const [path, text] of back) tree.set(path, text)
      if (back.length > 0) return tree
    }
    return tree
  }

  #editOne(tree: Map<string, string>): void {
    const kind = this.#random()
    const path = this.#pick(paths)
    const text = tree.get(path)
    const target = this.#pick(paths)
    if (text !== undefined && kind < 0.15) tree.delete(path)
    else if (text !== undefined && kind < 0.35 && !tree.has(target)) {
      tree.set(target, text)
      if (kind < 0.25) tree.delete(path)
      else tree.set(path, `#REDIRECT [[${target}]]\n`)
    } else tree.set(path, kind > 0.9 ? 'the same text\n' : `${text ?? ''}line ${this.#texts++}\n`)
  }

  #commit(parents: readonly MadeCommit[], tree: Tree): MadeCommit {
    const mark = this.#commits.length + 1
    const commit = { mark, parents: parents.map(parent => parent.mark), tree }
    const who = `Writer ${mark % 5} <Writer${mark % 5}@Example.org> ${1_700_000_000 - mark * 10} +0100`
    const block = [
      `commit refs/heads/work-${mark}`,
      `mark :${mark}`,
      `author ${who}`,
      `committer ${who}`,
      data(messageOf(mark)),
    ]
    commit.parents.forEach((parent, at) => {
      block.push(`${at === 0 ? 'from' : 'merge'} :${parent}`)
    })
    block.push('deleteall', ...[...tree].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`), '')
    this.#stream.push(`${block.join('\n')}\n`)
    this.#commits.push(commit)
    return commit
  }

  #advance(commit: MadeCommit): void {
    this.#stream.push(`reset refs/heads/step-${this.#chain.length}\nfrom :${commit.mark}\n\n`)
    this.#chain.push(commit.mark)
  }

  #head(): MadeCommit {
    return this.#commits[(this.#chain.at(-1) as number) - 1] as MadeCommit
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T
  }
}

/** Every file moves into the folder of the layout `sharded`, or out of it. */
function laidOut(tree: Tree): Tree {
  return new Map([...tree].map(([path, text]) => [path.startsWith('3f/') ? path.slice(3) : `3f/${path}`, text]))
}

/** Sometimes with an import's data beside the comment. */
function messageOf(mark: number): string {
  const trailers = [
    ...(mark % 4 === 0 ? [`Wiki-Revision: ${1 + ((mark * 7) % 50)}`] : []),
    ...(mark % 6 === 1 ? [`Wiki-Unchanged: ${paths[mark % paths.length]}`] : []),
    ...(mark % 3 !== 1 ? [`Wiki-Layout: ${mark % 2 === 0 ? 'sharded' : 'folders'}`] : []),
    ...(mark % 9 === 0 ? ['Wiki-Hidden: text user'] : []),
    ...(mark % 7 === 3 ? [`Wiki-Restored: ${paths[(mark * 5) % paths.length]}`] : []),
    ...(mark % 5 === 2 ? [`Wiki-Moved: ${paths[(mark * 3) % paths.length]}`] : []),
  ]
  return trailers.length === 0 ? `change ${mark}` : `change ${mark}\n\n${trailers.join('\n')}\n`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}

/** Makes numbers from 0 to 1 that are always the same for a seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
