import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mainParent } from '../../src/store/git/main-line.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { rounds } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { numbersFrom } from './_random-history.ts'

describe('the parent that continues the main line', () => {
  const cases: readonly [subject: string, parents: string, main: string][] = [
    ["Merge branch 'main' of https://example.org/wiki", 'a b', 'b'],
    ["Merge branch 'main' of ../remote into main", 'a b', 'b'],
    ["Merge branch 'notes' of ../remote into notes", 'a b', 'b'],
    ["Merge branch 'notes' of ../remote", 'a b', 'a'],
    ["Merge branch 'notes'", 'a b', 'a'],
    ["Merge branch 'main' into notes", 'a b', 'b'],
    ["Merge branch 'notes' into main", 'a b', 'a'],
    ["Merge remote-tracking branch 'origin/main'", 'a b', 'b'],
    ["Merge remote-tracking branch 'refs/remotes/origin/notes' into notes", 'a b', 'b'],
    ["Merge remote-tracking branch 'upstream/main'", 'a b', 'a'],
    ["Merge branch 'origin/main' into main", 'a b', 'b'],
    ["Merge branches 'main' and 'notes' of ../remote", 'a b c', 'b'],
    ["Merge branches 'notes', 'x' and 'main' of ../remote", 'a b c d', 'd'],
    ["Merge branches 'notes' and 'main' of ../remote", 'a b', 'b'],
    ["Merge commit '0123abc'", 'a b', 'a'],
    ['Merge pull request #1 from somebody/main', 'a b', 'a'],
    ["Bring in main\n\nMerge branch 'main' of ../remote", 'a b', 'a'],
    ["Merge branch 'main' of ../remote\n\n* main:\n  Other words", 'a b', 'b'],
    ["Merge branch 'main' of ../remote", 'a', 'a'],
    ['', '', ''],
    [`Merge branch 'main' of ${'x '.repeat(100_000)}`, 'a b', 'a'],
  ]
  test.each(cases)('%s (%s): %s', (message, parents, main) => {
    expect(mainParent(parents.split(' ').filter(Boolean), message) ?? '').toBe(main)
  })
})

// A pull requires git.
describe.skipIf(!hasGit)('three clones of a bare remote', () => {
  test('agree on all ids at equal tips, and shared commits keep their ids', {
    tags: ['rounds', 'long'],
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async seed => {
        const team = new Team(await temporaryDirectory(), seed)
        for (let step = 0; step < rounds(12, 22); step++) {
          team.step()
          await team.check()
        }
      }),
      { numRuns: rounds(1, 2, 4), seed: 17, endOnFailure: true },
    )
  })

  test('agree after two of them saved and pulled with a merge', { tags: 'long' }, async () => {
    const team = new Team(await temporaryDirectory(), 1)
    team.save('0')
    team.save('1')
    team.share('0')
    await team.check()
    team.pull('1', 'merge')
    team.share('1')
    team.pull('0', 'merge')
    await team.check()
    const [one, other, remote] = await Promise.all(['0', '1', 'remote'].map(name => team.ids(name)))
    expect(one).toEqual(remote)
    expect(other).toEqual(remote)
  })

  test('report provisional ids', { tags: 'long' }, async () => {
    const team = new Team(await temporaryDirectory(), 1)
    const none = { upstream: 'origin/main', count: 0, first: null, last: null }
    expect(await team.provisional('remote')).toBe(null)
    expect(await team.provisional('0')).toEqual(none)
    team.save('0')
    team.save('0')
    team.save('1')
    expect(await team.provisional('0')).toEqual({ ...none, count: 2, first: 2, last: 3 })
    team.share('1')
    team.git('0', 'fetch', '-q')
    expect(await team.provisional('0')).toEqual({ ...none, count: 2, first: 2, last: 3 })
    team.pull('0', 'merge')
    expect(await team.provisional('0')).toEqual({ ...none, count: 2, first: 3, last: 4 })
    team.share('0')
    expect(await team.provisional('0')).toEqual(none)
  })

  test('retire ids only if shared commits are dropped', { tags: 'long' }, async () => {
    const team = new Team(await temporaryDirectory(), 1)
    team.save('0')
    const notices: string[] = []
    await team.ids('0', notices)
    team.git('0', 'commit', '-q', '--amend', '-m', 'amended')
    expect((await team.ids('0', notices)).at(-1)).toMatch(/^2 /)
    expect(notices.splice(0)).toEqual([expect.stringContaining('have new ids: what others')])
    team.share('0')
    await team.ids('0', notices)
    team.git('0', 'commit', '-q', '--amend', '-m', 'amended again')
    team.git('0', 'push', '-q', '--force')
    expect((await team.ids('0', notices)).at(-1)).toMatch(/^3 /)
    expect(notices).toEqual([expect.stringContaining('rewritten')])
  })
})

