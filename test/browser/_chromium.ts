/** A real browser for tests, where there is one. */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, type TestContext } from 'vitest'

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

let started: Promise<Browser> | undefined

afterAll(async () => (await started)?.close())

/** Gives the browser, started once for each file; skips the test, and says why, where there is none. */
export async function browser(context: TestContext): Promise<Browser> {
  context.skip(!existsSync(path), `there is no Chromium at ${path}; CHROMIUM_PATH names another`)
  // Root, as in a container, has no sandbox; the pages are our own.
  started ??= chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  return started
}
