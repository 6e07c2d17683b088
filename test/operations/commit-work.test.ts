import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CommitWorkRequest, commitWork } from '../../src/operations/commit-work.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { openWiki } from '../../src/operations/wiki.ts'
import { git, gitAs } from '../_setup.ts'
import { importedWiki } from './_import.ts'
import { ada, bob, commitCount, commitFiles, create, edit, gitText, lastMessage, newWiki, writeWork } from './_wiki.ts'

const request = (more: Partial<CommitWorkRequest> = {}): CommitWorkRequest => ({
  comment: 'work',
  author: bob,
  ...more,
})

/** Page A is edited, B deleted, C new, and a picture. */
async function workedOn() {
  const test = await newWiki({ A: 'a', B: 'b', D: 'd' })
  await writeWork(test.directory, 'A.wiki', 'a edited, no line feed')
  await rm(join(test.directory, 'B.wiki'))
  await writeWork(test.directory, 'Talk/C.wiki', 'c\n')
  await writeWork(test.directory, 'File/P.png', 'png')
  await writeWork(test.directory, 'notes.xyz', 'not of the wiki')
  return test
}

const shown = [
  { path: 'A.wiki', kind: 'modified', key: 'A', title: 'A' },
  { path: 'B.wiki', kind: 'deleted', key: 'B', title: 'B' },
  { path: 'File/P.png', kind: 'added', key: 'File:P.png', title: 'File:P.png' },
  { path: 'Talk/C.wiki', kind: 'added', key: 'Talk:C', title: 'Talk:C' },
]

test('status reports the changes, and commitWork records them as one commit', async () => {
  const { wiki, directory } = await workedOn()
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
  expect([...(await wikiStatus(wiki)).changes].sort(byPath)).toEqual(shown)
  const { recorded, commit, leftAlone } = await commitWork(wiki, request({ minor: true }))
  expect([...recorded].sort(byPath)).toEqual(shown)
  expect(leftAlone).toEqual([])
  expect(commit).toBe(git(directory, 'rev-parse', 'HEAD'))
  expect(gitText(directory, 'A.wiki')).toBe('a edited, no line feed')
  expect(git(directory, 'log', '-1', '--format=%an %s')).toBe('Bob Example work')
  expect(git(directory, 'status', '--porcelain')).toBe('?? notes.xyz')
  expect(wiki.store.findPage('Talk:C')).toBeDefined()
  expect(wiki.store.revision(wiki.store.findPage('A')!.latest)).toMatchObject({ minor: true, comment: 'work' })
  expect((await wikiStatus(wiki)).changes).toEqual([])
})

test('only the named pages are recorded', async () => {
  const { wiki, directory } = await workedOn()
  const { recorded } = await commitWork(wiki, request({ titles: ['a', 'D', 'talk:c'] }))
  expect(recorded.map(({ title }) => title).sort()).toEqual(['A', 'Talk:C'])
  expect(git(directory, 'status', '--porcelain')).toContain(' D B.wiki')
})

test.each([
  [['A'], 'Edit A\n'],
  [['B'], 'Delete B\n'],
  [['Talk:C'], 'Create Talk:C\n'],
  [[], 'Edit 4 pages\n'],
])('without a comment the subject of %j is %j', async (titles, subject) => {
  const { wiki, directory } = await workedOn()
  await commitWork(wiki, request({ comment: null, titles }))
  expect(lastMessage(directory).startsWith(subject)).toBe(true)
})

describe('a file announced by git add -N', () => {
  const announced = async () => {
    const test = await newWiki({ A: 'a' })
    await writeWork(test.directory, 'New.wiki', 'mine\n')
    git(test.directory, 'add', '--intent-to-add', 'New.wiki')
    return test
  }

  test('stays in the next plain git commit after it was recorded', async () => {
    const { wiki, directory } = await announced()
    await commitWork(wiki, request())
    expect(git(directory, 'status', '--porcelain')).toBe('')
    await writeWork(directory, 'A.wiki', 'edited\n')
    git(directory, 'commit', '--quiet', '--all', '-m', 'plain')
    expect(gitText(directory, 'New.wiki')).toBe('mine\n')
  })

  test('does not replace a page that another user created, and does not count as obsolete', async () => {
    const { wiki, directory } = await announced()
    await create(wiki, 'New', 'theirs')
    expect((await wikiStatus(wiki)).changes).toMatchObject([
      { path: 'New.wiki', kind: 'modified', behind: { base: null } },
    ])
    await expect(commitWork(wiki, request())).rejects.toMatchObject({ code: 'wiki-behind' })
    expect(readFileSync(join(directory, 'New.wiki'), 'utf8')).toBe('mine\n')
  })
})

