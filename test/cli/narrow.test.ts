/** Output for people is as wide as the terminal. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { lineWithCarets } from '../../src/cli/render/source-line.ts'
import { textWidth } from '../../src/cli/render/text.ts'
import { temporaryFolder, wiki } from './harness.ts'

const words = 'The harbour master opens the eastern lock at high water, and closes it an hour later.'

test.each([
  ['search', 'harbour'],
  ['lint', 'Locks'],
  ['lint', 'Locks', '--format', 'text'],
  ['check', '--all'],
])('wiki %s %s', async (...argv) => {
  const cwd = temporaryFolder()
  await wiki(['init'], { cwd })
  writeFileSync(join(cwd, 'Locks.wiki'), `${words} ${words} <center>${words}</center> [[Nowhere${words}]]\n`)
  await wiki(['commit', '-m', 'Locks'], { cwd })
  const terminal = { cwd, tty: ['stdout' as const], columns: 50, env: { NO_COLOR: '1' } }
  const { stdout } = await wiki([...argv, '--no-pager'], terminal)
  // The first line of a problem is for programs that jump to its position.
  const lines = stdout.split('\n').filter(line => !/^\S+:\d+:\d+: /.test(line))
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(50)
})

test('the sentences of wiki status', async () => {
  const cwd = temporaryFolder()
  await wiki(['init'], { cwd })
  writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/a-branch-with-a-rather-long-name\n')
  const { stdout } = await wiki(['status'], { cwd, tty: ['stdout'], columns: 50, env: { FORCE_COLOR: '1' } })
  for (const line of stdout.split('\n').filter(line => !line.startsWith(' ')))
    expect(textWidth(stripVTControlCharacters(line)), line).toBeLessThanOrEqual(50)
  expect(stdout).toContain('has no')
})

test.each([
  ['a whole line', ['ab', 'cd', 'ef'], ['abcdef', '  ^^']],
  ['a position', ['ab', '', 'ef'], ['abef', '  ^']],
  ['wide characters', ['漢字', 'x', ''], ['漢字x', '    ^']],
  ['a long range', ['a', 'b'.repeat(50), ''], [`a${'b'.repeat(28)}…`, ` ${'^'.repeat(29)}`]],
  ['a range far to the right', ['a'.repeat(40), 'bc', 'd'], [`${'a'.repeat(15)}bcd`, `${' '.repeat(15)}^^`]],
])('carets below %s', (_, [before = '', range = '', after = ''], shown) => {
  expect(lineWithCarets({ before, range, after }, 30)).toEqual(shown)
})

test.each([[], ['page'], ['revision'], ['token']])('the commands of wiki %s fit into 80 columns', async (...group) => {
  const argv = group.length === 0 ? ['help', 'commands'] : [...group, '--help']
  const { stdout } = await wiki(argv, { tty: ['stdout'], columns: 80 })
  expect(stdout).toContain('Commands:')
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
})
