/** `wiki serve --base-path` behind a proxy that removes the path: nothing leads out of it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { belowBasePath, checkBasePath } from '../../src/rest/base-path.ts'
import { png } from '../media/_files.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { sending } from './_asking.ts'
import { type PathProxy, type Served, startProxy, startServed, stopServed } from './_served.ts'
import { jsonOf } from './json-response.ts'

const base = '/wiki-of-team'
let served: Served
let proxy: PathProxy
/** Scheme and host of the proxy. */
let origin: string

beforeAll(async () => {
  const { directory, wiki } = await newWiki(
    {
      'Main Page':
        'See [[Pier]], [[Tides|the tides]], [[Nowhere]] and [[File:Dot.png|thumb|A dot]].\n\n== Part ==\nMore.[[Category:Sea]]',
      Pier: 'Fifty metres. <ref>A note</ref>\n<references/>',
      Tides: '#REDIRECT [[Pier]]',
      'Pier/Steps': 'Forty.',
      'Category:Sea': 'Salt.',
      'Notes.md': '# Notes\n\nTo [the pier](Pier.wiki).',
    },
    { name: 'Harbour' },
  )
  await commitFiles(wiki, { 'File/Dot.png': png(900, 900) as unknown as string })
  served = await startServed(directory, ['--base-path', `${base}/`, '--allow-anonymous', '--quiet'])
  proxy = await startProxy(served.port, base)
  origin = proxy.origin
})
afterAll(async () => {
  proxy.close()
  await stopServed()
})

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(origin + path, { redirect: 'manual', ...init })

