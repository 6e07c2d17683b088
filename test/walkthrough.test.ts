// @module-tag long
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasShellTools, runDocument } from './_document.ts'
import { isFull } from './_rounds.ts'
import { git, hasGit, temporaryDirectory } from './_setup.ts'

// Slow: it starts some thirty commands, 4 s of CPU. `npm test` runs the tutorial.
test.runIf(isFull)('every command of docs/walkthrough.md works, in order', { tags: 'rounds' }, async context => {
  context.skip(!hasGit || !hasShellTools, 'the walk-through is for a shell with git and curl')
  const directory = await temporaryDirectory()
  const source = makeSource(join(directory, 'source'))
  const run = await runDocument('docs/walkthrough.md', { directory, env: { SOURCE: source } })
  expect(run.status, `${run.stdout}\n${run.stderr}`).toBe(0)
  for (const expected of [
    'Bip-0341',
    'A Reader: Add a line',
    '"comment":"By plain git"',
    'Committed by git itself.',
    '{+',
    'A line from the walk-through.',
  ])
    expect(run.stdout).toContain(expected)
})

/** A repository of the shape of the real one: pages in the top folder, an image in a folder, a merged branch. */
function makeSource(folder: string): string {
  execFileSync('git', ['init', '-q', '-b', 'main', folder])
  const write = (path: string, text: string, message: string) => {
    execFileSync('bash', ['-c', `mkdir -p "$(dirname "${path}")" && printf '%s' "$TEXT" > "${path}"`], {
      cwd: folder,
      env: { ...process.env, TEXT: text },
    })
    git(folder, 'add', path)
    git(folder, 'commit', '-q', '-m', message)
  }
  write('bip-0002.mediawiki', '== Process ==\nOne line.\n', 'process')
  write('bip-0341.mediawiki', '== Spending ==\nFirst line.\n', 'first text')
  write('bip-0001/process.png', 'no real image', 'an image')
  git(folder, 'checkout', '-q', '-b', 'topic')
  write('bip-0341.mediawiki', '== Spending ==\nFirst line, longer.\n', 'longer')
  git(folder, 'checkout', '-q', 'main')
  write('bip-0003.md', '# A page in Markdown\n', 'markdown')
  git(folder, 'merge', '-q', '--no-ff', '-m', 'merge topic', 'topic')
  return folder
}
