/**
 * Reads the output of `git log -z --raw`, whose every commit starts with U+0001 and its hash. It is read as bytes: each string is
 * created separately, so that a cached one does not retain the output around it.
 */

import type { PathChange, PathFilter } from './backend.ts'
import { changeCounter } from './size-limits.ts'

export interface LogEntry {
  readonly hash: string
  /** The format's further fields. */
  readonly fields: readonly string[]
  readonly changes: PathChange[]
}

const [startOfEntry, lineFeed, colon, zero, one] = [0x01, 0x0a, 0x3a, 0x30, 0x31]

/** Characters of a mode and of a hash, each with the space or colon before it. */
const [modeWidth, hashWidth] = [7, 41]

/**
 * Parses the stream: `fieldCount` fields follow each hash, then the raw lines, plain or combined. Yields the entries of a chunk
 * together. Errors: wiki-too-large for a commit with too many lines.
 */
export async function* parseLog(
  chunks: AsyncIterable<Buffer>,
  fieldCount: number,
  filter: PathFilter,
): AsyncIterable<LogEntry[]> {
  const parser = new LogParser(fieldCount, filter)
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(0) + 1
    if (end > 0) {
      parser.takeAll(rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)]))
      rest = []
      yield parser.finished.splice(0)
    }
    if (end < chunk.length) rest.push(chunk.subarray(end))
  }
  if (rest.length > 0) parser.takeAll(Buffer.concat([...rest, Buffer.alloc(1)]))
  yield parser.end()
}

class LogParser {
  readonly finished: LogEntry[] = []
  readonly #fieldCount: number
  readonly #filter: PathFilter
  #entry: { hash: string; fields: string[]; changes: PathChange[] } | null = null
  #count: (more: number) => void = () => {}
  /** A raw line whose path follows. */
  #raw: Buffer | null = null

  constructor(fieldCount: number, filter: PathFilter) {
    this.#fieldCount = fieldCount
    this.#filter = filter
  }

  /** Takes bytes that end at a token boundary. */
  takeAll(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(0, start)
      this.#take(bytes, start, end)
      start = end + 1
    }
  }

  #take(bytes: Buffer, start: number, end: number): void {
    if (this.#raw !== null) {
      const change = changeOf(this.#raw, bytes.toString('utf8', start, end), this.#filter)
      if (change !== null) this.#entry?.changes.push(change)
      this.#count(1)
      this.#raw = null
    } else if (this.#entry !== null && this.#entry.fields.length < this.#fieldCount) {
      this.#entry.fields.push(bytes.toString('utf8', start, end))
    } else if (bytes[start] === startOfEntry) {
      this.end()
      const hash = bytes.toString('latin1', start + 1, end)
      this.#entry = { hash, fields: [], changes: [] }
      this.#count = changeCounter(hash)
    } else {
      const line = bytes[start] === lineFeed ? start + 1 : start
      if (bytes[line] === colon) this.#raw = bytes.subarray(line, end)
    }
  }

  end(): LogEntry[] {
    if (this.#entry !== null) this.finished.push(this.#entry)
    this.#entry = null
    return this.finished
  }
}

/**
 * Reads `:mode mode hash hash status`, with one more colon, mode and hash for each further parent. Mode changes, links and
 * submodules are not changes of a text.
 */
function changeOf(line: Buffer, path: string, filter: PathFilter): PathChange | null {
  if (!filter(path)) return null
  let parents = 0
  while (line[parents] === colon) parents++
  const modes = parents
  const hashes = modes + (parents + 1) * modeWidth
  const hash = (at: number) =>
    isFile(line, modes + at * modeWidth)
      ? line.toString('latin1', hashes + at * hashWidth, hashes + (at + 1) * hashWidth - 1)
      : null
  const after = hash(parents)
  const before = hash(0)
  if (before === after) return null
  for (let parent = 1; parent < parents; parent++) if (hash(parent) === after) return null
  return { path, before, after }
}

/** Returns true if a mode is that of a regular file: 100644 or 100755. */
function isFile(line: Buffer, at: number): boolean {
  return line[at] === one && line[at + 1] === zero && line[at + 2] === zero
}
