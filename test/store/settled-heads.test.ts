/** Refs that keep lost edits are deleted when none of their edits is missing any more. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dropSettledHeads } from '../../src/store/acknowledged/settled-heads.ts'
import { git, hasGit } from '../_setup.ts'
import { day, fromNow } from '../_times.ts'
import { newStore, openFresh, write } from './_store.ts'

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
      `${commit} ${fromNow(-days * day).toISOString()} ${kind}\n`,
    )
  const drop = () =>
    dropSettledHeads(store.repository, {
      read: async hash => ({ type: 'commit', content: Buffer.from(git(directory, 'cat-file', 'commit', hash)) }),
      isIndexed: hash => git(directory, 'rev-list', 'main').includes(hash),
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

  test.each([
    ['are deleted 90 days after they were settled', 91, ''],
    ['stay until then', 89, 'refs/wiki/main/acknowledged'],
  ])('refs of a branch that is gone %s', async (_, days, left) => {
    const { directory, first, second, kept, settle } = await leftBehind()
    for (const commit of [first, second]) settle(commit, days)
    appendFileSync(
      join(directory, '.git/wiki/.acknowledged/main'),
      `${kept} ${fromNow(-days * day).toISOString()} moved\n`,
    )
    git(directory, 'branch', '-m', 'main', 'trunk')
    const renamed = await openFresh(directory)
    await dropSettledHeads(renamed.repository, {
      read: async hash => ({ type: 'commit', content: Buffer.from(git(directory, 'cat-file', 'commit', hash)) }),
      isIndexed: hash => git(directory, 'rev-list', 'trunk').includes(hash),
    })
    const names = git(directory, 'for-each-ref', '--format=%(refname)', 'refs/wiki').split('\n').filter(Boolean)
    expect(names.includes('refs/wiki/main/acknowledged')).toBe(left !== '')
    expect(names.some(name => name.includes(`${second}`))).toBe(left !== '')
  })

  test('the newest edit of a branch that was deleted stays while it is missed', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    git(directory, 'switch', '-q', '-c', 'topic')
    store.close()
    const topic = await openFresh(directory)
    const lost = await write(topic, { 'A.wiki': 'on the topic' })
    git(directory, 'switch', '-q', '--force', 'main')
    git(directory, 'branch', '-q', '-D', 'topic')
    const main = await openFresh(directory)
    await dropSettledHeads(main.repository, {
      read: async hash => ({ type: 'commit', content: Buffer.from(git(directory, 'cat-file', 'commit', hash)) }),
      isIndexed: hash => git(directory, 'rev-list', 'main').includes(hash),
    })
    expect(git(directory, 'rev-parse', 'refs/wiki/topic/acknowledged')).toBe(lost.commit)
  })
})
