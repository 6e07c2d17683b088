/** Removes refs of left heads that keep nothing but edits settled long ago, so that git may collect them. */

import { listAway } from '../git/ancestry.ts'
import type { ReadObject } from '../git/walk.ts'
import { runGit } from '../repository/process.ts'
import type { Repository } from '../repository/repository.ts'
import { type Acknowledgement, isAcknowledged, readLog } from './log.ts'
import { recordPaths } from './record-paths.ts'
import { leftHeads } from './refs.ts'

/** Milliseconds for which a settled edit stays: as long as git keeps a reflog. Source: git-config(1), gc.reflogExpire. */
const keptMilliseconds = 90 * 24 * 60 * 60 * 1000

/** Maximum heads looked at in one pass, and commits behind each. */
const headLimit = 256
const commitLimit = 1000

export interface LeftHistory {
  readonly read: ReadObject
  /** Returns true if the branch contains a commit. */
  readonly isKnown: (commit: string) => boolean
}

/** Removes the refs of the branch's left heads behind which every recorded commit was settled 90 days ago. Requires a git binary. */
export async function dropSettledHeads(repository: Repository, history: LeftHistory): Promise<void> {
  const place = recordPaths(repository)
  const heads = leftHeads(repository, place).slice(0, headLimit)
  if (heads.length === 0) return
  const events = new Map(readLog(place.log).map(event => [event.commit, event]))
  const dropped: string[] = []
  for (const head of heads) if (await isSettled(head, events, history)) dropped.push(head)
  if (dropped.length === 0) return
  const input = dropped.map(head => `delete ${place.leftBehind}${head} ${head}\n`).join('')
  runGit(['update-ref', '--stdin'], { gitDirectory: repository.gitDirectory, input })
}

/** False also for a head that is not in the log, or that leads too far: its commits cannot be judged. */
async function isSettled(
  head: string,
  events: ReadonlyMap<string, Acknowledgement>,
  { read, isKnown }: LeftHistory,
): Promise<boolean> {
  if (events.get(head)?.kind !== 'settled') return false
  try {
    const away = await listAway(read, new Set([head]), isKnown, commitLimit)
    return away.length < commitLimit && away.every(commit => isOver(events.get(commit)))
  } catch {
    // Git lacks an object: nothing says what the ref keeps.
    return false
  }
}

/** A commit without an event was made by plain git, or its event was dropped with the oldest ones. */
function isOver(event: Acknowledgement | undefined): boolean {
  if (event === undefined) return true
  return !isAcknowledged(event) && Date.parse(event.changed ?? event.time) < Date.now() - keptMilliseconds
}
