/**
 * Builds the search index in a separate process, so that a server keeps responding, and the memory is returned to the
 * system afterwards.
 */

import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store, StoreOptions } from '../../store/store.ts'

/** Messages of the worker. */
export type FromSearchThread =
  | { readonly say: 'progress'; readonly done: number; readonly total: number }
  | { readonly say: 'notice' | 'failed'; readonly message: string }

/** Milliseconds between two checks of the stored index, and milliseconds that the worker has to stop. */
const lookPause = 200
const endTime = 5_000

/** Callbacks for progress of the worker. */
export interface WorkerOptions {
  /** Called with the number of indexed pages and their total. */
  readonly progress: (done: number, total: number) => void
  readonly notice: ((message: string) => void) | undefined
  /** Called at intervals, because the worker may have stored a part. */
  readonly look: () => void
}

/** A running worker. */
export interface SearchWorker {
  /** Resolves when the index is complete; rejects if the worker fails. */
  readonly done: Promise<void>
  /** Stops the worker. The part that it has stored remains. */
  readonly stop: () => Promise<void>
}

/**
 * Returns the path of the worker's program: beside the bundle, or beside this module in the library. Null if this module is
 * TypeScript, which workers cannot load.
 */
function programFile(): string | null {
  const here = import.meta.url
  if (here.endsWith('.cjs')) return join(dirname(here), 'wiki-index.cjs')
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'search-thread.js') : null
}

/** Updates the stored index in a worker, which opens the wiki itself. Returns null if no worker can run. */
export function indexInWorker(
  { repository, backend }: Store,
  { progress, notice, look }: WorkerOptions,
): SearchWorker | null {
  const file = programFile()
  if (file === null) return null
  const { workTree, gitDirectory, branch } = repository
  const options: StoreOptions = {
    directory: workTree ?? gitDirectory,
    backend,
    // HEAD may name another branch by now.
    branch: branch === 'HEAD' ? undefined : branch,
  }
  const worker = fork(file, { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const timer = setInterval(look, lookPause).unref()
  const done = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromSearchThread) => {
      if (message.say === 'progress') progress(message.done, message.total)
      else if (message.say === 'notice') notice?.(message.message)
      else reject(new Error(message.message))
    })
    worker.once('error', reject)
    worker.once('exit', (status, signal) => {
      if (status === 0) resolve()
      else reject(new Error(`it ended with ${signal ?? status}`))
    })
  }).finally(() => clearInterval(timer))
  worker.send(options, () => undefined)
  const stop = async (): Promise<void> => {
    worker.send('stop', () => undefined)
    const late = setTimeout(() => worker.kill('SIGKILL'), endTime)
    await done.catch(() => undefined)
    clearTimeout(late)
  }
  return { done, stop }
}
