/**
 * The log of acknowledged commits: one line for each event, `<commit> <time> <event>`; for the last commit of a series another one,
 * `<commit> <time> series <first commit> <number>`. Lines are appended and synced before the branch moves. Torn or damaged lines are
 * skipped.
 */

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { contentSynced, syncFolder } from '../../files/durable.ts'
import { linkFile, makeFolder, openFile, removeFile, writeLines } from '../../files/private-files.ts'
import { readOpen, readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import { isSynced } from '../repository/sync-settings.ts'

/**
 * `noted`: the commit is about to be acknowledged. `moved`: the branch has moved to it. `passed`: the branch has moved to it while a
 * work tree had changes to the same files; a commit of these changes does not contain it. `cancelled`: it was never acknowledged.
 * `replay`: it replaced an acknowledged one and may have changed more, as `git commit --amend` does; the exact repetition by a rebase
 * is `moved`. `settled`: a person accepted its loss, or it was restored.
 */
export type EventKind = 'noted' | 'moved' | 'passed' | 'cancelled' | 'replay' | 'settled'

/** Commits that were acknowledged together. */
export interface Series {
  /** Full hash of the first one. */
  readonly first: string
  readonly count: number
}

/** The last entry of the log about a commit. */
export interface Acknowledgement {
  /** Full hash. */
  readonly commit: string
  /** When it was noted, ISO 8601, UTC. */
  readonly time: string
  /** Time of the last entry, in the same form; missing if that was not read from the log. */
  readonly changed?: string
  readonly kind: EventKind
  /** True if it replaced an acknowledged one, also after it was settled; missing otherwise. */
  readonly isReplay?: true
  /** The series of commits whose last one it is, each the parent of the next: see `series.ts`. */
  readonly series?: Series
  /** The branch that it was made on, if that branch is gone. */
  readonly branch?: string
}

/** Returns true if a commit counts as acknowledged: it or its predecessor was noted, and neither cancelled nor settled. */
export function isAcknowledged({ kind }: Acknowledgement): boolean {
  return kind === 'noted' || kind === 'moved' || kind === 'passed' || kind === 'replay'
}

/** Size in bytes at which old lines are dropped: some 40,000 lines. */
const logLimit = 3_000_000
/** Number of newest acknowledgements that survive. */
const usualLimit = 20_000

export interface AppendOptions {
  /** Syncs to disk before it returns. */
  readonly durable: boolean
  /** The series that the last of the commits ends. */
  readonly series?: Series | undefined
  /** Commits whose lines survive whatever their age. */
  readonly keep?: () => ReadonlySet<string>
  /** Size in bytes at which old lines are dropped; for tests. */
  readonly limit?: number
  /** Number of newest acknowledgements that survive; for tests. */
  readonly kept?: number
}

/** Appends an event for each commit. Throws what the file system throws. */
export async function appendEvents(
  path: string,
  kind: EventKind,
  commits: readonly string[],
  options: AppendOptions,
): Promise<void> {
  const time = new Date().toISOString()
  const { series } = options
  const ends = series === undefined ? '' : seriesLine(commits.at(-1) as string, time, series)
  const lines = commits.map(commit => `${commit} ${time} ${kind}\n`).join('') + ends
  const size = options.durable ? await appendDurably(path, lines) : append(path, lines)
  if (size > (options.limit ?? logLimit)) await compact(path, options)
}

function seriesLine(commit: string, time: string, { first, count }: Series): string {
  return `${commit} ${time} series ${first} ${count}\n`
}

/**
 * Returns the size of the log afterwards, in bytes. A log that was compacted meanwhile is another file: the lines may not be in it,
 * and are appended again.
 */
async function appendDurably(path: string, lines: string): Promise<number> {
  for (;;) {
    const file = openLog(path)
    try {
      const { ino } = fstatSync(file)
      const size = writeLines(file, lines)
      if (isSynced(path, 'reference')) await contentSynced(file)
      if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return size + lines.length
    } finally {
      closeSync(file)
    }
  }
}

/** The same without syncing to disk. */
function append(path: string, lines: string): number {
  const file = openLog(path)
  try {
    return writeLines(file, lines) + lines.length
  } finally {
    closeSync(file)
  }
}

function openLog(path: string): number {
  try {
    return openFile(path, 'a+')
  } catch (error) {
    const folder = dirname(path)
    // A git directory that was moved away is not begun again at its old place.
    const isGone = !existsSync(dirname(dirname(folder)))
    if (isGone || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeFolder(folder)
    return openFile(path, 'a+')
  }
}

/**
 * Drops the oldest lines, except those of commits to keep. Others may append meanwhile: lines added to the old file before the
 * rename are carried over, and later writers notice that the file is another one. The old file keeps a name until then: if this
 * process is killed, its late lines still belong to the log.
 */
async function compact(path: string, { keep, kept = usualLimit }: AppendOptions): Promise<void> {
  const release = await takeLockFile(path)
  const old = openFile(path, 'r')
  try {
    const { ino } = fstatSync(old)
    const former = formerLogs(path)
    // A compaction was killed before it began to count.
    for (const one of former.filter(log => log.ino === ino)) removeFile(one.path)
    const text = readOpen(old).toString('latin1')
    const all = parseLog(text + lateLines(former, ino))
    const wanted = keep?.()
    const lines = all
      .filter(({ commit }, at) => at >= all.length - kept || wanted?.has(commit))
      .map(
        ({ commit, time, kind, series }) =>
          `${commit} ${time} ${kind}\n${series === undefined ? '' : seriesLine(commit, time, series)}`,
      )
    keepName(path, text.length)
    replaceDurably(path, lines.join(''))
    // Reading resumes where it ended.
    const late = readOpen(old).toString('latin1')
    if (late !== '') await appendDurably(path, late)
    for (const one of formerLogs(path)) removeFile(one.path)
  } finally {
    closeSync(old)
    release()
  }
}

/** The name is on the disk before the log is replaced, under the log's own lock, which no writer waits for. A file system without links cannot keep it. */
function keepName(path: string, length: number): void {
  try {
    linkFile(path, `${path}.late-${length}-${randomUUID()}.lock`)
    syncFolder(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** A log that a compaction replaced, or is about to. */
interface FormerLog {
  readonly path: string
  readonly ino: number
  /** Bytes that the compaction has read: what follows is not in the new log. */
  readonly length: number
}

function formerLogs(path: string): FormerLog[] {
  const start = `${basename(path)}.late-`
  return namesIn(dirname(path)).flatMap(name => {
    const length = name.startsWith(start) ? /^(\d+)-[^.]+\.lock$/.exec(name.slice(start.length))?.[1] : undefined
    if (length === undefined) return []
    const former = join(dirname(path), name)
    const stat = statSync(former, { throwIfNoEntry: false })
    return stat === undefined ? [] : [{ path: former, ino: stat.ino, length: Number(length) }]
  })
}

/** Lines of former logs that the log of this inode lacks. */
function lateLines(former: readonly FormerLog[], ino: number | undefined): string {
  return former
    .filter(log => log.ino !== ino)
    .map(log => textOf(log.path).slice(log.length))
    .join('')
}

const line =
  /^([0-9a-f]{40}) ((?:\d{4}|[+-]\d{6})-[\dT:.-]{5,20}Z) (?:(noted|moved|passed|cancelled|replay|settled)|series ([0-9a-f]{40}) (\d{1,9}))$/

/** Returns the latest state of each commit, in the order in which they were first noted; empty if there is no log. */
export function readLog(path: string): Acknowledgement[] {
  return parseLog(readWhole(path))
}

/** Reads of a log that is being replaced at the same moment. */
const readLimit = 5

function readWhole(path: string): string {
  for (let read = 1; ; read++) {
    const ino = inodeOf(path)
    const former = formerLogs(path)
    const text = textOf(path) + lateLines(former, ino)
    const isSame = inodeOf(path) === ino && formerLogs(path).length === former.length
    if (isSame || read === readLimit) return text
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function parseLog(log: string): Acknowledgement[] {
  const found = new Map<string, Acknowledgement>()
  for (const text of log.split('\n')) {
    const [, commit, time, kind, first, count] = line.exec(text) ?? []
    if (commit === undefined || time === undefined) continue
    const earlier = found.get(commit)
    const series = first === undefined ? earlier?.series : { first, count: Number(count) }
    const isReplay = kind === 'replay' || earlier?.isReplay === true
    found.set(commit, {
      commit,
      time: kind === 'noted' ? time : (earlier?.time ?? time),
      changed: time,
      kind: (kind as EventKind | undefined) ?? earlier?.kind ?? 'noted',
      ...(isReplay && { isReplay }),
      ...(series !== undefined && { series }),
    })
  }
  return [...found.values()]
}

function textOf(path: string): string {
  try {
    return readText(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
