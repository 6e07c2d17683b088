/** Worker thread that builds large parts of a search index and merges segments, as another process would. */

import { parentPort, workerData } from 'node:worker_threads'
import { openStore, type StoreOptions } from '../../store/store.ts'
import { searchSync } from './search-sync.ts'
import type { FromSearchThread } from './search-worker.ts'

const tell = (message: FromSearchThread): void => parentPort?.postMessage(message)

async function run(options: StoreOptions): Promise<void> {
  const store = openStore(options)
  const search = searchSync(store, {
    isAtEase: true,
    progress: (done, total) => tell({ say: 'progress', done, total }),
    notice: message => tell({ say: 'notice', message }),
  })
  // Stores the work done so far and releases the lock.
  parentPort?.once('message', () => void search.close())
  try {
    await store.refresh()
    await search.access(() => null)
  } finally {
    await search.close()
    store.close()
    parentPort?.close()
  }
}

// A failure here reaches the main thread as the error of this worker.
void run(workerData as StoreOptions)
