/** Opens a page in the user's browser. */

import { spawn } from 'node:child_process'
import type { Context } from './context.ts'

/** Program and arguments for each platform, before the URL. They run without a shell. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a URL with the program in BROWSER, or with the platform's default, and reports a failure. */
export async function openBrowser(context: Context, url: string): Promise<void> {
  const { env } = context.io
  const [program, ...before] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open'])
  const failed = await new Promise<boolean>(resolve => {
    const child = spawn(program, [...before, url], { env, stdio: 'ignore', detached: true })
    child.once('error', () => resolve(true))
    child.once('spawn', () => resolve(false))
    child.unref()
  })
  if (failed) await context.say(`No browser could be started with ${program}; open ${url}`)
}
