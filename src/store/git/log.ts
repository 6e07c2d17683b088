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

/** Parses the stream: `fieldCount` fields follow each hash, then the raw lines, plain or combined. */
export async function* parseLog(
  chunks: AsyncIterable<Buffer>,
  fieldCount: number,
  filter: PathFilter,
): AsyncIterable<LogEntry> {
  let entry: { hash: string; fields: string[]; changes: PathChange[] } | null = null
  let raw: string | null = null
  for await (const token of tokens(chunks)) {
    if (raw !== null && entry !== null) {
      const change = filter(token) ? parseRaw(raw, token) : null
      if (change !== null) entry.changes.push(change)
      raw = null
    } else if (entry !== null && entry.fields.length < fieldCount) {
      entry.fields.push(token)
    } else if (token.startsWith('\u0001')) {
      if (entry !== null) yield entry
      entry = { hash: token.slice(1), fields: [], changes: [] }
    } else {
      const line = token.charCodeAt(0) === 0x0a ? token.slice(1) : token
      if (line.startsWith(':')) raw = line
    }
  }
  if (entry !== null) yield entry
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

async function* tokens(chunks: AsyncIterable<Buffer>): AsyncIterable<string> {
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(0)
    if (end < 0) {
      rest.push(chunk)
      continue
    }
    rest.push(chunk.subarray(0, end))
    yield* Buffer.concat(rest).toString('utf8').split('\0')
    rest = [chunk.subarray(end + 1)]
  }
  const last = Buffer.concat(rest).toString('utf8')
  if (last !== '') yield* last.split('\0')
}
