import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineBatches, output, type Running, startGit } from '../../src/store/repository/process.ts'
import { git, temporaryDirectory } from '../_setup.ts'

/** Git that writes more than pipes hold, so that it cannot end before its output is read. */
async function talkativeGit(): Promise<Running> {
  const folder = await temporaryDirectory()
  git(folder, 'init', '-q')
  const input = 'a line of some length\n'.repeat(300_000)
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, input, encoding: 'utf8' })
  return startGit(join(folder, '.git'), ['cat-file', 'blob', blob.trim()])
}

test.each([
  ['chunks', output],
  ['lines', lineBatches],
] as const)('git is ended when who reads its %s stops before their end', async (_, read) => {
  const running = await talkativeGit()
  for await (const _ of read(running)) break
  expect(await running.ended).toBe(null)
})
