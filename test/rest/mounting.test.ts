/** `gitwiki/rest` within another server: an h3 app, and a server that only knows Fetch. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { H3 } from 'h3'
import { toNodeHandler } from 'h3/node'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { createApp } from '../../src/rest/app.ts'
import { needsGit } from '../_setup.ts'
import { png } from '../media/_files.ts'
import { ada, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

beforeEach(context => needsGit(context))

type Listener = NonNullable<Parameters<typeof createServer>[1]>

async function listening(listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Reads, writes, and follows a URL of a response, which belongs to the same server. */
async function useApi(root: string) {
  const page = await fetch(`${root}/v1/page/A%2FB`)
  expect([page.status, (await jsonOf(page)).source]).toEqual([200, 'one'])
  const bare = await jsonOf(await fetch(`${root}/v1/page/A%2FB/bare`))
  expect(bare.html_url).toBe(`${root}/v1/page/A%2FB/html`)
  expect((await fetch(`${bare.html_url}`)).status).toBe(200)
  const created = await fetch(`${root}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'New', source: 'two', comment: '' }),
  })
  expect([created.status, created.headers.get('location')]).toEqual([201, `${root}/v1/page/New`])
  const etag = page.headers.get('etag') ?? ''
  expect((await fetch(`${root}/v1/page/A%2FB`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(`${root}/v1/nope`)).status).toBe(404)
}

test('another h3 app passes it the requests of its paths', async () => {
  const { wiki } = await newWiki({ 'A/B': 'one' })
  const api = createApp(wiki, { allowAnonymous: true })
  const outer = new H3().get('/mine', () => 'mine').all('/v1/**', event => api.fetch(event.req))
  const root = await listening(toNodeHandler(outer) as Listener)
  expect(await (await fetch(`${root}/mine`)).text()).toBe('mine')
  await useApi(root)
})

test('a Fetch-based server passes it requests', async () => {
  const { wiki } = await newWiki({ 'A/B': 'one' })
  const api = createApp(wiki, { allowAnonymous: true })
  const root = await listening(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = 'GET', headers, url } = incoming
    const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks)
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      body,
    })
    const response = await api.fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await useApi(root)
})

describe('below a path of another server', () => {
  const address = /https?:\/\/[^"'\s<>\\]+/g

  test.each(['/kb/v1', '/kb/rest.php/v1', '/a/b/content/v1', '/rest.php/content/v1'])(
    '%s gives addresses that lead to 200',
    { tags: 'long' },
    async mount => {
      const prefix = mount.replace(/(?:\/rest\.php)?(?:\/content)?\/v1$/, '')
      const { wiki } = await newWiki({ 'A/B': '[[File:Dot.png]]', 'File:Dot.png': 'A dot', Old: '#REDIRECT [[A/B]]' })
      await addFile(wiki, { name: 'Dot.png', content: png(1200, 900), author: ada, comment: null })
      const app = createApp(wiki, { prefix })
      const follow = async (path: string): Promise<string> => {
        const answer = await app.request(path)
        const location = answer.headers.get('location')
        return location === null || answer.status < 300 ? `${answer.status}` : follow(location)
      }
      const found = new Set<string>()
      for (const path of [
        '/page/A%2FB/bare',
        '/page/A%2FB/history',
        '/page/A%2FB/html',
        '/page/A%2FB/links/media',
        '/file/Dot.png',
        '/search/page?q=B',
        '/search',
        '/changes',
        '/feed?format=json',
      ]) {
        const answer = await app.request(`${mount}${path}`)
        expect([path, answer.status]).toEqual([path, 200])
        for (const [url] of (await answer.text()).matchAll(address)) if (url.includes('localhost')) found.add(url)
      }
      expect(found.size).toBeGreaterThan(10)
      for (const url of found) {
        expect(url.startsWith(`http://localhost${prefix}/`), url).toBe(true)
        if (/\/wiki\/(?:Special:.*)?$|=$|[{}]/.test(url)) continue
        expect([url, await follow(url.replace(/&amp;/g, '&'))]).toEqual([url, '200'])
      }
      expect(await follow(`${mount}/page/old/html`)).toBe('200')
      expect((await app.request(`${mount}/page/a%2FB/bare`)).headers.get('location')).toBe(`${mount}/page/A%2FB/bare`)
      if (prefix === '') return
      const outside = await app.request(`${mount.slice(prefix.length)}/page/A%2FB`)
      expect(outside.status).toBe(404)
      expect(await outside.text()).not.toContain(prefix)
    },
  )
})
