import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { acknowledge, addEvents, listAcknowledged } from '../../src/store/acknowledged/acknowledged.ts'
import { appendEvents, isAcknowledged, readLog } from '../../src/store/acknowledged/log.ts'
import { recordPaths } from '../../src/store/acknowledged/record-paths.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { git, temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { newStore, openFresh, write } from './_store.ts'

const [one, two, three] = ['1', '2', '3'].map(digit => digit.repeat(40)) as [string, string, string]
const root = { name: 'Ada', address: 'ada@example.org' }

function refsOf(directory: string): string[] {
  return git(directory, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/wiki').split('\n').filter(Boolean)
}

/** Names of all files under the folder of our refs. */
function refFiles(directory: string): string[] {
  const folder = join(directory, '.git', 'refs', 'wiki')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
}

describe('a write', () => {
  test.each([
    ['empty', ''],
    ['of another program', 'somebody else'],
  ])('is named by a ref in spite of an old lock that is %s', async (_, text) => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const lock = join(directory, '.git', 'refs', 'wiki', 'main', 'acknowledged.lock')
    writeFileSync(lock, text)
    utimesSync(lock, fromNow(-20 * 60), fromNow(-20 * 60))
    await write(store, { 'A.wiki': 'two\n' })
    expect(refsOf(directory)).toEqual([`${git(directory, 'rev-parse', 'main')} refs/wiki/main/acknowledged`])
    expect(existsSync(lock)).toBe(false)
  })

  test('is recorded outside the branch, with its time, and named by a ref without a reflog', async () => {
    const { store, directory } = await newStore()
    const first = await write(store, { 'A.wiki': 'a' })
    const second = await write(store, { 'A.wiki': 'a2' })
    const list = listAcknowledged(store.repository)
    expect(list.map(({ commit, kind }) => [commit, kind])).toEqual([
      [first.commit, 'moved'],
      [second.commit, 'moved'],
    ])
    expect(Math.abs(Date.parse(list[0]!.time) - fromNow(0).getTime())).toBeLessThan(600_000)
    expect(refFiles(directory)).toEqual(['acknowledged'])
    const ref = join(directory, '.git', 'refs', 'wiki', 'main', 'acknowledged')
    expect(readFileSync(ref, 'utf8')).toBe(`${second.commit}\n`)
    expect(existsSync(join(directory, '.git', 'logs', 'refs', 'wiki'))).toBe(false)
  })

  test('without a change, or that is refused, is not recorded as acknowledged', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    await write(store, { 'A.wiki': 'a' })
    writeFileSync(join(directory, '.git', 'MERGE_HEAD'), `${one}\n`)
    await expect(write(store, { 'A.wiki': 'b' })).rejects.toThrow('merge')
    expect(listAcknowledged(store.repository).filter(isAcknowledged)).toHaveLength(1)
  })

  test('keeps its objects when the branch is reset and git prunes everything it can', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const { commit } = await write(store, { 'A.wiki': 'acknowledged' })
    git(directory, 'reset', '-q', '--hard', 'HEAD~1')
    git(directory, 'reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
    git(directory, 'gc', '-q', '--prune=now')
    expect(git(directory, 'show', `${commit}:A.wiki`)).toBe('acknowledged')
  })

  test('on another line of history leaves the earlier head under its own ref', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const lost = await write(store, { 'A.wiki': 'lost' })
    git(directory, 'reset', '-q', '--hard', 'HEAD~1')
    const next = await write(store, { 'B.wiki': 'b' })
    await write(store, { 'B.wiki': 'b2' })
    expect(refsOf(directory)).toEqual([
      expect.stringContaining(' refs/wiki/main/acknowledged'),
      `${lost.commit} refs/wiki/main/left-behind/${lost.commit}`,
    ])
    git(directory, 'reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
    git(directory, 'gc', '-q', '--prune=now')
    expect(git(directory, 'show', `${lost.commit}:A.wiki`)).toBe('lost')
    expect(git(directory, 'show', `${next.commit}:B.wiki`)).toBe('b')
    await write(store, { 'B.wiki': 'b3' })
    expect(git(directory, 'fsck', '--no-dangling')).toBe('')
  })

  test('after commits of native git leaves no other ref', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'by git')
    await write(store, { 'A.wiki': 'a2' })
    expect(refsOf(directory)).toHaveLength(1)
  })

  test("is recorded for each of two branches, one of which has a name that is a folder of the other's", {
    tags: 'long',
  }, async () => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    for (const branch of ['x', 'y/z', '.acknowledged'.slice(1), 'ü%2F', '@x', `${'long/'.repeat(35)}b`]) {
      git(directory, 'branch', branch, commit as string)
      const other = await openFresh(directory, { branch })
      await write(other, { 'A.wiki': branch })
      expect(listAcknowledged(other.repository)).toHaveLength(1)
      expect(git(directory, 'for-each-ref', recordPaths(other.repository).newest)).not.toBe('')
    }
    expect(git(directory, 'fsck', '--no-dangling')).toBe('')
  })

  test('on a detached HEAD is recorded too', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    git(directory, 'checkout', '-q', '--detach')
    const detached = await openFresh(directory)
    const { commit } = await write(detached, { 'A.wiki': 'b' })
    expect(refsOf(directory)).toContain(`${commit} refs/wiki/@/acknowledged`)
  })

  test("keeps its record when the wiki's index is deleted", async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    rmSync(store.cacheDirectory, { recursive: true })
    expect(listAcknowledged(findRepository(directory))).toHaveLength(1)
  })
})

