import { expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { contentFor } from '../media/_files.ts'
import { ada, commitCount, gitPaths, lastMessage, newWiki } from './_wiki.ts'

const pages = { A: 'a', 'B c': 'b', D: 'd' }

test('several pages are deleted in one commit', async () => {
  const { wiki, directory } = await newWiki(pages)
  const { deleted, commit } = await deletePages(wiki, { titles: ['a', 'B_c', 'A'], comment: ' gone ', author: ada })
  expect(deleted).toMatchObject([
    { key: 'A', title: 'A', path: 'A.wiki' },
    { key: 'B_c', title: 'B c', path: 'B_c.wiki' },
  ])
  expect(commit).toMatch(/^[0-9a-f]{40}$/)
  expect(gitPaths(directory)).toEqual(['D.wiki'])
  expect(commitCount(directory)).toBe(4)
  expect(lastMessage(directory)).toBe('gone')
  expect(wiki.store.findPage('A')).toBeUndefined()
})

test.each([
  [['A'], 'Delete A\n'],
  [['A', 'D'], 'Delete 2 pages\n'],
])('without a comment the subject of %j is %j', async (titles, subject) => {
  const { wiki, directory } = await newWiki(pages)
  await deletePages(wiki, { titles, comment: null, author: ada })
  expect(lastMessage(directory).startsWith(subject)).toBe(true)
})

test.each([
  ['Missing', 'apierror-missingtitle', 404],
  ['<', 'apierror-invalidtitle', 400],
])('if %j is among them nothing is written', async (title, code, status) => {
  const { wiki, directory } = await newWiki(pages)
  for (const dryRun of [true, false]) {
    const request = { titles: ['A', title], comment: null, author: ada, dryRun }
    await expect(deletePages(wiki, request)).rejects.toMatchObject({ code, status })
  }
  expect(commitCount(directory)).toBe(3)
})

test('a dry run lists what would be deleted', async () => {
  const { wiki, directory } = await newWiki(pages)
  const planned = await deletePages(wiki, { titles: ['A'], comment: null, author: ada, dryRun: true })
  expect(planned).toMatchObject({ deleted: [{ key: 'A', title: 'A', path: 'A.wiki' }], commit: null, leftAlone: [] })
  expect(commitCount(directory)).toBe(3)
})

test('a media file is deleted with its page', async () => {
  const { wiki, directory } = await newWiki({ 'File:X.png': 'description', A: 'a' })
  await addFile(wiki, { name: 'X.png', content: contentFor('X.png'), comment: null, author: ada })
  const { deleted } = await deletePages(wiki, { titles: ['image:x.png'], comment: null, author: ada })
  expect(deleted.map(({ path }) => path).sort()).toEqual(['File/X.png', 'File/X.png.wiki'])
  expect(gitPaths(directory)).toEqual(['A.wiki'])
})
