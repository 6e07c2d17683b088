/**
 * Global set-up: the environment of all workers, with one temporary folder for the whole run. At the end the folder is
 * removed with everything in it. It is in memory if there is room, because a write of the wiki mostly waits for the
 * disk. `TMPDIR` names another folder.
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Git with its defaults: no system or user configuration, English messages, no prompts, and UTC. */
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
  // Called once for each project.
  if (process.env.WIKI_TEST_FOLDER !== undefined) return undefined
  // A git hook that runs the tests sets GIT_DIR to another repository.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
  const folder = (process.env.TMPDIR === undefined && folderIn(inMemory)) || mkdtempSync(join(tmpdir(), 'wiki-run-'))
  // Other users of the machine have access, as in /tmp.
  chmodSync(folder, 0o711)
  Object.assign(process.env, plainGit, { TMPDIR: folder, WIKI_TEST_FOLDER: folder })
  return () => removeFolder(folder)
}

/** Creates a folder with enough room in which programs may run; returns null if there is none. */
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
    if (folder !== null) removeFolder(folder)
    return null
  }
}

/**
 * Removes a folder with everything in it. A program that is still ending may add a file meanwhile. `maxRetries` alone does not
 * notice that, so the whole removal is repeated.
 */
export function removeFolder(folder: string): void {
  for (let left = 20; ; left--)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 1 })
      return
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
}
