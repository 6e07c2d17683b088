// @module-tag long
/** The first command of the README after `npm ci`, in a copy of the checkout, on a machine without git. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { copyFolder, temporaryDirectory } from '../_setup.ts'
import { inTime, until } from '../_wait.ts'
import { hasNpm, installed, userEnvironment } from './_installed.ts'

const root = resolve(import.meta.dirname, '../..')

test.skipIf(!hasNpm)('npm run sample builds, makes the sample wiki and serves it', async () => {
  const env = userEnvironment((await installed()).folder, true)
  const folder = await temporaryDirectory()
  for (const name of ['bin', 'fixtures', 'scripts', 'src']) copyFolder(join(root, name), join(folder, name))
  for (const name of ['LICENSE', 'package.json', 'package-lock.json', 'tsconfig.json'])
    copyFileSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // A group of its own, as at a terminal, whose Ctrl-C is for all processes of it.
  const child = spawn('npm', ['run', 'sample', '--', '--port', '0'], { cwd: folder, env, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (said += chunk))
  const url = await until('it serves', () => {
    if (child.exitCode !== null) throw new Error(said)
    return /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  })
  expect(await (await fetch(`${url}/wiki/Main_Page`)).text()).toContain('Tidewick Field Guide')
  process.kill(-child.pid!, 'SIGINT')
  await inTime('it ends', once(child, 'exit'))
})
