import { describe, expect, test, vi } from 'vitest'
import { compareTexts } from '../../src/diff/compare-texts.ts'
import { mergeWithMarkers } from '../../src/diff/merge.ts'
import { maxComparedBytes } from '../../src/operations/comparing/comparison.ts'
import { type Edits, mergeEdits } from '../../src/operations/comparing/merge-edits.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { TextJob } from '../../src/operations/workers/job.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { createApp } from '../../src/rest/app.ts'
import { isFull } from '../_rounds.ts'
import { wiki as command } from '../cli/harness.ts'
import { sending } from '../rest/_asking.ts'
import { ada, edit, newWiki, writeWork } from './_wiki.ts'

const megabyte = 1024 * 1024

/** Lines of one character, without equal neighbours: the most elements that a text can have. */
const shortLines = (bytes: number, shift: number): string =>
  Array.from({ length: bytes / 2 }, (_, line) => `${(line * 7 + shift * (line % 5)) % 10}`).join('\n')

/** A wiki with a fake worker pool that records its jobs. */
function withThreads(wiki: Wiki, answer: (job: TextJob) => unknown): { wiki: Wiki; jobs: TextJob[] } {
  const jobs: TextJob[] = []
  const run = async (job: TextJob): Promise<unknown> => {
    jobs.push(job)
    return answer(job)
  }
  const workerPool = { run, close: async () => {} } as unknown as WorkerPool
  return { wiki: { ...wiki, workerPool: () => workerPool }, jobs }
}

const compareBody = (from: string, to: string): RequestInit =>
  sending('POST', { from: { text: from }, to: { text: to } })

describe('a comparison', () => {
  test('is abandoned if its result grows too large', { tags: 'long' }, () => {
    const [from, to] = [shortLines(20_000, 1), shortLines(20_000, 3)]
    const whole = compareTexts(from, to)
    const bytes = JSON.stringify(whole).length
    expect(() => compareTexts(from, to, { maxBytes: bytes / 2 })).toThrow('larger than the limit')
    expect(compareTexts(from, to, { maxBytes: bytes * 2 })).toEqual(whole)
  })

  test('of two texts with a result of 40 MB is refused', { tags: 'long' }, async () => {
    const { wiki } = await newWiki()
    const app = createApp(wiki)
    const answer = await app.request('/v1/compare', compareBody(shortLines(megabyte, 1), shortLines(megabyte, 3)))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ errorKey: 'rest-resource-limit-exceeded' })
  })

  test('of large texts runs in a worker, and of small ones does not', async () => {
    const { wiki, jobs } = withThreads((await newWiki()).wiki, () => '{"diff":"made elsewhere"}')
    const app = createApp(wiki)
    const small = await app.request('/v1/compare', compareBody('a', 'b'))
    expect(await small.json()).toMatchObject({ diff: [{ type: 1 }, { type: 2 }] })
    expect(jobs).toEqual([])
    const large = await app.request('/v1/compare', compareBody('a '.repeat(9000), 'b '.repeat(9000)))
    expect(await large.json()).toEqual({ diff: 'made elsewhere' })
    expect(jobs).toMatchObject([{ task: 'comparison', from: { id: 0 }, to: { id: 0 } }])
  })

  test('of a file of any size ends with exit 2 and a hint', { tags: 'long' }, async () => {
    const { directory } = await newWiki({ A: 'one' })
    await writeWork(directory, 'A.wiki', 'a'.repeat(maxComparedBytes + 1))
    for (const argv of [
      ['compare', '--page', 'A'],
      ['merge', 'A.wiki', 'A.wiki', 'A.wiki'],
    ]) {
      const { status, stderr } = await command(argv, { cwd: directory })
      expect(stderr).toMatch(/larger than the limit/)
      expect(status).toBe(2)
    }
  })
})

const prose = { policy: 'words', model: 'wikitext' } as const

describe('a merge', () => {
  test('of large texts runs in a worker, once, before the writer waits for it', async () => {
    const made = await newWiki({ A: `${'a\n'.repeat(6000)}end` })
    await edit(made.wiki, 'A', `${'a\n'.repeat(6000)}their end`)
    const merges = vi.fn((job: TextJob) => mergeEdits((job as { edits: Edits }).edits))
    const { wiki, jobs } = withThreads(made.wiki, merges)
    let locked = 0
    const commit: Wiki['store']['commit'] = (...parameters) => {
      locked = jobs.length
      return made.wiki.store.commit(...parameters)
    }
    const store = new Proxy(made.wiki.store, {
      get: (target, key) => {
        const value = key === 'commit' ? commit : Reflect.get(target, key, target)
        return typeof value === 'function' && key !== 'commit' ? value.bind(target) : value
      },
    })
    const source = `begin\n${'a\n'.repeat(6000)}end`
    const { merged, page } = await updatePage(
      { ...wiki, store },
      { title: 'A', source, base: 1, comment: '', author: ada },
    )
    expect(merged).toBe(true)
    expect(page.source).toBe(`begin\n${'a\n'.repeat(6000)}their end`)
    expect([locked, jobs.length]).toEqual([1, 1])
  })

  // Slow, 4 s of CPU: `npm run test:full` runs it.
  test.runIf(isFull)('that conflicts omits a difference that is too large', { tags: 'rounds' }, () => {
    const base = shortLines(megabyte, 1)
    const merged = mergeEdits({ base, current: `y${shortLines(megabyte, 3)}`, submitted: `x${base}`, ...prose })
    expect('local' in merged && [merged.local === null, merged.remote === null]).toEqual([false, true])
  })

  test('that takes too many steps is an edit conflict, and nothing is saved', async () => {
    const made = await newWiki({ A: 'a\n'.repeat(6000) })
    await edit(made.wiki, 'A', 'b\n'.repeat(6000))
    const { wiki } = withThreads(made.wiki, () => ({ local: null, remote: null }))
    const body = { source: 'c\n'.repeat(6000), comment: '', latest: { id: 1 } }
    const answer = await createApp(wiki, { allowAnonymous: true }).request('/v1/page/A', sending('PUT', body))
    const error = (await answer.json()) as object
    expect([answer.status, error]).toEqual([
      409,
      expect.objectContaining({ errorKey: 'edit-conflict', base: 1, current: 2 }),
    ])
    expect(error).not.toHaveProperty('local')
    const kept = await createApp(wiki).request('/v1/page/A')
    expect(await kept.json()).toMatchObject({ source: 'b\n'.repeat(6000).trimEnd() })
  })

  test('of many additions at one position compares only the ends of sentences', () => {
    const sentences = (marker: string): string =>
      Array.from({ length: 4000 }, (_, at) => `S${at}. ${marker}${at}. `).join('')
    const { conflicts } = mergeWithMarkers(`${sentences('')}\n`, `${sentences('a')}\n`, `${sentences('b')}\n`)
    expect(conflicts).toBe(1)
  })

  test('refuses texts that are too large', () => {
    const long = 'x'.repeat(maxComparedBytes)
    expect(() => mergeEdits({ base: long, current: 'a', submitted: 'b', ...prose })).toThrow('larger than the limit')
  })
})
