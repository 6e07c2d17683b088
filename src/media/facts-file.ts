/**
 * Facts of files, kept by the hash of their bytes: one line each, only appended. The file may be deleted at any time; lines
 * that are torn or foreign are passed over.
 */

import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ByteFacts } from './facts.ts'

/** Changes when facts are told differently than before. */
const version = 1

/** Lines beyond which the older half goes. */
const lineLimit = 50_000

export interface FactsFile {
  find(blob: string): Promise<ByteFacts | undefined>
  keep(blob: string, facts: ByteFacts): Promise<void>
}

/** Creates the reader and writer of the facts in a file, which need not exist. */
export function openFactsFile(path: string): FactsFile {
  let loading: Promise<Map<string, string>> | undefined
  const lines = () => {
    loading ??= load(path)
    return loading
  }
  return {
    async find(blob) {
      const line = (await lines()).get(blob)
      return line === undefined ? undefined : parseFacts(line)
    },
    async keep(blob, facts) {
      const known = await lines()
      const line = JSON.stringify({ version, blob, ...facts })
      known.set(blob, line)
      await store(path, known, line)
    },
  }
}

/** The blob stands at the same place in every line: only lines that are asked for are parsed. */
const lineStart = new RegExp(`^\\{"version":${version},"blob":"([0-9a-f]{40,64})",`)

async function load(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').slice(-lineLimit)
  return new Map(
    lines.flatMap(line => {
      const blob = lineStart.exec(line)?.[1]
      return blob === undefined ? [] : [[blob, line] as const]
    }),
  )
}

function parseFacts(line: string): ByteFacts | undefined {
  try {
    const { sha1, signature, width, height, duration, shows } = JSON.parse(line) as ByteFacts
    return { sha1, signature, width, height, duration, shows }
  } catch {
    return undefined
  }
}

/** A folder that cannot be written to costs time, not answers. */
async function store(path: string, lines: Map<string, string>, line: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    if (lines.size > lineLimit) await shorten(path, lines)
    // A line feed on both sides: what another process left unfinished spoils no line but its own.
    else await appendFile(path, `\n${line}\n`)
  } catch {}
}

async function shorten(path: string, lines: Map<string, string>): Promise<void> {
  const older = [...lines.keys()].slice(0, lines.size - lineLimit / 2)
  for (const blob of older) lines.delete(blob)
  const temporary = `${path}.${randomUUID()}.new`
  try {
    await writeFile(temporary, `${[...lines.values()].join('\n')}\n`)
    await rename(temporary, path)
  } catch {
    await rm(temporary, { force: true })
  }
}
