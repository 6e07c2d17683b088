/**
 * A file of the work tree that is older than the page is merged or refused, whatever git did to the file and the index.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { lockIndex } from '../../src/store/work-tree/index-lock.ts'
import { oneIn } from '../_rounds.ts'
import { git, gitAs, hasGit } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { ada, bob, commitCount, create, edit, gitText, newWiki, openTestWiki, writtenWiki } from './_wiki.ts'

const lines = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.', 'Eight.']
const text = (changed: Readonly<Record<number, string>> = {}) =>
  `${lines.map((line, at) => changed[at + 1] ?? line).join('\n')}\n`

/** Unsaved work of a writer, and a text that another user saves meanwhile. */
const mine = text({ 2: 'Two, mine.' })
const theirs = text({ 5: 'Five, theirs.' })
const both = text({ 2: 'Two, mine.', 5: 'Five, theirs.' })

interface Scene {
  readonly wiki: Wiki
  readonly directory: string
  readonly put: (content: string, path?: string) => void
  readonly read: (path?: string) => string
  readonly git: (...words: string[]) => string
}

async function scene(make = newWiki): Promise<Scene> {
  const { wiki, directory } = await make({ A: text(), B: 'b' })
  return {
    wiki,
    directory,
    put: (content, path = 'A.wiki') => writeFileSync(join(directory, path), content),
    read: (path = 'A.wiki') => readFileSync(join(directory, path), 'utf8'),
    git: (...words) => git(directory, '-c', 'user.name=Me', '-c', 'user.email=me@example.org', ...words),
  }
}

/** Another user saves, from a separate process, like a server. */
async function saveElsewhere({ directory }: Scene, title: string, source: string): Promise<number> {
  return edit(await openTestWiki(directory), title, source, { author: bob })
}

/** Without a switch of branches nothing is read. */
const never = () => Promise.reject(new Error('no object is read'))

const commit = (wiki: Wiki, more: object = {}) => commitWork(wiki, { comment: 'work', author: ada, ...more })

const behindOf = async (wiki: Wiki) => (await wikiStatus(wiki)).changes.map(({ path, behind }) => [path, behind])

