import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listAcknowledged } from '../../src/store/acknowledged/acknowledged.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import type { Store } from '../../src/store/store.ts'
import { firstOf, rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory, usualSignature } from '../_setup.ts'
import { inTime, until } from '../_wait.ts'
import { bundleChild, startChild } from './_processes.ts'
import { newStore, openFresh, planOf, write } from './_store.ts'

let script: string

/** Commits of each writer. Slow: each takes three git processes, or as many retries as others move the branch. */
const writes = rounds(6, 15)

// Native git checks the result, and writes at the same time.
describe.skipIf(!hasGit)('simultaneous writes', () => {
  beforeAll(async () => {
    script = await bundleChild()
  })

  test('share moves of the branch, and all succeed', async () => {
    const { store, directory } = await newStore()
    const before = await write(store, { 'A.wiki': 'a' })
    const names = Array.from({ length: 16 }, (_, at) => `P${at}`)
    const written = await Promise.all(names.map(name => write(store, { [`${name}.wiki`]: name }, { comment: name })))
    expect(git(directory, 'log', '--reverse', '--format=%s', `${before.commit}..`).split('\n')).toEqual(names)
    expect(git(directory, 'rev-list', '--reverse', `${before.commit}..`).split('\n')).toEqual(
      written.map(({ commit }) => commit),
    )
    expect(readFileSync(join(directory, '.git/logs/refs/heads/main'), 'utf8').trim().split('\n')).toHaveLength(2)
    expect(git(directory, 'status', '--porcelain')).toBe('')
    for (const { commit } of written) expect(store.commits(commit as string)).toHaveLength(1)
  })

  test.each(['--hard', '--mixed', '--soft'])(
    'that git reset %s takes back in that moment are made again',
    async how => {
      const { store, directory } = await newStore()
      const before = (await write(store, { 'A.wiki': 'a' })).commit as string
      const { refresh } = LiveIndex.prototype
      let resets = 0
      const refreshing = vi.spyOn(LiveIndex.prototype, 'refresh').mockImplementation(function (
        this: LiveIndex,
        options,
      ) {
        if (store.branchTip() !== before && resets++ === 0) git(directory, 'reset', '--quiet', how, before)
        return refresh.call(this, options)
      })
      onTestFinished(() => refreshing.mockRestore())
      const written = await Promise.all(
        ['A', 'B', 'C'].map(name => write(store, { [`${name}.wiki`]: `${name} edited` }, { comment: name })),
      )
      expect(resets).toBeGreaterThan(1)
      expect(git(directory, 'log', '--reverse', '--format=%s', `${before}..`).split('\n')).toEqual(['A', 'B', 'C'])
      expect(git(directory, 'rev-list', '--reverse', `${before}..`).split('\n')).toEqual(
        written.map(({ commit }) => commit),
      )
      expect(git(directory, 'status', '--porcelain')).toBe('')
    },
  )

  test('that git undoes are all on the record', async () => {
    const { store, directory } = await newStore()
    const before = (await write(store, { 'A.wiki': 'a' })).commit as string
    const { refresh } = LiveIndex.prototype
    let taken: readonly string[] = []
    const refreshing = vi.spyOn(LiveIndex.prototype, 'refresh').mockImplementation(function (this: LiveIndex, options) {
      if (store.branchTip() !== before && taken.length === 0) {
        taken = git(directory, 'rev-list', '--reverse', `${before}..main`).split('\n')
        git(directory, 'update-ref', 'refs/heads/main', taken[0] as string)
      }
      return refresh.call(this, options)
    })
    onTestFinished(() => refreshing.mockRestore())
    await Promise.all(
      ['A', 'B', 'C'].map(name => write(store, { [`${name}.wiki`]: `${name} edited` }, { comment: name })),
    )
    expect(taken).toHaveLength(3)
    const made = git(directory, 'rev-list', '--reverse', `${before}..main`).split('\n')
    expect(made[0]).toBe(taken[0])
    expect(git(directory, 'log', '--reverse', '--format=%s', `${before}..`).split('\n')).toEqual(['A', 'B', 'C'])
    const kinds = new Map(listAcknowledged(store.repository).map(({ commit, kind }) => [commit, kind]))
    expect(made.map(commit => kinds.get(commit))).toEqual(['moved', 'moved', 'moved'])
  })

  test('to one page run one after another, each with a plan based on the previous one', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': '' })
    const add = (word: string) =>
      store.commit(async () => {
        const page = store.findPage('A')
        const latest = store.revision(page?.latest as number)
        return planOf({ 'A.wiki': `${latest === undefined ? '' : await store.text(latest)}${word} ` })
      })
    await Promise.all(['one', 'two', 'three', 'four'].map(add))
    const revision = store.revision(store.findPage('A')?.latest as number)
    expect(await store.text(revision as NonNullable<typeof revision>)).toBe('one two three four ')
  })

  test('do not fail because one of them fails', async () => {
    const { store } = await newStore()
    const fail = () => {
      throw new Error('of the plan')
    }
    const outcomes = await Promise.allSettled([
      write(store, { 'A.wiki': 'a' }),
      store.commit(fail),
      store.commit(() => null),
      write(store, { 'B.wiki': 'b' }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(store.revisionCount).toBe(2)
  })

  test('are planned again when the branch moves meanwhile, except those already finished', async () => {
    const { store, directory } = await newStore()
    const first = await write(store, { 'A.wiki': 'a' })
    const plans: string[] = []
    let isMoved = false
    const jobs = [
      store.commit(() => {
        plans.push('nothing')
        return plans.length > 3 ? planOf({ 'Never.wiki': 'asked twice' }) : null
      }),
      store.commit(() => {
        plans.push('error')
        if (plans.length > 3) return planOf({ 'Neither.wiki': 'asked twice' })
        throw new Error('of the plan')
      }),
      store.commit(() => {
        plans.push(`on ${store.findPage('Moved')?.latest ?? 'nothing'}`)
        if (!isMoved) nativeCommit(directory, 'Moved.wiki', 'moved')
        isMoved = true
        return planOf({ 'B.wiki': 'b' })
      }),
    ]
    const [nothing, error, written] = await Promise.allSettled(jobs)
    expect(nothing).toEqual({ status: 'fulfilled', value: { commit: null, leftAlone: [] } })
    expect(error).toMatchObject({ status: 'rejected' })
    expect(written).toMatchObject({ status: 'fulfilled' })
    expect(plans).toEqual(['nothing', 'error', 'on nothing', 'on 2'])
    expect(git(directory, 'log', '--format=%s', `${first.commit}..`)).toBe('Change B.wiki\nMoved.wiki')
    expect([...store.pages()].map(page => page.title)).toEqual(['A', 'B', 'Moved'])
  })

  test('by two stores of one process lose nothing', { tags: 'long' }, async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const other = await openFresh(directory)
    const many = (writer: Store, name: string) =>
      Promise.all(
        // Texts that both write, so that both write the same new objects at the same time.
        Array.from({ length: 20 }, (_, at) =>
          write(writer, { [`${name} ${at}.wiki`]: `${at}`, [`${name}.md`]: `${at}` }),
        ),
      )
    const written = (await Promise.all([many(store, 'one'), many(other, 'two')])).flat()
    expectReachable(
      directory,
      written.map(({ commit }) => commit),
    )
    await store.refresh()
    expect(store.revisionCount).toBe(81)
    expectSound(directory)
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('recreate a folder that git gc removed while it was empty', { tags: ['rounds', 'long'] }, async () => {
    const { store, directory } = await newStore()
    const objects = join(directory, '.git/objects')
    let isOver = false
    const collect = async () => {
      while (!isOver) for (const name of await readdir(objects)) await rmdir(join(objects, name)).catch(() => {})
    }
    const collectors = [collect(), collect()]
    const written = []
    for (let at = 0; at < rounds(20, 60); at++) written.push((await write(store, { 'A.wiki': `${at}` })).commit)
    isOver = true
    await Promise.all(collectors)
    expectReachable(directory, written)
    expectSound(directory)
  })

  const kinds: readonly (readonly [name: string, options: readonly string[]])[] = [
    ['a work tree', []],
    ['a bare repository', ['--bare']],
  ]
  // `npm test` runs the first: the next test has writers in a bare repository, too.
  test.each(firstOf(kinds, 1))(
    'by three processes lose nothing in %s',
    { tags: ['rounds', 'long'] },
    async (_, options) => {
      const directory = await temporaryDirectory()
      git(directory, 'init', '--quiet', ...options)
      const children = ['one', 'two', 'three'].map(name => startChild(script, 'write', directory, name, `${writes}`))
      for (const child of children) expect(await child.ended).toEqual({ end: 0, errors: '' })
      const acknowledged = children.flatMap(({ lines }) => lines.slice(1))
      expect(acknowledged).toHaveLength(3 * writes)
      expect(git(directory, 'rev-list', '--count', 'main')).toBe(`${3 * writes}`)
      expectReachable(directory, acknowledged)
      expectSound(directory)
      if (options.length === 0) expect(git(directory, 'status', '--porcelain')).toBe('')
      expect(git(directory, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/wiki/main/acknowledged')
    },
  )

  test('beside native commits lose nothing, and neither do those commits', { tags: ['rounds', 'long'] }, async () => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet', '--bare')
    git(directory, 'update-ref', 'refs/heads/main', git(directory, 'commit-tree', '-m', 'begin', emptyTree(directory)))
    const native = startNative(directory, writes)
    const children = ['one', 'two'].map(name => startChild(script, 'write', directory, name, `${writes}`))
    for (const child of children) expect(await child.ended).toEqual({ end: 0, errors: '' })
    const committed = await native
    const acknowledged = children.flatMap(({ lines }) => lines.slice(1))
    expect([committed.length, acknowledged.length]).toEqual([writes, 2 * writes])
    expectReachable(directory, [...committed, ...acknowledged])
    expect(git(directory, 'rev-list', '--count', 'main')).toBe(`${1 + 3 * writes}`)
    expectSound(directory)
  })

  test('beside native commits in a work tree lose nothing', { tags: ['rounds', 'long'] }, async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const child = startChild(script, 'write', directory, 'child', `${writes}`)
    const committed: string[] = []
    for (let at = 0; at < writes; at++)
      committed.push(await untilFree(() => nativeCommit(directory, `N${at}.wiki`, 'n')))
    expect(await child.ended).toEqual({ end: 0, errors: '' })
    expectReachable(directory, [...committed, ...child.lines.slice(1)])
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expectSound(directory)
  })
})

function nativeCommit(directory: string, path: string, text: string): string {
  writeFileSync(join(directory, path), text)
  git(directory, 'add', '--', path)
  git(directory, 'commit', '--quiet', '-m', path, '--', path)
  // HEAD may be another's commit by now.
  return git(directory, 'log', '-1', '--format=%H', '--', path)
}

/** Native git does not wait for the index lock, so it is run again while another process has it. */
function untilFree(action: () => string): Promise<string> {
  return until('the lock is free', () => {
    try {
      return action()
    } catch (error) {
      if (!/index\.lock|cannot lock ref/.test(String(error))) throw error
      return undefined
    }
  })
}

function emptyTree(directory: string): string {
  return git(directory, 'hash-object', '-w', '-t', 'tree', '/dev/null')
}

/** A shell that commits this many times by commit-tree and update-ref with the old value; returns the commits. */
async function startNative(directory: string, count: number): Promise<string[]> {
  const loop = `
    n=0
    while [ $n -lt ${count} ]; do
      old=$(git rev-parse main)
      new=$(echo native $n | git commit-tree -p "$old" "$old^{tree}")
      if git update-ref refs/heads/main "$new" "$old" 2>/dev/null; then echo "$new"; n=$((n + 1)); fi
    done`
  const { name, address } = usualSignature
  const who = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: address,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: address,
  }
  const shell = spawn('sh', ['-c', loop], { cwd: directory, env: { ...process.env, ...who } })
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await inTime('the shell has made its commits', once(shell, 'close'))
  return printed.trim().split('\n')
}

function expectReachable(directory: string, commits: readonly (string | null)[]): void {
  const reachable = new Set(git(directory, 'rev-list', 'main').split('\n'))
  expect(commits.filter(commit => !reachable.has(commit as string))).toEqual([])
  expect(new Set(commits).size).toBe(commits.length)
}

function expectSound(directory: string): void {
  expect(git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
}
