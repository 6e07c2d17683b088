/** Worker process that builds large parts of a search index and merges segments. */

import { openStore, type StoreOptions } from '../../store/store.ts'
import { limitMemory } from '../workers/memory-limit.ts'
import { searchSync } from './search-sync.ts'
import type { FromSearchProcess } from './search-worker.ts'

const send = (message: FromSearchProcess): void => void process.send?.(message, () => undefined)

async function run(options: StoreOptions): Promise<void> {
  const store = openStore(options)
  const search = searchSync(store, {
    isIdle: true,
    progress: (done, total) => send({ type: 'progress', done, total }),
    notice: message => send({ type: 'notice', message }),
  })
  // Stores the work done so far and releases the lock, on a message from the parent process or when that process has
  // ended.
  process.once('message', () => void search.close())
  process.once('disconnect', () => void search.close())
  try {
    await store.refresh()
    await search.access(() => null)
  } finally {
    await search.close()
    store.close()
  }
}

// The stored part stays, and the next build continues from there.
limitMemory(Number(process.argv[2]), () =>
  process.send?.({ type: 'full' } satisfies FromSearchProcess, () => process.exit()),
)

// A terminal sends these signals to all of its processes, but the server decides when the worker ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('message', (options: StoreOptions) => {
  void run(options)
    .catch((error: Error) => send({ type: 'failed', message: error.message }))
    // The parent process may have ended meanwhile, and the channel with it.
    .finally(() => process.connected && process.disconnect())
})
