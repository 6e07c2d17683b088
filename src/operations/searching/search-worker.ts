/**
 * Builds the search index in a separate process, so that a server keeps responding, and the memory is returned to the
 * system afterwards.
 */

import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WikiError } from '../../core/errors.ts'
import type { Store, StoreOptions } from '../../store/store.ts'

/** Messages of the worker. */
export type FromSearchProcess =
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'notice' | 'failed'; readonly message: string }
  /** It ends, because it has more memory than it may. */
  | { readonly type: 'full' }

/** Milliseconds between two checks of the stored index, and milliseconds that the worker has to stop. */
const checkPause = 200
const endTime = 5_000

/** Maximum megabytes of a worker; the index of 100,000 pages takes 372 MB (docs/benchmarks.md). */
const megabytes = 1024

/** Callbacks for progress of the worker. */
export interface WorkerOptions {
  /** Called with the number of indexed pages and their total. */
  readonly progress: (done: number, total: number) => void
  readonly notice: ((message: string) => void) | undefined
  /** Called at intervals, because the worker may have stored a part. */
  readonly check: () => void
}

/** A running worker. */
export interface SearchWorker {
  /** Resolves when the index is complete; rejects if the worker fails: with wiki-work-limit if it has no memory left. */
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
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'search-process.js') : null
}

function noMemoryLeft(): WikiError {
  const params = ['search index', `it takes more than ${megabytes} MB`]
  return new WikiError('wiki-work-limit', {
    params,
    hint: 'What is indexed is kept; the next search goes on from there',
  })
}

/** Updates the stored index in a worker, which opens the wiki itself. Returns null if no worker can run. */
export function indexInWorker(
  { repository, backend }: Store,
  { progress, notice, check }: WorkerOptions,
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
  const worker = fork(file, [String(megabytes * 1024 * 1024)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${megabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timer = setInterval(check, checkPause).unref()
  const done = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromSearchProcess) => {
      if (message.type === 'progress') progress(message.done, message.total)
      else if (message.type === 'notice') notice?.(message.message)
      else if (message.type === 'full') reject(noMemoryLeft())
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
