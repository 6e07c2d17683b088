/** A browser that can be killed as by a power failure, and that finds its profile again when it is restarted. */

import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserPath } from '../../scripts/browser-path.mjs'
import { browserArguments } from './_chromium.ts'

export interface KillableBrowser {
  readonly page: Page
  /** Ends it before it can write anything. */
  readonly kill: () => Promise<void>
}

/** Starts the browser with the profile in a folder. */
export async function startKillable(profile: string): Promise<KillableBrowser> {
  const context = await started(profile)
  return {
    // The page that it opens at its start: opening no other page avoids one step that may hang.
    page: context.pages()[0]!,
    kill: async () => {
      const closed = new Promise(resolve => context.once('close', resolve))
      for (const id of await processesOf(context)) kill(id)
      await closed
    },
  }
}

/** Chromium does not always start on a loaded machine, so a failed start is repeated once. */
async function started(profile: string): Promise<BrowserContext> {
  const start = () =>
    chromium.launchPersistentContext(profile, { executablePath: browserPath, args: browserArguments, timeout: 60_000 })
  const context = await start().catch(start)
  context.setDefaultTimeout(120_000)
  return context
}

/** The others end by themselves soon after the main process. */
function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns the ids of the browser's processes, its main process first. */
async function processesOf(context: BrowserContext): Promise<number[]> {
  const session = await context.browser()!.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.map(({ id }) => id)
}
