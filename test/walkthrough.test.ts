import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { git, hasGit, temporaryDirectory } from './_setup.ts'

const top = fileURLToPath(new URL('..', import.meta.url))
const hasTools = ['bash', 'curl', 'head', 'grep'].every(tool => spawnSync(tool, ['--version']).status === 0)

test('every command of docs/walkthrough.md works, in order', async context => {
  context.skip(!hasGit || !hasTools, 'the walk-through is for a shell with git and curl')
  const directory = await temporaryDirectory()
  const source = makeSource(join(directory, 'source'))
  const document = readFileSync(join(top, 'docs/walkthrough.md'), 'utf8')
  const blocks = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map(match => match[1])
  expect(blocks.length).toBeGreaterThan(5)
  const wiki = `#!/bin/sh\nexec "${process.execPath}" "${join(top, 'bin/wiki.cjs')}" "$@"\n`
  writeFileSync(join(directory, 'wiki'), wiki, { mode: 0o755 })
  const script = [`PATH="${directory}:$PATH"`, 'set -eu', ...blocks].join('\n')
  const run = spawnSync('bash', ['-c', script], {
    cwd: directory,
    env: { ...process.env, SOURCE: source, PORT: String(await freePort()) },
    encoding: 'utf8',
    timeout: 90_000,
  })
  expect(run.status, `${run.stdout}\n${run.stderr}`).toBe(0)
  for (const expected of [
    'Bip-0341',
    'A Reader: Add a line',
    '"comment":"By plain git"',
    'Committed by git itself.',
    '{+',
  ])
    expect(run.stdout).toContain(expected)
}, 120_000)

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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
