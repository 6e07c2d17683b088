import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tipAt } from '../../src/store/repository/branch-log.ts'
import { temporaryDirectory } from '../_setup.ts'

const hour = 60 * 60
const now = 1_800_000_000
const nothing = '0'.repeat(40)

/** A commit for each letter. */
const commitOf = (letter: string) => letter.charCodeAt(0).toString(16).repeat(20)

/** A log of commits by letter, each made at a time in seconds. */
async function logOf(times: readonly (readonly [commit: string, seconds: number])[]) {
  const gitDirectory = await temporaryDirectory()
  mkdirSync(join(gitDirectory, 'logs/refs/heads'), { recursive: true })
  const lines = times.map(([commit, seconds], at) => {
    const from = at === 0 ? nothing : commitOf(times[at - 1]![0])
    return `${from} ${commitOf(commit)} Ada <ada@example.org> ${seconds} +0000\tcommit: x\n`
  })
  writeFileSync(join(gitDirectory, 'logs/refs/heads/main'), lines.join(''))
  return { branch: 'refs/heads/main', gitDirectory, commonDirectory: gitDirectory }
}

const older = (count: number) => Array.from({ length: count }, () => ['o', now - 100 * hour] as const)

describe('the commit of a branch a day ago', () => {
  test.each<[name: string, times: readonly (readonly [string, number])[], expected: string | null]>([
    ['without a log', [], null],
    [
      'is the last one from before',
      [
        ['a', now - 50 * hour],
        ['b', now - 30 * hour],
        ['c', now - hour],
      ],
      'b',
    ],
    [
      'is the newest one, if nothing is newer',
      [
        ['a', now - 50 * hour],
        ['b', now - 30 * hour],
      ],
      'b',
    ],
    [
      'is the first one of a branch that came later',
      [
        ['a', now - 3 * hour],
        ['b', now - hour],
      ],
      'a',
    ],
    [
      'is found past a commit of 1970',
      [
        ['a', now - 50 * hour],
        ['b', now - 2 * hour],
        ['c', 0],
        ['d', now - hour],
      ],
      'a',
    ],
    [
      'is found past a commit from before 1970',
      [
        ['a', now - 50 * hour],
        ['b', now - hour],
        ['c', -1000],
      ],
      'a',
    ],
    [
      'is that before a commit from the future',
      [
        ['a', now - 50 * hour],
        ['b', now + 9e8],
        ['c', now - hour],
      ],
      'a',
    ],
    [
      'is not looked for behind many older ones',
      [['a', now - 200 * hour], ['b', now + 9e8], ...older(100), ['c', now - hour]],
      'o',
    ],
  ])('%s', async (_, times, expected) => {
    const tip = tipAt(await logOf(times), (now - 24 * hour) * 1000)
    expect(tip).toBe(expected && commitOf(expected))
  })
})
