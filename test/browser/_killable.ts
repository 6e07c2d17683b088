/** A browser that can be killed as a power cut kills it, and that finds its profile again when it is started again. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserArguments, executablePath } from './_chromium.ts'

export interface KillableBrowser {
  readonly browser: Browser
  readonly page: Page
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
}

/** Starts the browser with the profile in a folder. */
export async function startKillable(profile: string): Promise<KillableBrowser> {
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run']
  const program = spawn(executablePath, [...browserArguments, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, to be killed with all that it started.
    detached: true,
  })
  let address = ''
  for await (const line of createInterface({ input: program.stderr })) {
    address = /DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? ''
    if (address !== '') break
  }
  program.stderr.resume()
  const browser = await chromium.connectOverCDP(address, { timeout: 120_000 })
  const page = await browser.contexts()[0]!.newPage()
  return {
    browser,
    page,
    kill: async () => {
      const ended = once(program, 'exit')
      process.kill(-program.pid!, 'SIGKILL')
      await ended
    },
  }
}
