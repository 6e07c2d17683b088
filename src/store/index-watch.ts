/** Who writes and lives on looks after git's index for a while: native git may put back what it had read before. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadObject } from './git/walk.ts'
import { mendIndex } from './put-back.ts'
import type { Repository } from './repository.ts'

/** Milliseconds until the first look after a write. */
const firstPause = 25

/** The pauses double up to this many milliseconds; then there are no more looks. */
const lastPause = 60_000

export interface IndexWatch {
  /** To be called after each write, before its lock of the index is freed. */
  readonly written: () => void
  readonly end: () => void
}

/** Watches the index after writes. No process stays alive for it. */
export function indexWatch(repository: Repository, read: ReadObject): IndexWatch {
  let [seen, pause, hasEnded] = ['', firstPause, false]
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const state = stateOf(repository)
    const isLooked = state === seen || (await mendIndex(repository, read).catch(() => null)) !== null
    seen = isLooked ? state : ''
    if (pause < lastPause && !hasEnded) wait(pause * 2)
  }
  const wait = (milliseconds: number) => {
    clearTimeout(timer)
    pause = milliseconds
    timer = setTimeout(() => void look(), pause).unref()
  }
  return {
    written: () => {
      seen = stateOf(repository)
      wait(firstPause)
    },
    end: () => {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

/** Differs when another file has taken the index's place. */
function stateOf({ gitDirectory }: Repository): string {
  const stat = statSync(join(gitDirectory, 'index'), { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.size}`
}
