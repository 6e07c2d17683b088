/** Refs that keep lost edits are deleted when none of their edits is missing any more. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dropSettledHeads } from '../../src/store/acknowledged/settled-heads.ts'
import { git, hasGit } from '../_setup.ts'
import { newStore, write } from './_store.ts'

const day = 24 * 60 * 60 * 1000

/** Two edits removed by git, the second one named by a ref, and the action for them. */
async function leftBehind() {
  const { store, directory } = await newStore()
  await write(store, { 'A.wiki': 'a' })
  const first = await write(store, { 'A.wiki': 'first' })
  const second = await write(store, { 'B.wiki': 'second' })
  git(directory, 'reset', '-q', '--hard', 'HEAD~2')
  const kept = await write(store, { 'C.wiki': 'c' })
  const settle = (commit: string | null, days: number, kind = 'settled') =>
    appendFileSync(
      join(directory, '.git/wiki/.acknowledged/main'),
      `${commit} ${new Date(Date.now() - days * day).toISOString()} ${kind}\n`,
    )
  const drop = () =>
    dropSettledHeads(store.repository, {
      read: async hash => ({ type: 'commit', content: Buffer.from(git(directory, 'cat-file', 'commit', hash)) }),
      isKnown: hash => git(directory, 'rev-list', 'main').includes(hash),
    })
  const refs = () => git(directory, 'for-each-ref', '--format=%(objectname)', 'refs/wiki/main/left-behind')
  expect(refs()).toBe(second.commit)
  return { directory, first: first.commit, second: second.commit, kept: kept.commit, settle, drop, refs }
}

type Left = Awaited<ReturnType<typeof leftBehind>>

function settleBoth(at: Left, days: number): void {
  at.settle(at.first, days)
  at.settle(at.second, days)
}

describe.skipIf(!hasGit)('a head kept for lost edits', () => {
  test.each([false, true])('is deleted 90 days after its edits were settled; packed: %s', async isPacked => {
    const { directory, first, second, kept, settle, drop, refs } = await leftBehind()
    settle(first, 91)
    settle(second, 91)
    if (isPacked) git(directory, 'pack-refs', '--all')
    await drop()
    expect(refs()).toBe('')
    expect(git(directory, 'rev-parse', 'refs/wiki/main/acknowledged')).toBe(kept)
  })

  test.each<[string, (at: Left) => void]>([
    ['was settled less than 90 days ago', at => settleBoth(at, 89)],
    ['is missed', at => at.settle(at.first, 100)],
    ['keeps another edit that is missed', at => at.settle(at.second, 100)],
    [
      'was found lost again',
      at => {
        settleBoth(at, 100)
        at.settle(at.second, 95, 'moved')
      },
    ],
  ])('is kept if it %s', async (_, prepare) => {
    const at = await leftBehind()
    prepare(at)
    await at.drop()
    expect(at.refs()).toBe(at.second)
  })
})
