/**
 * Sorts any number of records: sorted runs of bounded size on disk, merged when they are read. A record is a line of JSON; the
 * sort is stable.
 */

import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { syncContent } from '../../files/durable.ts'
import { openFile, writeAll } from '../../files/private-files.ts'
import { readStream } from '../../files/read-file.ts'

/** Sort key of records: time, then id. */
export type SortKey = readonly [time: number, id: number]

/** Characters of records sorted at a time. */
const usualRunLength = 32 * 1024 * 1024

interface Spooled<Item> {
  readonly key: SortKey
  readonly item: Item
}

export class SpoolWriter<Item> {
  readonly #folder: string
  readonly #runLength: number
  #lines: { key: SortKey; line: string }[] = []
  #length = 0
  #runs = 0

  /** Writes into a folder, in files `run-0`, `run-1` and so on. */
  constructor(folder: string, { runLength = usualRunLength } = {}) {
    this.#folder = folder
    this.#runLength = runLength
  }

  add(key: SortKey, item: Item): void {
    const line = JSON.stringify([...key, item])
    this.#lines.push({ key, line })
    this.#length += line.length
    if (this.#length > this.#runLength) this.#writeRun()
  }

  /** Makes all of it durable; returns the number of runs. */
  finish(): number {
    if (this.#lines.length > 0) this.#writeRun()
    return this.#runs
  }

  #writeRun(): void {
    const lines = this.#lines.sort((a, b) => compareKeys(a.key, b.key))
    const file = openFile(runPath(this.#folder, this.#runs++), 'w')
    try {
      for (let at = 0; at < lines.length; at += 1000)
        writeAll(
          file,
          lines
            .slice(at, at + 1000)
            .map(({ line }) => `${line}\n`)
            .join(''),
        )
      syncContent(file)
    } finally {
      closeSync(file)
    }
    this.#lines = []
    this.#length = 0
  }
}

interface Head<Item> {
  batch: readonly Spooled<Item>[]
  at: number
  readonly rest: AsyncIterator<readonly Spooled<Item>[]>
}

/** Records returned at a time. */
const batchLength = 1000

/** Reads all records in order, in batches. */
export async function* readSpool<Item>(folder: string, runs: number): AsyncIterable<readonly Item[]> {
  const heads: Head<Item>[] = []
  for (let run = 0; run < runs; run++) {
    const head = { batch: [], at: 0, rest: readRun<Item>(runPath(folder, run))[Symbol.asyncIterator]() }
    if (await refill(head)) heads.push(head)
  }
  let items: Item[] = []
  while (heads.length > 0) {
    const head = leastOf(heads)
    items.push(nextOf(head).item)
    head.at++
    if (head.at === head.batch.length && !(await refill(head))) heads.splice(heads.indexOf(head), 1)
    if (items.length < batchLength) continue
    yield items
    items = []
  }
  yield items
}

async function refill<Item>(head: Head<Item>): Promise<boolean> {
  const { done, value } = await head.rest.next()
  if (done) return false
  head.batch = value
  head.at = 0
  return true
}

function leastOf<Item>(heads: readonly Head<Item>[]): Head<Item> {
  return heads.reduce((least, head) => (compareKeys(nextOf(head).key, nextOf(least).key) < 0 ? head : least))
}

function nextOf<Item>(head: Head<Item>): Spooled<Item> {
  return head.batch[head.at] as Spooled<Item>
}

async function* readRun<Item>(path: string): AsyncIterable<readonly Spooled<Item>[]> {
  let rest = ''
  const decoder = new StringDecoder('utf8')
  for await (const chunk of readStream(path)) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() as string
    if (lines.length > 0) yield lines.map(readLine<Item>)
  }
}

function readLine<Item>(line: string): Spooled<Item> {
  const [time, id, item] = JSON.parse(line) as [number, number, Item]
  return { key: [time, id], item }
}

function runPath(folder: string, run: number): string {
  return join(folder, `run-${run}`)
}

function compareKeys(a: SortKey, b: SortKey): number {
  return a[0] - b[0] || a[1] - b[1]
}
