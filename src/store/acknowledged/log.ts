/**
 * The log of acknowledged commits: one line for each event, `<commit> <time> <what>`. It is appended to and synced before the
 * branch moves. A torn or damaged line is passed over.
 */

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileHandle, makeFolder, openFile } from '../../files/private-files-async.ts'
import { replaceDurably, syncFolder } from '../durable-file.ts'
import { takeLockFile } from '../lock-file.ts'

/**
 * `noted`: the commit is about to be acknowledged. `cancelled`: nobody was told of it. `settled`: a person looked at its loss,
 * or it was restored.
 */
export type EventKind = 'noted' | 'cancelled' | 'settled'

/** What the log says last of a commit. */
export interface Acknowledgement {
  /** Full hash. */
  readonly commit: string
  /** When it was noted, ISO 8601, UTC. */
  readonly time: string
  readonly kind: EventKind
}

/** Bytes from which on older lines are dropped: some 40,000 lines. */
const logLimit = 3_000_000
/** Number of newest acknowledgements that are kept then. */
const keptCount = 20_000

/** Milliseconds that others who append are waited for: each of them waits for the disk. */
const waitMilliseconds = 10_000

export interface AppendOptions {
  /** Waits until the disk has it. */
  readonly durable: boolean
  /** Commits whose lines are kept however old they are. */
  readonly keep?: () => ReadonlySet<string>
  /** Bytes from which on older lines are dropped; for tests. */
  readonly limit?: number
  /** Number of newest acknowledgements that are kept then; for tests. */
  readonly kept?: number
}

/** Appends an event for each commit. Throws `wiki-locked`, and what the file system throws. */
export async function appendEvents(
  path: string,
  kind: EventKind,
  commits: readonly string[],
  options: AppendOptions,
): Promise<void> {
  const time = new Date().toISOString()
  await makeFolder(dirname(path))
  const release = await takeLockFile(path, { wait: waitMilliseconds })
  try {
    const size = await append(path, commits.map(commit => `${commit} ${time} ${kind}\n`).join(''), options)
    if (size > (options.limit ?? logLimit)) compact(path, options)
  } finally {
    release()
  }
}

/** Returns the size of the file afterwards, in bytes. */
async function append(path: string, lines: string, { durable }: AppendOptions): Promise<number> {
  const file = await openFile(path, 'a+')
  try {
    const { size } = await file.stat()
    await file.writeFile((await endsLine(file, size)) ? lines : `\n${lines}`)
    if (durable) await file.sync()
    if (durable && size === 0) syncFolder(dirname(path))
    return size + lines.length
  } finally {
    await file.close()
  }
}

/** A process that was killed may have left a torn line; the next one must not continue it. */
async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** Drops the oldest lines, but for those of commits that are to be kept. */
function compact(path: string, { keep, kept = keptCount }: AppendOptions): void {
  const all = readLog(path)
  const wanted = keep?.()
  const lines = all
    .filter(({ commit }, at) => at >= all.length - kept || wanted?.has(commit))
    .map(({ commit, time, kind }) => `${commit} ${time} ${kind}\n`)
  replaceDurably(path, lines.join(''))
}

const line = /^([0-9a-f]{40}) (\d{4}-[\dT:.-]{5,20}Z) (noted|cancelled|settled)$/

/** Returns what the log says last of each commit, in the order in which they were first noted; empty where there is no log. */
export function readLog(path: string): Acknowledgement[] {
  const found = new Map<string, Acknowledgement>()
  for (const text of readText(path).split('\n')) {
    const [, commit, time, kind] = line.exec(text) ?? []
    if (commit === undefined || time === undefined) continue
    const known = found.get(commit)
    found.set(commit, { commit, time: kind === 'noted' ? time : (known?.time ?? time), kind: kind as EventKind })
  }
  return [...found.values()]
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
