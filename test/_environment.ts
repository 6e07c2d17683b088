/**
 * Global set-up: the environment that all workers inherit, with one temporary folder for the whole run, removed at its end with
 * everything that tests leave in it. The folder is in memory where there is room: a write of the wiki waits for the disk several
 * times, which takes most of its time. `TMPDIR` chooses another place.
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Git as it is out of the box: no system and no user configuration, English messages, no questions; and the clock of Greenwich. */
export const plainGit = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  TZ: 'UTC',
}

const inMemory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

export default function setUp(): (() => void) | undefined {
  // Each project asks for it.
  if (process.env.WIKI_TEST_FOLDER !== undefined) return undefined
  // A hook that runs the tests sets GIT_DIR, which leads elsewhere.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
  const folder = (process.env.TMPDIR === undefined && folderIn(inMemory)) || mkdtempSync(join(tmpdir(), 'wiki-run-'))
  // Other users of the machine are let through, as in /tmp.
  chmodSync(folder, 0o711)
  Object.assign(process.env, plainGit, { TMPDIR: folder, WIKI_TEST_FOLDER: folder })
  return () => remove(folder)
}

/** Makes a folder in a place that has room, and where programs can be run; returns null where it does not. */
function folderIn(place: string): string | null {
  let folder: string | null = null
  try {
    const { bavail, bsize } = statfsSync(place)
    if (bavail * bsize < neededBytes) return null
    folder = mkdtempSync(join(place, 'wiki-run-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return folder
  } catch {
    if (folder !== null) remove(folder)
    return null
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
