/**
 * Metadata of files by the hash of their bytes: an append-only file of lines with checksums. It may be deleted at any time; torn,
 * changed or unknown lines are skipped.
 */

import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { appendLines, makeFolder, replaceFile } from '../files/private-files-async.ts'
import { readTextLater } from '../files/read-file.ts'
import type { ByteMetadata } from './metadata.ts'

/** Changes when metadata is derived differently, or the format of a line changes. */
const version = 2

/** Number of lines above which the older half is dropped. */
const usualLimit = 50_000

export interface MetadataFile {
  get(blob: string): Promise<ByteMetadata | undefined>
  set(blob: string, metadata: ByteMetadata): Promise<void>
}

interface State {
  /** Blob to its line, oldest first. */
  readonly lines: Map<string, string>
  /** Number of lines in the file when it was last read or written, duplicates included. */
  written: number
}

/** Creates the reader and writer of the metadata in a file, which need not exist. */
export function openMetadataFile(path: string, limit = usualLimit): MetadataFile {
  let loading: Promise<State> | undefined
  const state = () => {
    loading ??= load(path)
    return loading
  }
  return {
    async get(blob) {
      const line = (await state()).lines.get(blob)
      return line === undefined ? undefined : parseMetadata(line)
    },
    async set(blob, metadata) {
      const loaded = await state()
      const json = JSON.stringify({ version, blob, ...metadata })
      const line = `${crc32(json)} ${json}`
      loaded.lines.set(blob, line)
      loaded.written++
      // A folder that cannot be written costs time, but no results.
      await store(path, loaded, { line, limit }).catch(() => undefined)
    },
  }
}

/** The blob has the same position in every line, so only requested lines are parsed. */
const lineStart = new RegExp(`^\\d+ \\{"version":${version},"blob":"([0-9a-f]{40,64})",`)

async function load(path: string): Promise<State> {
  const text = await readTextLater(path).catch(() => '')
  const written = text.split('\n').filter(line => line !== '')
  const lines = new Map<string, string>()
  for (const line of written) {
    const blob = lineStart.exec(line)?.[1]
    if (blob !== undefined) lines.set(blob, line)
  }
  return { lines, written: written.length }
}

function parseMetadata(line: string): ByteMetadata | undefined {
  const json = line.slice(line.indexOf(' ') + 1)
  if (Number.parseInt(line, 10) !== crc32(json)) return undefined
  const { sha1, signature, width, height, duration, shows } = JSON.parse(json) as ByteMetadata
  return { sha1, signature, width, height, duration, shows }
}

async function store(path: string, state: State, { line, limit }: { line: string; limit: number }): Promise<void> {
  await makeFolder(dirname(path))
  if (state.written > limit) return shorten(path, state, limit / 2)
  await appendLines(path, `${line}\n`)
}

async function shorten(path: string, state: State, wanted: number): Promise<void> {
  const { lines } = state
  for (const blob of [...lines.keys()].slice(0, Math.max(0, lines.size - wanted))) lines.delete(blob)
  state.written = lines.size
  await replaceFile(path, `${[...lines.values()].join('\n')}\n`)
}
