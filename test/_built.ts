/** The built command line, for tests that start it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isStale, type Part } from '../scripts/stale.mjs'

const root = resolve(import.meta.dirname, '..')
const script = join(root, 'scripts/build.mjs')

/** Builds the command line if a source is newer; `npm test` has built it before. */
export function ensureBuilt(): Promise<void> {
  return ensureParts(['cli'])
}

/** Builds everything that the package contains, if a source is newer. */
export function ensurePackageBuilt(): Promise<void> {
  return ensureParts(['cli', 'web', 'lib', 'manual'])
}

/** Test files that run at the same time take turns. */
async function ensureParts(parts: readonly Part[]): Promise<void> {
  const lock = join(tmpdir(), 'wiki-test-build')
  while (isStale(parts)) {
    try {
      mkdirSync(lock)
    } catch {
      await wait(100)
      continue
    }
    try {
      if (isStale(parts)) execFileSync(process.execPath, [script, ...parts, 'quiet'])
    } finally {
      rmdirSync(lock)
    }
  }
}