describe.skipIf(!hasGit)('an outdated file', () => {
  test('is merged, in the branch and in the work tree', { tags: 'long' }, async () => {
    const at = await scene()
    at.put(mine)
    const latest = await saveElsewhere(at, 'A', theirs)
    expect(await behindOf(at.wiki)).toEqual([['A.wiki', { base: 1, latest }]])
    const dry = await commit(at.wiki, { dryRun: true })
    expect(dry.recorded).toMatchObject([{ path: 'A.wiki', merged: { base: 1, latest } }])
    const done = await commit(at.wiki)
    expect(done.recorded).toEqual(dry.recorded)
    expect(done.leftAlone).toEqual([])
    expect([gitText(at.directory, 'A.wiki'), at.read()]).toEqual([both, both])
    expect(at.git('status', '--porcelain')).toBe('')
    expect(await behindOf(at.wiki)).toEqual([])
  })

  test('is refused with both differences if the edits conflict, and nothing is written', { tags: 'long' }, async () => {
    const at = await scene()
    at.put(mine)
    at.put('b, mine\n', 'B.wiki')
    const latest = await saveElsewhere(at, 'A', text({ 2: 'Other words.' }))
    for (const dryRun of [true, false])
      await expect(commit(at.wiki, { dryRun })).rejects.toMatchObject({
        code: 'edit-conflict',
        status: 409,
        data: { base: 1, current: latest, local: { diff: expect.any(Array) }, remote: { diff: expect.any(Array) } },
      })
    expect(commitCount(at.directory)).toBe(3)
    expect([at.read(), at.read('B.wiki')]).toEqual([mine, 'b, mine\n'])
    expect((await commit(at.wiki, { titles: ['B'] })).recorded).toHaveLength(1)
  })

  test('keeps the oldest base over several writes, and over edits in between', { tags: 'long' }, async () => {
    const at = await scene()
    at.put(mine)
    await saveElsewhere(at, 'A', theirs)
    at.put(text({ 2: 'Two, mine again.' }))
    await saveElsewhere(at, 'A', text({ 4: 'Four, theirs.', 5: 'Five, theirs.' }))
    await commit(at.wiki)
    expect(at.read()).toBe(text({ 2: 'Two, mine again.', 4: 'Four, theirs.', 5: 'Five, theirs.' }))
    expect(gitText(at.directory, 'A.wiki')).toBe(at.read())
  })

  // Slow: two wikis and a dozen git processes for each row. `npm test` runs a third of them, and of the next table.
  test.each(
    oneIn<[name: string, act: (at: Scene) => void]>(
      3,
      [
        ['is staged before', at => at.git('add', 'A.wiki')],
        [
          'is saved by renaming another file',
          at => {
            at.put(at.read(), 'A.new')
            renameSync(join(at.directory, 'A.new'), join(at.directory, 'A.wiki'))
          },
        ],
        ['is touched', at => utimesSync(join(at.directory, 'A.wiki'), fromNow(0), fromNow(0))],
        [
          'is removed and made again',
          at => {
            const content = at.read()
            rmSync(join(at.directory, 'A.wiki'))
            at.put(content)
          },
        ],
        ['is looked at by git', at => at.git('status')],
        [
          'is refreshed in the index',
          at => execFileSync('sh', ['-c', 'git update-index -q --refresh || true'], { cwd: at.directory }),
        ],
        [
          'is stashed and comes back',
          at => {
            at.git('stash', '--quiet')
            at.git('stash', 'pop', '--quiet')
          },
        ],
        ['goes through a mixed reset', at => at.git('reset', '--quiet')],
        [
          'is taken to another branch and back',
          at => {
            at.git('switch', '--quiet', '-c', 'other')
            at.git('switch', '--quiet', 'main')
          },
        ],
        [
          'is carried over a commit of another file',
          at => {
            at.put('b2\n', 'B.wiki')
            at.git('commit', '--quiet', '-m', 'B', '--', 'B.wiki')
          },
        ],
      ],
      1,
    ),
  )('is merged if it %s', { tags: ['rounds', 'long'] }, async (_, act) => {
    for (const isAfter of [false, true]) {
      const at = await scene()
      at.put(mine)
      if (!isAfter) act(at)
      await saveElsewhere(at, 'A', theirs)
      if (isAfter) act(at)
      await commit(at.wiki)
      expect([isAfter, gitText(at.directory, 'A.wiki'), at.read()]).toEqual([isAfter, both, both])
    }
  })

  test.each(
    oneIn<[name: string, act: (at: Scene) => void]>(3, [
      ['git checkout', at => at.git('checkout', '--', 'A.wiki')],
      ['git restore', at => at.git('restore', 'A.wiki')],
      ['git reset --hard', at => at.git('reset', '--quiet', '--hard')],
      ['git stash', at => at.git('stash', '--quiet')],
      [
        'git stash and drop',
        at => {
          at.git('stash', '--quiet')
          at.git('stash', 'drop', '--quiet')
        },
      ],
    ]),
  )(
    'is replaced by the branch after %s, and a later edit is recorded unchanged',
    { tags: 'rounds' },
    async (_, act) => {
      const at = await scene()
      at.put(mine)
      await saveElsewhere(at, 'A', theirs)
      act(at)
      expect(at.read()).toBe(theirs)
      const next = text({ 5: 'Five, theirs, and mine.' })
      at.put(next)
      expect(await behindOf(at.wiki)).toEqual([['A.wiki', undefined]])
      await commit(at.wiki)
      expect(gitText(at.directory, 'A.wiki')).toBe(next)
    },
  )

  test.each<[name: string, act: (at: Scene) => void]>([
    [
      'git add and git commit',
      at => {
        at.git('add', 'A.wiki')
        at.git('commit', '--quiet', '-m', 'mine')
      },
    ],
    ['git commit -a', at => at.git('commit', '--quiet', '-a', '-m', 'mine')],
    ['git commit of the path', at => at.git('commit', '--quiet', '-m', 'mine', '--', 'A.wiki')],
  ])('and is recorded by %s is a new base', async (_, act) => {
    const at = await scene()
    at.put(mine)
    await saveElsewhere(at, 'A', theirs)
    act(at)
    at.put(text({ 2: 'Two, mine, later.' }))
    expect(await behindOf(at.wiki)).toEqual([['A.wiki', undefined]])
    await commit(at.wiki)
    expect(gitText(at.directory, 'A.wiki')).toBe(text({ 2: 'Two, mine, later.' }))
  })

  test('keeps the lines of others through stash, pull and pop', async () => {
    const at = await scene()
    const clone = join(at.directory, '..', `${at.directory.split('/').at(-1)}-clone`)
    at.put(mine)
    await saveElsewhere(at, 'A', theirs)
    at.git('clone', '--quiet', '.', clone)
    const third = text({
      5: 'Five, theirs.',
      8: 'Eight, of a third one, with many more words than others have written.',
    })
    writeFileSync(join(clone, 'A.wiki'), third)
    git(clone, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '-am', 'third')
    at.git('stash', '--quiet')
    at.git('pull', '--quiet', '--ff-only', clone, 'main')
    try {
      at.git('stash', 'pop', '--quiet')
    } finally {
      rmSync(clone, { recursive: true, force: true })
    }
    const refused = await commit(at.wiki).catch((error: unknown) => error)
    const saved = gitText(at.directory, 'A.wiki')
    expect(saved).toContain('Five, theirs.')
    expect(saved).toContain('Eight, of a third one')
    if (!(refused instanceof Error)) expect(saved).toContain('Two, mine.')
  })

  test("that becomes the branch's text starts again: a later deletion is a deletion", async () => {
    for (const look of [wikiStatus, (wiki: Wiki) => edit(wiki, 'B', 'b2')]) {
      const at = await scene()
      at.put(mine)
      await saveElsewhere(at, 'A', theirs)
      at.put(theirs)
      await look(at.wiki)
      at.put(text())
      await commit(at.wiki)
      expect([gitText(at.directory, 'A.wiki'), at.read()]).toEqual([text(), text()])
    }
  })

  test('whose edit is undone has nothing to record, and follows with the next commit', async () => {
    const at = await scene()
    at.put(mine)
    await saveElsewhere(at, 'A', theirs)
    at.put(text())
    expect(await commit(at.wiki)).toMatchObject({ recorded: [], outdated: ['A.wiki'], commit: null })
    at.put('b, mine\n', 'B.wiki')
    expect((await commit(at.wiki)).recorded).toMatchObject([{ path: 'B.wiki' }])
    expect([gitText(at.directory, 'A.wiki'), at.read(), at.git('status', '--porcelain')]).toEqual([theirs, theirs, ''])
  })

  test('needs no base any more if the branch is reset to it', async () => {
    for (const mode of ['--soft', '--mixed']) {
      const at = await scene()
      at.put(mine)
      await saveElsewhere(at, 'A', theirs)
      at.git('reset', '--quiet', mode, 'HEAD~1')
      await commit(at.wiki)
      expect(gitText(at.directory, 'A.wiki')).toBe(mine)
    }
  })
})

