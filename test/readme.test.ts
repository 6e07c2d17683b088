/** The transcript in the README matches the output of the commands. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasShellTools } from './_document.ts'
import { hasGit, temporaryDirectory } from './_setup.ts'

const bin = fileURLToPath(new URL('../bin/wiki.cjs', import.meta.url))

test('each command of the README prints the output shown there', async context => {
  context.skip(!hasGit || !hasShellTools, 'the transcript is of a shell with git')
  const directory = join(await temporaryDirectory(), 'harbour')
  mkdirSync(directory)
  const transcript = /^```console\n(.*?)^```$/ms.exec(readFileSync('README.md', 'utf8'))![1]!
  const steps = transcript.split(/^\$ /m).slice(1)
  // The last command is a server, which does not end.
  expect(steps.pop()).toMatch(/^wiki serve /)
  expect(steps.length).toBeGreaterThan(4)
  for (const step of steps) {
    const [command = '', ...shown] = step.split('\n')
    const { stdout, stderr } = spawnSync('bash', ['-c', `wiki() { "$NODE" "$BIN" "$@"; }\n${command}`], {
      cwd: directory,
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE: process.execPath,
        BIN: bin,
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.org',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.org',
        TZ: 'UTC',
      },
    })
    expect(withoutMoment(`${stdout}${stderr}`), command).toBe(withoutMoment(shown.join('\n')))
  }
})

/** Replaces hashes, times and folders, which differ between runs. */
function withoutMoment(text: string): string {
  return text
    .replace(/\b[0-9a-f]{7,}\b/g, 'HASH')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
    .replace(/\/\S*\/harbour/g, '/harbour')
}
