import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { bob, edit, newWiki } from '../operations/_wiki.ts'
import { answerCheck } from './_openapi.ts'

async function newApp() {
  const { wiki } = await newWiki({ Pier: 'a', Quay: 'b' })
  await edit(wiki, 'Pier', 'a c', { author: bob, minor: true })
  const app = createApp(wiki)
  const document = await app.request('http://localhost/specs/v0/module/-')
  const check = answerCheck(JSON.parse(await document.text()))
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await app.request(`http://localhost/v1/changes${query}`, { headers })
    const [body, type, { status }] = [await response.text(), response.headers.get('content-type'), response]
    expect(check({ method: 'GET', target: `/v1/changes${query}`, status, type, body })).toBeNull()
    return { status, headers: response.headers, body: body === '' ? null : JSON.parse(body) }
  }
  return { wiki, ask }
}

const idsOf = ({ changes }: { changes: { id: number }[] }): number[] => changes.map(({ id }) => id)

describe('GET /changes', () => {
  test('pages through the list with the same filters', { tags: 'long' }, async () => {
    const { ask } = await newApp()
    const { body } = await ask('?limit=1&prefix=Pier')
    expect(idsOf(body)).toEqual([3])
    expect(body).toMatchObject({
      latest: 'http://localhost/v1/changes?limit=1&prefix=Pier',
      older: 'http://localhost/v1/changes?limit=1&prefix=Pier&older_than=3',
      newer: 'http://localhost/v1/changes?limit=1&prefix=Pier&newer_than=3',
    })
    const older = await ask(new URL(body.older).search)
    expect(idsOf(older.body)).toEqual([1])
    expect(older.body.older).toBeUndefined()
  })

  test.each([
    ['?minor=yes', [3]],
    ['?bot=no&user=bob', [3]],
    ['?since=2000-01-01&until=2000-01-02', []],
    ['?namespace=0&title=Quay', [2]],
  ])('filters by %s', async (query, ids) => {
    expect(idsOf((await (await newApp()).ask(query)).body)).toEqual(ids)
  })

  test('is revalidated until something changes', async () => {
    const { wiki, ask } = await newApp()
    const etag = (await ask('')).headers.get('etag') ?? ''
    expect((await ask('', { 'if-none-match': etag })).status).toBe(304)
    await edit(wiki, 'Quay', 'b d')
    expect((await ask('', { 'if-none-match': etag })).status).toBe(200)
  })

  test.each([
    ['?limit=501', 400, 'outofrange'],
    ['?limit=x', 400, 'badinteger'],
    ['?since=soon', 400, 'badvalue'],
    ['?minor=perhaps', 400, 'badbool'],
    ['?older_than=x', 404, 'rest-nonexistent-revision'],
    ['?older_than=1&newer_than=1', 400, 'rest-pagehistory-incompatible-params'],
    ['?title=None', 404, 'rest-nonexistent-title'],
  ])('refuses %s', async (query, status, errorKey) => {
    const answer = await (await newApp()).ask(query)
    expect(answer).toMatchObject({ status, body: { errorKey } })
  })
})
