/** The built command line, for tests that start it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isStale } from '../scripts/stale.mjs'

const root = resolve(import.meta.dirname, '..')
const script = join(root, 'scripts/build.mjs')

/**
 * Builds the command line if a source is newer. `npm test` has built it before. Test files that run at the same time
 * take turns.
 */
export async function ensureBuilt(): Promise<void> {
  const lock = join(tmpdir(), 'wiki-test-build')
  while (isStale(['cli'])) {
    try {
      mkdirSync(lock)
    } catch {
      await wait(100)
      continue
    }
    try {
      if (isStale(['cli'])) execFileSync(process.execPath, [script, 'cli', 'quiet'])
    } finally {
      rmdirSync(lock)
    }
  }
}
