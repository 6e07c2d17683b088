/** The built command line, for tests that start it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isStale, type Part } from '../scripts/stale.mjs'
import { until } from './_wait.ts'

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
  await until('another test file has built it', () => {
    if (!isStale(parts)) return true
    try {
      mkdirSync(lock)
    } catch {
      return undefined
    }
    try {
      if (isStale(parts)) execFileSync(process.execPath, [script, ...parts, 'quiet'])
    } finally {
      rmdirSync(lock)
    }
    return undefined
  })
}
