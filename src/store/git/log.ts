/** Reads the output of `git log -z --raw`, whose every commit starts with U+0001 and its hash. */

import type { PathChange, PathFilter } from './backend.ts'
import { fileModes } from './objects.ts'

export interface LogEntry {
  readonly hash: string
  /** The format's further fields. */
  readonly fields: readonly string[]
  readonly changes: PathChange[]
}

const absent = '0'.repeat(40)

/**
 * Parses the stream: `fieldCount` fields follow each hash, then the raw lines, plain or combined. The entries of a chunk come
 * together.
 */
export async function* parseLog(
  chunks: AsyncIterable<Buffer>,
  fieldCount: number,
  filter: PathFilter,
): AsyncIterable<LogEntry[]> {
  const parser = new LogParser(fieldCount, filter)
  for await (const tokens of tokenBatches(chunks)) {
    for (const token of tokens) parser.take(token)
    yield parser.finished.splice(0)
  }
  yield parser.end()
}

class LogParser {
  readonly finished: LogEntry[] = []
  readonly #fieldCount: number
  readonly #filter: PathFilter
  #entry: { hash: string; fields: string[]; changes: PathChange[] } | null = null
  /** A raw line whose path comes next. */
  #raw: string | null = null

  constructor(fieldCount: number, filter: PathFilter) {
    this.#fieldCount = fieldCount
    this.#filter = filter
  }

  take(token: string): void {
    if (this.#raw !== null) {
      const change = this.#filter(token) ? parseRaw(this.#raw, token) : null
      if (change !== null) this.#entry?.changes.push(change)
      this.#raw = null
    } else if (this.#entry !== null && this.#entry.fields.length < this.#fieldCount) {
      this.#entry.fields.push(token)
    } else if (token.charCodeAt(0) === 1) {
      this.end()
      this.#entry = { hash: token.slice(1), fields: [], changes: [] }
    } else {
      const line = token.charCodeAt(0) === 0x0a ? token.slice(1) : token
      if (line.charCodeAt(0) === 0x3a) this.#raw = line
    }
  }

  end(): LogEntry[] {
    if (this.#entry !== null) this.finished.push(this.#entry)
    this.#entry = null
    return this.finished
  }
}

/**
 * Reads `:mode mode hash hash status`, or with one colon, mode and hash more for each further parent. Changes of mode alone,
 * links and submodules are no changes of a text.
 */
function parseRaw(line: string, path: string): PathChange | null {
  const words = line.split(' ')
  const parents = line.search(/[^:]/)
  const mode = (at: number) => (words[at] as string).replace(/^:+/, '')
  const hash = (at: number) => {
    const value = words[parents + 1 + at] as string
    return value === absent || !fileModes.has(mode(at)) ? null : value
  }
  const after = hash(parents)
  for (let parent = 0; parent < parents; parent++) if (hash(parent) === after) return null
  return { path, before: hash(0), after }
}

async function* tokenBatches(chunks: AsyncIterable<Buffer>): AsyncIterable<string[]> {
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(0)
    rest.push(end < 0 ? chunk : chunk.subarray(0, end))
    if (end < 0) continue
    yield Buffer.concat(rest).toString('utf8').split('\0')
    rest = [chunk.subarray(end + 1)]
  }
  const last = Buffer.concat(rest).toString('utf8')
  if (last !== '') yield last.split('\0')
}
