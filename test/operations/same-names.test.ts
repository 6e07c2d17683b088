/** Names that differ only in case: the wiki makes no second one, because many disks hold only one of the files. */

import { describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { createPage } from '../../src/operations/create-page.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { restorePage } from '../../src/operations/restore-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git } from '../_setup.ts'
import { ada, commitFiles, gitPaths, newWiki } from './_wiki.ts'

const request = { comment: null, author: ada }

async function wikiOf(files: Readonly<Record<string, string>>): Promise<{ wiki: Wiki; directory: string }> {
  const made = await newWiki({}, {})
  await commitFiles(made.wiki, files)
  await made.wiki.store.refresh({ force: true })
  return made
}

describe('a name that differs only in case is refused with the name of the other', () => {
  const files = { 'index.md': 'x\n', 'sub/Tide.md': 'y\n', 'src/run.py': 'z\n', 'sub/a.png': 'p\n' }
  test.each([
    ['INDEX', 'The page Index exists already'],
    ['Sub/TIDE', 'The page Sub/Tide exists already'],
  ])('a new page %s', async (title, message) => {
    const { wiki, directory } = await wikiOf(files)
    const before = gitPaths(directory)
    await expect(createPage(wiki, { ...request, title, source: 'new\n' })).rejects.toThrow(message)
    await expect(movePage(wiki, { ...request, from: 'Sub/Tide', to: 'INDEX' })).rejects.toThrow('The page Index exists')
    expect(gitPaths(directory)).toEqual(before)
  })

  test.each([
    ['Straße', 'STRAẞE'],
    ['ẞ', 'SS'],
    ['ß', 'ẞ'],
  ])('a new page beside %s, %s', async (there, title) => {
    const { wiki } = await wikiOf({ [`${there}.md`]: 'x\n' })
    await expect(createPage(wiki, { ...request, title, source: 'new\n' })).rejects.toThrow(/The page .* exists already/)
  })

  test('a file, and a page that is restored', async () => {
    const { wiki, directory } = await wikiOf({ ...files, 'File/Map.png': 'p\n' })
    const file = { name: 'File:MAP.png', content: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }
    await expect(addFile(wiki, { ...request, ...file })).rejects.toThrow('The page File:Map.png exists already')
    git(directory, 'mv', 'sub/Tide.md', 'sub/TIDE.md')
    git(directory, 'commit', '-qm', 'rename')
    git(directory, 'rm', '-q', 'sub/TIDE.md')
    git(directory, 'commit', '-qm', 'delete')
    await createPage(wiki, { ...request, title: 'Sub/tide', source: 'new\n' })
    await expect(restorePage(wiki, { ...request, title: 'Sub/TIDE' })).rejects.toThrow('The page Sub/tide exists')
  })

  test('a page that is restored to a folder that has another case now', async () => {
    const { wiki, directory } = await wikiOf({ 'Docs/Tide.md': 'x\n' })
    await commitFiles(wiki, { 'Docs/Tide.md': null, 'docs/Ebb.md': 'y\n' })
    await expect(restorePage(wiki, { ...request, title: 'Docs/Tide' })).rejects.toThrow('docs exists already')
    expect(gitPaths(directory)).toEqual(['docs/Ebb.md', 'wiki.json'])
  })

  test('a page below a submodule, or a folder that holds no page', async () => {
    const { wiki, directory } = await wikiOf(files)
    git(directory, 'update-index', '--add', '--cacheinfo', `160000,${git(directory, 'rev-parse', 'HEAD')},mod`)
    git(directory, 'commit', '-qm', 'submodule')
    await expect(createPage(wiki, { ...request, title: 'Mod/New', source: 'n\n' })).rejects.toThrow(
      'mod exists already',
    )
    await createPage(wiki, { ...request, title: 'Src/Notes', source: 'n\n' })
    expect(gitPaths(directory).filter(path => /^src/i.test(path))).toEqual(['src/Notes.md', 'src/run.py'])
  })
})

test('a page moved to its own name in another case leaves nothing behind', async () => {
  const { wiki, directory } = await wikiOf({ 'JavaScript.wiki': 'x\n', 'Other.wiki': '[[JavaScript]]\n' })
  const moved = await movePage(wiki, { ...request, from: 'JavaScript', to: 'Javascript', updateLinks: true })
  expect(moved.redirect).toBe(false)
  expect(gitPaths(directory)).toEqual(['Javascript.wiki', 'Other.wiki', 'wiki.json'])
  expect(git(directory, 'show', 'HEAD:Other.wiki')).toBe('[[Javascript|JavaScript]]')
})

test('both checks name the same file of a collision, the one that is not shown', async () => {
  const { wiki } = await wikiOf({ 'Tide.md': 'x\n', 'Tide.wiki': 'y\n', 'ebb.md': 'x\n', 'EBB.md': 'y\n' })
  const named = (problems: readonly { kind: string; path: string }[]) =>
    problems
      .filter(({ kind }) => kind.endsWith('collision'))
      .map(({ kind, path }) => `${kind} ${path}`)
      .sort()
  const expected = ['case-collision ebb.md', 'title-collision Tide.md']
  expect(named((await checkWiki(wiki)).problems)).toEqual(expected)
  expect(named((await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems)).toEqual(expected)
})
