/** Worker thread that runs jobs and queries its owner about the wiki. */

import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { defaultConfig, parseConfig } from '../../core/config.ts'
import { isWikiError } from '../../core/errors.ts'
import type { WikiSource } from '../../wikitext/index.ts'
import { metadataOf } from '../resources/file-metadata.ts'
import type { FileWithMetadata } from '../resources/file-object.ts'
import type { FromWorker, Job, QueryKind, ToWorker } from './job.ts'
import { sliced } from './long-results.ts'
import { runJob } from './run-job.ts'

/** Queries waiting for their results. */
const waiting = new Map<number, (result: unknown) => void>()
let queries = 0

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'run') return void run(message.job, message.configText)
  waiting.get(message.id)?.(message.result)
  waiting.delete(message.id)
})

async function run(job: Job, configText: string): Promise<void> {
  try {
    const result = await runJob(job, {
      wiki: sourceOf('server' in job ? job.server : '', configText),
      texts: ids => query('texts', ids),
    })
    const { slices, ...rest } = sliced(result)
    for (const slice of slices) send({ type: 'slice', slice })
    send({ type: 'done', ...rest, heapBytes: heapBytes() })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const { code, params, data } = isWikiError(error) ? error : { code: null, params: [], data: {} }
    send({ type: 'failed', error: { code, params, data, text }, heapBytes: heapBytes() })
  }
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size
}

function sourceOf(server: string, configText: string): WikiSource {
  return {
    config: configText === '' ? defaultConfig() : parseConfig(configText),
    pages: titles => queryInSlices('pages', titles),
    exist: titles => queryInSlices('exist', titles),
    files: async names =>
      (await queryInSlices<FileWithMetadata | null>('files', names)).map(
        described => described && metadataOf(described, server),
      ),
    statistics: () => query('statistics', []),
    links: links => queryInSlices('links', links),
  }
}

/** Maximum titles or names in one query. The owner serves other requests between two of them. */
const sliceSizes = { pages: 25, exist: 100, files: 25, links: 50 } as const

async function queryInSlices<Result>(kind: keyof typeof sliceSizes, params: readonly unknown[]): Promise<Result[]> {
  const results: Result[] = []
  const size = sliceSizes[kind]
  for (let start = 0; start < params.length; start += size) {
    results.push(...(await query<Result[]>(kind, params.slice(start, start + size))))
  }
  return results
}

function query<Result>(kind: QueryKind, params: readonly unknown[]): Promise<Result> {
  const id = ++queries
  send({ type: 'query', id, kind, params })
  return new Promise(resolve => {
    waiting.set(id, result => resolve(result as Result))
  })
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message)
}
