/** Git's log of a branch: the commits that it named here, and when; and the names that it had. */

import { join } from 'node:path'
import { linesFromEnd } from '../../files/lines-from-end.ts'
import type { Repository } from './repository.ts'

/** Maximum lines read, from the newest on. */
const lineLimit = 10_000

/** Number of consecutive lines from before a time after which all are taken to be: a wrong clock makes fewer. */
export const enoughOlder = 100

/**
 * Returns the commit that the branch named here at a time, in milliseconds; the first one if the branch came here later; null if the
 * log does not contain it. Clocks are wrong at times: every line after one from after that time counts as later too.
 */
export function tipAt(
  { branch, gitDirectory, commonDirectory }: Pick<Repository, 'branch' | 'gitDirectory' | 'commonDirectory'>,
  time: number,
): string | null {
  const log = join(branch === 'HEAD' ? gitDirectory : commonDirectory, 'logs', branch)
  let [left, older, tip] = [lineLimit, 0, null as string | null]
  for (const line of linesFromEnd(log)) {
    const [, from, to, seconds] = /^([0-9a-f]{40}) ([0-9a-f]{40}) .*?> (-?\d+) /.exec(line) ?? []
    if (from === undefined || to === undefined) continue
    const isOlder = Number(seconds) * 1000 < time
    older = isOlder ? older + 1 : 0
    if (!isOlder) tip = /^0+$/.test(from) ? to : from
    else tip ??= to
    if (older === enoughOlder) break
    if (left-- === 0) return older > 0 ? tip : null
  }
  return tip
}

/** Returns the commit that the branch named last, according to its log; null without a log, which git deletes with a branch. */
export function lastCommit({ branch, commonDirectory }: Pick<Repository, 'branch' | 'commonDirectory'>): string | null {
  if (branch === 'HEAD') return null
  let left = lineLimit
  for (const line of linesFromEnd(join(commonDirectory, 'logs', branch))) {
    if (left-- === 0) break
    const to = /^[0-9a-f]{40} ([0-9a-f]{40}) /.exec(line)?.[1]
    if (to !== undefined) return /^0+$/.test(to) ? null : to
  }
  return null
}

/** A move of the branch from one commit to another. */
interface LoggedMove {
  readonly from: string
  readonly to: string
}

/** Returns the moves of the branch, according to its log, or to that of HEAD where it is detached; the last one first. */
export function* loggedMoves({
  branch,
  gitDirectory,
  commonDirectory,
}: Pick<Repository, 'branch' | 'gitDirectory' | 'commonDirectory'>): Iterable<LoggedMove> {
  let left = lineLimit
  for (const line of linesFromEnd(join(branch === 'HEAD' ? gitDirectory : commonDirectory, 'logs', branch))) {
    if (left-- === 0) return
    const [, from, to] = /^([0-9a-f]{40}) ([0-9a-f]{40}) /.exec(line) ?? []
    if (from !== undefined && to !== undefined) yield { from, to }
  }
}

/** Returns the names that the branch had before `git branch -m`, in full, the last one first. */
export function formerNames({ branch, commonDirectory }: Pick<Repository, 'branch' | 'commonDirectory'>): string[] {
  const names: string[] = []
  let [left, name] = [lineLimit, branch]
  for (const line of linesFromEnd(join(commonDirectory, 'logs', branch))) {
    if (left-- === 0) break
    const [, from, to] = /\tBranch: renamed (refs\/heads\/[^\0-\x20]+) to (refs\/heads\/[^\0-\x20]+)$/.exec(line) ?? []
    if (from === undefined || to !== name) continue
    names.push(from)
    name = from
  }
  return names
}
