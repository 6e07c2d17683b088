/**
 * Responses as caches use them, by RFC 9111: nothing that can change is used without asking, a 304 says what its 200 says, each coding
 * has a tag of its own, and `Vary` names each header of a request that changes the bytes.
 */

import { gunzipSync } from 'node:zlib'
import type { H3 } from 'h3'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createToken } from '../src/operations/tokens.ts'
import type { Wiki } from '../src/operations/wiki.ts'
import { createApp } from '../src/rest/app.ts'
import { assetAddress } from '../src/web/assets.ts'
import { handlePage } from '../src/web/handle-page.ts'
import { actionNames, specialNames } from '../src/web/routes.ts'
import { freshSeconds, isStorable, variesBy } from './_freshness.ts'
import { oneIn } from './_rounds.ts'
import { create } from './operations/_wiki.ts'
import { bearer, cookieOf, sending } from './rest/_asking.ts'
import { examples, exampleWiki } from './rest/_route-examples.ts'

// A decoder is a process, which starts slowly if many run.
vi.setConfig({ testTimeout: 60_000 })

const codings = ['identity', 'gzip', 'br', 'gzip;q=0.5, br;q=0.1', '*'] as const
/** Headers that must not change the bytes of a response unless `Vary` names them; all are of a signed-in user or a program. */
const differences = { accept: 'application/json', 'accept-language': 'de', 'x-restbase-compat': 'true' }

const ofTitles = ['X', 'Old', 'x', 'Long', 'Missing', 'File:Photo.png', 'Code.css', 'Mark'].flatMap(title =>
  ['', ...actionNames.map(action => `?action=${action}`)].map(query => `/wiki/${title}${query}`),
)
const pages = [
  ...ofTitles,
  ...specialNames.flatMap(name => [`/wiki/Special:${name}`, `/wiki/Special:${name}/X`]),
  ...['/wiki/X?oldid=1', '/wiki/X?oldid=99', '/wiki/X?diff=1', '/wiki/X?action=history&feed=atom', '/wiki/X?action=no'],
  ...['/wiki/Special:Search?search=words', '/wiki/Special:RecentChanges?feed=rss', '/wiki/X%23A', '/wiki/Special:Nope'],
  ...[
    '/',
    '/wiki',
    '/wiki/',
    '/index.php?title=X',
    '/index.php',
    '/robots.txt',
    '/favicon.ico',
    '/nowhere',
    '/-/no.css',
  ],
  ...['/v1/page/Long', '/v1/page/Long/html', '/v1/page/Long/with_html', '/v1/page/Long/history?filter=minor'],
  ...['/v1/nope', '/openapi.json', '/v1/search/page?q=words', '/files/Photo.png', '/files/thumb/Photo.png/40px'],
]
const reads = Object.entries(examples).flatMap(([route, requests]) =>
  route.startsWith('GET ') ? requests.map(([path]) => path) : [],
)
const paths = [...new Set([...pages, ...reads.filter(path => path !== '')])]

let app: H3
let token: string
let cookie: string

