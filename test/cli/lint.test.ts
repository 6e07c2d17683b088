/** `wiki lint` on files that are not pages yet, and on problems that the engine does not report. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { git, gitWiki, sampleWiki, wiki } from './harness.ts'

test('new files in the work tree are checked, by themselves and by their titles', { tags: 'long' }, async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'New_page.wiki'), 'a [[link\n')
  writeFileSync(join(cwd, 'Main_Page.wiki'), '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n')
  const all = await wiki(['lint'], { cwd })
  expect(all).toMatchObject({
    status: 1,
    stdout: 'Main_Page.wiki:1:1: conflict-marker\nNew_page.wiki:1:3: unclosed-link\n',
  })
  expect((await wiki(['lint', 'New page'], { cwd })).stdout).toBe('New_page.wiki:1:3: unclosed-link\n')
  expect((await wiki(['lint', 'New_page.wiki'], { cwd })).stdout).toBe('New_page.wiki:1:3: unclosed-link\n')
  expect((await wiki(['lint', '--type', 'conflict-marker'], { cwd })).stdout).toBe(
    'Main_Page.wiki:1:1: conflict-marker\n',
  )
  expect(await wiki(['lint', 'Nowhere'], { cwd })).toMatchObject({ status: 2 })
  const onTerminal = await wiki(['lint', 'New page', '--no-pager'], { cwd, tty: ['stdout'] })
  expect(onTerminal.stdout).toContain('hint: Add ]]')
})

test('a comment with a reason silences a kind', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'New_page.wiki'), 'a [[link <!-- wiki-check-ignore unclosed-link: on purpose -->\n')
  expect(await wiki(['lint'], { cwd })).toMatchObject({ status: 0, stdout: '' })
})

test('in a folder a path means the file there, even if it is not a page yet', async context => {
  needsGit(context)
  const top = await gitWiki([{ files: { 'A.wiki': 'Fine.\n', 'B.wiki': 'Fine.\n' }, message: 'Begin' }])
  const cwd = join(top, 'Sub')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'A.wiki'), '<tt>a</tt> [[link\n')
  expect((await wiki(['lint', 'A.wiki'], { cwd })).stdout).toMatch(/^Sub\/A\.wiki:1:1: obsolete-tag/)
  expect((await wiki(['lint', 'B.wiki'], { cwd })).status).toBe(0)
  await wiki(['lint', 'A.wiki', '--fix'], { cwd })
  expect(git(top, ['rev-list', '--count', 'HEAD'])).toBe('1\n')
  expect((await wiki(['page', 'get', 'A.wiki'], { cwd })).status).toBe(2)
})

test('columns in a long line count its characters', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'New_page.wiki'), `\u{1f30a} x <tt>a</tt> ${'\u{1f30a} '.repeat(2000)}<tt>b</tt>\n`)
  const { stdout } = await wiki(['lint', 'New page', '--jsonl'], { cwd })
  const problems = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(problems.map(({ column, source }: { column: number; source: string }) => [column, source.length])).toEqual([
    [5, 2000],
    [4016, 2000],
  ])
  const shown = await wiki(['lint', 'New page', '--no-pager'], { cwd, tty: ['stdout'] })
  expect(shown.stdout).toContain('New_page.wiki:1:4016: obsolete-tag')
})

test('bytes that are not UTF-8 are found in pages, drafts, files, stdin and every format', async context => {
  needsGit(context)
  const latin = Buffer.from('Sails\n\ncaf\xe9 <tt>a</tt>\n', 'latin1')
  const cwd = await gitWiki([{ files: { 'A.wiki': 'Fine.\n', 'B.md': 'A \ufffd of its own.\n' }, message: 'Begin' }])
  git(cwd, ['reset', '-q', '--hard'])
  const both = /:3:4: not-utf8\n.*:3:6: obsolete-tag: <tt>\n$/
  for (const file of ['New.wiki', 'Saved.wiki', 'notes.text']) writeFileSync(join(cwd, file), latin)
  expect((await wiki(['lint', 'notes.text'], { cwd })).stdout).toMatch(both)
  expect((await wiki(['lint', '-'], { cwd, stdin: latin })).stdout).toMatch(both)
  expect((await wiki(['lint', '-'], { cwd, stdin: Buffer.concat([Buffer.from('\ufeff'), latin]) })).stdout).toMatch(
    both,
  )
  expect((await wiki(['lint', 'New.wiki'], { cwd })).stdout).toMatch(both)
  git(cwd, ['add', 'Saved.wiki'])
  git(cwd, ['commit', '-qm', 'Latin-1'])
  expect((await wiki(['lint', 'Saved'], { cwd })).stdout).toMatch(both)
  const { stdout } = await wiki(['lint', '--all', '--type', 'not-utf8', '--format', 'github'], { cwd })
  expect(stdout).toMatch(
    /^::error file=Saved\.wiki,line=3,endLine=3,col=4,endColumn=5,title=not-utf8 in Saved::[^\n]*\n$/,
  )
  const { openWiki } = await import('../../src/operations/wiki.ts')
  const { lintPages } = await import('../../src/operations/lint-pages.ts')
  const opened = await openWiki({ directory: cwd })
  onTestFinished(() => opened.close())
  const { texts } = await lintPages(opened, {})
  expect(texts.map(({ title, problems }) => [title, problems.map(({ type }) => type)])).toEqual([
    ['Saved', ['not-utf8', 'obsolete-tag']],
  ])
})
