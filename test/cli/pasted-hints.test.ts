/** Commands in hints can be pasted into a shell, whatever the names in them are. */

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { gitWiki, wiki } from './harness.ts'

/** Returns the words that a shell reads from the part of a text after a command's beginning. */
function wordsAfter(text: string, start: string): string[] {
  const line = text.slice(text.indexOf(start) + start.length).split('\n', 1)[0]!
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' }).split('\0')
}

const branch = 'a$IFS;echo'

test('the branch to rename', async context => {
  needsGit(context)
  const cwd = await gitWiki([{ files: { 'A.wiki': 'a' }, message: 'a' }])
  execFileSync('git', ['branch', '-m', branch], { cwd })
  execFileSync('git', ['symbolic-ref', 'HEAD', `refs/heads/${branch}/b`], { cwd })
  const { status, stderr } = await wiki(['page', 'create', 'B', '-f', '-'], { cwd, stdin: 'b' })
  expect(status).toBe(2)
  expect(wordsAfter(stderr.replace('<new name>', 'new'), 'git branch -m ')).toEqual([branch, 'new', ''])
})

test('the branch to restore', async context => {
  needsGit(context)
  const cwd = await gitWiki([{ files: { 'A.wiki': 'a' }, message: 'a' }])
  execFileSync('git', ['branch', '-m', branch], { cwd })
  await wiki(['history', 'A'], { cwd })
  execFileSync('git', ['update-ref', '-d', `refs/heads/${branch}`], { cwd })
  const { stderr } = await wiki(['history', 'A'], { cwd })
  expect(wordsAfter(stderr.replace('. To', ' To'), 'git branch ')[0]).toBe(branch)
})