test.each([
  ['stay', 'one\r\n\r\ntwo\r\n', 'one\r\n\r\nTWO\r\n', 'ONE\r\n\r\ntwo\r\n', 'ONE\r\n\r\nTWO\r\n'],
  ['stay as they are in each line', 'one\r\n\ntwo\r\n', 'one\r\n\nTWO\r\n', 'ONE\r\n\ntwo\r\n', 'ONE\r\n\nTWO\r\n'],
  ['are those that the newer text got', 'one\r\n\r\ntwo\r\n', 'one\r\n\r\nTWO\r\n', 'ONE\n\ntwo\n', 'ONE\n\nTWO\n'],
  ['are those that the file got', 'one\n\ntwo\n', 'one\r\n\r\nTWO\r\n', 'ONE\n\ntwo\n', 'ONE\r\n\r\nTWO\r\n'],
])('line ends of a file that is merged %s', async (_, before, mine, theirs, merged) => {
  const { wiki, directory } = await newWiki({ B: 'b' })
  await commitFiles(wiki, { 'A.wiki': before })
  git(directory, 'reset', '--hard', '--quiet')
  await writeWork(directory, 'A.wiki', mine)
  await commitFiles(wiki, { 'A.wiki': theirs })
  expect((await commitWork(wiki, request())).recorded).toMatchObject([{ path: 'A.wiki', merged: {} }])
  expect(gitText(directory, 'A.wiki')).toBe(merged)
  expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe(merged)
})

test('without changes there is no commit', async () => {
  const { wiki, directory } = await newWiki({ A: 'a' })
  expect(await commitWork(wiki, request())).toEqual({
    recorded: [],
    outdated: [],
    copies: [],
    commit: null,
    leftAlone: [],
  })
  expect(await commitWork(wiki, request({ titles: ['A'] }))).toMatchObject({ recorded: [], commit: null })
  expect(commitCount(directory)).toBe(1)
})

test('a dry run writes nothing', async () => {
  const { wiki, directory } = await workedOn()
  expect((await commitWork(wiki, request({ dryRun: true }))).recorded).toHaveLength(4)
  expect(commitCount(directory)).toBe(3)
})

describe('refusals write nothing', () => {
  test('an invalid title', async () => {
    const { wiki, directory } = await workedOn()
    await expect(commitWork(wiki, request({ titles: ['A', 'Missing'] }))).rejects.toMatchObject({
      code: 'rest-nonexistent-title',
    })
    expect(commitCount(directory)).toBe(3)
  })

  test('a new file without a valid title', async () => {
    const { wiki } = await newWiki({ A: 'a' })
    await writeWork(wiki.store.repository.workTree!, 'a~~~.wiki', 'x')
    await expect(commitWork(wiki, request())).rejects.toMatchObject({ code: 'apierror-invalidtitle' })
  })

  test('a new file with the title of an existing page', async () => {
    const { wiki, directory } = await newWiki({ A: 'a' })
    await writeWork(directory, 'A.md', 'x')
    await expect(commitWork(wiki, request())).rejects.toMatchObject({
      code: 'wiki-title-collision',
      message: 'The file A.md has the same title as A.wiki',
    })
  })

  test('a conflict left by a merge', async () => {
    const { wiki, directory } = await newWiki({ A: 'a' })
    git(directory, 'checkout', '--quiet', '-b', 'side')
    await writeWork(directory, 'A.wiki', 'side\n')
    git(directory, 'commit', '--quiet', '-am', 'side')
    git(directory, 'checkout', '--quiet', 'main')
    await writeWork(directory, 'A.wiki', 'main\n')
    git(directory, 'commit', '--quiet', '-am', 'main')
    expect(() => gitAs({}, directory, 'merge', 'side')).toThrow()
    await expect(commitWork(wiki, request({ dryRun: true }))).rejects.toMatchObject({
      code: 'edit-conflict',
      status: 409,
    })
    await expect(commitWork(wiki, request())).rejects.toMatchObject({ status: 409 })
  })
})

describe('wikiStatus', () => {
  test('reports the state of the wiki', async () => {
    const { wiki, directory } = await newWiki({ A: 'a', B: 'b' }, { name: 'Test' })
    await writeWork(directory, 'A.md', 'x')
    git(directory, 'add', '.')
    git(directory, 'commit', '--quiet', '-m', 'collision')
    expect(await wikiStatus(wiki)).toEqual({
      name: 'Test',
      links: 'paths',
      branch: 'main',
      tip: git(directory, 'rev-parse', 'HEAD'),
      backend: 'git',
      shallow: false,
      index: { pages: 2, revisions: 3, files: 0 },
      operation: null,
      provisional: null,
      repaired: [],
      mended: [],
      unshown: [],
      trust: null,
      kept: [],
      served: [],
      changes: [],
      problems: 1,
    })
  })

  test('repairs what an older index removed, and reports it once', async () => {
    const { wiki, directory } = await newWiki({ A: 'a', B: 'b', C: 'c' })
    const index = join(directory, '.git/index')
    const older = readFileSync(index)
    await edit(wiki, 'A', 'a2')
    wiki.store.close()
    writeFileSync(index, older)
    const opened = await openWiki({ directory })
    expect(await wikiStatus(opened)).toMatchObject({ repaired: ['A.wiki'], changes: [] })
    expect(await wikiStatus(opened)).toMatchObject({ repaired: [], changes: [] })
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('an empty repository has no tip', async () => {
    const { wiki } = await newWiki()
    expect(await wikiStatus(wiki)).toMatchObject({ tip: null, index: { pages: 0, revisions: 0 }, problems: 0 })
  })

  test('a bare repository has no changes', async () => {
    const { wiki } = await importedWiki([{ path: 'A.wiki', text: 'a', author: ada }])
    expect(await wikiStatus(wiki)).toMatchObject({ changes: [], branch: 'main', index: { pages: 1 } })
  })
})