/** Three clones, each with its own index, and the remote with one; all of them are reopened repeatedly. */
class Team {
  readonly #folder: string
  readonly #random: () => number
  readonly #published = new Map<string, string>()
  #texts = 0

  constructor(folder: string, seed: number) {
    this.#folder = folder
    this.#random = numbersFrom(seed)
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', join(folder, 'remote')])
    for (const name of ['0', '1', '2']) {
      execFileSync('git', ['clone', '-q', join(folder, 'remote'), join(folder, name)], { stdio: 'ignore' })
      this.git(name, 'symbolic-ref', 'HEAD', 'refs/heads/main')
      const user = `[user]\n\tname = Writer ${name}\n\temail = ${name}@example.org\n`
      const branch = '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n'
      const config = join(folder, name, '.git/config')
      appendFileSync(config, readFileSync(config, 'utf8').includes('[branch "main"]') ? user : user + branch)
      if (name !== '0') continue
      this.save('0')
      this.git('0', 'push', '-q', 'origin', 'main')
    }
    for (const name of ['1', '2']) this.git(name, 'pull', '-q')
  }

  git(name: string, ...parameters: string[]): string {
    return execFileSync('git', parameters, { cwd: join(this.#folder, name), encoding: 'utf8', stdio: 'pipe' })
  }

  /** Adds a line to one of two pages; pages of a writer's own cannot conflict. */
  save(name: string, page = this.#random() < 0.5 ? 'A' : 'B'): void {
    const path = join(this.#folder, name, `${page}${name}.wiki`)
    const line = `line ${this.#texts++}\n`
    if (this.#random() < 0.2) writeFileSync(path, line)
    else appendFileSync(path, line)
    this.git(name, 'add', '-A')
    this.git(name, 'commit', '-q', '-m', line.trim())
  }

  pull(name: string, how: 'merge' | 'rebase'): void {
    this.git(name, 'pull', '-q', how === 'merge' ? '--no-rebase' : '--rebase', '--no-edit')
  }

  /** Pushes; without effect if the remote has moved. */
  share(name: string): void {
    try {
      this.git(name, 'push', '-q', 'origin', 'main')
    } catch {}
  }

  step(): void {
    const name = String(Math.floor(this.#random() * 3))
    const kind = this.#random()
    if (kind < 0.3) this.save(name)
    else if (kind < 0.5) this.pull(name, 'merge')
    else if (kind < 0.58) this.pull(name, 'rebase')
    else if (kind < 0.8) this.share(name)
    else if (kind < 0.94) this.#mergeTopics(name, kind < 0.86 ? 1 : 2)
    else this.#mergeMain(name)
  }

  /** One topic branch is merged, with or without main in it, or several at once. */
  #mergeTopics(name: string, count: number): void {
    const topics = Array.from({ length: count }, (_, at) => `topic-${this.#texts}-${at}`)
    for (const topic of topics) {
      this.git(name, 'checkout', '-q', '-b', topic, 'main')
      this.save(name, topic)
    }
    this.git(name, 'checkout', '-q', 'main')
    if (this.#random() < 0.5) this.save(name)
    if (count === 1 && this.#random() < 0.5) {
      this.git(name, 'checkout', '-q', topics[0] as string)
      this.git(name, 'merge', '-q', '--no-edit', 'main')
      this.git(name, 'checkout', '-q', 'main')
    }
    this.git(name, 'merge', '-q', '--no-edit', ...topics)
  }

  #mergeMain(name: string): void {
    this.git(name, 'fetch', '-q')
    this.git(name, 'merge', '-q', '--no-edit', 'origin/main')
  }

  async check(): Promise<void> {
    const remote = await this.ids('remote')
    for (const row of remote) {
      const [id = '', ...meaning] = row.split(' ')
      expect(this.#published.get(id) ?? meaning.join(' ')).toBe(meaning.join(' '))
      this.#published.set(id, meaning.join(' '))
    }
    expect(remote.length).toBe(this.#published.size)
    const tip = this.git('remote', 'rev-parse', 'main')
    for (const name of ['0', '1', '2']) {
      const known = await this.ids(name)
      if (this.git(name, 'rev-parse', 'main') === tip) expect(known).toEqual(remote)
    }
  }

  ids(name: string, notices: string[] = []): Promise<string[]> {
    return this.#ask(name, async store => idsOf(store), notices)
  }

  provisional(name: string) {
    return this.#ask(name, store => store.provisional())
  }

  async #ask<Answer>(name: string, ask: (store: Store) => Promise<Answer>, notices: string[] = []): Promise<Answer> {
    const store = openStore({ directory: join(this.#folder, name), notice: text => notices.push(text) })
    try {
      await store.refresh()
      return await ask(store)
    } finally {
      store.close()
    }
  }
}

function idsOf(store: Store): string[] {
  return [...store.allRevisions()].map(({ id, page, commit, blob }) => `${id} ${page} ${commit} ${blob}`)
}
