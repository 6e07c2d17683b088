/** What git's log of HEAD tells of how a text came to the branch: by a command here, or past this work tree. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

/** Lines that are looked at, from the newest on: what came before them has been here long enough. */
const lineLimit = 200

/** Reasons that a move of HEAD has in the log where git did not move the index with it: `git update-ref`, a push to here. */
const movesPast: ReadonlySet<string> = new Set(['', 'push'])

interface LogLine {
  readonly commit: string
  readonly reason: string
}

/**
 * Whether the branch has come to a text without this work tree: HEAD's log says that a push or `git update-ref` brought it, or
 * does not know of it, for another work tree did. False where there is no log.
 */
export async function cameFromElsewhere(
  repository: Pick<Repository, 'gitDirectory'>,
  isThere: (commit: string) => Promise<boolean>,
): Promise<boolean> {
  const lines = newestLines(repository)
  let arrival: LogLine | undefined
  for (const line of lines) {
    if (!(await isThere(line.commit))) return arrival === undefined || movesPast.has(arrival.reason)
    arrival = line
  }
  return false
}

function newestLines({ gitDirectory }: Pick<Repository, 'gitDirectory'>): LogLine[] {
  const lines = readLog(join(gitDirectory, 'logs', 'HEAD'))
    .trimEnd()
    .split('\n')
    .slice(-lineLimit)
    .reverse()
  return lines.flatMap(line => {
    const [, commit, reason = ''] = /^[0-9a-f]+ ([0-9a-f]+) [^\t]*(?:\t(.*))?$/.exec(line) ?? []
    return commit === undefined ? [] : [{ commit, reason }]
  })
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
