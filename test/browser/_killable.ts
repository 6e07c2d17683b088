/** A browser that can be killed as a power cut kills it, and that finds its profile again when it is started again. */

import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserArguments, executablePath } from './_chromium.ts'

export interface KillableBrowser {
  readonly page: Page
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
}

/** Starts the browser with the profile in a folder. */
export async function startKillable(profile: string): Promise<KillableBrowser> {
  const context = await started(profile)
  return {
    // The page that it opens by itself: a start has one step less that may hang.
    page: context.pages()[0]!,
    kill: async () => {
      const closed = new Promise(resolve => context.once('close', resolve))
      // Playwright starts the browser as the leader of a group of processes, and this kills the group.
      process.kill(-processOf(profile), 'SIGKILL')
      await closed
    },
  }
}

/** Chromium does not always come up on a loaded machine: a start that fails is repeated once. */
async function started(profile: string): Promise<BrowserContext> {
  const start = () =>
    chromium.launchPersistentContext(profile, { executablePath, args: browserArguments, timeout: 40_000 })
  const context = await start().catch(start)
  context.setDefaultTimeout(40_000)
  return context
}

/** Chromium locks its profile by a link to its host name and process id. */
function processOf(profile: string): number {
  return Number(/-(\d+)$/.exec(readlinkSync(join(profile, 'SingletonLock')))![1])
}
