/** The client of the API: its requests, its types, its size, and the example in the documents. */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { clientRoutes } from '../../scripts/client-routes.mjs'
import { ApiError, type Client, createClient, type Schemas } from '../../src/client/client.ts'
import { defaultConfig } from '../../src/core/config.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { openApiDocument } from '../../src/rest/openapi/document.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { png } from '../media/_files.ts'
import { ada, newWiki } from '../operations/_wiki.ts'

let server: RunningServer
let token: string
let api: Client

beforeAll(async () => {
  const { wiki } = await newWiki({ 'Tide times': 'one', 'A/B': 'two' })
  token = (await createToken(wiki, ada)).token
  server = await serve(wiki, { port: 0 })
  api = createClient({ base: server.url, token })
  return () => server.close()
})

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

describe('a client', () => {
  test('reads, and sends each title as one segment', { tags: 'long' }, async () => {
    const { status, headers, body } = await api.get('/page/{title}', { path: { title: 'A/B' } })
    expectTypeOf(body).toEqualTypeOf<Schemas['PageSource']>()
    expect([status, headers.get('etag') !== null, body.source]).toEqual([200, true, 'two'])
    const html = await api.get('/page/{title}/html', { path: { title: 'Tide times' }, query: { flavor: 'view' } })
    expectTypeOf(html.body).toEqualTypeOf<string>()
    expect(html.body).toContain('<p id="mwAg">one</p>')
    const found = await api.get('/search/title', { query: { q: 'tide', limit: 1 } })
    expect(found.body.pages.map(({ title }) => title)).toEqual(['Tide times'])
  })

  test('writes, with conditions, bytes, and responses without a body', { tags: 'long' }, async () => {
    const created = await api.post('/page', { body: { title: 'New', source: 'x', comment: null } })
    expect([created.status, created.headers.get('location')]).toEqual([201, `${server.url}/page/New`])
    const page = { path: { title: 'New' } }
    const { latest } = created.body
    const saved = await api.put('/page/{title}', { ...page, body: { source: 'y', comment: 'again', latest } })
    expect(saved.body.source).toBe('y')
    const stale = api.delete('/page/{title}', { ...page, headers: { 'if-match': '"stale"' }, body: {} })
    await expect(stale).rejects.toMatchObject({ status: 412, key: null, body: null })
    const upload = { path: { title: 'Dot.png' }, query: { comment: 'A dot' }, body: Uint8Array.from(png(1, 1)) }
    expect((await api.put('/file/{title}', upload)).body.original.width).toBe(1)
    const deleted = await api.delete('/file/{title}', { path: { title: 'Dot.png' } })
    expect(deleted.body.deleted).toEqual([{ key: 'File:Dot.png', title: 'File:Dot.png' }])
  })

  test('throws errors with their key, message and data', async () => {
    const missing = api.get('/page/{title}/bare', { path: { title: 'Nowhere' } })
    await expect(missing).rejects.toBeInstanceOf(ApiError)
    await expect(missing).rejects.toMatchObject({
      status: 404,
      key: 'rest-nonexistent-title',
      message: 'The specified page (Nowhere) does not exist',
      body: { httpCode: 404 },
    })
    const stranger = createClient({ base: `${server.url}/` })
    const refused = stranger.post('/page', { body: { title: 'X', source: 'x', comment: '' } })
    await expect(refused).rejects.toMatchObject({ status: 401, key: 'wiki-login-required' })
  })

  test("uses the caller's fetch, and passes it the signal", async () => {
    const sent: [string, RequestInit][] = []
    const send = async (input: string, init: RequestInit): Promise<Response> => {
      sent.push([input, init])
      return new Response('Gateway broken', { status: 502 })
    }
    const behind = createClient({ base: '/v1', fetch: send, headers: { 'api-user-agent': 'a bot' } })
    const { signal } = new AbortController()
    const asked = behind.get('/search/page', { query: { q: 'a&b', limit: undefined }, signal })
    await expect(asked).rejects.toMatchObject({ status: 502, key: null, message: '502' })
    expect(sent).toEqual([
      ['/v1/search/page?q=a%26b', { method: 'GET', headers: { 'api-user-agent': 'a bot' }, signal }],
    ])
  })
})

test('the types of the client match those of the document', async () => {
  const options = { config: defaultConfig(), root: 'http://localhost', cookie: 'session' }
  const made = clientRoutes(JSON.parse(JSON.stringify(openApiDocument(routeTables, options))))
  const plain = (source: string): string => source.replace(/[\s;,|()]+/g, '').replaceAll('"', "'")
  const hint = 'node scripts/client-routes.mjs'
  expect([hint, plain(readFileSync(file('src/client/routes.ts'), 'utf8'))]).toEqual([hint, plain(made)])
})

test('the client is under 5 KB and has no dependencies', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [file('src/client/client.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  expect(Object.keys(metafile.inputs)).toEqual(['src/client/client.ts'])
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(5 * 1024)
})

test('the example in the documents runs', async () => {
  const [, example = ''] =
    /## A client\n[\s\S]*?```js\n([\s\S]*?)```/.exec(readFileSync(file('docs/reference/rest-api.md'), 'utf8')) ?? []
  expect(example).toContain("from 'gitwiki/client'")
  const module = file(`dist/client-example-${process.pid}.mjs`)
  const said: unknown[] = []
  const code = example
    .replace("'gitwiki/client'", JSON.stringify(file('src/client/client.ts')))
    .replace("'http://127.0.0.1:8080/v1'", JSON.stringify(server.url))
    .replaceAll('console.log', 'globalThis.said.push')
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: file('.'), loader: 'js' },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.WIKI_TOKEN': JSON.stringify(token) },
  })
  Object.assign(globalThis, { said })
  writeFileSync(module, outputFiles[0]!.contents)
  const { rmSync } = await import('node:fs')
  onTestFinished(() => rmSync(module))
  await import(/* @vite-ignore */ module)
  expect(said).toEqual(['Forty metres.', 'The page Pier exists already', '== Length ==\nForty-one metres.'])
})
