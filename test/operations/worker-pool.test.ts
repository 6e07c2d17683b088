/** The worker pool. Workers cannot load TypeScript, so this tests the built library. */

import { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { TextSource } from '../../src/operations/workers/worker-pool.ts'

const built = new URL('../../dist/lib/operations/workers/worker-pool.js', import.meta.url)

test.skipIf(!existsSync(built))(
  'a worker whose query failed is stopped: its job would wait for the text for ever (skipped if the library is not built)',
  async () => {
    const { createWorkerPool } = (await import(
      built.href
    )) as typeof import('../../src/operations/workers/worker-pool.ts')
    const pool = createWorkerPool()!
    const kill = vi.spyOn(ChildProcess.prototype, 'kill')
    const stopped = () => new Set(kill.mock.contexts).size
    const job = { task: 'authorship', title: 'A', revisions: [{ id: 1, size: 5 }], client: '' } as const
    const authors = (texts: TextSource['texts']) =>
      pool.run({ ...job, maxRemembered: 2 ** 30, maxJson: 2 ** 20 }, { texts })
    try {
      const error = new Error('no text')
      await expect(authors(() => Promise.reject(error))).rejects.toBe(error)
      expect(stopped()).toBe(1)
      await authors(async () => ['first'])
      expect(stopped()).toBe(1)
    } finally {
      await pool.close()
    }
  },
)
