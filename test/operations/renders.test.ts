import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { renderPage } from '../../src/operations/render-page.ts'
import { openRenders } from '../../src/operations/rendering/renders.ts'
import { rawSource } from '../../src/operations/rendering/wiki-source.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { create, edit, newWiki, openTestWiki } from './_wiki.ts'

const htmlOf = async (wiki: Wiki, title: string): Promise<string> =>
  (await renderPage(wiki, { title, bodyOnly: true })).html

/** Counts the texts that are read from now on. */
function readsOf({ store }: Wiki): () => number {
  const spies = [vi.spyOn(store, 'text'), vi.spyOn(store, 'texts')]
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

describe('cached HTML', () => {
  test.each<[string, (wiki: Wiki) => Promise<unknown>, string]>([
    ['the page changes', wiki => edit(wiki, 'A', 'new text'), 'new text'],
    ['a template changes', wiki => edit(wiki, 'Template:T', 'other words'), 'other words'],
    ['a template of a template appears', wiki => create(wiki, 'Template:Inner', 'inside'), 'inside'],
  ])('is rendered again if %s', async (_, change, expected) => {
    const { wiki } = await newWiki({
      A: 'text {{T}} {{Outer}} [[B]]',
      'Template:T': 'words',
      'Template:Outer': '{{Inner}}',
    })
    expect(await htmlOf(wiki, 'A')).not.toContain(expected)
    await change(wiki)
    expect(await htmlOf(wiki, 'A')).toContain(expected)
  })

  test('is rendered again if a page that it links to is created', async () => {
    const { wiki } = await newWiki({ A: '[[B]]' })
    expect(await htmlOf(wiki, 'A')).toContain('redlink')
    await create(wiki, 'B', 'x')
    expect(await htmlOf(wiki, 'A')).not.toContain('redlink')
  })

  test('is reused, also by a new process, unless its file is damaged', async () => {
    const { wiki, directory } = await newWiki({ A: '{{T}} text', 'Template:T': 'words' })
    const html = await htmlOf(wiki, 'A')
    await (await wiki.renders()).stored()
    const folder = join(wiki.store.cacheDirectory, 'html')
    const reads = readsOf(wiki)
    expect(await htmlOf(wiki, 'A')).toBe(html)
    expect(reads()).toBe(0)

    const second = await openTestWiki(directory)
    const secondReads = readsOf(second)
    expect(await htmlOf(second, 'A')).toBe(html)
    expect(secondReads()).toBe(0)

    const [file] = readdirSync(folder)
    const stored = readFileSync(join(folder, file!), 'utf8')
    for (const damage of ['', '{"rendered":', '{"rendered":{"html":1}}', 'null', stored.replace('words', 'wards')]) {
      writeFileSync(join(folder, file!), damage)
      expect(await htmlOf(await openTestWiki(directory), 'A')).toBe(html)
    }
  })

  test('is stored completely when its wiki is closed', async () => {
    const { wiki, directory } = await newWiki({ A: 'text' })
    const folder = join(wiki.store.cacheDirectory, 'html')
    const other = await openWiki({ directory })
    await htmlOf(other, 'A')
    await other.close()
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.json$/)])
  })

  test('is validated once in each state, and yields to other work', async () => {
    const { wiki } = await newWiki({ A: Array.from({ length: 200 }, (_, at) => `[[Link ${at}]]`).join('\n') })
    const html = await htmlOf(wiki, 'A')
    await create(wiki, 'B', 'x')
    let time = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time++)
    let turns = 0
    const count = (): void => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    try {
      expect(await htmlOf(wiki, 'A')).toBe(html)
    } finally {
      clearImmediate(next)
      clock.mockRestore()
    }
    expect(turns).toBeGreaterThan(20)
    const lookups = vi.spyOn(Object.getPrototypeOf(wiki.store), 'findPage')
    expect(await htmlOf(wiki, 'A')).toBe(html)
    expect(lookups.mock.calls.length).toBeLessThan(10)
    lookups.mockRestore()
  })

  test("has no extra line for the end of a template's file", async () => {
    const { wiki } = await newWiki({ A: '* {{T}}\n* b', 'Template:T': 'words' })
    expect((await htmlOf(wiki, 'A')).match(/<ul/g)).toHaveLength(1)
  })

  test('counts headings among its bytes', async () => {
    const { wiki } = await newWiki({ A: 'a' })
    const asked = { store: wiki.store, source: rawSource(wiki) }
    const about = { model: 'wikitext', title: 'A', page: null, flavor: 'view', bodyOnly: true, server: '' } as const
    const readsOfTwo = async (text: string): Promise<number> => {
      const renders = openRenders(wiki.store, { folder: '/dev/null/html', workerPool: () => null, memoryBytes: 50_000 })
      const read = vi.fn(async () => text)
      for (let time = 0; time < 2; time++)
        await renders.html({ ...about, content: { name: text, read }, client: '' }, asked)
      return read.mock.calls.length
    }
    const lines = Array.from({ length: 400 }, (_, at) => `${at}`)
    expect(await readsOfTwo(lines.join('\n\n'))).toBe(1)
    expect(await readsOfTwo(lines.map(line => `== ${line} ==`).join('\n'))).toBe(2)
  })

  test('with statistics of the wiki is cached only briefly', async () => {
    const { wiki } = await newWiki({ A: '{{NUMBEROFEDITS}}' })
    const before = await htmlOf(wiki, 'A')
    await create(wiki, 'B', 'x')
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
    try {
      expect(await htmlOf(wiki, 'A')).not.toBe(before)
    } finally {
      vi.useRealTimers()
    }
  })
})

