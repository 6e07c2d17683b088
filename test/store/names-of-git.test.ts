/**
 * Git ends a line at a line feed and a name at a space of ASCII. JavaScript's `.`, `\s` and `trim` know more such characters, and a
 * person or a branch may have them in its name: an ideographic space, a no-break space, a line separator.
 */

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { movedPath, parseMessage } from '../../src/store/format/trailers.ts'
import { parseCommit } from '../../src/store/git/objects.ts'
import { formerNames } from '../../src/store/repository/branch-log.ts'
import { lastFollowed } from '../../src/store/repository/head-log.ts'
import { listRefs } from '../../src/store/repository/list-refs.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { upstreamRef } from '../../src/store/repository/upstream.ts'
import { git, hasGit } from '../_setup.ts'
import { edit, newWiki, openTestWiki } from '../operations/_wiki.ts'

const spaces = ['\u3000', '\u00a0', '\u2028', '\u2029', '\u0085', '\ufeff']

describe.each(spaces)('a name with %j', space => {
  const name = `下書き${space}案`

  test.skipIf(!hasGit)('is that of the branch, of its upstream, of a tag and of a remote', async () => {
    const { directory } = await newWiki({ Tides: 'High.' })
    git(directory, 'branch', '-q', '-m', name)
    git(directory, 'remote', 'add', name, directory)
    git(directory, 'tag', `v${name}`)
    git(directory, 'fetch', '-q', name)
    git(directory, 'branch', '-q', `--set-upstream-to=refs/remotes/${name}/${name}`)
    for (const packed of [false, true]) {
      if (packed) git(directory, 'pack-refs', '--all', '--prune')
      const repository = findRepository(directory)
      expect(repository.branch).toBe(`refs/heads/${name}`)
      expect(upstreamRef(repository)).toBe(`refs/remotes/${name}/${name}`)
      expect(formerNames(repository)).toEqual(['refs/heads/main'])
      expect([...listRefs(repository)]).toEqual(expect.arrayContaining([`refs/heads/${name}`, `refs/tags/v${name}`]))
    }
    const wiki = await openTestWiki(directory)
    await edit(wiki, 'Tides', 'Low.')
    expect(git(directory, 'show', `${name}:Tides.wiki`)).toBe('Low.')
    expect(await wiki.store.trees.commitNamed(`v${name}`)).toBe(git(directory, 'rev-parse', 'HEAD~1').trim())
    expect(git(directory, 'for-each-ref', '--format=%(refname)', 'refs/heads').trim()).toBe(`refs/heads/${name}`)
  })

  test.skipIf(!hasGit)('is that of the folder of a linked work tree', async () => {
    const { directory } = await newWiki({ Tides: 'High.' })
    const moved = `${directory}${space}`
    renameSync(directory, moved)
    const linked = `${moved}linked${space}`
    git(moved, 'worktree', 'add', '-q', '-b', 'draft', linked)
    expect(findRepository(linked)).toMatchObject({ branch: 'refs/heads/draft', commonDirectory: join(moved, '.git') })
  })

  test('is that of an author, with its time', () => {
    const who = `Ada${space}Example <ada@example.org> 1700000000 +0000`
    const content = Buffer.from(`tree ${'0'.repeat(40)}\nauthor ${who}\ncommitter ${who}\n\nx\n`)
    expect(parseCommit('', content)).toMatchObject({ authorName: `Ada${space}Example`, time: 1_700_000_000 })
  })

  test('is that of a path in a trailer', () => {
    const message = `Moved\n\nWiki-Moved: ${name}.wiki\n`
    expect([parseMessage(message).comment, movedPath(message)]).toEqual(['Moved', `${name}.wiki`])
  })
})

test('an address with a second ">" leaves the commit its time, as in git', () => {
  const who = 'Eve <eve"><img src=x>@example.org> 1700000000 +0000'
  const content = Buffer.from(`tree ${'0'.repeat(40)}\nauthor ${who}\ncommitter ${who}\n\nx\n`)
  expect(parseCommit('', content)).toMatchObject({ authorName: 'Eve', authorAddress: 'eve"', time: 1_700_000_000 })
})

test.skipIf(!hasGit)('a commit in the log of HEAD whose subject has a line separator is not skipped', async () => {
  const { directory } = await newWiki({ Tides: 'High.' })
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'one\u2028two')
  expect(lastFollowed(findRepository(directory), '')).toBe(git(directory, 'rev-parse', 'HEAD').trim())
})
