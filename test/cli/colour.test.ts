import { expect, test } from 'vitest'
import { colourLevel, createPaint } from '../../src/cli/terminal/colour.ts'

const terminal = { isTTY: true, columns: 80, write: async () => {} }
const pipe = { ...terminal, isTTY: false }

test.each([
  ['a terminal has colours', terminal, {}, undefined, 1],
  ['a pipe has none', pipe, {}, undefined, 0],
  ['NO_COLOR takes them from a terminal', terminal, { NO_COLOR: '1' }, undefined, 0],
  ['an empty NO_COLOR means nothing', terminal, { NO_COLOR: '' }, undefined, 1],
  ['FORCE_COLOR gives them to a pipe', pipe, { FORCE_COLOR: '1' }, undefined, 1],
  ['FORCE_COLOR=0 takes them away', terminal, { FORCE_COLOR: '0' }, undefined, 0],
  ['NO_COLOR wins over FORCE_COLOR', pipe, { NO_COLOR: '1', FORCE_COLOR: '1' }, undefined, 0],
  ['a dumb terminal has none', terminal, { TERM: 'dumb' }, undefined, 0],
  ['--color always wins over NO_COLOR', pipe, { NO_COLOR: '1' }, 'always', 1],
  ['--color never wins over FORCE_COLOR', terminal, { FORCE_COLOR: '1' }, 'never', 0],
] as const)('%s', (_, stream, env, choice, level) => {
  expect(colourLevel(stream, env, choice)).toBe(level)
})

test('styles write escape sequences at level 1 and nothing at level 0', async () => {
  expect((await createPaint(1)).red('x')).toBe('\u001b[31mx\u001b[39m')
  expect((await createPaint(0)).red('x')).toBe('x')
})