/** Workers cannot load TypeScript, so this tests the built library. */
const built = new URL('../../dist/lib/operations/workers/worker-pool.js', import.meta.url)

test('preloading for a first page reads nothing of the wiki and caches nothing', async () => {
  const { wiki } = await newWiki({ A: '{{T}} text', 'Template:T': 'words' })
  const reads = readsOf(wiki)
  await (await wiki.renders()).warmUp()
  expect(reads()).toBe(0)
  expect(existsSync(join(wiki.store.cacheDirectory, 'html'))).toBe(false)
  expect(await htmlOf(wiki, 'A')).toContain('words</span> text')
})

/** Processes that this process has started and that are still running. */
function processes(): string[] {
  const lists = readdirSync('/proc/self/task').map(thread =>
    readFileSync(`/proc/self/task/${thread}/children`, 'latin1'),
  )
  return lists.join(' ').split(' ').filter(Boolean)
}

/** Returns a function that counts the processes started from now on: earlier test files have left others, which end. */
function countingProcesses(): () => number {
  const earlier = new Set(processes())
  return () => processes().filter(id => !earlier.has(id)).length
}

const isReady = existsSync(built) && process.platform === 'linux'

describe.skipIf(!isReady)('workers (skipped if the library is not built, or elsewhere than on Linux)', async () => {
  const { createWorkerPool } = (await import(
    built.href
  )) as typeof import('../../src/operations/workers/worker-pool.ts')
  const job = {
    task: 'html',
    text: '{{T}} [[B]] [[File:X.png]]',
    model: 'wikitext',
    title: 'A',
    flavor: 'view',
    bodyOnly: true,
    server: '',
    page: null,
    client: '',
  } as const
  const source = {
    pages: async (titles: readonly { key: string }[]) =>
      titles.map(title =>
        title.key === 'Template:T'
          ? { title, text: "from a '''template'''", model: 'wikitext', id: 1, revision: 1, timestamp: '', user: '' }
          : null,
      ),
    exist: async (titles: readonly unknown[]) => titles.map(() => true),
    files: async (names: readonly string[]) => names.map(() => null),
    statistics: async () => ({ pages: 1, articles: 1, files: 0, edits: 1, users: 1, activeUsers: 1, admins: 0 }),
  } as never

  test('request the data that they need and return the same HTML', { tags: 'long' }, async () => {
    const workerPool = createWorkerPool()!
    const results = await Promise.all(Array.from({ length: 6 }, () => workerPool.run(job, { source, configText: '' })))
    for (const result of results)
      expect(result).toMatchObject({ html: expect.stringMatching(/from a .*<b[^>]*>template<\/b>/) })
    await expect(workerPool.run({ ...job, title: '<' }, { source, configText: '' })).rejects.toMatchObject({
      code: 'rest-invalid-title',
    })
    await workerPool.close()
  })

  test('convert HTML to wikitext', { tags: 'long' }, async () => {
    const workerPool = createWorkerPool()!
    const layouts = new Map([['Template:T', { format: 'block', order: [], aliases: new Map() }]])
    const back = {
      task: 'wikitext',
      title: 'A',
      html: '<p>a <b>b</b></p>',
      layouts,
      original: undefined,
      client: '',
    } as const
    expect(await workerPool.run(back, { source, configText: '' })).toMatch(/^a '''b'''\n?$/)
    await workerPool.close()
  })

  test('without a job are stopped after a while, and started again for the next one', { tags: 'long' }, async () => {
    const workerPool = createWorkerPool({ idle: 500 })!
    const countProcesses = countingProcesses()
    await workerPool.run(job, { source, configText: '' })
    expect(countProcesses()).toBe(1)
    await expect.poll(countProcesses).toBe(0)
    expect(await workerPool.run(job, { source, configText: '' })).toMatchObject({
      html: expect.stringContaining('template'),
    })
    await workerPool.close()
  })

  test('that use too much memory are ended, and others continue in as few processes', { tags: 'long' }, async () => {
    const countProcesses = countingProcesses()
    const workerPool = createWorkerPool({ bytes: 120 * 1024 * 1024 })!
    const numbers = Array.from({ length: 300_000 }, (_, at) => `${(at * 7919) % 10_007}`)
    const compare = { task: 'comparison', client: '', from: { id: 0, text: numbers.join('\n') } } as const
    const large = { ...compare, to: { id: 0, text: numbers.reverse().join('\n') } }
    const small = { ...compare, from: { id: 0, text: 'a' }, to: { id: 0, text: 'b' } }
    let most = 0
    let isOver = false
    const count = (): void => {
      most = Math.max(most, countProcesses())
      if (!isOver) setImmediate(count)
    }
    count()
    const jobs = [large, large].map(job => workerPool.run(job))
    for (const job of jobs)
      await expect(job).rejects.toMatchObject({ code: 'wiki-work-limit', status: 503, message: /too much memory/ })
    expect(JSON.parse(await workerPool.run(small))).toMatchObject({ diff: [{ type: 1 }, { type: 2 }] })
    isOver = true
    // One more is kept for clients that have none at work.
    expect(most).toBeLessThanOrEqual(Math.max(1, Math.min(2, availableParallelism() - 1)) + 1)
    await workerPool.close()
    expect(countProcesses()).toBe(0)
  })

  test('that take too long are terminated, and others continue', { tags: 'long' }, async () => {
    const workerPool = createWorkerPool({ seconds: 5 })!
    const { late, asked } = runWithoutEnd(workerPool)
    const rejection = expect(late).rejects.toMatchObject({ code: 'wiki-render-limit', status: 503 })
    await asked
    vi.advanceTimersByTime(5000)
    await rejection
    expect(await workerPool.run(job, { source, configText: '' })).toMatchObject({
      html: expect.stringContaining('template'),
    })
    await workerPool.close()
  })

  test('that are closed give up their job, and do not wait for its limit', { tags: 'long' }, async () => {
    const workerPool = createWorkerPool()!
    const { late, asked } = runWithoutEnd(workerPool)
    const rejection = expect(late).rejects.toMatchObject({ code: 'wiki-render-limit', status: 503 })
    await asked
    await workerPool.close()
    await rejection
  })

  /** Runs a job that waits for the wiki without end, with a clock that stands still; `asked` resolves when it waits. */
  function runWithoutEnd(workerPool: NonNullable<ReturnType<typeof createWorkerPool>>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let ask = (): void => {}
    const asked = new Promise<void>(resolve => {
      ask = resolve
    })
    const never = {
      ...(source as object),
      exist: () => {
        ask()
        return new Promise(() => {})
      },
    } as never
    return { late: workerPool.run(job, { source: never, configText: '' }), asked }
  }
})
