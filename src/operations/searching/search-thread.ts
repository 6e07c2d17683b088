/** Worker process that builds large parts of a search index and merges segments. */

import { openStore, type StoreOptions } from '../../store/store.ts'
import { searchSync } from './search-sync.ts'
import type { FromSearchThread } from './search-worker.ts'

const tell = (message: FromSearchThread): void => void process.send?.(message, () => undefined)

async function run(options: StoreOptions): Promise<void> {
  const store = openStore(options)
  const search = searchSync(store, {
    isAtEase: true,
    progress: (done, total) => tell({ say: 'progress', done, total }),
    notice: message => tell({ say: 'notice', message }),
  })
  // Stores the work done so far and releases the lock: when it is told to stop, and when its owner has ended.
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

// A terminal sends these to all of its processes; the server says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('message', (options: StoreOptions) => {
  void run(options)
    .catch((error: Error) => tell({ say: 'failed', message: error.message }))
    // Its owner may have ended meanwhile, and the channel with it.
    .finally(() => process.connected && process.disconnect())
})
