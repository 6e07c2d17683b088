// @module-tag long
/** The installed command as users start it. What holds of any process of it is in test/cli/binary.test.ts. */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { inTime } from '../_wait.ts'
import { hasNpm, installed, serve, startWiki, userEnvironment, wiki } from './_installed.ts'

beforeAll(async () => void (hasNpm && (await installed())), 600_000)

test.skipIf(!hasNpm)('without git, in an empty HOME: a wiki is made, searched and served', async () => {
  const run = { cwd: await temporaryDirectory(), withoutGit: true }
  expect(await wiki(['init'], run)).toMatchObject({ status: 0 })
  const create = ['page', 'create', 'Pâté', '-f', '-', '-m', 'Première']
  expect(await wiki(create, { ...run, input: 'Die „Pâté“ und 駅前の東京.' })).toMatchObject({ status: 0 })
  for (const words of ['pâté', '“Pâté”', '東京'])
    expect(await wiki(['search', words], run)).toMatchObject({ status: 0, stdout: expect.stringContaining('Pâté') })
  const { url, stop } = await serve(run.cwd, ['--read-only'], run)
  expect((await fetch(`${url}/wiki/P%C3%A2t%C3%A9`)).status).toBe(200)
  expect(await stop('SIGINT')).toBe(0)
})

test.skipIf(!hasNpm)('npx starts it', async () => {
  const { folder } = await installed()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const options = { cwd: folder, encoding: 'utf8', env: userEnvironment(folder) } as const
  expect(execFileSync('npx', ['--no-install', 'wiki', '--version'], options)).toBe(`wiki ${version}\n`)
})

test.skipIf(!hasNpm)('a reader that goes away ends it without a word', async () => {
  const cwd = await temporaryDirectory()
  await wiki(['init'], { cwd })
  await wiki(['page', 'create', 'Long', '-f', '-', '-m', 'x'], { cwd, input: 'line\n'.repeat(200_000) })
  const child = await startWiki(['page', 'get', 'Long'], { cwd })
  let errors = ''
  child.stderr!.on('data', chunk => (errors += chunk))
  await inTime('it prints', once(child.stdout!, 'data'))
  child.stdout!.destroy()
  expect([await inTime('it ends', once(child, 'close')), errors]).toEqual([[0, null], ''])
})

test.skipIf(!hasNpm)('it leaves nothing in the home folder', async () => {
  const { folder } = await installed()
  expect(readdirSync(join(folder, 'home')).filter(name => name !== '.npm')).toEqual([])
})
