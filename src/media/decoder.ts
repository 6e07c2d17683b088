/**
 * Decodes untrusted files in separate processes: one that crashes, hangs or uses too much memory is ended, while the server or
 * the command goes on.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'
import { readText } from '../files/read-file.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { decoderProgram } from './decoder-program.ts'

/** Requests that a decoder process takes, and their results. */
export interface DecoderTasks {
  /** Width and height as shown, pixels. */
  readonly imageSize: { params: { bytes: Buffer }; result: { width?: number; height?: number } }
  /** `size` is the whole file's, of which `bytes` may be the beginning; the duration is in seconds. */
  readonly soundLength: {
    params: { bytes: Buffer; mime: string; size: number }
    result: { duration?: number; shows?: boolean; width?: number; height?: number }
  }
  /** Width and height of a drawing at 72 dots per inch, pixels. */
  readonly drawingSize: { params: { bytes: Buffer }; result: { width?: number; height?: number } }
  /** The bytes of a picture after these steps, which are methods of sharp with their parameters. */
  readonly picture: {
    params: { bytes: Buffer; options: object; steps: readonly (readonly [method: string, ...unknown[]])[] }
    result: Uint8Array
  }
}

/** Outcome of a request: a result, undecodable bytes, or a timeout. */
export type Decoded<Result> =
  | { readonly result: Result }
  | { readonly error: string }
  /** The process crashed, was too slow, or could not be started, or the machine lacks memory: a retry may succeed. */
  | { readonly failed: string }

export interface Decoder {
  /**
   * Sends a request. The process is ended if it does not respond within the given milliseconds. Where the system reports the time
   * that it has computed, those in which it waited for a busy processor do not count, up to five times as many.
   */
  run<Task extends keyof DecoderTasks>(
    task: Task,
    params: DecoderTasks[Task]['params'],
    milliseconds: number,
  ): Promise<Decoded<DecoderTasks[Task]['result']>>
  close(): void
}

/** Maximum decoder processes. One core is left to readers. */
const processLimit = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Milliseconds that an idle process waits for the next request. */
const idleMilliseconds = 10_000

/** Megabytes of JavaScript memory in a process, and of all its memory. The largest pictures that are shown take 554. */
const heapMegabytes = 512
const megabytes = 1024

const tooLarge = 'it takes too much memory'

/** Creates a decoder. The first request starts a process, which may take this many bytes of memory. */
export function createDecoder(bytes = megabytes * 1024 * 1024): Decoder {
  const pool: Pool = { idle: [], all: new Set(), closed: false }
  const limited = createConcurrencyLimit(processLimit)
  return {
    run: (task, params, milliseconds) =>
      limited(async () => {
        if (pool.closed) return { failed: 'closed' }
        // A process may still have memory of the pictures before.
        const isFresh = pool.idle.length === 0
        const worker = takeWorker(pool, bytes)
        const reply = await replyOf(worker.child, { task, params }, milliseconds)
        if ('failed' in reply || 'full' in reply) endWorker(pool, worker)
        else keepWorker(pool, worker)
        if (!('full' in reply)) return reply as never
        return isFresh ? { error: tooLarge } : { failed: tooLarge }
      }),
    close() {
      pool.closed = true
      for (const worker of [...pool.all]) endWorker(pool, worker)
    },
  }
}

interface Worker {
  readonly child: ChildProcess
  rest: NodeJS.Timeout | undefined
}

interface Pool {
  readonly idle: Worker[]
  readonly all: Set<Worker>
  closed: boolean
}

function takeWorker(pool: Pool, bytes: number): Worker {
  const worker = pool.idle.pop() ?? startWorker(pool, bytes)
  clearTimeout(worker.rest)
  worker.child.ref()
  worker.child.channel?.ref()
  return worker
}

function startWorker(pool: Pool, bytes: number): Worker {
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--eval', decoderProgram, import.meta.url, `${bytes}`]
  const child = spawn(process.execPath, flags, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  })
  yieldTo(child)
  const worker: Worker = { child, rest: undefined }
  pool.all.add(worker)
  child.on('error', () => endWorker(pool, worker))
  child.on('exit', () => endWorker(pool, worker))
  return worker
}

/** Lowers its priority, so that requests come first. */
function yieldTo({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has ended already, or the system forbids the change.
  }
}

/** An idle process does not keep the program running. */
function keepWorker(pool: Pool, worker: Worker): void {
  if (pool.closed || !pool.all.has(worker)) return
  pool.idle.push(worker)
  worker.child.unref()
  worker.child.channel?.unref()
  worker.rest = setTimeout(() => endWorker(pool, worker), idleMilliseconds).unref()
}

function endWorker(pool: Pool, worker: Worker): void {
  clearTimeout(worker.rest)
  pool.all.delete(worker)
  const at = pool.idle.indexOf(worker)
  if (at >= 0) pool.idle.splice(at, 1)
  worker.child.kill('SIGKILL')
}

/** Maximum time of a request, in times of its limit: a process of low priority may wait long for a busy processor. */
const longestWait = 6

/** Returns the milliseconds that a process has computed; NaN where the system does not report them as Linux does. */
function computedMilliseconds(id: number | undefined): number {
  try {
    const fields = readText(`/proc/${id}/stat`).split(') ')[1]?.split(' ') ?? []
    // Time in programs and in the system, in hundredths of a second. Source: proc_pid_stat(5).
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** Message of a process: a result, or that it uses more memory than it may. */
type Reply = Decoded<unknown> | { readonly full: true }

function replyOf(child: ChildProcess, message: object, milliseconds: number): Promise<Reply> {
  return new Promise(resolve => {
    const settle = (reply: Reply) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', fail).off('error', fail)
      resolve(reply)
    }
    const fail = () => settle({ failed: 'the process ended' })
    const before = computedMilliseconds(child.pid)
    let left = longestWait
    const look = () => {
      const isWaiting = computedMilliseconds(child.pid) - before < milliseconds
      if (isWaiting && --left > 0) timer = setTimeout(look, milliseconds)
      else settle({ failed: 'it took too long' })
    }
    let timer = setTimeout(look, milliseconds)
    child.on('message', settle).on('exit', fail).on('error', fail)
    child.send(message, error => error && fail())
  })
}
