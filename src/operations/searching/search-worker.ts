/** Builds the search index in a worker thread, so that a server keeps responding meanwhile. */

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Store, StoreOptions } from '../../store/store.ts'

/** Messages of the worker. */
export type FromSearchThread =
  | { readonly say: 'progress'; readonly done: number; readonly total: number }
  | { readonly say: 'notice'; readonly message: string }

/** Milliseconds between two checks of the stored index, and those that the worker has to end. */
const lookPause = 200
const endTime = 5_000

/** Callbacks for progress of the worker. */
export interface WorkerOptions {
  /** Pages done, of how many. */
  readonly progress: (done: number, total: number) => void
  readonly notice: ((message: string) => void) | undefined
  /** Called at intervals: the worker may have stored a part. */
  readonly look: () => void
}

/** A running worker. */
export interface SearchWorker {
  /** Resolves when the index is complete; rejects if the worker fails. */
  readonly done: Promise<void>
  /** Ends the worker; the part that it has stored remains. */
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
  const workerData: StoreOptions = {
    directory: workTree ?? gitDirectory,
    backend,
    // HEAD may name another branch by now.
    branch: branch === 'HEAD' ? undefined : branch,
  }
  const thread = new Worker(file, { workerData })
  const timer = setInterval(look, lookPause).unref()
  thread.on('message', (message: FromSearchThread) => {
    if (message.say === 'progress') progress(message.done, message.total)
    else notice?.(message.message)
  })
  const done = new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  }).finally(() => clearInterval(timer))
  const stop = async (): Promise<void> => {
    thread.postMessage('stop')
    const late = setTimeout(() => void thread.terminate(), endTime)
    await done.catch(() => undefined)
    clearTimeout(late)
  }
  return { done, stop }
}
