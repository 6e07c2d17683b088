import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BadConfigLine, parseConfig } from '../../src/store/repository/config-text.ts'
import { wildMatch } from '../../src/store/repository/wild-match.ts'
import { rounds } from '../_rounds.ts'
import { gitBytes, hasGit, temporaryDirectory } from '../_setup.ts'

/** Pieces with a meaning in git's syntax, in any order. */
const pieces = [
  ...[
    '[a]',
    '[A.b]',
    '[a "B c"]',
    '[a "q\\"\\\\x"]',
    '[ a]',
    '[a  "b"]',
    '[a-b]',
    '[a_b]',
    '[a "b]',
    '[a"b"]',
    '[]',
    '[',
  ],
  ...['k', 'Key', 'k-1', '1k', 'k_', 'k = v', 'k=v', 'k =', 'k=" v "', 'k = a b  ', 'k = a ; c', 'k = "a ; c" # d'],
  ...['k = a\\', 'k = a\\nb\\t\\b', 'k = a\\x', 'k = "a', 'k = "a"b"c"', 'k = \\"a\\"', 'k v', '; c', '# c', '=', '"'],
  ...[
    ' ',
    '\t',
    '\n',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\\',
    'ä',
    'k = Jörg',
    '[c] k = v',
    '[d]k',
    'k = [x]',
    'k = v\\\n  w',
  ],
]

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

function ours(text: string): string {
  try {
    const entries = parseConfig(text)
    return entries.map(({ key, value }) => `${key}${value === null ? '' : `\n${value}`}\0`).join('')
  } catch (error) {
    if (error instanceof BadConfigLine) return 'refused'
    throw error
  }
}

describe.skipIf(!hasGit)('the parser', () => {
  test('reads the same as `git config --list`, and refuses the same', { tags: ['rounds', 'long'] }, async () => {
    const folder = await temporaryDirectory()
    const file = join(folder, 'config')
    const next = random(17)
    let refused = 0
    const files = rounds(80, 400)
    for (let round = 0; round < files; round++) {
      const count = 1 + Math.floor(next() * 12)
      const chosen = Array.from({ length: count }, () => pieces[Math.floor(next() * pieces.length)] as string)
      // Most lines end properly, because otherwise nearly all files would be refused at their first line.
      const text = `[a]\n${chosen.map(piece => (next() < 0.8 ? `${piece}\n` : piece)).join('')}`
      writeFileSync(file, text)
      let theirs: string
      try {
        theirs = gitBytes(folder, 'config', '--file', file, '--list', '-z').toString()
      } catch {
        theirs = 'refused'
      }
      // Blanks inside a value became spaces before git 2.45.
      const folded = (list: string) => list.replace(/[\t\r ]/g, ' ')
      if (theirs === 'refused') refused++
      expect(folded(ours(text)), JSON.stringify(text)).toBe(folded(theirs))
    }
    expect(refused).toBeGreaterThan(files / 8)
    expect(refused).toBeLessThan((files * 7) / 8)
  })
})

test.each([
  ['a/*', 'a/b', true],
  ['a/*', 'a/b/c', false],
  ['**/b', 'a/x/b', true],
  ['**/b', 'b', true],
  ['**/b', 'ab', false],
  ['a/**', 'a/b/c', true],
  ['a/**/c', 'a/c', true],
  ['a/**/c', 'a/b/b/c', true],
  ['a**', 'ab/c', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[a-c]', 'b', true],
  ['[!a-c]', 'b', false],
  ['[]]', ']', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['', '', true],
])('the pattern %s and %s', (pattern, text, expected) => {
  expect(wildMatch(pattern, text)).toBe(expected)
})

test("a hostile pattern is limited by its length and the text's", () => {
  expect(wildMatch('*a'.repeat(500), 'a'.repeat(2000))).toBe(true)
  expect(wildMatch(`${'*a'.repeat(500)}b`, 'a'.repeat(2000))).toBe(false)
  expect(wildMatch('*'.repeat(5000), 'a')).toBe(false)
})

test('the entries of a text that was parsed before are the same ones; another text has its own', () => {
  const [one, two] = ['[a]\n\tk = 1\n', '[a]\n\tk = 2\n']
  expect(parseConfig(one)).toBe(parseConfig(one))
  for (let at = 0; at < 20; at++) expect(parseConfig(`[a]\n\tk = ${at}\n`)).toEqual([{ key: 'a.k', value: `${at}` }])
  expect([parseConfig(two), parseConfig(one)]).toEqual([[{ key: 'a.k', value: '2' }], [{ key: 'a.k', value: '1' }]])
})
