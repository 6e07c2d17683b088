/**
 * Process of one worker thread. Its memory returns to the system when it ends, while a thread of the server would leave
 * it fragmented. The thread inside has a heap limit, which ends it without crashing the process. A second limit is for all memory
 * of the process.
 */

import { isMainThread, Worker } from 'node:worker_threads'
import type { FromProcess } from './job.ts'
import { limitMemory } from './memory-limit.ts'

/** The young generation is small, because the thread would never release its memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

function carryMessages(): void {
  const [, program = '', mostBytes] = process.argv
  const send = (message: FromProcess): void => void process.send?.(message, () => undefined)
  const thread = new Worker(program, { resourceLimits })
  process.on('message', message => thread.postMessage(message))
  thread.on('message', send)
  thread.on('error', error => {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    send({ type: 'crashed', isMemory, text: String(error) })
  })
  process.on('disconnect', () => process.exit())
  limitMemory(Number(mostBytes), bytes => {
    const message: FromProcess = { type: 'crashed', isMemory: true, text: `its process has ${bytes} bytes` }
    process.send?.(message, () => process.exit())
  })
  // A terminal sends these signals to all of its processes, but the server lets its jobs finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

if (isMainThread) carryMessages()
else void import('./job-thread.ts')
