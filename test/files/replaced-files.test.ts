/** Programs that write to a file of the work tree that they opened before the wiki replaced it. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepReplaced, lateTexts, type ReplacedLimits } from '../../src/files/replaced-files.ts'
import { readWorkFile, type WorkFile, workTreeAt } from '../../src/files/work-file.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { temporaryDirectory } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { ada, edit, newWiki, openTestWiki } from '../operations/_wiki.ts'

function opened(path: string): (text: string) => void {
  const handle = openSync(path, 'a')
  onTestFinished(() => closeSync(handle))
  return text => void writeSync(handle, text)
}

test.for([
  ['an edit', 'Low.'],
  ['a deletion', null],
] as const)('text appended after %s is kept, and named by status and verify', async ([, text]) => {
  const { wiki, directory } = await newWiki({ Tides: 'High.', Ferry: 'f' })
  const append = opened(join(directory, 'Tides.wiki'))
  const still = opened(join(directory, 'Tides.wiki'))
  if (text === null) await deletePages(wiki, { titles: ['Tides'], author: ada, comment: null })
  else await edit(wiki, 'Tides', text)
  expect([(await wikiStatus(wiki)).kept, (await verifyWiki(wiki)).kept]).toEqual([[], []])
  append('Appended.\n')
  const { kept } = await wikiStatus(wiki)
  expect(kept).toEqual([{ original: 'Tides.wiki', path: expect.stringMatching(/^\.git\/wiki\/old-files\//) }])
  const path = join(directory, kept[0]?.path ?? '')
  expect(readFileSync(path, 'utf8')).toBe('High.\nAppended.\n')
  expect((await verifyWiki(wiki)).kept).toEqual(kept)
  // Later edits do not take it away.
  for (const later of ['One.', 'Two.']) await edit(wiki, 'Ferry', later)
  still('More.\n')
  expect(readFileSync(path, 'utf8')).toBe('High.\nAppended.\nMore.\n')
  expect((await wikiStatus(wiki)).kept).toEqual(kept)
  rmSync(path)
  expect((await wikiStatus(wiki)).kept).toEqual([])
})

test('the command line and a server keep it alike', async () => {
  const { directory } = await newWiki({ Tides: 'High.' })
  const app = await openTestWiki(directory)
  const run = (...words: string[]) => command(words, { cwd: directory })
  const append = opened(join(directory, 'Tides.wiki'))
  expect((await command(['page', 'edit', 'Tides', '-f', '-'], { cwd: directory, stdin: 'Low.' })).status).toBe(0)
  append('First.\n')
  const second = opened(join(directory, 'Tides.wiki'))
  await edit(app, 'Tides', 'Slack.')
  second('Second.\n')
  const rows = (await run('status')).stdout.split('\n').filter(row => row.startsWith('kept\t'))
  expect(rows.map(row => row.replace(/old-files\/\w+/, 'old-files/ID'))).toEqual(
    Array(2).fill('kept\t.git/wiki/old-files/ID\t\tTides.wiki'),
  )
  const texts = rows.map(row => readFileSync(join(directory, row.split('\t')[1] as string), 'utf8'))
  expect(texts).toEqual(['High.\nFirst.\n', 'Low.\nSecond.\n'])
  const { status, stderr } = await run('verify')
  expect([status, stderr.match(/Another program wrote to Tides.wiki after it was replaced/g)?.length]).toEqual([1, 2])
})

const limits: ReplacedLimits = { number: 4, bytes: 1000, milliseconds: 60_000 }

async function newScene() {
  const top = await temporaryDirectory()
  const folder = join(top, 'old')
  const replace = (name: string, bytes: number, by = limits) => {
    const path = join(top, name)
    writeFileSync(path, 'x'.repeat(bytes))
    const found = readWorkFile(workTreeAt(top), name) as WorkFile
    return keepReplaced(folder, path, { path: name, found }, by)
  }
  const files = () => readdirSync(folder).filter(name => name !== 'list')
  return { top, folder, replace, files }
}

test('old files are bounded in number and bytes, and those with late text stay', async () => {
  const { folder, replace, files } = await newScene()
  expect(replace('first', 10)).toBe(true)
  appendFileSync(join(folder, files()[0] as string), 'late')
  for (let count = 0; count < 20; count++) {
    replace(`page ${count}`, 10)
    expect(files().length).toBeLessThanOrEqual(limits.number + 1)
  }
  expect(lateTexts(folder).map(({ path }) => path)).toEqual(['first'])
  for (let count = 0; count < 5; count++) replace(`large ${count}`, 400)
  expect(files().reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0)).toBeLessThanOrEqual(1014)
  expect(replace('too large', 2000)).toBe(false)
  expect(lateTexts(folder).map(({ path }) => path)).toEqual(['first'])
})

test('an old file is dropped after its time', async () => {
  const { replace, files } = await newScene()
  replace('first', 10, { ...limits, milliseconds: -1 })
  const [old] = files()
  replace('new', 10, { ...limits, milliseconds: -1 })
  expect(files()).toHaveLength(1)
  expect(files()).not.toContain(old)
})

test('an unchanged file, a touched one and one that a person took are not named; a torn list hides no other line', async () => {
  const { folder, replace, files } = await newScene()
  for (const name of ['same', 'touched', 'taken']) replace(name, 10)
  writeFileSync(join(folder, files()[1] as string), 'x'.repeat(10))
  appendFileSync(join(folder, 'list'), '{"id": "torn')
  expect(lateTexts(folder)).toEqual([])
  for (const name of files()) appendFileSync(join(folder, name), 'late')
  rmSync(join(folder, files()[2] as string))
  expect(lateTexts(folder)).toHaveLength(2)
  expect(existsSync(lateTexts(folder)[0]?.file ?? '')).toBe(true)
})
