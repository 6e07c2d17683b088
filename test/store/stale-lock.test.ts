/** Locks left by a killed git. Git writes no owner into them, so they stay, and the error says what to do. */

import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeLockFile } from '../../src/store/repository/lock-file.ts'
import { fromNow } from '../_times.ts'
import { lockOf, ownerWith } from './_owners.ts'
import { newStore, write } from './_store.ts'

/** Makes a lock as git does, with nothing about its owner in it. */
function leaveLock(path: string, seconds: number): void {
  writeFileSync(path, '')
  utimesSync(path, fromNow(-seconds), fromNow(-seconds))
}

describe('a lock of a git that was killed', () => {
  test.each(['index.lock', 'refs/heads/main.lock'])(
    '%s: the error names it and how to remove it',
    { tags: 'long' },
    async name => {
      const { store, directory } = await newStore()
      await write(store, { 'A.wiki': 'a' })
      const lock = join(directory, '.git', name)
      leaveLock(lock, 3600)
      const error = { code: 'wiki-locked', params: [lock], hint: expect.stringMatching(/36\d\d seconds old.*: rm "/) }
      for (const text of ['b', 'c']) await expect(write(store, { 'A.wiki': text })).rejects.toMatchObject(error)
      expect(existsSync(lock)).toBe(true)
    },
  )

  // Without the rule this would wait for ten minutes.
  test('delays a write less than a new lock', async () => {
    const { directory } = await newStore()
    const path = join(directory, '.git', 'index')
    leaveLock(`${path}.lock`, 3600)
    await expect(takeLockFile(path, { wait: 600_000 })).rejects.toMatchObject({ code: 'wiki-locked' })
  })
})

test('HEAD.lock of a killed git does not prevent an edit on a branch', async () => {
  const { store, directory } = await newStore()
  leaveLock(join(directory, '.git', 'HEAD.lock'), 3600)
  const { commit } = await write(store, { 'A.wiki': 'a' })
  expect(commit).toMatch(/^[0-9a-f]{40}$/)
})

test('a lock of a process with this number is not removed because of its time alone', async () => {
  const { directory } = await newStore()
  const lock = join(directory, '.git', 'index.lock')
  writeFileSync(lock, lockOf(ownerWith({})))
  utimesSync(lock, 1000, 1000)
  await expect(takeLockFile(join(directory, '.git', 'index'), { wait: 50 })).rejects.toMatchObject({
    code: 'wiki-locked',
  })
  expect(existsSync(lock)).toBe(true)
})
