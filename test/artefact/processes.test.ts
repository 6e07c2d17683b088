// @module-tag long
/** The installed command as a process. */

import { beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { hasNpm, installed, serve, wiki } from './_installed.ts'

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