/** Returns the addresses of this origin in a page: attributes that browsers follow, and JSON for scripts. */
function addressesIn(text: string): string[] {
  const written = [
    ...text.matchAll(
      /(?:\s(?:href|src|action|formaction|poster)="|"|&quot;)((?:http:\/\/127\.0\.0\.1:\d+)?\/[^"\s<>&]*(?:&amp;[^"\s<>&]*)*)/g,
    ),
  ]
  return written
    .map(([, address]) => address!.replaceAll('&amp;', '&'))
    .filter(address => !address.startsWith('//') && (!address.startsWith('http') || address.startsWith(origin)))
    .map(address => address.replace(origin, '').replace(/#.*/, ''))
}

/** Words that the addresses of the server itself begin with. */
const own = /^(?:\/wiki-of-team)?\/(?:wiki|v1|files|-|events|specs|index\.php|api\.php|rest\.php)(?:[/?]|$)/

describe('behind a proxy that removes the base path', () => {
  test('its root leads programs and browsers to different places, which caches tell apart', async () => {
    for (const accept of ['text/html', 'application/json']) {
      const { status, headers } = await ask(`${base}/`, { headers: { accept } })
      expect([status, headers.get('vary')?.includes('Accept')]).toEqual([307, true])
    }
  })

  test('every link, form, script and picture stays below it, page by page', { tags: 'long' }, async () => {
    const seen = new Set<string>()
    const outside: string[] = []
    const failed: string[] = []
    const queue = [`${base}/`, `${base}/wiki/Special:SpecialPages`, `${base}/wiki/Pier?action=info`]
    for (const address of queue) {
      if (seen.has(address) || seen.size > 400) continue
      seen.add(address)
      const answer = await ask(address, { headers: { accept: 'text/html' } })
      if (answer.status >= 400 && !/Nowhere|Talk|User|redlink|action=(?:edit|rollback|undo)|oldid|diff/.test(address))
        failed.push(`${answer.status} ${address}`)
      const location = answer.headers.get('location')
      // Paths of a description are below the address of its server.
      const found =
        !address.includes('/specs/') && /html|json|xml/.test(answer.headers.get('content-type') ?? '')
          ? addressesIn(await answer.text())
          : []
      await answer.body?.cancel().catch(() => {})
      for (const next of location === null ? found : [location.replace(origin, '')]) {
        if (!own.test(next)) continue
        if (next.startsWith(`${base}/`)) queue.push(next)
        else outside.push(`${next} of ${address}`)
      }
    }
    expect(outside).toEqual([])
    expect(failed).toEqual([])
    expect(seen.size).toBeGreaterThan(100)
  })

  test('the main page, its links, style sheet and robots.txt are below it', async () => {
    const main = await ask(`${base}/`, { headers: { accept: 'text/html' } })
    expect([main.status, main.headers.get('location')]).toEqual([307, `${base}/wiki/Main_Page`])
    const page = await ask(`${base}/wiki/Main_Page`)
    const text = await page.text()
    const addresses = addressesIn(text).filter(address => own.test(address))
    expect(addresses.length).toBeGreaterThan(20)
    expect(addresses.filter(address => !address.startsWith(`${base}/`))).toEqual([])
    expect(text).toContain(`data-ui-prefix="${base}"`)
    expect(page.headers.get('content-security-policy')).toContain(`script-src ${origin}${base}/-/`)
    const sheet = /href="([^"]*wiki\.css)"/.exec(text)?.[1] ?? ''
    expect((await ask(sheet)).status).toBe(200)
    expect(await (await ask(`${base}/robots.txt`)).text()).toContain(`Disallow: ${base}/wiki/Special:`)
  })

  test('a form leads below it, and its cookie is of this path', async () => {
    const form = await (await ask(`${base}/wiki/Pier?action=edit`)).text()
    const [, action] = /<form[^>]* action="([^"]*)"/.exec(form.slice(form.indexOf('<main'))) ?? []
    expect(action).toMatch(new RegExp(`^${base}/wiki/`))
    const session = await ask(`${base}/v1/session`, sending('POST', { token: 'wiki_unknown' }))
    expect(session.status).toBe(401)
  })

  test('the API names its own URLs below it', async () => {
    const created = await ask(`${base}/v1/page`, sending('POST', { title: 'New', source: 'x', comment: null }))
    expect([created.status, created.headers.get('location')]).toEqual([201, `${origin}${base}/v1/page/New`])
    const bare = await jsonOf(await ask(`${base}/v1/page/Pier/bare`))
    expect(bare.html_url).toBe(`${origin}${base}/v1/page/Pier/html`)
    const file = (await jsonOf(await ask(`${base}/v1/file/Dot.png`))) as unknown as {
      file_description_url: string
      original: { url: string }
    }
    expect([file.file_description_url, file.original.url]).toEqual([
      `${origin}${base}/wiki/File:Dot.png`,
      `${origin}${base}/files/Dot.png`,
    ])
    const moved = await ask(`${base}/v1/page/pier/bare`)
    expect(moved.headers.get('location')).toBe(`${base}/v1/page/Pier/bare`)
    const document = await jsonOf(await ask(`${base}/specs/v0/module/-`))
    expect(document.servers).toEqual([{ url: `${origin}${base}` }])
    const feed = await (await ask(`${base}/wiki/Special:RecentChanges?feed=atom`)).text()
    for (const [, address] of feed.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(`${origin}${base}/`)
    const search = await (await ask(`${base}/v1/search`)).text()
    for (const [, address] of search.matchAll(/template="([^"]*)"/g)) expect(address).toMatch(`${origin}${base}/`)
  })

  test('the event stream is below it', async () => {
    const stopped = new AbortController()
    const stream = await ask(`${base}/events`, { signal: stopped.signal })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    stopped.abort()
  })
})

test('a request that still has the base path has the same response', async () => {
  const [whole, without] = await Promise.all(
    [`${base}/wiki/Pier`, '/wiki/Pier'].map(async path =>
      (await fetch(`http://127.0.0.1:${served.port}${path}`)).text(),
    ),
  )
  expect(whole).toBe(without)
  expect(served.root).toMatch(new RegExp(`${base}$`))
})

test.each([
  ['', ''],
  ['/', ''],
  ['team', '/team'],
  ['/team/', '/team'],
  ['/a/b', '/a/b'],
])('the base path %j is %j', (text, path) => expect(checkBasePath(text)).toBe(path))

test.each(['/wiki', '/team/w', '/v1', 'files', '/-', '/a b', '/..', '/a/../b', '/%41', '/té', 'http://x/y'])(
  'the base path %j is refused',
  text => expect(() => checkBasePath(text)).toThrow('is not a path for a wiki'),
)

test.each([
  ['/team', '/team/'],
  ['/team?a=b', '/team/?a=b'],
  ['/team/wiki/X', '/team/wiki/X'],
  ['/wiki/X', '/team/wiki/X'],
  ['/teams', '/team/teams'],
  ['/', '/team/'],
  ['*', '*'],
])('%s is %s below the base path', (url, below) => expect(belowBasePath(url, '/team')).toBe(below))
