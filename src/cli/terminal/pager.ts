/** Pages long output on a terminal with the program in WIKI_PAGER, else in PAGER, else less with LESS=FRX. */

import { once } from 'node:events'
import { BrokenPipe, type Io, type Output } from './io.ts'

/** An output that must be closed before the program exits. */
export interface Pager extends Output {
  /** Resolves when the user has left the pager. */
  close(): Promise<void>
}

/** Returns the command line of the pager; null if output goes straight to the terminal. */
export function pagerCommand(io: Io): string | null {
  if (!io.stdout.isTTY || io.env.TERM === 'dumb') return null
  const command = io.env.WIKI_PAGER ?? io.env.PAGER ?? (process.platform === 'win32' ? 'more' : 'less')
  return command === '' || command === 'cat' ? null : command
}

/** Starts the pager on the process's terminal. If that fails, the text is written to `io.stdout` at the end. */
export async function openPager(command: string, io: Io): Promise<Pager> {
  const { spawn } = await import('node:child_process')
  const env = { LESS: 'FRX', ...io.env }
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const written: (string | Uint8Array)[] = []
  let left = false
  child.stdin.on('error', () => (left = true))
  // Ctrl-C belongs to the pager: in less it ends a search, not the program.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  return {
    isTTY: true,
    columns: io.stdout.columns,
    async write(chunk) {
      if (left) throw new BrokenPipe('the pager was left')
      written.push(chunk)
      if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended])
    },
    async close() {
      child.stdin.end()
      const code = await ended
      process.off('SIGINT', ignore)
      // Exit codes 126 and 127: the shell could not run it.
      if (code === 126 || code === 127) for (const chunk of written) await io.stdout.write(chunk)
    },
  }
}
