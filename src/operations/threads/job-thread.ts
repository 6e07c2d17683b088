/** Worker thread that runs jobs and queries its owner about the wiki. */

import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { defaultConfig, parseConfig } from '../../core/config.ts'
import { isWikiError } from '../../core/errors.ts'
import type { WikiSource } from '../../wikitext/index.ts'
import { factsOf } from '../resources/file-facts.ts'
import type { KnownFile } from '../resources/file-object.ts'
import type { FromThread, Job, Question, ToThread } from './job.ts'
import { sliced } from './long-results.ts'
import { runJob } from './run-job.ts'

/** Queries waiting for their results. */
const waiting = new Map<number, (answer: unknown) => void>()
let questions = 0

parentPort?.on('message', (message: ToThread) => {
  if (message.say === 'run') return void run(message.job, message.configText)
  waiting.get(message.question)?.(message.answer)
  waiting.delete(message.question)
})

async function run(job: Job, configText: string): Promise<void> {
  try {
    const result = await runJob(job, {
      wiki: sourceOf('server' in job ? job.server : '', configText),
      texts: ids => ask('texts', ids),
    })
    const { slices, ...rest } = sliced(result)
    for (const slice of slices) say({ say: 'slice', slice })
    say({ say: 'done', ...rest, heapBytes: heapBytes() })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const { code, params, data } = isWikiError(error) ? error : { code: null, params: [], data: {} }
    say({ say: 'failed', error: { code, params, data, text }, heapBytes: heapBytes() })
  }
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size
}

function sourceOf(server: string, configText: string): WikiSource {
  return {
    config: configText === '' ? defaultConfig() : parseConfig(configText),
    pages: titles => askInSlices('pages', titles),
    exist: titles => askInSlices('exist', titles),
    files: async names =>
      (await askInSlices<KnownFile | null>('files', names)).map(known => known && factsOf(known, server)),
    statistics: () => ask('statistics', []),
    links: links => askInSlices('links', links),
  }
}

/** Maximum titles or names in one query. The owner serves other requests between two of them. */
const sliceSizes = { pages: 25, exist: 100, files: 25, links: 50 } as const

async function askInSlices<Result>(kind: keyof typeof sliceSizes, about: readonly unknown[]): Promise<Result[]> {
  const answers: Result[] = []
  const size = sliceSizes[kind]
  for (let start = 0; start < about.length; start += size) {
    answers.push(...(await ask<Result[]>(kind, about.slice(start, start + size))))
  }
  return answers
}

function ask<Result>(kind: Question, about: readonly unknown[]): Promise<Result> {
  const question = ++questions
  say({ say: 'ask', question, kind, about })
  return new Promise(resolve => {
    waiting.set(question, answer => resolve(answer as Result))
  })
}

function say(message: FromThread): void {
  parentPort?.postMessage(message)
}
