/**
 * Histories made without processes: acknowledged edits by the store, and commits between them that are written object by object, as
 * native git would write them. A history of fifteen commits takes a tenth of a second.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { vi } from 'vitest'
import { mergeInPieces } from '../../src/diff/merge.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { CommitPlan } from '../../src/store/format/entries.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { ada, openTestWiki } from './_wiki.ts'

/** Texts by path. All pages are at the top. */
export type Texts = ReadonlyMap<string, string>

export interface MadeCommit {
  readonly hash: string
  readonly parents: readonly string[]
  /** Name and address. */
  readonly author: string
  /** Seconds since 1970. */
  readonly time: number
  readonly message: string
  readonly texts: Texts
}

type CommitFields = Partial<Pick<MadeCommit, 'parents' | 'author' | 'time'>>

/** Sides of a conflict. */
export type Side = 'mine' | 'theirs'

const bob = 'Bob Example <bob@example.org>'

export class MadeHistory {
  readonly wiki: Wiki
  readonly #directory: string
  readonly #commits = new Map<string, MadeCommit>()

  private constructor(directory: string, wiki: Wiki) {
    this.#directory = directory
    this.wiki = wiki
  }

  /** Begins a bare repository with these texts, made by plain git. Needs a fake clock, which it sets. */
  static async begin(texts: Texts): Promise<MadeHistory> {
    vi.setSystemTime('2024-01-01T00:00:00Z')
    const directory = await temporaryDirectory()
    initRepository(directory, { bare: true })
    const history = new MadeHistory(directory, await openTestWiki(directory))
    history.moveTo(history.make(texts, 'start', { parents: [] }))
    history.pass(1000)
    return history
  }

  pass(seconds: number): void {
    vi.setSystemTime(Date.now() + seconds * 1000)
  }

  get tip(): MadeCommit {
    return this.commit(readFileSync(this.#branch, 'utf8').trim())
  }

  /** Moves the branch, as `git update-ref` does. */
  moveTo(hash: string): void {
    writeFileSync(this.#branch, `${hash}\n`)
  }

  /** Saves texts through the store, as the operations do; null deletes a page. Returns the commit. */
  async save(texts: Readonly<Record<string, string | null>>, comment: string, more: Partial<CommitPlan> = {}) {
    await this.wiki.store.refresh()
    const changes = Object.entries(texts).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text),
    }))
    const { commit } = await this.wiki.store.commit(() => ({ changes, author: ada, comment, subject: 'Edit', ...more }))
    this.pass(100)
    return commit as string
  }

  /** Makes a commit by plain git on top of the branch, or of other parents, and moves the branch there. */
  plain(texts: Texts, message: string, fields: CommitFields = {}): string {
    const hash = this.make(texts, message, fields)
    this.moveTo(hash)
    this.pass(100)
    return hash
  }

  /** Replaces the last commit by one of other texts, as `git commit --amend` does. */
  amend(texts: Texts, { message = this.tip.message }: { readonly message?: string } = {}): string {
    const { author, time, parents } = this.tip
    return this.plain(texts, message, { author, time, parents })
  }

  /** Makes a commit that no branch has. */
  make(texts: Texts, message: string, fields: CommitFields = {}): string {
    const { parents = [this.tip.hash], author = bob, time = Math.floor(fromNow(0).getTime() / 1000) } = fields
    const entries = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = entries.map(([path, text]) =>
      Buffer.concat([Buffer.from(`100644 ${path}\0`), Buffer.from(this.#write('blob', Buffer.from(text)), 'hex')]),
    )
    const tree = this.#write('tree', Buffer.concat(rows))
    const lines = [`tree ${tree}`, ...parents.map(parent => `parent ${parent}`)]
    lines.push(`author ${author} ${time} +0000`, `committer ${author} ${time} +0000`, '', message, '')
    return this.#write('commit', Buffer.from(lines.join('\n')))
  }

  /** Makes the change of a commit on top of another, as `git cherry-pick` does; null after a conflict for which no side is given. */
  pick(hash: string, onto: string, side?: Side): string | null {
    const { parents, texts, message, author, time } = this.commit(hash)
    const base = parents[0] === undefined ? new Map() : this.commit(parents[0]).texts
    const current = this.commit(onto).texts
    const merged = mergeOf(base, current, texts, side)
    if (merged === null) return null
    return isSame(merged, current) ? onto : this.make(merged, message, { parents: [onto], author, time })
  }

  commit(hash: string): MadeCommit {
    const known = this.#commits.get(hash)
    if (known !== undefined) return known
    const [head = '', ...paragraphs] = this.#read(hash).toString().split('\n\n')
    const parents = [...head.matchAll(/^parent (.*)$/gm)].map(([, parent]) => parent as string)
    const [, author = '', time] = /^author (.*) (\d+) /m.exec(head) ?? []
    const texts = this.#textsOf(head.slice('tree '.length, 'tree '.length + 40))
    const message = paragraphs.join('\n\n').replace(/\n$/, '')
    const commit = { hash, parents, author, time: Number(time), message, texts }
    this.#commits.set(hash, commit)
    return commit
  }

  /** Commits that a commit reaches, itself first. */
  ancestors(hash = this.tip.hash): string[] {
    const found = new Set<string>()
    for (const left = [hash]; left.length > 0; ) {
      const at = left.shift() as string
      if (!found.has(at)) left.push(...this.commit(at).parents)
      found.add(at)
    }
    return [...found]
  }

  get #branch(): string {
    return join(this.#directory, 'refs', 'heads', 'main')
  }

  #textsOf(tree: string): Texts {
    const texts = new Map<string, string>()
    const bytes = this.#read(tree)
    for (let at = 0; at < bytes.length; ) {
      const [space, end] = [bytes.indexOf(' ', at), bytes.indexOf(0, at)]
      const blob = bytes.toString('hex', end + 1, end + 21)
      texts.set(bytes.toString('utf8', space + 1, end), this.#read(blob).toString())
      at = end + 21
    }
    return texts
  }

  #write(type: string, content: Buffer): string {
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
    const hash = createHash('sha1').update(bytes).digest('hex')
    const path = this.#objectPath(hash)
    if (existsSync(path)) return hash
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, deflateSync(bytes, { level: 1 }))
    return hash
  }

  #read(hash: string): Buffer {
    const bytes = inflateSync(readFileSync(this.#objectPath(hash)))
    return bytes.subarray(bytes.indexOf(0) + 1)
  }

  #objectPath(hash: string): string {
    return join(this.#directory, 'objects', hash.slice(0, 2), hash.slice(2))
  }
}

/** Merges files line by line, as git does; null after a conflict for which no side is given. */
export function mergeOf(base: Texts, mine: Texts, theirs: Texts, side?: Side): Texts | null {
  const merged = new Map<string, string>()
  for (const path of new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])) {
    const [old, ours, other] = [base.get(path), mine.get(path), theirs.get(path)]
    let text = ours
    if (old === ours) text = other
    else if (ours !== other && old !== other) {
      if (ours !== undefined && other !== undefined) {
        const pieces = mergeInPieces(old ?? '', ours, other, { by: 'lines' })
        if (side === undefined && pieces.some(piece => typeof piece !== 'string')) return null
        text = pieces.map(piece => (typeof piece === 'string' ? piece : piece[side ?? 'mine'])).join('')
      } else if (side === undefined) return null
      else text = side === 'mine' ? ours : other
    }
    if (text !== undefined) merged.set(path, text)
  }
  return merged
}

export function isSame(one: Texts, other: Texts): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text)
}

/** Makes numbers from 0 to 1 that are always the same for a seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
