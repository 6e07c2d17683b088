import { describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { readRevision } from '../../src/operations/read-revision.ts'
import { restorePage } from '../../src/operations/restore-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { git, hasGit } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { contentFor } from '../media/_files.ts'
import { ada, base, bob, commitCount, create, edit, gitPaths, newWiki, openTestWiki } from './_wiki.ts'

const remove = (wiki: Wiki, title: string) => deletePages(wiki, { titles: [title], comment: 'Gone', author: bob })
const restore = (wiki: Wiki, title: string, id?: number) => restorePage(wiki, { title, id, comment: null, author: ada })

async function deletedPage() {
  const made = await newWiki({ A: 'one' })
  await edit(made.wiki, 'A', 'two')
  await remove(made.wiki, 'A')
  return made
}

test('a page is restored with its id and history', async () => {
  const { wiki, directory } = await deletedPage()
  expect(await restore(wiki, 'a')).toMatchObject({ id: 1, title: 'A', paths: ['A.wiki'], from: 2, latest: 3 })
  expect(wiki.store.findPage('A')).toMatchObject({ id: 1, first: 1, latest: 3, edits: 3 })
  expect((await readPage(wiki, { title: 'A', base })).source).toBe('two')
  expect((await pageHistory(wiki, { title: 'A', base })).revisions.map(({ id }) => id)).toEqual([3, 2, 1])
  expect(wiki.store.deletedPages('A')).toEqual([])
  const again = await openTestWiki(directory)
  await again.store.rebuild()
  expect(again.store.findPage('A')).toMatchObject({ id: 1, latest: 3 })
})

test.each(['A@prev', 'A@1'])('%s gives an older text back, on the same page', async title => {
  const { wiki } = await deletedPage()
  expect(await restore(wiki, title)).toMatchObject({ id: 1, from: 1, latest: 3 })
  expect((await readPage(wiki, { title: 'A', base })).source).toBe('one')
})

test.skipIf(!hasGit)('git revert of the deletion does the same', async () => {
  const { wiki, directory } = await deletedPage()
  git(directory, 'reset', '-q', '--hard')
  git(directory, '-c', 'user.name=Eve', '-c', 'user.email=eve@example.org', 'revert', '--no-edit', 'HEAD')
  await wiki.store.refresh()
  expect(wiki.store.findPage('A')).toMatchObject({ id: 1, first: 1, latest: 3 })
})

test('of several pages the last one is restored, or the named one', async () => {
  const { wiki } = await deletedPage()
  await create(wiki, 'A', 'three')
  await remove(wiki, 'A')
  expect(wiki.store.deletedPages('A').map(({ id }) => id)).toEqual([2, 1])
  await expect(restore(wiki, 'A', 7)).rejects.toMatchObject({ code: 'apierror-missingtitle' })
  expect(await restorePage(wiki, { title: 'A', comment: null, author: ada, dryRun: true })).toMatchObject({ id: 2 })
  // The revision is one of the older page.
  await expect(restore(wiki, 'A@2')).rejects.toMatchObject({
    code: 'rest-nonexistent-title-revision',
    hint: expect.stringContaining('--id 1'),
  })
  await expect(restore(wiki, 'A@1', 1)).rejects.toMatchObject({ code: 'wiki-usage' })
  await restore(wiki, 'A', 1)
  expect(wiki.store.findPage('A')).toMatchObject({ id: 1, edits: 3 })
  await remove(wiki, 'A')
  expect(wiki.store.deletedPages('A').map(({ id }) => id)).toEqual([1, 2])
})

test('nothing is restored over a page, or without a deleted page', async () => {
  const { wiki, directory } = await deletedPage()
  await create(wiki, 'A', 'three')
  const before = commitCount(directory)
  await expect(restore(wiki, 'A')).rejects.toMatchObject({ code: 'apierror-articleexists' })
  await expect(restore(wiki, 'A', 1)).rejects.toMatchObject({ code: 'apierror-articleexists' })
  await expect(restore(wiki, 'B')).rejects.toMatchObject({ code: 'apierror-missingtitle' })
  expect(commitCount(directory)).toBe(before)
})

test('a moved page is restored at its last title, a redirect as a redirect', async () => {
  const { wiki } = await newWiki({ A: 'one' })
  await movePage(wiki, { from: 'A', to: 'B', comment: null, author: ada })
  await deletePages(wiki, { titles: ['A', 'B'], comment: null, author: ada })
  expect(await restore(wiki, 'B')).toMatchObject({ id: 1 })
  await restore(wiki, 'A')
  expect(wiki.store.findPage('A')).toMatchObject({ id: 2, redirect: 'B' })
  expect(wiki.store.findPage('B')).toMatchObject({ id: 1, first: 1, edits: 3 })
})

test('a media file is restored with its page, or without one', async () => {
  const { wiki, directory } = await newWiki({ 'File:X.png': 'description' })
  for (const name of ['X.png', 'Y.png'])
    await addFile(wiki, { name, content: contentFor(name), comment: null, author: ada })
  await deletePages(wiki, { titles: ['File:X.png', 'File:Y.png'], comment: null, author: ada })
  expect(await restore(wiki, 'File:X.png')).toMatchObject({ id: 1, paths: ['File/X.png.wiki', 'File/X.png'] })
  expect(await restore(wiki, 'File:Y.png')).toMatchObject({ id: null, paths: ['File/Y.png'], latest: null })
  expect(gitPaths(directory)).toEqual(['File/X.png', 'File/X.png.wiki', 'File/Y.png'])
})

describe('of a deleted page', () => {
  test('the revisions are readable on the server, and the page is not found', async () => {
    const { wiki } = await deletedPage()
    const app = createApp(wiki)
    const status = async (path: string) => (await app.fetch(new Request(`${base}${path}`))).status
    const paths = [
      '/revision/2',
      '/revision/2/bare',
      '/revision/2/html',
      '/revision/1/compare/2',
      '/page/A',
      '/page/A/history',
    ]
    expect(await Promise.all(paths.map(status))).toEqual([200, 200, 200, 200, 404, 404])
  })

  test('the command line reports who deleted it, and reads its history', async () => {
    const { directory } = await deletedPage()
    const run = (...argv: string[]) => command(argv, { cwd: directory })
    const missing = await run('page', 'get', 'A')
    expect(missing.status).toBe(2)
    expect(missing.stderr).toMatch(
      /It was deleted on [\d-]+ [\d:]+ by Bob Example in [0-9a-f]{7,}\. .*wiki page restore "A"/,
    )
    expect(await run('page', 'get', 'A', '--at', 'A@prev')).toMatchObject({ status: 0, stdout: 'one\n' })
    const shown = await run('revision', 'get', '2', '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      source: 'two',
      deletion: { comment: 'Gone', user: { name: 'Bob Example' } },
    })
    expect(shown.stderr).toContain('"A" was deleted on')
    const listed = (await run('history', 'A')).stdout.split('\n').map(row => row.split('\t')[0])
    expect(listed).toEqual(['deleted', '2', '1', ''])
    expect(JSON.parse((await run('history', 'A', '--json')).stdout)).toMatchObject({ deletion: { comment: 'Gone' } })
    expect((await run('history', 'A', '--count', 'edits')).stdout).toBe('2\n')
    expect(await run('page', 'restore', 'A')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('as revision 3'),
    })
    expect((await run('page', 'get', 'A')).stdout).toBe('two\n')
  })

  test('hidden parts stay hidden', async () => {
    const { wiki } = await deletedPage()
    const { hideRevision } = await import('../../src/operations/hide-revision.ts')
    await hideRevision(wiki, { id: 1, parts: ['text', 'user'], reason: 'private', comment: null, author: ada })
    await expect(readRevision(wiki, { id: 1 })).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
    await expect(restore(wiki, 'A@1')).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
    expect((await pageHistory(wiki, { title: 'A', base, deleted: true })).revisions[1]?.user).toBeNull()
  })
})
