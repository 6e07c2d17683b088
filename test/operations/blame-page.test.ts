import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { blamePage, blamePageAsJson } from '../../src/operations/blame-page.ts'
import { findWordAuthors, writeWordAuthors } from '../../src/operations/comparing/word-authors.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { createApp } from '../../src/rest/app.ts'
import { wiki as command } from '../cli/harness.ts'
import { answerCheck } from '../rest/_openapi.ts'
import { ada, bob, edit, newWiki } from './_wiki.ts'

/** Ada starts, Bob adds text, the page is blanked, Ada restores it. */
async function blamedWiki() {
  const { wiki, directory } = await newWiki({ Ferry: 'The ferry waits.\n\nIt is old.' })
  await edit(wiki, 'Ferry', 'The blue ferry waits.\n\nIt is old.', { author: bob })
  await edit(wiki, 'Ferry', 'gone', { author: bob })
  await edit(wiki, 'Ferry', 'The blue ferry waits.\n\nIt is old. So am I.')
  return { wiki, directory }
}

test('words keep their first author through a revert and a move', async () => {
  const { wiki } = await blamedWiki()
  await movePage(wiki, { from: 'Ferry', to: 'Boat', author: bob, comment: '' })
  const { lines, revisions, words, ...page } = await blamePage(wiki, { title: 'Boat' })
  expect(page).toMatchObject({ title: 'Boat', revision: { id: 5 } })
  expect(lines).toEqual([
    {
      revision: 1,
      spans: [
        { text: 'The ', revision: 1 },
        { text: 'blue ', revision: 2 },
        { text: 'ferry waits.', revision: 1 },
      ],
    },
    { revision: null, spans: [] },
    {
      revision: 4,
      spans: [
        { text: 'It is old. ', revision: 1 },
        { text: 'So am I.', revision: 4 },
      ],
    },
  ])
  expect(revisions.map(({ id, user, words }) => [id, user?.name, words])).toEqual([
    [1, ada.name, 8],
    [2, bob.name, 1],
    [4, ada.name, 4],
  ])
  expect(words).toBe(13)
})

test('an older revision is attributed in its own state', async () => {
  const { wiki } = await blamedWiki()
  const { lines } = await blamePage(wiki, { title: 'Ferry', at: 3 })
  expect(lines).toEqual([{ revision: 3, spans: [{ text: 'gone', revision: 3 }] }])
  await expect(blamePage(wiki, { title: 'Ferry', at: 9 })).rejects.toMatchObject({
    code: 'rest-nonexistent-title-revision',
  })
})

test('hidden revisions reveal neither their words nor their authors', async () => {
  const { wiki } = await blamedWiki()
  const hide = (id: number, parts: readonly ('text' | 'user' | 'comment')[]) =>
    hideRevision(wiki, { id, parts, reason: '', comment: '', author: ada })
  await hide(1, ['user', 'comment'])
  await hide(2, ['text'])
  const { revisions } = await blamePage(wiki, { title: 'Ferry' })
  expect(revisions).toMatchObject([
    { id: 1, user: null, comment: null, words: 4 },
    { id: 4, words: 9 },
  ])
})

test('a history that is too large is refused', async () => {
  const { wiki } = await blamedWiki()
  await expect(blamePage(wiki, { title: 'Ferry', maxBytes: 100 })).rejects.toMatchObject({
    code: 'rest-resource-limit-exceeded',
    status: 413,
  })
})

test('the route responds as documented, and is revalidated until the page changes', { tags: 'long' }, async () => {
  const { wiki } = await blamedWiki()
  const app = createApp(wiki)
  const check = answerCheck(JSON.parse(await (await app.request('http://localhost/specs/v0/module/-')).text()))
  const target = '/v1/page/Ferry/authorship'
  const response = await app.request(`http://localhost${target}`)
  const [body, type] = [await response.text(), response.headers.get('content-type')]
  expect(check({ method: 'GET', target, status: response.status, type, body })).toBeNull()
  expect(JSON.parse(body)).toEqual(await blamePage(wiki, { title: 'Ferry' }))
  const condition = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } }
  expect((await app.request(`http://localhost${target}`, condition)).status).toBe(304)
  expect((await app.request('http://localhost/v1/page/None/authorship')).status).toBe(404)
})

