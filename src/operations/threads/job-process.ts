/**
 * Process of one worker thread. Its memory returns to the system when it ends, while a thread of the server would leave
 * it fragmented. The thread inside has a heap limit, which ends it without crashing the process. A second limit is for all memory
 * of the process.
 */

import { isMainThread, Worker } from 'node:worker_threads'
import type { FromProcess } from './job.ts'

/** The young generation is small, because the thread would never release its memory. */
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 }

/** Milliseconds between two checks of the memory of the process. */
const lookPause = 20

function carryMessages(): void {
  const [, program = '', mostBytes] = process.argv
  const tell = (message: FromProcess): void => void process.send?.(message, () => undefined)
  const thread = new Worker(program, { resourceLimits })
  process.on('message', message => thread.postMessage(message))
  thread.on('message', tell)
  thread.on('error', error => {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    tell({ say: 'broken', isMemory, text: String(error) })
  })
  process.on('disconnect', () => process.exit())
  // The limit of the heap does not count typed arrays and messages.
  setInterval(() => {
    const bytes = process.memoryUsage.rss()
    if (bytes <= Number(mostBytes)) return
    const said: FromProcess = { say: 'broken', isMemory: true, text: `its process has ${bytes} bytes` }
    process.send?.(said, () => process.exit())
  }, lookPause)
  // A terminal sends these signals to all of its processes, but the server lets its jobs finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

if (isMainThread) carryMessages()
else void import('./job-thread.ts')
