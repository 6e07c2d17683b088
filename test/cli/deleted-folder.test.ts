// @module-tag long
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'

const program = resolve('bin/wiki.cjs')

/** Runs a command in a folder that is deleted before the program starts. */
async function runInDeleted(args: readonly string[], input = '') {
  const gone = join(await temporaryDirectory(), 'gone')
  mkdirSync(gone)
  const script = 'rmdir "$PWD" && exec "$@"'
  return spawnSync('sh', ['-c', script, 'sh', process.execPath, program, ...args], {
    cwd: gone,
    input,
    encoding: 'utf8',
  })
}

test('a command in a deleted folder ends with a sentence, and works on a wiki named by its whole path', {
  tags: 'long',
}, async () => {
  const { status, stderr } = await runInDeleted(['status'])
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'wiki: The current folder was deleted'])
  const { directory } = await newWiki({ Tides: 'High' })
  const author = ['--user', 'Ann <ann@example.org>']
  const edit = await runInDeleted(['-C', directory, 'page', 'edit', 'Tides', '-f', '-', '-m', 'x', ...author], 'Low\n')
  expect([edit.status, edit.stderr]).toEqual([0, expect.stringContaining('Saved "Tides"')])
  expect((await runInDeleted(['-C', directory, 'page', 'get', 'Tides'])).stdout).toBe('Low\n')
  const output = await runInDeleted(['-C', directory, 'page', 'get', 'Tides', '-o', 'out.wiki'])
  expect([output.status, output.stderr]).toEqual([2, expect.stringContaining('The current folder was deleted')])
})
