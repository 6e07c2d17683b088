import { expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const compat = { headers: { 'x-restbase-compat': 'true' } }

async function newApp() {
  const { wiki } = await newWiki({ 'Talk:Tide times': 'one', Old: '#REDIRECT [[Talk:Tide times]]' })
  await edit(wiki, 'Talk:Tide times', 'two')
  return createApp(wiki)
}

test.each(['/v1/page/Talk%3ATide_times', '/v1/page/Talk%3ATide_times/bare', '/v1/revision/3', '/v1/revision/3/bare'])(
  '%s has the form of RESTBase if a client requests it, and its own before and after',
  async path => {
    const app = await newApp()
    const own = await jsonOf(await app.request(path))
    const { items } = (await jsonOf(await app.request(path, compat))) as { items: object[] }
    expect(items).toHaveLength(1)
    expect(Object.entries(items[0]!).map(([name, value]) => (name === 'timestamp' ? name : [name, value]))).toEqual([
      ['title', 'Talk:Tide_times'],
      ['page_id', 1],
      ['rev', 3],
      ['tid', 'DUMMY'],
      ['namespace', 1],
      ['user_id', 1],
      ['user_text', 'Ada Example'],
      ['comment', 'edited'],
      'timestamp',
      ['tags', []],
      ['restrictions', []],
      ['page_language', 'en'],
      ['redirect', false],
    ])
    expect(await jsonOf(await app.request(path))).toEqual(own)
    expect(own).not.toHaveProperty('items')
  },
)

test('a redirect reports its target beside it', async () => {
  const body = await jsonOf(await (await newApp()).request('/v1/page/Old/bare', compat))
  expect(body).toMatchObject({ items: [{ redirect: true }], redirect_target: '/v1/page/Talk%3ATide_times/bare' })
})

test.each([
  ['/v1/page/Missing', 'Not_Found', 'rest-nonexistent-title'],
  ['/v1/revision/x', 'Bad_Request', 'badinteger'],
])('an error at %s has the members of RESTBase before its own', async (path, type, key) => {
  const response = await (await newApp()).request(path, compat)
  const body = await jsonOf(response)
  const detail = (body.messageTranslations as { en: string }).en
  const uri = `http://localhost${path}`
  expect(body).toMatchObject({ type: `MediaWikiError/${type}`, title: key, method: 'get', detail, uri, errorKey: key })
})
