// @module-tag long
/**
 * Generated actions of a writer in the work tree and others who save newer texts: no acknowledged line is ever lost.
 */

import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { parseWrittenTitle } from '../../src/operations/resources/find-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { originOfText } from '../../src/operations/work-tree/work-source.ts'
import { firstOf, rounds } from '../_rounds.ts'
import { git, hasGit } from '../_setup.ts'
import { ada, bob, edit, gitText, newWiki, openTestWiki } from './_wiki.ts'

/** A small generator of numbers from 0 to `below`. Source: Numerical Recipes, LCG. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const start = Array.from({ length: 12 }, (_, at) => `Line ${at} of the page.`).join('\n')
const paths = ['A.wiki', 'B.wiki'] as const
type Path = (typeof paths)[number]

class Team {
  readonly #roll: (below: number) => number
  readonly #here: Wiki
  readonly #others: Wiki
  readonly #directory: string
  /** Lines that are saved, and lines that are only in the file, by path. */
  readonly #saved: Record<Path, string[]> = { 'A.wiki': [], 'B.wiki': [] }
  readonly #typed: Record<Path, string[]> = { 'A.wiki': [], 'B.wiki': [] }
  #count = 0
  merges = 0
  refusals = 0

  constructor(seed: number, here: Wiki, others: Wiki, directory: string) {
    this.#roll = dice(seed)
    this.#here = here
    this.#others = others
    this.#directory = directory
  }

  async turn(): Promise<string> {
    const path = paths[this.#roll(2)] as Path
    const turns: readonly [name: string, act: () => Promise<void> | void][] = [
      ['type', () => this.#type(path)],
      ['type', () => this.#type(path)],
      ['type', () => this.#type(path)],
      ['save elsewhere', () => this.#saveElsewhere(path)],
      ['save elsewhere', () => this.#saveElsewhere(path)],
      ['commit', () => this.#commit()],
      ['commit', () => this.#commit()],
      ['edit from the file', () => this.#editFromFile(path)],
      ['touch', () => utimesSync(join(this.#directory, path), this.#roll(2 ** 30), this.#roll(2 ** 30))],
      ['git status', () => this.#git('status')],
      ['git add', () => this.#git('add', path)],
      ['git reset', () => this.#git('reset', '--quiet')],
      ['stash and pop', () => this.#stash()],
      ['wiki status', () => wikiStatus(this.#here).then(() => {})],
      ['checkout', () => this.#discard(path)],
    ]
    const [name, act] = turns[this.#roll(turns.length)] as (typeof turns)[number]
    await act()
    for (const one of paths) {
      const page = gitText(this.#directory, one)
      const file = readFileSync(join(this.#directory, one), 'utf8')
      const unsaved = this.#typed[one].filter(line => !file.includes(line))
      const lost = [...this.#saved[one].filter(line => !page.includes(line)), ...unsaved]
      expect({ after: name, path: one, lost }).toEqual({ after: name, path: one, lost: [] })
    }
    return name
  }

  #git(...words: string[]): void {
    git(this.#directory, '-c', 'user.name=Me', '-c', 'user.email=me@example.org', ...words)
  }

  /** Inserts a new line somewhere, or words into an existing line. */
  #addTo(text: string, word: string): string {
    const lines = text.trimEnd().split('\n')
    const at = this.#roll(lines.length)
    if (this.#roll(2) === 0) lines.splice(at, 0, word)
    else lines[at] = `${lines[at]} ${word}`
    return `${lines.join('\n')}\n`
  }

  #type(path: Path): void {
    const [word, file] = [`mine${this.#count++}x`, join(this.#directory, path)]
    writeFileSync(file, this.#addTo(readFileSync(file, 'utf8'), word))
    this.#typed[path].push(word)
  }

  async #saveElsewhere(path: Path): Promise<void> {
    const word = `theirs${this.#count++}x`
    await edit(this.#others, path[0] as string, this.#addTo(gitText(this.#directory, path), word), { author: bob })
    this.#saved[path].push(word)
  }

  async #commit(): Promise<void> {
    try {
      const { recorded } = await commitWork(this.#here, { comment: 'work', author: ada })
      this.merges += recorded.filter(({ merged }) => merged !== undefined).length
      for (const path of paths) this.#saved[path].push(...this.#typed[path].splice(0))
    } catch (error) {
      if (!isWikiError(error, 'edit-conflict') && !isWikiError(error, 'wiki-behind')) throw error
      this.refusals++
      for (const path of paths) this.#discard(path)
    }
  }

  /** `wiki page edit -f` of the page's own file. */
  async #editFromFile(path: Path): Promise<void> {
    const { store } = this.#here
    await store.refresh()
    const title = path[0] as string
    const source = readFileSync(join(this.#directory, path), 'utf8')
    const latest = store.findPage(title)?.latest
    try {
      const query = { title: parseWrittenTitle(title, store.titles), source, hasBase: false }
      const { base: made, work } = await originOfText(store, query)
      const base = made?.id ?? latest
      const { merged } = await updatePage(this.#here, { title, source, base, work, comment: 'file', author: ada })
      if (merged) this.merges++
      this.#saved[path].push(...this.#typed[path].splice(0))
    } catch (error) {
      if (!isWikiError(error, 'edit-conflict') && !isWikiError(error, 'wiki-behind')) throw error
      this.refusals++
      this.#discard(path)
    }
  }

  #discard(path: Path): void {
    this.#git('reset', '--quiet')
    this.#git('checkout', '--', path)
    this.#typed[path] = []
  }

  #stash(): void {
    this.#git('reset', '--quiet')
    this.#git('stash', '--quiet')
    try {
      this.#git('stash', 'pop', '--quiet')
    } catch {
      // There was nothing to stash.
    }
  }
}

describe.skipIf(!hasGit)('a writer beside others', () => {
  test.each(firstOf([8, 21, 9, 24], 1))(
    'loses no line, seed %i',
    { tags: ['rounds', 'long'], timeout: 240_000 },
    async seed => {
      const { wiki, directory } = await newWiki({ A: start, B: start })
      const team = new Team(seed, wiki, await openTestWiki(directory), directory)
      for (let turn = 0; turn < rounds(40, 60); turn++) await team.turn()
      expect(team.merges + team.refusals).toBeGreaterThan(2)
    },
  )
})