beforeAll(async () => {
  const wiki: Wiki = await exampleWiki()
  await create(wiki, 'Long', 'Many words in a row. [[X]]\n\n'.repeat(200))
  token = (await createToken(wiki, { name: 'Ada' })).token
  app = createApp(wiki, { allowAnonymous: true, pages: async () => handlePage })
  cookie = cookieOf(await app.request('http://localhost/v1/session', sending('POST', { token })))
})

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  app.request(`http://localhost${path}`, { method, headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('base64')

/** The part of a response that tells caches what to do. */
const caching = ({ headers }: Response) => ({ caching: headers.get('cache-control'), vary: variesBy(headers) })

/** Headers that a HEAD or a repeated GET repeats: not the address of a random page. */
function lasting({ status, headers }: Response) {
  const isRandom = status === 302 && headers.get('cache-control') === 'no-store'
  const changing = new Set(['date', 'x-request-id', 'retry-after', ...(isRandom ? ['location'] : [])])
  return { status, headers: Object.fromEntries([...headers].filter(([name]) => !changing.has(name))) }
}

/** Nothing but an address with a hash of its bytes is fresh. */
function freshFaults(path: string, response: Response, who: 'anyone' | 'user'): string[] {
  const isFixed = path.startsWith('/-/') && response.status === 200
  return [true, false].flatMap(shared => {
    const fresh = isStorable(response, shared, who === 'user') ? freshSeconds(response, shared) : 0
    return fresh > 0 && !isFixed ? [`fresh for ${fresh} s in a ${shared ? 'shared' : 'private'} cache`] : []
  })
}

describe('a cache', () => {
  // Each path takes some 25 requests.
  const asked = oneIn(12, paths)

  test('uses nothing without asking that can change', { tags: 'rounds' }, async () => {
    const faults: string[] = []
    for (const path of asked) {
      const anyone = await ask(path)
      const user = await ask(path, { cookie, ...bearer(token) })
      const found = [...freshFaults(path, anyone, 'anyone'), ...freshFaults(path, user, 'user')]
      if (anyone.headers.get('cache-control') === null) found.push('says nothing')
      faults.push(...found.map(fault => `${path} (${anyone.status}): ${fault}`))
    }
    expect(faults).toEqual([])
  })

  test('is told the same by a 304 and by HEAD as by the 200', { tags: 'rounds' }, async () => {
    for (const path of asked) {
      for (const coding of codings) {
        const headers = { 'accept-encoding': coding }
        const whole = await ask(path, headers)
        const head = await ask(path, headers, 'HEAD')
        expect([path, coding, lasting(head)]).toEqual([path, coding, lasting(whole)])
        const tag = whole.headers.get('etag')
        const conditions = tag === null ? [] : [{ 'if-none-match': tag }, { 'if-none-match': `"x", W/${tag}` }]
        for (const condition of conditions) {
          const unchanged = await ask(path, { ...headers, ...condition })
          const about = { path, coding, condition }
          expect({ ...about, status: unchanged.status, tag: unchanged.headers.get('etag') }).toEqual({
            ...about,
            status: 304,
            tag,
          })
          expect({ ...about, ...caching(unchanged) }).toEqual({ ...about, ...caching(whole) })
        }
        const failed = await ask(path, { ...headers, 'if-match': '"x"' })
        if (tag !== null) expect([path, failed.status, freshFaults(path, failed, 'anyone')]).toEqual([path, 412, []])
      }
    }
  })

  test('gets other bytes under another tag, and none in a coding that nobody accepts', {
    tags: 'rounds',
  }, async () => {
    for (const path of asked) {
      const byTag = new Map<string, string>()
      for (const coding of codings) {
        const response = await ask(path, { 'accept-encoding': coding })
        const sent = response.headers.get('content-encoding') ?? 'identity'
        expect([path, coding, coding.includes('*') || coding.includes(sent) || sent === 'identity']).toEqual([
          path,
          coding,
          true,
        ])
        const bytes = `${sent} ${await bytesOf(response)}`
        const tag = response.headers.get('etag')
        if (tag !== null) expect([path, coding, bytes === (byTag.get(tag) ?? bytes)]).toEqual([path, coding, true])
        if (tag !== null) byTag.set(tag, bytes)
        if (sent === 'identity') continue
        expect([path, variesBy(response.headers).includes('accept-encoding')]).toEqual([path, true])
        const other = await ask(path, { 'accept-encoding': 'identity', 'if-none-match': tag ?? '"x"' })
        expect([path, other.status, other.headers.get('content-encoding')]).toEqual([path, response.status, null])
      }
    }
  })

  test('knows from Vary which headers change the bytes', { tags: 'rounds' }, async () => {
    for (const path of asked) {
      const plain = await ask(path)
      const bytes = `${plain.status} ${plain.headers.get('location')} ${await bytesOf(plain)}`
      const others = Object.entries({ ...differences, cookie, authorization: `Bearer ${token}` })
      for (const [name, value] of others) {
        const other = await ask(path, { [name]: value })
        const isSame = bytes === `${other.status} ${other.headers.get('location')} ${await bytesOf(other)}`
        const isStored = [plain, other].some(response => isStorable(response, true, name === 'authorization'))
        const isNamed = [plain, other].every(response => variesBy(response.headers).includes(name))
        expect([path, name, isSame || isNamed || !isStored]).toEqual([path, name, true])
      }
    }
  })
})

describe('a page that grows beyond a packet', () => {
  test('has one tag for each coding, and a proxy may change them', async () => {
    const tags = new Map<string, string>()
    for (const coding of ['identity', 'gzip', 'br'])
      tags.set(coding, (await ask('/v1/page/Long', { 'accept-encoding': coding })).headers.get('etag') ?? '')
    expect(new Set(tags.values()).size).toBe(3)
    const plain = tags.get('identity')!
    const changed = [
      `W/${plain}`,
      ...['-gzip', '--gzip', '-br', '-zstd', ';gz', ';br', ':gzip'].map(end => plain.replace(/"$/, `${end}"`)),
    ]
    for (const tag of [...changed, `"x" , ${changed.join(',')}`]) {
      expect([tag, (await ask('/v1/page/Long', { 'if-none-match': tag })).status]).toEqual([tag, 304])
      expect([tag, (await ask('/v1/page/Long', { 'if-match': tag })).status]).toEqual([tag, 200])
    }
    for (const tag of tags.values()) expect((await ask('/v1/page/Long', { 'if-match': tag })).status).toBe(200)
    for (const tag of ['"x-gzip"', `W/${plain.replace(/.{5}"$/, '"')}`, plain.replace(/"$/, 'gzip"')]) {
      expect([tag, (await ask('/v1/page/Long', { 'if-none-match': tag })).status]).toEqual([tag, 200])
      expect([tag, (await ask('/v1/page/Long', { 'if-match': tag })).status]).toEqual([tag, 412])
    }
  })

  test('is sent in the coding with the highest weight', async () => {
    const sent = async (accepted: string) => {
      const response = await ask('/v1/page/Long', { 'accept-encoding': accepted })
      return response.headers.get('content-encoding')
    }
    for (const [accepted, coding] of [
      ['gzip;q=0.5, br;q=0.1', 'gzip'],
      ['gzip;q=0.5, br;q=0.5', 'br'],
      ['br;q=0.9, *;q=0.1', 'br'],
      ['gzip, *;q=0', 'gzip'],
      ['br;q=0, *;q=0.5, gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['GZIP;Q=1.0', 'gzip'],
      ['identity, gzip;q=0.5', null],
      ['identity;q=0.5, gzip;q=0.5', 'gzip'],
      ['gzip;q=0', null],
      ['deflate', null],
      ['', null],
    ] as const)
      expect([accepted, await sent(accepted)]).toEqual([accepted, coding])
  })

  test('is the same text in every coding', async () => {
    const [plain, packed] = [await ask('/wiki/Long'), await ask('/wiki/Long', { 'accept-encoding': 'gzip' })]
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text())
  })
})

test('an asset is kept for ever, and its name changes with its bytes', async () => {
  const address = assetAddress('wiki.css')!
  const { headers } = await ask(address)
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})
