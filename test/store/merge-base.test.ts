/** The common ancestor of two lines, compared with git's result. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mergeBase } from '../../src/store/git/merge-base.ts'
import { frameObject, hashFrame, loosePath, readLoose } from '../../src/store/git/objects.ts'
import { firstOf, rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { numbersFrom } from './_random-history.ts'
import { openFresh } from './_store.ts'

/** Makes commits of an empty tree with random parents; their clocks are wrong at times. Returns their hashes. */
function makeCommits(directory: string, random: () => number): string[] {
  git(directory, 'init', '-q', '--bare', '-b', 'main')
  const tree = git(directory, 'mktree', '--missing').trim()
  const commits: string[] = []
  for (let at = 0; at < 40; at++) {
    const isRoot = at === 0 || random() < 0.05
    const parents = new Set(
      isRoot ? [] : Array.from({ length: random() < 0.4 ? 2 : 1 }, () => commits[recent(random, at)]!),
    )
    const time = 1_700_000_000 + at * 60 - (random() < 0.1 ? 3600 : 0)
    const content = [
      `tree ${tree}`,
      ...[...parents].map(parent => `parent ${parent}`),
      `author A <a@example.org> ${time} +0000`,
      `committer A <a@example.org> ${time} +0000`,
      `\n${at}\n`,
    ].join('\n')
    commits.push(writeCommit(directory, content))
  }
  git(directory, 'update-ref', 'refs/heads/main', commits.at(-1)!)
  return commits
}

/** An earlier position, usually a near one, which produces long side lines and crossing merges. */
function recent(random: () => number, at: number): number {
  return Math.max(0, at - 1 - Math.floor(random() ** 2 * 8))
}

/** Writes a loose object by hand, which saves 480 starts of git. */
function writeCommit(directory: string, content: string): string {
  const frame = frameObject('commit', Buffer.from(content))
  const hash = hashFrame(frame)
  const path = loosePath(join(directory, 'objects'), hash)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, deflateSync(frame))
  return hash
}

describe.skipIf(!hasGit)('the merge base is one that git finds', () => {
  test.each(firstOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 4))('seed %i', { tags: 'rounds' }, async seed => {
    const random = numbersFrom(seed)
    const directory = await temporaryDirectory()
    const commits = makeCommits(directory, random)
    const store = await openFresh(directory)
    const anyCommit = (): string => commits[Math.floor(random() * commits.length)]!
    for (let pair = 0; pair < rounds(5, 30); pair++) {
      const [one, other] = [anyCommit(), anyCommit()]
      const base = await store.trees.mergeBase(one, other)
      const expected = spawnSync('git', ['merge-base', '--all', one, other], { cwd: directory })
        .stdout.toString()
        .split('\n')
      expect(expected, `${one} ${other}`).toContain(base ?? '')
    }
  })
})

/** The boundary of a shallow clone, at random commits: what is found in it must be true of the whole history. */
describe.skipIf(!hasGit)('the merge base in a shallow clone is one of the whole history, or none', () => {
  test.each(firstOf([1, 2, 3, 4, 5, 6], 2))('seed %i', { tags: 'rounds' }, async seed => {
    const random = numbersFrom(seed)
    const directory = await temporaryDirectory()
    const commits = makeCommits(directory, random)
    const read = async (hash: string) => readLoose(join(directory, 'objects'), hash)!
    const anyCommit = (): string => commits[Math.floor(random() * commits.length)]!
    let found = 0
    for (let pair = 0; pair < rounds(20, 100); pair++) {
      const [one, other] = [anyCommit(), anyCommit()]
      const shallow = new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, anyCommit))
      const base = await mergeBase({ read, shallow }, one, other)
      if (base === null) continue
      found++
      const all = spawnSync('git', ['merge-base', '--all', one, other], { cwd: directory }).stdout.toString()
      expect(all.split('\n'), `${one} ${other} ${[...shallow]}`).toContain(base)
    }
    expect(found).toBeGreaterThan(0)
  })
})

describe('only the commits between the two and their base are read', () => {
  /** A straight history of this number of commits, and one that branches off from it. */
  const straight = 500
  const commits = new Map<string, Buffer>()
  const add = (at: number, parent: string | null, side = ''): string => {
    const text = `tree ${'0'.repeat(40)}\n${parent === null ? '' : `parent ${parent}\n`}`
    const content = Buffer.from(`${text}author A <a@b> ${at} +0000\ncommitter A <a@b> ${at} +0000\n\n${side}\n`)
    const hash = hashFrame(frameObject('commit', content))
    commits.set(hash, content)
    return hash
  }
  const line: string[] = []
  for (let at = 0; at < straight; at++) line.push(add(at * 60, line.at(-1) ?? null))
  const tip = line.at(-1)!
  const parted = add(straight * 60, line.at(-10)!, 'side')

  /** A change of two commits, and a side that was merged into the line behind it, of which the clone lacks the beginning. */
  const topic = [add(straight * 60 + 1, line.at(-3)!, 'topic')]
  topic.push(add(straight * 60 + 2, topic[0]!, 'topic'))
  const read = async (hash: string) => ({ type: 'commit' as const, content: commits.get(hash)! })

  test('a boundary behind the base is no obstacle', async () => {
    expect(await mergeBase({ read, shallow: new Set([line.at(-5)!]) }, topic[1]!, tip)).toBe(line.at(-3))
  })

  test('a boundary that the base is not known to be after is one', async () => {
    expect(await mergeBase({ read, shallow: new Set([topic[0]!]) }, topic[1]!, tip)).toBeNull()
    const merged = add(straight * 60 + 3, line.at(-20)!, `parent ${topic[1]}`)
    commits.set(merged, Buffer.from(`${commits.get(merged)!}`.replace('\nauthor', `\nparent ${topic[1]}\nauthor`)))
    expect(await mergeBase({ read, shallow: new Set() }, merged, tip)).toBe(line.at(-3))
    expect(await mergeBase({ read, shallow: new Set([topic[0]!]) }, merged, tip)).toBeNull()
  })

  test.each([
    { between: 'a commit and itself', one: tip, other: tip, base: tip },
    { between: 'a tip and its parent', one: tip, other: line.at(-2)!, base: line.at(-2)! },
    { between: 'a parent and its tip', one: line.at(-2)!, other: tip, base: line.at(-2)! },
    { between: 'a side and a tip', one: parted, other: tip, base: line.at(-10)! },
  ])('between $between', async ({ one, other, base }) => {
    let count = 0
    const read = async (hash: string) => {
      count++
      return { type: 'commit' as const, content: commits.get(hash)! }
    }
    expect(await mergeBase({ read, shallow: new Set() }, one, other)).toBe(base)
    expect(count).toBeLessThan(20)
  })
})
