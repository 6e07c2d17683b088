/**
 * Worker pool for long jobs, so that a server keeps responding. Each job has a deadline, and each worker a process of
 * its own: see `job-process.ts`.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorKey, WikiError } from '../../core/errors.ts'
import { createJobQueue } from '../../core/job-queue.ts'
import {
  type AuthorshipJob,
  type EngineJob,
  type FromProcess,
  type FromWorker,
  type Job,
  type JobResult,
  type JobResults,
  notStarted,
  type RawSource,
  type TextJob,
  type ToWorker,
} from './job.ts'
import { joined, type ResultSlice } from './long-results.ts'
import { createTurns, type Turns } from './turns.ts'

/** Maximum seconds of a job, without the wait for a free worker. */
const taskSeconds: Readonly<Record<Job['task'], number>> = {
  html: 30,
  lint: 30,
  wikitext: 30,
  saving: 30,
  comparison: 10,
  patch: 10,
  merge: 10,
  conflict: 10,
  'marked-merge': 10,
  links: 10,
  'distinct-links': 10,
  places: 10,
  authorship: 30,
}
/** Maximum number of workers that one client's jobs take. One more is left to those who have no job at work. */
const maxWorkers = 2
/** Maximum waiting jobs, of all clients and of one, and maximum bytes of their texts. */
const longest = {
  all: { jobs: 200, bytes: 128 * 1024 * 1024 },
  ofClient: { jobs: 50, bytes: 64 * 1024 * 1024 },
}
/** Bytes of a worker's process, as the system counts them, above which its job ends: with all workers the bound of their memory. */
const processBytes = 384 * 1024 * 1024
/** Heap size in bytes at which a worker is retired, because it would keep that memory. */
const retiringHeapBytes = 48 * 1024 * 1024
/** Milliseconds without a job after which a worker is stopped. */
const idleMilliseconds = 15_000

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
export interface WorkerPool {
  /**
   * Runs a job in a worker. Errors: wiki-render-limit (a page) and wiki-work-limit (texts) if it takes too long, uses
   * too much memory, or too many others wait; those of the job itself.
   */
  run<Task extends EngineJob['task']>(job: EngineJob & { task: Task }, about: JobSource): Promise<JobResults[Task]>
  run(job: AuthorshipJob, about: TextSource): Promise<JobResults['authorship']>
  run<Task extends TextJob['task']>(job: TextJob & { task: Task }): Promise<JobResults[Task]>
  readonly close: () => Promise<void>
}

export interface WorkerPoolOptions {
  /** Maximum seconds of every job; that of its task if omitted. */
  readonly seconds?: number
  /** Milliseconds without a job after which a worker is stopped; 15 seconds if omitted. */
  readonly idle?: number
  /** Maximum bytes of a worker's process; 384 MB if omitted. */
  readonly bytes?: number
  /** Counts the requests at work; those that wait for a job do not count. */
  readonly turns?: Pick<Turns, 'whileAway'>
}

/**
 * Returns the path of the worker's program: beside the bundle, or beside this module in the library. Null if this
 * module is TypeScript, which workers cannot load.
 */
function programFile(): string | null {
  const here = import.meta.url
  if (here.endsWith('.cjs')) return join(dirname(here), 'wiki-jobs.cjs')
  return here.endsWith('.js') ? join(dirname(fileURLToPath(here)), 'job-process.js') : null
}

