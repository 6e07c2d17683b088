import { expect, test } from 'vitest'
import { findCommand } from '../../src/cli/parse.ts'

/** `page get | --json X` : the command's words, and the remaining arguments. */
function found(line: string): string {
  const { words, rest } = findCommand(line.split(' '))
  return `${words.join(' ')} | ${rest.join(' ')}`
}

test.each([
  ['history X', 'history | X'],
  ['--json history X', 'history | --json X'],
  ['-C /tmp history X', 'history | -C /tmp X'],
  ['-C/tmp history X', 'history | -C/tmp X'],
  ['--dir=/tmp history X', 'history | --dir=/tmp X'],
  ['-qC /tmp history X', 'history | -qC /tmp X'],
  ['-n 5 history X', 'history | -n 5 X'],
  ['-n5 history X', 'history | -n5 X'],
  ['--color never page --json move A B', 'page move | --color never --json A B'],
  ['page get get', 'page get | get'],
  ['page Main_Page', 'page get | Main_Page'],
  ['page --at 5 Main_Page', 'page get | --at 5 Main_Page'],
  ['page -- list', 'page get | -- list'],
  ['page', 'page get | '],
  ['page --help', 'page | --help'],
  ['page move --help', 'page move | --help'],
  ['config', 'config | '],
  ['-h', ' | -h'],
  ['--version', ' | --version'],
  ['--no-such history X', ' | --no-such history X'],
  ['-- history', ' | -- history'],
])('%s', (line, expected) => {
  expect(found(line)).toBe(expected)
})

test('no command has a name from Object.prototype', () => {
  expect(() => findCommand(['constructor'])).toThrow('"constructor" is not a wiki command')
  expect(() => findCommand(['config', 'toString'])).toThrow('"config toString" is not a wiki command')
})

test.each([
  ['histroy', 'Did you mean: wiki history'],
  ['config lsit', 'Did you mean: wiki config list'],
  ['edit', 'Did you mean: wiki page edit'],
  ['hide', 'Did you mean: wiki revision hide'],
  ['diff', 'Did you mean: wiki compare'],
  ['ls', 'Did you mean: wiki page list'],
  ['frobnicate', 'wiki help'],
])('%s gets a hint', (line, hint) => {
  expect(() => findCommand(line.split(' '))).toThrow(expect.objectContaining({ hint }))
})
