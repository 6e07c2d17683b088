/**
 * Set-up file of each test file: afterwards it restores the process. Files that share their modules run the top level
 * of a helper only once, so a helper cannot register such a hook itself.
 */

import { afterAll, vi } from 'vitest'
import { cleanUp } from './_cleanup.ts'

const environment = { ...process.env }
const folder = process.cwd()
const largeBytes = 400 * 1024 ** 2

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  await cleanUp()
  // Starting a process copies the page tables of the process that starts it: the more memory it uses, the longer that takes.
  // The collection itself takes 60 ms of CPU.
  if (process.memoryUsage.rss() > largeBytes) globalThis.gc?.()
})
