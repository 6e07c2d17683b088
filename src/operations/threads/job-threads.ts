/** Worker pool for long jobs, so that a server keeps responding; each job has a deadline. */

import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type ErrorKey, WikiError } from '../../core/errors.ts'
import type {
  AuthorshipJob,
  EngineJob,
  FromThread,
  Job,
  JobResult,
  JobResults,
  RawSource,
  TextJob,
  ToThread,
} from './job.ts'
import { createJobQueue } from './job-queue.ts'

/** Seconds that a job may take, without the wait for a free worker. */
const taskSeconds: Readonly<Record<Job['task'], number>> = {
  html: 30,
  lint: 30,
  wikitext: 30,
  comparison: 10,
  merge: 10,
  'marked-merge': 10,
  links: 10,
  authorship: 30,
}
/** Megabytes of objects in one worker. */
const threadMegabytes = 640
/** The young generation is small: there are few workers, and each would keep the memory it once had. */
const resourceLimits = { maxOldGenerationSizeMb: threadMegabytes, maxYoungGenerationSizeMb: 8 }
/** Bytes of a worker's heap from which it takes no further job: it would keep that memory. */
const keptHeapBytes = 48 * 1024 * 1024
/** Milliseconds without a job after which a worker is ended. */
const idleMilliseconds = 60_000

/** The texts of revisions that a job reads. */
export interface TextSource {
  readonly texts: (ids: readonly number[]) => Promise<readonly string[]>
}

/** Wiki and settings of a rendering job. */
export interface JobSource {
  readonly source: RawSource
  readonly configText: string
}

/** A worker pool. */
export interface JobThreads {
  /**
   * Runs a job in a worker. Errors: wiki-render-limit (a page) and wiki-work-limit (texts) if it takes too long, too much memory,
   * or too many others wait; those of the job itself.
   */
  run<Task extends EngineJob['task']>(job: EngineJob & { task: Task }, about: JobSource): Promise<JobResults[Task]>
  run(job: AuthorshipJob, about: TextSource): Promise<JobResults['authorship']>
  run<Task extends TextJob['task']>(job: TextJob & { task: Task }): Promise<JobResults[Task]>
  readonly close: () => Promise<void>
}

export interface JobThreadsOptions {
  /** Deadline of every job; that of its task if omitted. */
  readonly seconds?: number
  /** Milliseconds without a job after which a worker is ended; a minute if omitted. */
  readonly idle?: number
}

/**
 * Returns the path of the worker's program: beside the bundle, or beside this module in the library. Null if this
 * module is TypeScript, which workers cannot load.
 */
function programFile(): string | null {
  const here = import.meta.url
  if (here.endsWith('.cjs')) return join(dirname(here), 'wiki-jobs.cjs')
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'job-thread.js') : null
}

/** Creates a worker pool; each worker starts when it is first needed. Null if workers cannot run. */
export function createJobThreads({
  seconds,
  idle: mostIdle = idleMilliseconds,
}: JobThreadsOptions = {}): JobThreads | null {
  const file = programFile()
  if (file === null) return null
  const most = Math.max(1, Math.min(4, availableParallelism() - 1))
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const timers = new Map<Worker, NodeJS.Timeout>()
  const start = (): Worker => {
    const thread = new Worker(file, { resourceLimits })
    thread.unref()
    all.add(thread)
    thread.once('exit', () => end(thread))
    return thread
  }
  const end = (thread: Worker): void => {
    all.delete(thread)
    clearTimeout(timers.get(thread))
    timers.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    void thread.terminate()
  }
  const rest = (thread: Worker): void => {
    idle.push(thread)
    timers.set(thread, setTimeout(() => end(thread), mostIdle).unref())
  }
  const work = async (job: Job, about: JobSource | TextSource | undefined): Promise<JobResult> => {
    const thread = idle.pop() ?? start()
    clearTimeout(timers.get(thread))
    try {
      return await runIn(thread, { job, about, seconds: seconds ?? taskSeconds[job.task], end })
    } finally {
      if (all.has(thread)) rest(thread)
    }
  }
  const queue = createJobQueue(most)
  return {
    run: (job: Job, about?: JobSource | TextSource) => {
      const started = queue.add(job.client, () => work(job, about))
      if (started === null) return Promise.reject(limitError(job, 'too many others wait'))
      return started as Promise<never>
    },
    close: async () => {
      queue.close(new WikiError('wiki-work-limit', { params: ['job', 'the server ends'] }))
      await Promise.all([...all].map(thread => thread.terminate()))
    },
  }
}

interface Assignment {
  readonly job: Job
  readonly about: JobSource | TextSource | undefined
  readonly seconds: number
  /** Ends a worker that can take no further job. */
  readonly end: (thread: Worker) => void
}

/** Runs one job in an idle worker; a worker that is late or fails is ended. */
function runIn(thread: Worker, { job, about, seconds, end }: Assignment): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const give = (reason: string): void => finish(() => reject(limitError(job, reason)))
    const timer = setTimeout(() => {
      end(thread)
      give(`it takes longer than ${seconds} seconds`)
    }, seconds * 1000)
    // A worker ended by the closing server reports nothing more, and the timer would delay the exit.
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
      if (message.say === 'ask') return void answer(thread, message, about!).catch(error => finish(() => reject(error)))
      if (message.say === 'done') {
        if (message.heapBytes > keptHeapBytes) end(thread)
        return finish(() => resolve(message.result))
      }
      finish(() => reject(errorOf(message.error)))
    })
    thread.on('error', error => {
      end(thread)
      const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      finish(() => reject(isMemory ? limitError(job, 'it takes too much memory') : error))
    })
    thread.postMessage({
      say: 'run',
      job,
      configText: about !== undefined && 'configText' in about ? about.configText : '',
    } satisfies ToThread)
  })
}

async function answer(
  thread: Worker,
  { kind, about, question }: FromThread & { say: 'ask' },
  asked: JobSource | TextSource,
): Promise<void> {
  const source: Partial<RawSource & TextSource> = 'source' in asked ? asked.source : asked
  const answered = await source[kind]!(about as never)
  thread.postMessage({ say: 'answer', question, answer: answered } satisfies ToThread)
}

function limitError(job: Job, reason: string): WikiError {
  if ('title' in job) return new WikiError('wiki-render-limit', { params: [job.title, reason] })
  return new WikiError('wiki-work-limit', { params: [job.task, reason] })
}

function errorOf({ code, params, data, text }: (FromThread & { say: 'failed' })['error']): Error {
  if (code !== null) return new WikiError(code as ErrorKey, { params, data })
  return new Error(`in a thread: ${text}`)
}
