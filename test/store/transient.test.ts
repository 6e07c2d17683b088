/** States of git's files that last a moment, or that git leaves behind: what was read before is read again. */

import { describe, expect, test } from 'vitest'
import { git, needsGit } from '../_setup.ts'
import { newStore, write } from './_store.ts'

describe('the tip that the index knows', () => {
  test('may be gone from git after the branch was rewritten', async context => {
    needsGit(context)
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'text\n' })
    for (let at = 0; at < 40; at++) git(directory, 'commit', '--allow-empty', '-qm', `plain ${at}`)
    git(directory, 'commit', '--allow-empty', '-qm', 'rewritten')
    await store.refresh()
    git(directory, 'commit', '--amend', '--allow-empty', '-qm', 'again')
    git(directory, 'reflog', 'expire', '--expire=now', '--all')
    git(directory, 'gc', '-q', '--prune=now')
    await store.refresh()
    expect(store.tip).toBe(git(directory, 'rev-parse', 'HEAD'))
    await write(store, { 'B.wiki': 'more\n' })
    expect(git(directory, 'status', '--porcelain')).toBe('')
    store.close()
  })
})
