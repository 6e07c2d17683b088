import { expect, test } from 'vitest'
import { countSlips, nearest } from '../../src/core/nearest-name.ts'
import { temporaryDirectory } from '../_setup.ts'
import { sampleWiki, wiki } from './harness.ts'

test.each([
  ['histroy', 'history', 1],
  ['page', 'page', 0],
  ['', 'ab', 2],
  ['ab', '', 2],
  ['search', 'serve', 3],
])('from %j to %j are %i typing errors', (from, to, slips) => {
  expect(countSlips(from, to)).toBe(slips)
})

test.each([
  ['histroy', 'history'],
  ['HISTORY', 'history'],
  ['hist', 'history'],
  ['lsit', 'list'],
  ['mvoe', 'move'],
  ['xyz', undefined],
  ['ls', undefined],
])('%j may mean %j', (typed, name) => {
  expect(nearest(typed, ['page', 'history', 'move', 'list', 'compare'])).toBe(name)
})

test.each([
  [['hist'], 'wiki history'],
  [['revert', '3'], 'wiki undo'],
  [['backlinks'], 'wiki links'],
  [['page', 'hist'], 'wiki history'],
  [['log', 'Main Page'], 'wiki history "Main Page"'],
  [['restore', 'Main Page'], 'wiki page restore "Main Page"'],
  [['page', 'get', 'Mian Page'], 'wiki page get "Main Page"'],
  [['page', 'get', 'ain Page'], 'wiki page get "Main Page"'],
  [['history', 'Fire stn'], undefined],
  [['blame', 'Fire stat'], 'wiki blame "Fire station"'],
])('wiki %j may mean %j', async (argv, command) => {
  const { status, stderr } = await wiki(argv, { cwd: sampleWiki() })
  expect(status).toBe(2)
  if (command === undefined) expect(stderr).not.toContain('Did you mean')
  else expect(stderr).toContain(`hint: Did you mean: ${command}\n`)
})

test.each([
  ['Żółw', 'Zolw'],
  ['سلحفاة', 'سُلَحْفَاة'],
  ['2026-11-29 Notatka', '2026 11 29 Notatka'],
  ['Große Straße', 'GROSSE STRASSE'],
])('a page %s is suggested for %s', async (title, typed) => {
  const cwd = await temporaryDirectory()
  for (const argv of [
    ['init', '-q'],
    ['page', 'create', title, '-f', '-'],
  ])
    await wiki(argv, { cwd, stdin: 'x' })
  const { stderr } = await wiki(['page', 'get', typed], { cwd })
  expect(stderr).toContain(`Did you mean: wiki page get "${title}"\n`)
})

test('wiki links of a mistyped title says that there is no such page', async () => {
  const { status, stdout, stderr } = await wiki(['links', 'Mian Page'], { cwd: sampleWiki() })
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toBe('There is no page "Mian Page", and no link to it. Did you mean: Main Page\n')
})
