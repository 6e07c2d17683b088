/** Rendering beside the main thread, so that a server goes on answering while it lasts; with a deadline. */

import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type ErrorKey, WikiError } from '../core/errors.ts'
import type { FromThread, Job, JobResult, RawSource, ToThread } from './render-job.ts'

/** Seconds that one job may take, waiting for a free thread not counted. */
const deadlineSeconds = 30
/** Jobs that wait for a thread; further ones are refused. */
const longestQueue = 200
/** Megabytes that the objects of one thread may take. */
const threadMegabytes = 1024

/** Threads that render. */
export interface RenderThreads {
  /** Errors: wiki-render-limit, rest-invalid-title. */
  readonly run: (job: Job, source: RawSource, configText: string) => Promise<JobResult>
  readonly close: () => Promise<void>
}

export interface RenderThreadsOptions {
  readonly seconds?: number
}

/**
 * Where the thread's program lies: beside the bundle, or beside this module in the library. Null if this module is
 * TypeScript, which threads cannot read.
 */
function programFile(): string | null {
  const here = import.meta.url
  if (here.endsWith('.cjs')) return join(dirname(here), 'wiki-render.cjs')
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'render-thread.js') : null
}

interface Waiting {
  readonly start: (thread: Worker) => void
  readonly fail: (error: unknown) => void
}

/** Makes threads, each started when it is first needed; null if they cannot be. */
export function createRenderThreads({ seconds = deadlineSeconds }: RenderThreadsOptions = {}): RenderThreads | null {
  const file = programFile()
  if (file === null) return null
  const most = Math.max(1, Math.min(4, availableParallelism() - 1))
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const queue: Waiting[] = []
  const start = (): Worker => {
    const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: threadMegabytes } })
    thread.unref()
    all.add(thread)
    thread.once('exit', () => end(thread))
    return thread
  }
  const end = (thread: Worker): void => {
    all.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    void thread.terminate()
  }
  const next = (): void => {
    while (queue.length > 0 && (idle.length > 0 || all.size < most)) queue.shift()!.start(idle.pop() ?? start())
  }
  const free = (thread: Worker): void => {
    if (all.has(thread)) idle.push(thread)
    next()
  }
  const run: RenderThreads['run'] = (job, source, configText) => {
    if (queue.length >= longestQueue)
      throw new WikiError('wiki-render-limit', { params: [job.title, 'too many others wait'] })
    return new Promise((resolve, reject) => {
      const begin = (thread: Worker): void => {
        runIn(thread, { job, source, configText, seconds, end })
          .then(resolve, reject)
          .finally(() => free(thread))
      }
      queue.push({ start: begin, fail: reject })
      next()
    })
  }
  const close = async (): Promise<void> => {
    for (const { fail } of queue.splice(0))
      fail(new WikiError('wiki-render-limit', { params: ['', 'the server ends'] }))
    await Promise.all([...all].map(thread => thread.terminate()))
  }
  return { run, close }
}

interface Assignment {
  readonly job: Job
  readonly source: RawSource
  readonly configText: string
  readonly seconds: number
  /** Ends a thread that can do no other job. */
  readonly end: (thread: Worker) => void
}

/** Runs one job in a thread that has no other; a thread that is late or fails is ended. */
function runIn(thread: Worker, { job, source, configText, seconds, end }: Assignment): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const give = (reason: string): void => finish(() => reject(limitError(job, reason)))
    const timer = setTimeout(() => {
      give(`it takes longer than ${seconds} seconds`)
      end(thread)
    }, seconds * 1000)
    // One that the closing server ends says nothing more, and the timer would hold up the process.
    const left = (): void => give('its thread was ended')
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      thread.off('exit', left)
      thread.removeAllListeners('message')
      thread.removeAllListeners('error')
      settle()
    }
    thread.once('exit', left)
    thread.on('message', (message: FromThread) => {
      if (message.say === 'ask') return void answer(thread, message, source).catch(error => finish(() => reject(error)))
      if (message.say === 'done') return finish(() => resolve(message.result))
      finish(() => reject(errorOf(message.error)))
    })
    thread.on('error', error => {
      end(thread)
      const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      finish(() => reject(isMemory ? limitError(job, 'it takes too much memory') : error))
    })
    thread.postMessage({ say: 'run', job, configText } satisfies ToThread)
  })
}

async function answer(
  thread: Worker,
  { kind, about, question }: FromThread & { say: 'ask' },
  source: RawSource,
): Promise<void> {
  const answered = await source[kind](about as never)
  thread.postMessage({ say: 'answer', question, answer: answered } satisfies ToThread)
}

function limitError({ title }: Job, reason: string): WikiError {
  return new WikiError('wiki-render-limit', { params: [title, reason] })
}

function errorOf({ code, params, text }: (FromThread & { say: 'failed' })['error']): Error {
  if (code !== null) return new WikiError(code as ErrorKey, { params })
  return new Error(`in a thread: ${text}`)
}
