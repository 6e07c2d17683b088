import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleWiki, temporaryFolder, wiki } from './harness.ts'

async function completed(...words: string[]): Promise<string> {
  const { stdout, stderr, status } = await wiki(['__complete', '--', ...words], { cwd: sampleWiki() })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.trimEnd().split('\n').join(' ')
}

test.each([
  ['commands', ['com'], 'compare commit completion'],
  ['subcommands', ['file', ''], 'get list add'],
  ['subcommands and titles where the short form allows both', ['page', 'ma'], 'Main_Page'],
  ['titles, in any case, without blanks', ['history', 'fire'], 'Fire_house Fire_station'],
  ['titles with their namespace', ['history', 'Talk:'], 'Talk:Main_Page'],
  ['titles as they read, inside quotes', ['history', '"Fire s'], 'Fire station'],
  ['options', ['history', 'X', '--o'], '--older-than'],
  ['options that every command has', ['check', '--js'], '--json --jsonl'],
  ['values of an option', ['history', 'X', '--filter', 'm'], 'minor'],
  ['values of an option that every command has', ['--color', ''], 'auto always never'],
  ['nothing for a value that is free', ['history', 'X', '-n', ''], ''],
  ['shells', ['completion', 'b'], 'bash'],
  ['nothing after a command that does not exist', ['frobnicate', ''], ''],
])('offers %s', async (_, words, offered) => {
  expect(await completed(...words)).toBe(offered)
})

test('offers nothing if there is no wiki', async () => {
  const result = await wiki(['__complete', '--', 'history', ''], { cwd: temporaryFolder() })
  expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
})

const shells = ['bash', 'zsh', 'fish'] as const

test.for(shells)('the script for %s is valid for that shell', async (shell, context) => {
  context.skip(spawnSync(shell, ['-c', ':']).status !== 0, `there is no ${shell}`)
  const { stdout } = await wiki(['completion', shell])
  expect(execFileSync(shell, ['-n'], { input: stdout, encoding: 'utf8' })).toBe('')
})

test('bash requests completions with the words up to the cursor, and quotes the results', async () => {
  const { stdout: script } = await wiki(['completion', 'bash'])
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'wiki'), '#!/bin/sh\necho "$@" > asked\necho "A (b)"\necho C\n', { mode: 0o755 })
  const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` }
  const input = `${script}
    COMP_WORDS=(wiki page get A later) COMP_CWORD=3
    _wiki
    cat asked
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const answered = execFileSync('bash', ['--norc'], { cwd: folder, env, input, encoding: 'utf8' })
  expect(answered).toBe('__complete -- page get A\nA\\ \\(b\\)\nC\n')
})