/** Creates a worker pool; each worker starts when it is first needed. Null if workers cannot run. */
export function createWorkerPool({
  seconds,
  idle: maxIdle = idleMilliseconds,
  bytes = processBytes,
  turns = createTurns(),
}: WorkerPoolOptions = {}): WorkerPool | null {
  const file = programFile()
  if (file === null) return null
  const ofClient = Math.max(1, Math.min(maxWorkers, availableParallelism() - 1))
  const most = ofClient + 1
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  /** Stopped, but still there. */
  const leaving = new Set<ChildProcess>()
  const timers = new Map<ChildProcess, NodeJS.Timeout>()
  const start = (): ChildProcess => {
    const worker = fork(file, [String(bytes)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    worker.unref()
    worker.channel?.unref()
    all.add(worker)
    worker.once('exit', () => {
      end(worker)
      leaving.delete(worker)
    })
    // The error is reported to the job, if there is one.
    worker.on('error', () => undefined)
    return worker
  }
  const end = (worker: ChildProcess): void => {
    all.delete(worker)
    clearTimeout(timers.get(worker))
    timers.delete(worker)
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    if (worker.kill('SIGKILL')) leaving.add(worker)
  }
  /** Waits until no more processes are left than may work, because a stopped one still has its memory. */
  const placeFor = async (): Promise<void> => {
    for (const worker of leaving) if (all.size + leaving.size >= most) await once(worker, 'exit')
  }
  const rest = (worker: ChildProcess): void => {
    idle.push(worker)
    timers.set(worker, setTimeout(() => end(worker), maxIdle).unref())
  }
  const work = async (job: Job, about: JobSource | TextSource | undefined): Promise<JobResult> => {
    if (idle.length === 0) await placeFor()
    const worker = idle.pop() ?? start()
    clearTimeout(timers.get(worker))
    try {
      return await runIn(worker, { job, about, seconds: seconds ?? taskSeconds[job.task], end })
    } finally {
      if (all.has(worker)) rest(worker)
    }
  }
  const queue = createJobQueue({ most, ofClient, longest })
  return {
    run: (job: Job, about?: JobSource | TextSource) => {
      const started = queue.add(job.client, () => work(job, about), bytesOf(job))
      if (started === null) return Promise.reject(limitError(job, 'too many others wait', notStarted))
      return turns.whileAway(job.client, () => started as Promise<never>)
    },
    close: async () => {
      queue.close(new WikiError('wiki-work-limit', { params: ['job', 'the server ends'], cause: notStarted }))
      const ended = [...all].map(worker => once(worker, 'exit'))
      for (const worker of all) {
        // An unreferenced process would let the server exit before this one does.
        worker.ref()
        worker.kill('SIGKILL')
      }
      await Promise.all(ended)
    },
  }
}

/** Bytes of the texts of a job, which stay in memory while it waits. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, member) => sum + bytesOf(member), 0)
}

interface Assignment {
  readonly job: Job
  readonly about: JobSource | TextSource | undefined
  readonly seconds: number
  /** Stops a worker that can take no further job. */
  readonly end: (worker: ChildProcess) => void
}

/** Runs one job in an idle worker. A worker that fails or misses its deadline is stopped. */
function runIn(worker: ChildProcess, { job, about, seconds, end }: Assignment): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const give = (reason: string, cause?: string): void => finish(() => reject(limitError(job, reason, cause)))
    const timer = setTimeout(() => {
      end(worker)
      give(`it takes longer than ${seconds} seconds`)
    }, seconds * 1000)
    // A worker stopped by the closing server reports nothing more, and the timer would delay the exit.
    const left = (): void => give('its worker was ended', notStarted)
    const fail = (error: Error): void => {
      end(worker)
      finish(() => reject(error))
    }
    const slices: ResultSlice[] = []
    const take = (message: FromProcess): void => {
      if (message.type === 'slice') slices.push(message.slice)
      // The worker waits for the reply of a failed query, and would send its result to the next job.
      else if (message.type === 'query') void reply(worker, message, about!).catch(fail)
      else if (message.type === 'crashed')
        fail(message.isMemory ? limitError(job, 'it takes too much memory') : broken(message.text))
      else {
        if (message.heapBytes > retiringHeapBytes) end(worker)
        finish(() =>
          message.type === 'done' ? resolve(joined({ ...message, slices })) : reject(errorOf(message.error)),
        )
      }
    }
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      worker.off('exit', left).off('message', take).off('error', fail)
      settle()
    }
    worker.once('exit', left).on('message', take).on('error', fail)
    const configText = about !== undefined && 'configText' in about ? about.configText : ''
    sendTo(worker, { type: 'run', job, configText })
  })
}

async function reply(
  worker: ChildProcess,
  { id, kind, params }: FromWorker & { type: 'query' },
  about: JobSource | TextSource,
): Promise<void> {
  const source: Partial<RawSource & TextSource> = 'source' in about ? about.source : about
  sendTo(worker, { type: 'reply', id, result: await source[kind]!(params as never) })
}

/** Errors of sending are ignored, because the exit event reports a process that has ended. */
function sendTo(worker: ChildProcess, message: ToWorker): void {
  worker.send(message, () => undefined)
}

function broken(text: string): Error {
  return new Error(`in a worker: ${text}`)
}

function limitError(job: Job, reason: string, cause?: string): WikiError {
  if ('title' in job) return new WikiError('wiki-render-limit', { params: [job.title, reason], cause })
  return new WikiError('wiki-work-limit', { params: [job.task, reason], cause })
}

function errorOf({ code, params, data, text }: (FromWorker & { type: 'failed' })['error']): Error {
  if (code !== null) return new WikiError(code as ErrorKey, { params, data })
  return broken(text)
}
