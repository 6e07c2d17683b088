/** Hooks and signing programs of a server that hang: other writes do not wait for them without end. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { git, hasGit } from '../_setup.ts'
import { until } from '../_wait.ts'
import { newStore, openFresh, titlesOf, write } from './_store.ts'

const hasHooks = hasGit && process.platform !== 'win32'

test('settings that cannot be read refuse the writes of a server, which goes on', async () => {
  const { directory } = await newStore()
  const store = await openFresh(directory, {
    programs: { hooks: 'all', sign: false, patience: 60_000, byServer: true },
  })
  await write(store, { 'First.wiki': 'first' })
  const config = join(directory, '.git/config')
  const before = readFileSync(config)
  writeFileSync(config, '[core')
  await expect(write(store, { 'A.wiki': 'a' })).rejects.toMatchObject({ code: 'wiki-bad-repository' })
  writeFileSync(config, before)
  await write(store, { 'B.wiki': 'b' })
  expect(titlesOf(store)).toEqual(['B', 'First'])
})

test.skipIf(!hasHooks)('writes behind a hanging hook of a server are refused, and not made later', async () => {
  const { store: plain, directory } = await newStore()
  await write(plain, { 'First.wiki': 'first' })
  const hook = join(directory, '.git/hooks/pre-commit')
  mkdirSync(join(directory, '.git/hooks'), { recursive: true })
  writeFileSync(hook, `#!/bin/sh\ntouch '${directory}/started'\nsleep 600\n`)
  chmodSync(hook, 0o755)
  const store = await openFresh(directory, {
    programs: { hooks: 'all', sign: false, patience: 60_000, byServer: true },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const edits = ['A', 'B', 'C'].map(name => write(store, { [`${name}.wiki`]: name }))
  const ended = Promise.allSettled(edits)
  await until('the hook runs', () => existsSync(join(directory, 'started')) || undefined)
  vi.advanceTimersByTime(60_000)
  const errors = (await ended).map(result => result.status === 'rejected' && result.reason)
  expect(errors).toMatchObject([
    { code: 'wiki-hook-refused' },
    { code: 'wiki-work-limit', status: 503 },
    { code: 'wiki-work-limit', status: 503 },
  ])
  rmSync(hook)
  await write(store, { 'D.wiki': 'd' })
  expect(titlesOf(store)).toEqual(['D', 'First'])
  expect(git(directory, 'log', '--format=%s').split('\n')).toHaveLength(2)
})