test('wiki blame prints lines, words and authors', async () => {
  const { wiki, directory } = await blamedWiki()
  const run = async (...words: string[]) => (await command(['blame', 'Ferry', ...words], { cwd: directory })).stdout
  const rows = (text: string) => text.split('\n').map(line => line.split('\t'))
  expect(rows(await run()).map(([id, user, , line, text]) => [id, user, line, text])).toEqual([
    ['1', ada.name, '1', 'The blue ferry waits.'],
    ['', '', '2', ''],
    ['4', ada.name, '3', 'It is old. So am I.'],
    ['', undefined, undefined, undefined],
  ])
  expect(rows(await run('--words'))[1]?.slice(0, 2)).toEqual(['2', bob.name])
  expect(await run('--authors')).toBe(`${ada.name}\t12\t92.3 %\t1\t4\n${bob.name}\t1\t7.7 %\t2\t2\n`)
  expect(JSON.parse(await run('--json', '--at', '@prev'))).toEqual(await blamePage(wiki, { title: 'Ferry', at: 3 }))
})

/** Workers cannot load TypeScript, so this tests the built library. */
const built = new URL('../../dist/lib/operations/workers/worker-pool.js', import.meta.url)

test.skipIf(!existsSync(built))(
  'a long history is followed in a worker, with the same result (skipped if the library is not built)',
  { tags: 'long' },
  async () => {
    const { createWorkerPool } = (await import(
      built.href
    )) as typeof import('../../src/operations/workers/worker-pool.ts')
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of many, ${at * at} in all.\n`)
    const { wiki } = await newWiki({ Ferry: lines.join('') })
    await edit(wiki, 'Ferry', lines.map((line, at) => (at % 3 ? line : line.replace('many', 'more'))).join(''))
    await edit(wiki, 'Ferry', lines.reverse().join(''), { author: bob })
    const workerPool = createWorkerPool()!
    const run = vi.spyOn(workerPool, 'run')
    try {
      const json = await blamePageAsJson({ ...wiki, workerPool: () => workerPool }, { title: 'Ferry' })
      expect(JSON.parse(json)).toEqual(await blamePage(wiki, { title: 'Ferry' }))
      expect(json).toBe(await blamePageAsJson(wiki, { title: 'Ferry' }))
      expect(run).toHaveBeenCalledOnce()
    } finally {
      await workerPool.close()
    }
  },
)

test('a result above the limit is refused', async () => {
  const texts = async function* () {
    yield 'x'.repeat(1001)
  }
  await expect(
    writeWordAuthors({ title: 'A', ids: [1], texts: texts(), maxRemembered: 2 ** 30, maxJson: 1000 }),
  ).rejects.toMatchObject({
    code: 'rest-resource-limit-exceeded',
  })
})

test('a page of so many lines that the result would take too much memory is refused', async () => {
  const { wiki } = await newWiki({ Few: 'a\n'.repeat(2000), Many: 'a\n'.repeat(260_000) })
  expect((await blamePage(wiki, { title: 'Few' })).lines).toHaveLength(2000)
  await expect(blamePage(wiki, { title: 'Many' })).rejects.toMatchObject({
    code: 'rest-resource-limit-exceeded',
    hint: expect.stringContaining('git blame'),
  })
})

test('too many lines in an earlier revision are refused before they are read', async () => {
  const read: string[] = []
  const texts = async function* () {
    for (const text of ['a\n'.repeat(260_000), 'a']) {
      read.push(text.slice(0, 2))
      yield text
    }
  }
  const steps = vi.fn()
  const page = { title: 'A', ids: [1, 2], texts: texts(), maxRemembered: 2 ** 40 }
  await expect(findWordAuthors(page, steps)).rejects.toMatchObject({ code: 'rest-resource-limit-exceeded' })
  expect(steps).not.toHaveBeenCalled()
  expect(read).toEqual(['a\n'])
})
