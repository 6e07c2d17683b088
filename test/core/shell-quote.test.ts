import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inShellQuotes, shellQuote } from '../../src/core/shell-quote.ts'
import { hasShellTools } from '../_document.ts'

const words = [
  'Tides',
  'Low tide',
  '$(touch pwned)',
  '`id`',
  'a "b" \\ c',
  "it's $HOME",
  'really!',
  '-',
  '$(id)\nsecond',
]

test('a shell reads a quoted word unchanged', context => {
  context.skip(!hasShellTools, 'there is no shell')
  for (const quote of [shellQuote, inShellQuotes]) {
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${words.map(quote).join(' ')}`], { encoding: 'utf8' })
    expect(stdout.split('\0').slice(0, -1)).toEqual(words)
  }
})

test('commands in messages quote names with these functions', () => {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'))
  const raw = paths.flatMap(path => {
    const lines = readFileSync(join('src', path), 'utf8').split('\n')
    return lines
      .filter(line => /\b(?:wiki [a-z]+|git [a-z-]+|rm) [^`]*"\$\{/.test(line))
      .map(line => `${path}: ${line}`)
  })
  expect(raw).toEqual([])
})
