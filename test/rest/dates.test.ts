/** `Last-Modified` is the time of the last edit, does not go back, and confirms nothing that the server has not known since. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { contentFor } from '../media/_files.ts'
import { commitFiles, edit, newWiki, type Pages } from '../operations/_wiki.ts'

const path = '/v1/page/A'
const httpDate = (time: number): string => new Date(time).toUTCString()

async function dated(pages: Pages = { A: 'one' }) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T12:00:00.500Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { wiki } = await newWiki(pages)
  const app = createApp(wiki)
  const ask = (headers: Record<string, string> = {}) => app.request(path, { headers })
  const lastModified = async () => Date.parse((await ask()).headers.get('last-modified')!)
  const edited = () => Date.parse(wiki.store.revision(wiki.store.findPage('A')!.latest)!.timestamp)
  return { wiki, app, ask, lastModified, edited }
}

test('is that of the last edit', async () => {
  const { wiki, lastModified, edited } = await dated()
  expect(await lastModified()).toBe(edited())
  vi.setSystemTime('2026-01-02T12:00:00Z')
  await edit(wiki, 'A', 'two')
  expect(await lastModified()).toBe(edited())
})

test('does not go back with an older edit, which its date does not confirm', async () => {
  const { wiki, ask, lastModified, edited } = await dated()
  vi.setSystemTime('2026-01-02T12:00:00Z')
  await edit(wiki, 'A', 'two')
  const before = await lastModified()
  vi.setSystemTime('2001-01-01T00:00:00Z')
  await commitFiles(wiki, { 'A.wiki': 'three\n' })
  vi.setSystemTime('2026-01-03T12:00:00Z')
  expect(await lastModified()).toBe(before)
  expect(edited()).toBeLessThan(before)
  expect((await ask({ 'if-modified-since': httpDate(before) })).status).toBe(200)
})

test('of the files on a page is also that of the newest file', async () => {
  const { wiki, app } = await dated({ A: '[[File:P.png]]' })
  vi.setSystemTime('2026-01-04T12:00:00Z')
  await commitFiles(wiki, { 'File/P.png': contentFor('P.png') })
  const { headers } = await app.request(`${path}/links/media`)
  expect(Date.parse(headers.get('last-modified')!)).toBe(Date.parse('2026-01-04T12:00:00Z'))
})

test('is later after a change that is no edit', async () => {
  const { wiki, ask, lastModified, edited } = await dated()
  const before = await lastModified()
  vi.setSystemTime('2026-01-03T12:00:00Z')
  await commitFiles(wiki, { 'wiki.json': JSON.stringify({ license: { title: 'CC0', url: 'https://example.org/' } }) })
  expect(await lastModified()).toBe(vi.getMockedSystemTime()!.valueOf())
  expect(edited()).toBe(before)
  expect((await ask({ 'if-modified-since': httpDate(before) })).status).toBe(200)
})

test.each([
  ['of the second in which the server learned the state', 0, 200],
  ['of a later one', 1000, 304],
  ['in the future', 3_600_000, 200],
])('a date %s', async (_, later, status) => {
  const { ask } = await dated()
  await ask()
  const learned = vi.getMockedSystemTime()!.valueOf() as number
  vi.setSystemTime(learned + 2000)
  expect((await ask({ 'if-modified-since': httpDate(learned + later) })).status).toBe(status)
})

test('a write on condition of a date', async () => {
  const { ask } = await dated()
  await ask()
  const learned = vi.getMockedSystemTime()!.valueOf() as number
  expect((await ask({ 'if-unmodified-since': httpDate(learned) })).status).toBe(412)
  expect((await ask({ 'if-unmodified-since': httpDate(learned + 1000) })).status).toBe(200)
})
