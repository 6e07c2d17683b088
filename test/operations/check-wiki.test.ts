import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { migrateLayout } from '../../src/operations/migrate-layout.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { ada, commitFiles, newWiki, openTestWiki } from './_wiki.ts'

test('a wiki without problems has none', async () => {
  const { wiki } = await newWiki(
    { A: 'a', B: '#REDIRECT [[A]]', C: '#REDIRECT [[Special:Version]]', D: '#REDIRECT [[de:X]]' },
    { interwiki: { de: 'https://de.example.org/$1' } },
  )
  expect(await checkWiki(wiki)).toEqual({ problems: [] })
})

test('broken and double redirects', async () => {
  const { wiki } = await newWiki({
    A: 'a',
    B: '#REDIRECT [[A]]',
    C: '#REDIRECT [[B]]',
    D: '#REDIRECT [[No page#x]]',
    E: '#REDIRECT [[E]]',
  })
  expect((await checkWiki(wiki)).problems).toEqual([
    { kind: 'double-redirect', title: 'C', path: 'C.wiki', message: 'It redirects to B, which is a redirect itself' },
    { kind: 'broken-redirect', title: 'D', path: 'D.wiki', message: 'It redirects to No page, which does not exist' },
    { kind: 'double-redirect', title: 'E', path: 'E.wiki', message: 'It redirects to E, which is a redirect itself' },
  ])
})

test.skipIf(!hasGit || process.platform !== 'linux')('a file name that is not UTF-8', async () => {
  const { directory } = await newWiki({ A: 'a' })
  writeFileSync(Buffer.from(join(directory, 'caf\xe9.wiki'), 'latin1'), 'b')
  git(directory, 'add', '.')
  git(directory, 'commit', '-q', '-m', 'x')
  expect((await checkWiki(await openTestWiki(directory))).problems).toEqual([
    {
      ...{ kind: 'illegal-title', title: null, path: 'caf\ufffd.wiki' },
      message: String.raw`Its name is not UTF-8: "caf\351.wiki" in git`,
    },
  ])
})

test('colliding files, and file names without a valid title', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.md': 'a', 'A.wiki': 'b', 'x~~~.wiki': 'c' })
  const { problems } = await checkWiki(wiki)
  expect(problems.map(({ kind, title, path }) => [kind, title, path])).toEqual([
    ['title-collision', 'A', 'A.md'],
    ['illegal-title', null, 'x~~~.wiki'],
  ])
  for (const { message } of problems) expect(message).not.toBe('')
})

test('a rebuilt index gives the same results', async () => {
  const { wiki } = await newWiki({ A: 'a', B: '#REDIRECT [[No page]]' })
  const before = await checkWiki(wiki)
  writeFileSync(join(wiki.store.cacheDirectory, 'base'), 'no index')
  expect(await checkWiki(wiki, { rebuild: true })).toEqual(before)
  expect(readFileSync(join(wiki.store.cacheDirectory, 'base')).length).toBeGreaterThan(1000)
})

test('a folder with thousands of files, until the layout is sharded', { tags: 'long' }, async () => {
  // Bare: in a work tree every file would be written twice.
  const directory = await temporaryDirectory()
  initRepository(directory, { bare: true })
  const wiki = await openTestWiki(directory)
  const pages = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`Part/Page_${from + at}.wiki`, 'text\n']))
  await commitFiles(wiki, pages(4999))
  expect((await checkWiki(wiki)).problems).toEqual([])
  await commitFiles(wiki, pages(1, 4999))
  const { problems } = await checkWiki(wiki)
  expect(problems).toEqual([
    {
      kind: 'large-folder',
      title: null,
      path: 'Part',
      message: expect.stringMatching(/^It holds 5000 .* migrate-layout/),
    },
  ])
  await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  expect((await checkWiki(wiki)).problems).toEqual([])
})
