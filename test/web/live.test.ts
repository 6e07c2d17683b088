import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { Follower, watchOf } from '../../src/web/watch.ts'
import { create, edit } from '../operations/_wiki.ts'
import { attributeOf, newSite } from './_site.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Reads a stream until this text has arrived. */
async function until(reader: Reader, wanted: string): Promise<string> {
  let text = ''
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended after ${JSON.stringify(text)}`)
    text += new TextDecoder().decode(value)
  }
  return text
}

const readerOf = (response: Response): Reader => response.body!.getReader()
const titlesIn = (text: string): string[] =>
  [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, data]) =>
    JSON.parse(data!).changes.map((change: { page: { title: string } }) => change.page.title),
  )

test('the stream sends changes as they happen', async () => {
  const { ask, wiki } = await newSite({ Tides: 'x' })
  const response = await ask('/events')
  expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
    'text/event-stream; charset=utf-8',
    null,
  ])
  const reader = readerOf(response)
  await until(reader, 'retry:')
  const next = until(reader, 'event: changes')
  await create(wiki, 'Fog', 'grey')
  expect(titlesIn(await next)).toEqual(['Fog'])
  await reader.cancel()
})

test('it continues after the last event, and reports lost ones', async () => {
  const { ask, wiki } = await newSite({ Tides: 'x' })
  await create(wiki, 'Fog', 'grey')
  await edit(wiki, 'Fog', 'greyer', { base: 2 })
  for (const init of [{ headers: { 'last-event-id': '1' } }, undefined]) {
    const reader = readerOf(await ask(init === undefined ? '/events?since=1' : '/events', init))
    expect(titlesIn(await until(reader, 'event: changes'))).toEqual(['Fog', 'Fog'])
    await reader.cancel()
  }
  const lost = readerOf(await ask('/events?since=99999'))
  expect(await until(lost, '\n\n')).toContain('event: lost')
  await lost.cancel()
})

test('it ends when the server closes', async () => {
  const closing = new AbortController()
  const { ask } = await newSite({ Tides: 'x' }, {}, { closing: closing.signal })
  const reader = readerOf(await ask('/events'))
  await until(reader, 'retry:')
  const end = reader.read()
  closing.abort()
  expect((await end).done).toBe(true)
})

test('streams are limited, and a closed one makes room', async () => {
  const warn = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warn.mockRestore())
  const { ask } = await newSite({ Tides: 'x' }, {}, { closing: new AbortController().signal })
  const readers: Reader[] = []
  for (let count = 0; count < 50; count++) {
    const reader = readerOf(await ask('/events'))
    await until(reader, 'retry:')
    readers.push(reader)
  }
  expect((await ask('/events')).status).toBe(503)
  await readers.pop()!.cancel()
  const again = readerOf(await ask('/events'))
  await until(again, 'retry:')
  for (const reader of [...readers, again]) await reader.cancel()
  expect(warn).not.toHaveBeenCalled()
})

test('an unread response takes no room', async () => {
  const { ask } = await newSite({ Tides: 'x' })
  for (let count = 0; count < 60; count++) expect((await ask('/events', { method: 'HEAD' })).status).toBe(200)
})

test('recent changes offer it only on the newest page', async () => {
  const { page } = await newSite({ Tides: 'x', Fog: 'y' })
  const follows = async (path: string): Promise<(string | undefined)[]> =>
    (await page(path)).elements.flatMap(element => attributeOf(element, 'data-ui-live') ?? [])
  expect((await follows('/wiki/Special:RecentChanges')).length).toBe(1)
  expect(await follows('/wiki/Special:RecentChanges?older_than=2')).toEqual([])
})

describe('waiting streams', () => {
  /** Returns a store whose state a test changes, and a function that runs the next poll of its branch. */
  function newStore() {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const store = { state: '1', lastRevisionId: 1, refresh: async () => {} }
    return { store, watch: watchOf(store as unknown as Wiki['store']), poll: () => vi.advanceTimersByTimeAsync(500) }
  }

  test('are woken by a change that a stream opened since has seen already', async () => {
    const { store, watch, poll } = newStore()
    const waiting = new Follower('one', [])
    watch.add(waiting)
    await poll()
    const woken = waiting.isWoken(20_000)
    store.state = '2'
    watch.add(new Follower('two', []))
    await poll()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await woken).toBe(true)
  })

  test('are not woken by a change before the first of them', async () => {
    const { store, watch, poll } = newStore()
    const early = new Follower('one', [])
    watch.add(early)
    watch.remove(early)
    store.state = '2'
    const waiting = new Follower('one', [])
    watch.add(waiting)
    const woken = waiting.isWoken(20_000)
    await poll()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await woken).toBe(false)
  })
})

test('a stream that has begun misses no change', async () => {
  const { ask, wiki } = await newSite({ Tides: 'x' })
  const reader = readerOf(await ask('/events'))
  // A browser reads the list when these first bytes arrive.
  await reader.read()
  await create(wiki, 'Fog', 'grey')
  expect(titlesIn(await until(reader, 'event: changes'))).toEqual(['Fog'])
  await reader.cancel()
})
