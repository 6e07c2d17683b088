/** Git's log of HEAD in one work tree. It shows whether a text reached the branch by a command here or past this work tree. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { linesFromEnd } from '../../files/lines-from-end.ts'
import { appendLines } from '../../files/private-files.ts'
import { enoughOlder } from './branch-log.ts'
import type { Repository } from './repository.ts'

/** Maximum lines read, from the newest on: older texts have been here long enough. */
const lineLimit = 200

/** Maximum lines searched for branches that HEAD has left. */
const switchLimit = 2000

/** Reason in our lines: the index followed a branch that had moved past this work tree. */
const followed = 'follow (wiki)'

/**
 * Reasons of moves of HEAD together with the index: git's commands write `<command>: <result>`. The others are ours, a pull into
 * a branch without commits, and `git reset` under `GIT_REFLOG_ACTION`.
 */
const movesBoth =
  /^(?:am|checkout|cherry-pick|clone|commit|filter-branch|merge|pull|rebase|reset|revert)(?![\w-]).*:|^follow \(wiki\)$|^initial pull$|: updating HEAD$/

/**
 * Returns true for the reason of a move of HEAD without a move of the index: `git update-ref` with any reason or none, `git
 * fast-import`, `git fetch --update-head-ok`, a push to here. A script that gives `update-ref` the reason of one of git's commands
 * cannot be told from it. `GIT_REFLOG_ACTION` replaces the names of the others: after them the index is that of the newer commit
 * already, so that nothing follows.
 */
function movesAlone(reason: string): boolean {
  return !movesBoth.test(reason)
}

interface LogLine {
  readonly before: string
  readonly commit: string
  readonly reason: string
}

/**
 * Returns true if the branch received a text without this work tree: HEAD's log attributes it to a push or `git update-ref`, or
 * lacks it because another work tree made it. False without a log.
 */
export async function isFromElsewhere(
  repository: Pick<Repository, 'gitDirectory'>,
  isThere: (commit: string) => Promise<boolean>,
): Promise<boolean> {
  let arrival: LogLine | undefined
  for (const line of newestLines(repository)) {
    if (!(await isThere(line.commit)))
      return arrival === undefined || movesAlone(arrival.reason) || arrival.reason === followed
    arrival = line
  }
  return false
}

/**
 * Returns the commit to which a command last moved HEAD here, and the index with it; null if unknown. A push to here, `git
 * update-ref` and another work tree move the branch alone. Null, too, if the branch is where the last line began: git writes the log
 * first, and was killed before it moved the branch.
 */
export function lastFollowed(repository: Pick<Repository, 'gitDirectory'>, branchCommit: string): string | null {
  let isLast = true
  for (const { before, commit, reason } of newestLines(repository)) {
    if (!movesAlone(reason)) return isLast && before === branchCommit ? null : commit
    isLast = false
  }
  return null
}

/** Adds a line to HEAD's log: the index has followed the branch from one commit to another. Does nothing without a log. */
export function logFollowed({ gitDirectory }: Pick<Repository, 'gitDirectory'>, from: string, to: string): void {
  const path = join(gitDirectory, 'logs', 'HEAD')
  const seconds = Math.floor(Date.now() / 1000)
  if (existsSync(path)) appendLines(path, `${from} ${to} wiki <> ${seconds} +0000\t${followed}\n`)
}

/** A branch that HEAD has left. */
export interface LeftBranch {
  /** Short name; `HEAD` where HEAD was detached. */
  readonly branch: string
  /** Milliseconds since 1970, of the last time. */
  readonly time: number
}

/**
 * Returns the branches that HEAD has left here since a time, in milliseconds; the one left last comes first. Clocks are wrong at
 * times: a line is at least as recent as the lines before it.
 */
export function branchesLeft({ gitDirectory }: Pick<Repository, 'gitDirectory'>, since: number): LeftBranch[] {
  const found: LeftBranch[] = []
  let older: LeftBranch[] = []
  let [left, olderLines] = [switchLimit, 0]
  for (const line of linesFromEnd(join(gitDirectory, 'logs', 'HEAD'))) {
    // Commits, person, seconds, zone; a tab; the reason.
    const [start = '', reason = ''] = line.split('\t', 2)
    const time = Number(start.split(' ').at(-2)) * 1000
    const branch = leftBy(reason)
    if (branch !== null) older.push({ branch, time })
    olderLines = time < since ? olderLines + 1 : 0
    if (time >= since) {
      found.push(...older.map(one => ({ ...one, time: Math.max(one.time, time) })))
      older = []
    }
    if (olderLines === enoughOlder || left-- === 0) break
  }
  return found.filter(({ branch }, at) => found.findIndex(one => one.branch === branch) === at)
}

function leftBy(reason: string): string | null {
  if (reason.startsWith('rebase (start): ')) return 'HEAD'
  const from = /^checkout: moving from ([^\0-\x20]+) to /.exec(reason)?.[1] ?? null
  return from !== null && /^[0-9a-f]{40}$/.test(from) ? 'HEAD' : from
}

function* newestLines({ gitDirectory }: Pick<Repository, 'gitDirectory'>): Iterable<LogLine> {
  let left = lineLimit
  for (const line of linesFromEnd(join(gitDirectory, 'logs', 'HEAD'))) {
    if (left-- === 0) return
    const [, before = '', commit, reason = ''] = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*(?:\t([^\n]*))?$/.exec(line) ?? []
    if (commit !== undefined) yield { before, commit, reason }
  }
}
