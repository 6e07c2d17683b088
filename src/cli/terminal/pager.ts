/** Pages long output on a terminal with the program in WIKI_PAGER, else in PAGER, else less with LESS=FRX. */

import { once } from 'node:events'
import { BrokenPipe, type Io, type Output } from './io.ts'
import { guardOutput } from './terminal-guard.ts'

/** An output that must be closed before the program exits. */
export interface Pager extends Output {
  /** Resolves when the user has left the pager; prints the text itself if the pager could not be run. */
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
  const input = guardOutput({ isTTY: true, columns: io.stdout.columns, write }, 'text')
  // Before the guard: `io.stdout` has its own, which would not know the colours of a guarded text.
  const printed: (string | Uint8Array)[] = []
  let left = false
  child.stdin.on('error', () => (left = true))
  // Ctrl-C belongs to the pager: in less it ends a search, not the program.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)

  async function write(chunk: string | Uint8Array): Promise<void> {
    if (left && !couldNotRun(await ended)) throw new BrokenPipe('the pager was left')
    if (!left && !child.stdin.write(chunk)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended])
  }

  return {
    isTTY: true,
    columns: io.stdout.columns,
    write: chunk => {
      printed.push(chunk)
      return input.write(chunk)
    },
    async close() {
      child.stdin.end()
      const code = await ended
      process.off('SIGINT', ignore)
      if (couldNotRun(code)) for (const chunk of printed) await io.stdout.write(chunk)
    },
  }
}

/** True for the exit codes of a shell that could not run a program. */
function couldNotRun(code: number | null): boolean {
  return code === 126 || code === 127
}
