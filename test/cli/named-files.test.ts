/** Files and folders that somebody names on the command line, and that are not what they should be. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBytes } from '../../src/cli/draft.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { newWiki } from '../operations/_wiki.ts'
import { temporaryFolder, wiki } from './harness.ts'

/** Commands that read a named file whole. */
const readers: readonly (readonly string[])[] = [
  ['page', 'edit', 'Tides', '-m', 'x', '-f', 'NAMED'],
  ['page', 'create', 'New', '-m', 'x', '-f', 'NAMED'],
  ['convert', 'wikitext', 'html', 'NAMED'],
  ['convert', 'html', 'wikitext', 'NAMED'],
  ['merge', 'NAMED', 'NAMED', 'NAMED'],
  ['apply', 'NAMED'],
  ['import', 'NAMED'],
  ['file', 'add', 'NAMED', '--title', 'X.png'],
]

describe('a folder in place of a file', () => {
  test.each(readers)('is named: wiki %s %s %s %s', async (...words) => {
    const { directory } = await newWiki({ Tides: 'High.' })
    mkdirSync(join(directory, 'folder'))
    const { status, stderr } = await wiki(
      words.map(word => word.replace('NAMED', 'folder')),
      { cwd: directory },
    )
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^wiki: Cannot read folder: (?!EISDIR)/)])
  })
})

test.skipIf(process.platform === 'win32')(
  'a file without an end is read up to a limit, also through a link',
  async () => {
    const cwd = temporaryFolder()
    symlinkSync('/dev/zero', join(cwd, 'Endless.wiki'))
    const context = { io: { cwd } } as Parameters<typeof readBytes>[0]
    await expect(readBytes(context, 'Endless.wiki', 1000)).rejects.toThrow('Endless.wiki is larger than 1000 bytes')
    await expect(readBytes(context, '/dev/null', 1000)).resolves.toHaveLength(0)
  },
)

test('a text that is converted or checked has a largest size', { tags: 'long' }, async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'long.wiki'), 'y\n'.repeat(2 ** 23 + 1))
  for (const words of [['convert', 'wikitext', 'html'], ['lint']]) {
    const { status, stderr } = await wiki([...words, 'long.wiki'], { cwd })
    expect([status, stderr]).toEqual([2, 'wiki: long.wiki is larger than 16777216 bytes\n'])
  }
})

test.each(['missing', 'Tides.wiki'])('a folder that is none, %s, does not stand for the wiki above it', async name => {
  const { directory } = await newWiki({ Tides: 'High.' })
  const edit = ['-C', name, 'page', 'create', 'New', '-f', '-', '-m', 'x']
  const { status, stderr } = await wiki(edit, { cwd: directory, stdin: 'x' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('hint: There is no folder of this name\n')])
})

test('a file in a folder that is missing is named as it was given', async () => {
  const { directory } = await newWiki({ Tides: 'High.' })
  const { status, stderr } = await wiki(['export', '-o', 'missing/x.xml'], { cwd: directory })
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^wiki: \S*\/missing\/x\.xml: no such file or directory\n$/),
  ])
})

test('a repository without commits has no problems, also in its texts', async () => {
  const cwd = temporaryFolder()
  initRepository(cwd)
  expect(await wiki(['check', '--all'], { cwd })).toMatchObject({ status: 0, stdout: '' })
})

test('two commits of git are compared as a range, and the hint says how', async () => {
  const { directory } = await newWiki({ Tides: 'High.', Fog: 'Grey.' })
  const hint = 'hint: Compare two commits of git: wiki compare'
  for (const [words, range] of [
    [['HEAD~1'], 'HEAD~1..HEAD'],
    [['HEAD~1', 'main'], 'HEAD~1..main'],
  ] as const)
    expect((await wiki(['compare', ...words], { cwd: directory })).stderr).toContain(`${hint} "${range}"\n`)
  expect((await wiki(['compare', 'nothing'], { cwd: directory })).stderr).not.toContain(hint)
})