describe.skipIf(!hasGit)('a file whose branch was moved by other means', () => {
  const moves: readonly [name: string, move: (at: Scene) => void][] = [
    ['git update-ref', at => at.git('update-ref', 'refs/heads/main', 'refs/heads/side')],
    [
      'a push',
      at => {
        at.git('config', 'receive.denyCurrentBranch', 'ignore')
        at.git('push', '--quiet', '.', 'side:main')
      },
    ],
    ['a soft reset', at => at.git('reset', '--quiet', '--soft', 'side')],
  ]

  test.each(moves)('is merged after %s', async (_, move) => {
    const at = await scene()
    const side = join(at.directory, '.git', 'side-tree')
    at.git('worktree', 'add', '--quiet', '-b', 'side', side)
    writeFileSync(join(side, 'A.wiki'), theirs)
    git(side, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '-am', 'theirs')
    at.put(mine)
    move(at)
    expect(await behindOf(at.wiki)).toEqual([['A.wiki', { base: 1, latest: 3 }]])
    await commit(at.wiki)
    expect([gitText(at.directory, 'A.wiki'), at.read()]).toEqual([both, both])
  })
})

describe.skipIf(!hasGit)('a page that others created without updating the work tree', () => {
  const moves: readonly [name: string, move: (at: Scene) => void][] = [
    ['git update-ref', at => at.git('update-ref', 'refs/heads/main', 'refs/heads/side')],
    [
      'a push',
      at => {
        at.git('config', 'receive.denyCurrentBranch', 'ignore')
        at.git('push', '--quiet', '.', 'side:main')
      },
    ],
    ['another work tree', at => git(join(at.directory, '.git', 'side-tree'), 'update-ref', 'refs/heads/main', 'side')],
  ]

  // A server beside, or a timer of this process, may be in the middle: the index has followed, and the files follow under its lock.
  test('is no deletion while the work tree follows', async () => {
    const at = await scene(writtenWiki)
    const side = join(at.directory, '.git', 'side-tree')
    at.git('worktree', 'add', '--quiet', '-b', 'side', side)
    writeFileSync(join(side, 'New.wiki'), 'theirs\n')
    git(side, 'add', 'New.wiki')
    git(side, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '-m', 'theirs')
    const release = await lockIndex({ ...at.wiki.store.repository, workTree: at.directory }, never)
    at.git('update-ref', 'refs/heads/main', 'refs/heads/side')
    const followed = join(at.directory, '.git', 'followed')
    execFileSync('git', ['-C', at.directory, 'read-tree', 'side'], {
      env: { ...process.env, GIT_INDEX_FILE: followed },
    })
    renameSync(followed, join(at.directory, '.git', 'index'))
    const committing = commit(at.wiki)
    const isFollowed = new Promise(resolve => setTimeout(resolve, 400)).then(() => {
      at.put('theirs\n', 'New.wiki')
      release()
    })
    const [done] = await Promise.all([committing, isFollowed])
    expect([done.recorded, at.git('ls-tree', '--name-only', 'HEAD', 'New.wiki')]).toEqual([[], 'New.wiki'])
  })

  test.each(moves)(
    'by %s is neither deleted nor reverted, but git rm deletes it',
    { tags: 'long' },
    async (_, move) => {
      const at = await scene(writtenWiki)
      const side = join(at.directory, '.git', 'side-tree')
      at.git('worktree', 'add', '--quiet', '-b', 'side', side)
      writeFileSync(join(side, 'New.wiki'), 'theirs\n')
      writeFileSync(join(side, 'B.wiki'), 'b, theirs\n')
      git(side, 'add', 'New.wiki', 'B.wiki')
      git(side, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '-m', 'theirs')
      move(at)
      at.git('rm', '--quiet', 'A.wiki')
      // The index may have followed the branch already: then no file is outdated.
      expect(await commit(at.wiki)).toMatchObject({ recorded: [{ path: 'A.wiki' }] })
      expect(at.git('ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(['B.wiki', 'New.wiki'])
      expect([gitText(at.directory, 'B.wiki'), at.read('B.wiki')]).toEqual(['b, theirs\n', 'b, theirs\n'])
    },
  )
})

describe.skipIf(!hasGit)('an unmergeable change is refused', () => {
  const refusal = { code: 'wiki-behind', status: 409 }

  test.each<[name: string, theirs: (wiki: Wiki, at: Scene) => Promise<unknown>, reason: string]>([
    ['deleted', wiki => deletePages(wiki, { titles: ['A'], author: bob, comment: null }), 'somebody else deleted it'],
    ['moved', wiki => movePage(wiki, { from: 'A', to: 'C', author: bob, comment: null }), 'the page is now "C"'],
    [
      'moved without a redirect',
      wiki => movePage(wiki, { from: 'A', to: 'C', author: bob, comment: null, redirect: false }),
      'the page is now "C"',
    ],
  ])('a page that is %s', async (_, theirs, reason) => {
    const at = await scene()
    at.put(mine)
    await theirs(await openTestWiki(at.directory), at)
    const count = commitCount(at.directory)
    const error = await commit(at.wiki).catch((caught: unknown) => caught)
    expect(error).toMatchObject(refusal)
    expect((error as Error).message).toContain(reason)
    expect((await wikiStatus(at.wiki)).changes).toMatchObject([{ path: 'A.wiki', behind: { base: 1 } }])
    expect([commitCount(at.directory), at.read()]).toEqual([count, mine])
  })

  test('a page created on both sides', async () => {
    const at = await scene()
    at.put('mine\n', 'New.wiki')
    await create(await openTestWiki(at.directory), 'New', 'theirs')
    await expect(commit(at.wiki)).rejects.toMatchObject(refusal)
    expect(gitText(at.directory, 'New.wiki')).toBe('theirs\n')
    at.put('theirs\n', 'New.wiki')
    expect((await commit(at.wiki)).recorded).toEqual([])
  })

  test('a file deleted here and edited elsewhere', async () => {
    const at = await scene()
    rmSync(join(at.directory, 'A.wiki'))
    await saveElsewhere(at, 'A', theirs)
    await expect(commit(at.wiki)).rejects.toMatchObject(refusal)
    at.git('checkout', '--', 'A.wiki')
    rmSync(join(at.directory, 'A.wiki'))
    expect((await commit(at.wiki)).recorded).toMatchObject([{ kind: 'deleted' }])
  })

  test('a file renamed here and edited elsewhere', async () => {
    const at = await scene()
    at.git('mv', 'A.wiki', 'C.wiki')
    await saveElsewhere(at, 'A', theirs)
    const error = await commit(at.wiki).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 409 })
    expect(gitText(at.directory, 'A.wiki')).toBe(theirs)
  })

  test('an old text that git restored, or that a push left behind', async () => {
    const at = await scene()
    await saveElsewhere(at, 'A', theirs)
    at.git('checkout', 'HEAD~1', '--', 'A.wiki')
    await expect(commit(at.wiki)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('it is the text of revision 1'),
    })
    expect(gitText(at.directory, 'A.wiki')).toBe(theirs)
  })

  test('a file that git no longer tracks', async () => {
    const at = await scene()
    at.git('rm', '--quiet', '--cached', 'A.wiki')
    expect((await wikiStatus(at.wiki)).changes).toMatchObject([{ path: 'A.wiki', kind: 'modified' }])
    at.put(mine)
    await expect(commit(at.wiki)).rejects.toMatchObject(refusal)
  })

  test('a picture', async () => {
    const at = await scene()
    const picture = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}"/>`
    const add = async (content: string) =>
      addFile(await openTestWiki(at.directory), {
        name: 'P.svg',
        content: Buffer.from(content),
        author: bob,
        comment: null,
      })
    await add(picture(1))
    const path = at.git('ls-files', '*.svg')
    at.put(picture(2), path)
    await add(picture(3))
    await expect(commit(at.wiki)).rejects.toMatchObject(refusal)
    expect(at.read(path)).toBe(picture(2))
  })

  test('several files, which are all named', async () => {
    const at = await scene()
    at.put(mine)
    at.put('b, mine\n', 'B.wiki')
    await saveElsewhere(at, 'A', text({ 2: 'Other.' }))
    await saveElsewhere(at, 'B', 'c')
    await expect(commit(at.wiki)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('A.wiki, B.wiki'),
      data: {
        conflicts: [
          { path: 'A.wiki', base: 1 },
          { path: 'B.wiki', base: 2 },
        ],
      },
    })
  })
})

test('an empty file does not blank a page unless requested', async () => {
  const at = await scene()
  at.put('')
  at.put('  \n', 'New.wiki')
  for (const titles of [[], ['A'], ['New']])
    await expect(commit(at.wiki, { titles })).rejects.toMatchObject({ code: 'wiki-empty-text', status: 400 })
  expect((await commit(at.wiki, { allowEmpty: true })).recorded).toHaveLength(2)
})

test("an empty text does not blank others' changes", async () => {
  const at = await scene()
  at.put('')
  await saveElsewhere(at, 'A', theirs)
  await expect(commit(at.wiki, { allowEmpty: true })).rejects.toMatchObject({ status: 409 })
  expect(() => gitAs({}, at.directory, 'diff', '--quiet', 'HEAD')).toThrow()
})
