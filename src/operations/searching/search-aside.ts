/** Making the search index beside the main thread, so that a server goes on answering while it lasts. */

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Store, StoreOptions } from '../../store/store.ts'

/** Messages of the thread. */
export type FromSearchThread =
  | { readonly say: 'progress'; readonly done: number; readonly total: number }
  | { readonly say: 'notice'; readonly message: string }

/** Milliseconds between two looks at what the thread has stored, and that it is given to end. */
const lookPause = 200
const endTime = 5_000

/** Callbacks for progress of the worker. */
export interface AsideOptions {
  /** Pages done, of how many. */
  readonly progress: (done: number, total: number) => void
  readonly notice: ((message: string) => void) | undefined
  /** Called now and then: the thread may have stored something. */
  readonly look: () => void
}

/** Work in a thread. */
export interface Aside {
  /** Fulfilled when it is done; rejected where the thread fails. */
  readonly done: Promise<void>
  /** Ends it; what it has done is kept. */
  readonly stop: () => Promise<void>
}

/**
 * Returns the path of the worker's program: beside the bundle, or beside this module in the library. Null if this
 * module is TypeScript, which workers cannot load.
 */
function programFile(): string | null {
  const here = import.meta.url
  if (here.endsWith('.cjs')) return join(dirname(here), 'wiki-index.cjs')
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'search-thread.js') : null
}

/** Brings the stored index of a wiki up to date in a thread, which opens the wiki by itself; null if there can be none. */
export function indexAside({ repository, backend }: Store, { progress, notice, look }: AsideOptions): Aside | null {
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
