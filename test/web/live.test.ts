import { expect, onTestFinished, test, vi } from 'vitest'
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
    (await page(path)).elements.flatMap(element => attributeOf(element, 'data-live') ?? [])
  expect((await follows('/wiki/Special:RecentChanges')).length).toBe(1)
  expect(await follows('/wiki/Special:RecentChanges?older_than=2')).toEqual([])
})
