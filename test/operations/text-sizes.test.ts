import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPage, openWiki, pageHistory, readPage, readRevision, updatePage } from '../../src/index.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'

const base = 'http://x/v1'
const author = { name: 'Ada', address: 'ada@example.org' }

/** Files as editors leave them. */
const files = {
  Ended: 'abc\n',
  Unended: 'abc',
  Blank: '\n',
  Empty: '',
  Lines: 'a\n\n\n',
  Windows: 'a\r\nb\r\n',
  Letters: 'grün €\n',
}

test.runIf(hasGit)('a size counts the bytes of the displayed source, however the file ends', async () => {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, `${name}.wiki`), text)
  git(directory, 'add', '.')
  git(directory, 'commit', '-qm', 'All')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, `${name}.wiki`), `${text}more`)
  git(directory, 'commit', '-qam', 'More')
  const wiki = await openWiki({ directory })
  for (const name of Object.keys(files)) {
    const { revisions } = await pageHistory(wiki, { title: name, base })
    const sources = await Promise.all(revisions.map(({ id }) => readRevision(wiki, { id })))
    const sizes = sources.map(({ source }) => Buffer.byteLength(source))
    expect([name, ...revisions.map(({ size }) => size)]).toEqual([name, ...sizes])
    expect([name, ...revisions.map(({ delta }) => delta)]).toEqual([name, sizes[0]! - sizes[1]!, null])
  }
  await wiki.close()
})

test('an edit that blanks a page subtracts exactly the bytes of its source', async () => {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q')
  const wiki = await openWiki({ directory })
  const { page } = await createPage(wiki, { title: 'Tide', source: 'abc', comment: null, author })
  const saved = { title: 'Tide', source: '', base: page.latest.id, comment: null, author }
  await updatePage(wiki, saved)
  const { revisions } = await pageHistory(wiki, { title: 'Tide', base })
  expect(revisions.map(({ size, delta }) => [size, delta])).toEqual([
    [0, -3],
    [3, null],
  ])
  expect((await readPage(wiki, { title: 'Tide', base })).source).toBe('')
  await wiki.close()
})
