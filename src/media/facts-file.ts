/**
 * Facts of files by the hash of their bytes: an append-only file of lines with checksums. It may be deleted at any time; torn,
 * changed or unknown lines are skipped.
 */

import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { appendToFile, makeFolder, replaceFile } from '../files/private-files-async.ts'
import type { ByteFacts } from './facts.ts'

/** Changes when facts are derived differently, or the format of a line changes. */
const version = 2

/** Number of lines above which the older half is dropped. */
const usualLimit = 50_000

export interface FactsFile {
  get(blob: string): Promise<ByteFacts | undefined>
  set(blob: string, facts: ByteFacts): Promise<void>
}

interface State {
  /** Blob to its line, oldest first. */
  readonly lines: Map<string, string>
  /** Known number of lines in the file, duplicates included. */
  written: number
}

/** Creates the reader and writer of the facts in a file, which need not exist. */
export function openFactsFile(path: string, limit = usualLimit): FactsFile {
  let loading: Promise<State> | undefined
  const state = () => {
    loading ??= load(path)
    return loading
  }
  return {
    async get(blob) {
      const line = (await state()).lines.get(blob)
      return line === undefined ? undefined : parseFacts(line)
    },
    async set(blob, facts) {
      const known = await state()
      const json = JSON.stringify({ version, blob, ...facts })
      const line = `${crc32(json)} ${json}`
      known.lines.set(blob, line)
      known.written++
      // A folder that cannot be written costs time, but no results.
      await store(path, known, { line, limit }).catch(() => undefined)
    },
  }
}

/** The blob has the same position in every line, so only requested lines are parsed. */
const lineStart = new RegExp(`^\\d+ \\{"version":${version},"blob":"([0-9a-f]{40,64})",`)

async function load(path: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const written = text.split('\n').filter(line => line !== '')
  const lines = new Map<string, string>()
  for (const line of written) {
    const blob = lineStart.exec(line)?.[1]
    if (blob !== undefined) lines.set(blob, line)
  }
  return { lines, written: written.length }
}

function parseFacts(line: string): ByteFacts | undefined {
  const json = line.slice(line.indexOf(' ') + 1)
  if (Number.parseInt(line, 10) !== crc32(json)) return undefined
  const { sha1, signature, width, height, duration, shows } = JSON.parse(json) as ByteFacts
  return { sha1, signature, width, height, duration, shows }
}

async function store(path: string, state: State, { line, limit }: { line: string; limit: number }): Promise<void> {
  await makeFolder(dirname(path))
  if (state.written > limit) return shorten(path, state, limit / 2)
  // A line feed on both sides limits the damage of another process's unfinished write to its own line.
  await appendToFile(path, `\n${line}\n`)
}

async function shorten(path: string, state: State, wanted: number): Promise<void> {
  const { lines } = state
  for (const blob of [...lines.keys()].slice(0, Math.max(0, lines.size - wanted))) lines.delete(blob)
  state.written = lines.size
  await replaceFile(path, `${[...lines.values()].join('\n')}\n`)
}