describe('an acknowledgement', () => {
  test('is noted before the branch moves, and cancelled if it does not', async () => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    const { repository } = store
    const kinds = () => new Map(listAcknowledged(repository).map(({ commit, kind }) => [commit, kind]))
    const options = { isIndexed: (hash: string) => hash === commit, written: Promise.resolve() }
    const seen: unknown[] = []
    const move = (result: string | null) => async () => {
      seen.push(kinds().get(one))
      return result
    }
    expect(await acknowledge(repository, { ...options, commits: [one], move: move(null) })).toBeNull()
    expect([seen, kinds().get(one)]).toEqual([['noted'], 'cancelled'])
    const failing = acknowledge(repository, {
      ...options,
      commits: [two],
      move: () => Promise.reject(new Error('busy')),
    })
    await expect(failing).rejects.toThrow('busy')
    expect(kinds().get(two)).toBe('cancelled')
    const unwritten = acknowledge(repository, {
      ...options,
      written: Promise.reject(new Error('full')),
      commits: [three],
      move: move('moved'),
    })
    await expect(unwritten).rejects.toThrow('full')
    expect(kinds().get(three)).toBe('cancelled')
    expect(refsOf(directory)).toEqual([`${commit} refs/wiki/main/acknowledged`])
    expect(refFiles(directory)).toEqual(['acknowledged'])
  })

  test('is not cancelled by a failure after the branch has moved', async () => {
    const { store } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    const move = () => Promise.reject(new Error('late'))
    const commits = [commit as string]
    const late = acknowledge(store.repository, { commits, isIndexed: () => true, written: Promise.resolve(), move })
    await expect(late).rejects.toThrow('late')
    expect(listAcknowledged(store.repository).at(-1)?.kind).toBe('moved')
  })

  test('fails if it cannot be noted, and the branch stays', async () => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    const { log } = recordPaths(store.repository)
    rmSync(log)
    mkdirSync(log)
    await expect(write(store, { 'A.wiki': 'b' })).rejects.toThrow()
    expect(git(directory, 'rev-parse', 'main')).toBe(commit)
  })
})

describe('the log', () => {
  const newLog = async () => join(await temporaryDirectory(), 'folder', 'log')

  test.each([-1, 0, 1970, 9999, 10_000, 200_000])('keeps a commit recorded in the year %i', async year => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(0).setUTCFullYear(year) })
    onTestFinished(() => void vi.useRealTimers())
    const path = await newLog()
    await appendEvents(path, 'noted', [one], { durable: true })
    expect(readLog(path)).toMatchObject([{ commit: one, kind: 'noted' }])
  })

  test('skips incomplete or damaged lines, and continues after them', async () => {
    const path = await newLog()
    await appendEvents(path, 'noted', [one], { durable: true })
    appendFileSync(path, 'nonsense\n\0\0\0\n222222')
    await appendEvents(path, 'noted', [three], { durable: true })
    expect(readLog(path).map(({ commit }) => commit)).toEqual([one, three])
  })

  test('has the last state of a commit, and its first time', async () => {
    const path = await newLog()
    await appendEvents(path, 'noted', [one, two], { durable: true })
    const time = readLog(path)[0]?.time
    await appendEvents(path, 'settled', [one], { durable: true })
    expect(readLog(path)).toEqual([
      { commit: one, time, changed: expect.stringMatching(/Z$/), kind: 'settled' },
      { commit: two, time, changed: time, kind: 'noted' },
    ])
  })

  test('keeps the newest entries, and the required ones, when it is full', async () => {
    const path = await newLog()
    const hash = (at: number) => at.toString(16).padStart(40, '0')
    for (let at = 0; at < 30; at++) await appendEvents(path, 'noted', [hash(at)], { durable: false })
    const bounds = { limit: 500, kept: 5, keep: () => new Set([hash(3)]) }
    await appendEvents(path, 'noted', [hash(30)], { durable: true, ...bounds })
    expect(readLog(path).map(({ commit }) => commit)).toEqual([3, 26, 27, 28, 29, 30].map(hash))
  })

  test('is empty if there is none', async () => {
    expect(readLog(await newLog())).toEqual([])
  })

  test('loses nothing if several append at once', async () => {
    const path = await newLog()
    const hashes = Array.from({ length: 40 }, (_, at) => at.toString(16).padStart(40, '0'))
    const bounds = { limit: 1500, kept: 30 }
    await Promise.all(hashes.map(hash => appendEvents(path, 'noted', [hash], { durable: true, ...bounds })))
    const kept = readLog(path).map(({ commit }) => commit)
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept.length).toBeGreaterThanOrEqual(30)
  })

  test('keeps a settled commit settled', async () => {
    const { store } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' }, { author: root })
    await addEvents(store.repository, 'settled', [commit as string])
    expect(listAcknowledged(store.repository)).toEqual([expect.objectContaining({ commit, kind: 'settled' })])
  })
})
