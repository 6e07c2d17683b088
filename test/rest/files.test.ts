import type { H3 } from 'h3'
import { beforeAll, describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { png, svg, wav } from '../media/_files.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const hasSharp = await import('sharp').then(
  () => true,
  () => false,
)

const photo = png(400, 200)
const sound = wav(0.5)
const script = svg('onload="alert(1)" width="40" height="30"')

let wiki: Wiki
let app: H3

beforeAll(async () => {
  wiki = (await newWiki()).wiki
  const files = { 'Photo.png': photo, 'Tone.wav': sound, 'Script.svg': script, 'A/b "ü".pdf': Buffer.from('%PDF-1.4') }
  for (const [name, content] of Object.entries(files))
    await addFile(wiki, { name, content, comment: null, author: ada })
  await create(wiki, 'Page', '[[File:Photo.png]]')
  app = createApp(wiki)
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { headers, method })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('GET /file/{title}', () => {
  test('is dated by the content and the time of the file', { tags: 'long' }, async () => {
    const host = '127.0.0.1:8080'
    const response = await get('/v1/file/File%3APhoto.png', { host })
    expect(response.status).toBe(200)
    expect(await jsonOf(response)).toMatchObject({ original: { url: 'http://127.0.0.1:8080/files/Photo.png' } })
    const etag = response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-z]{31}-[0-9a-f]{16}"$/)
    expect(response.headers.get('last-modified')).toMatch(/GMT$/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect((await get('/v1/file/photo.png', { host, 'if-none-match': etag })).status).toBe(304)
    // The addresses in it are others.
    expect((await get('/v1/file/photo.png', { 'if-none-match': etag })).status).toBe(200)
  })

  test.each([
    ['/v1/file/', 400, 'missingparam'],
    ['/v1/file/Nope.png', 404, 'rest-nonexistent-title'],
    ['/v1/file/%5B', 404, 'rest-nonexistent-title'],
    ['/v1/file/%3APage', 404, 'rest-cannot-load-file'],
    ['/v1/file/Photo.png/', 404, 'rest-no-match'],
    ['/v1/page/Nope/links/media', 404, 'rest-nonexistent-title'],
    ['/v1/page/%5B/links/media', 404, 'rest-nonexistent-title'],
    ['/files/Nope.png', 404, 'rest-nonexistent-title'],
    ['/files/', 400, 'missingparam'],
    ['/files/thumb/Photo.png/px', 400, 'badinteger'],
    ['/files/thumb/Photo.png/0px', 400, 'outofrange'],
    ['/files/thumb/Photo.png/1e9px', 400, 'badinteger'],
    ['/files/%2e%2e%2fetc%2fpasswd', 404, 'rest-nonexistent-title'],
  ])('%s: %i %s', async (path, status, errorKey) => {
    const response = await get(path)
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([status, errorKey])
  })
})

describe('GET /page/{title}/links/media', () => {
  test('changes its state with a file, although the page is the same', { tags: 'long' }, async () => {
    const first = await get('/v1/page/page/links/media')
    expect(first.status).toBe(200)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\d+@\d{14}-[0-9a-f]{16}"$/)
    expect((await get('/v1/page/Page/links/media', { 'if-none-match': etag })).status).toBe(304)
    await addFile(wiki, { name: 'Photo.png', content: png(401, 200), comment: null, author: ada })
    const second = await get('/v1/page/Page/links/media', { 'if-none-match': etag })
    expect(second.status).toBe(200)
    await addFile(wiki, { name: 'Photo.png', content: photo, comment: null, author: ada })
  })
})

describe('the content of a file', () => {
  test('is complete, with its type, and can be revalidated', async () => {
    const response = await get('/files/Photo.png')
    expect(response.status).toBe(200)
    expect((await bytesOf(response)).equals(photo)).toBe(true)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-length')).toBe(String(photo.length))
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const etag = response.headers.get('etag') ?? ''
    expect((await get('/files/Photo.png', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/files/Photo.png', { 'if-match': '"x"' })).status).toBe(412)
  })

  test('is described and not read for HEAD', async () => {
    const response = await get('/files/Photo.png', { range: 'bytes=0-9' }, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(photo.length)])
    expect(await response.text()).toBe('')
  })

  test.each([
    ['bytes=0-0', 206, [0, 1]],
    ['bytes=10-19', 206, [10, 20]],
    ['bytes=-5', 206, [-5]],
    ['bytes=4000-', 206, [4000]],
    ['bytes=4000-999999', 206, [4000]],
    ['bytes=-999999', 206, [0]],
    ['bytes=5-4', 200, [0]],
    ['bytes=0-1,5-6', 200, [0]],
    ['lines=1-2', 200, [0]],
    ['bytes=-', 200, [0]],
    ['bytes=x', 200, [0]],
  ])('in ranges: %s', async (range, status, [start, end]) => {
    const response = await get('/files/Tone.wav', { range })
    expect(response.status).toBe(status)
    expect((await bytesOf(response)).equals(sound.subarray(start, end))).toBe(true)
    const from = start! < 0 ? sound.length + start! : start!
    const expected = `bytes ${from}-${(end ?? sound.length) - 1}/${sound.length}`
    expect(response.headers.get('content-range')).toBe(status === 206 ? expected : null)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
  })

  test.each(['bytes=999999-', 'bytes=-0'])('have no part %s', async range => {
    const response = await get('/files/Tone.wav', { range })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${sound.length}`])
    const etag = response.headers.get('etag') ?? ''
    expect((await get('/files/Tone.wav', { range, 'if-match': etag })).status).toBe(416)
    expect((await get('/files/Tone.wav', { range, 'if-match': '"another"' })).status).toBe(412)
  })

  test('is sent in ranges only for the same version of the file', async () => {
    const etag = (await get('/files/Tone.wav', {}, 'HEAD')).headers.get('etag') ?? ''
    const status = async (condition: string) =>
      (await get('/files/Tone.wav', { range: 'bytes=0-9', 'if-range': condition })).status
    expect(await status(etag)).toBe(206)
    expect(await status('"old"')).toBe(200)
    expect(await status(`W/${etag}`)).toBe(200)
  })

  test('runs no script, loads nothing, and is not sniffed as another type', async () => {
    const { headers } = await get('/files/Script.svg')
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(headers.get('content-security-policy')).not.toMatch(/script/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe(null)
  })

  test('of a type that browsers do not show is saved under the name of the file', async () => {
    const response = await get('/files/A%2Fb%20%22%C3%BC%22.pdf')
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="A_b ___.pdf"; filename*=UTF-8''A%2Fb%20%22%C3%BC%22.pdf`,
    )
  })
})

describe('a picture of a file', () => {
  test.runIf(hasSharp)('is smaller, and has its own tag', async () => {
    const response = await get('/files/thumb/Photo.png/100px')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    const bytes = await bytesOf(response)
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([120, 60])
    const etag = response.headers.get('etag') ?? ''
    expect(etag).toMatch(/-120-[0-9a-f]{16}"$/)
    expect((await get('/files/thumb/Photo.png/120px', { 'if-none-match': etag })).status).toBe(304)
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox/)
  })

  test.runIf(hasSharp)('of a drawing is a bitmap', async () => {
    const response = await get('/files/thumb/Script.svg/40px')
    expect(response.headers.get('content-type')).toBe('image/png')
    const bytes = await bytesOf(response)
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([40, 30])
  })

  test.each(['/files/thumb/Photo.png/400px', '/files/thumb/Photo.png/9999px', '/files/thumb/Tone.wav/100px'])(
    '%s: the original stands in',
    async path => {
      const response = await get(path)
      const original = path.includes('Tone') ? sound : photo
      expect((await bytesOf(response)).equals(original)).toBe(true)
    },
  )
})

test.each([
  ['/wiki/File:A%2Fb.png', '/v1/page/File%3AA%2Fb.png/html'],
  ['/wiki/A/b', '/v1/page/A%2Fb/html'],
  ['/wiki/Main_Page', '/v1/page/Main_Page/html'],
  ['/wiki//evil.example', '/v1/page/%2Fevil.example/html'],
])('%s, a URL for readers, redirects to the HTML of the page', async (path, location) => {
  const response = await get(path)
  expect([response.status, response.headers.get('location')]).toEqual([307, location])
})

test.runIf(hasSharp)('a drawing in a search is described as the PNG that is sent', async () => {
  await addFile(wiki, { name: 'Plan.svg', content: svg('width="300" height="150"'), author: ada, comment: null })
  await create(wiki, 'Mole', 'stones, [[File:Plan.svg]]')
  const { pages } = await jsonOf(await get('/v1/search/page?q=stones'))
  const [{ thumbnail }] = pages as [{ thumbnail: { url: string; mimetype: string } }]
  const picture = await get(new URL(thumbnail.url).pathname)
  expect([thumbnail.mimetype, picture.headers.get('content-type')]).toEqual(['image/png', 'image/png'])
})

test.runIf(hasSharp)('a page in a search has its first picture, which can be fetched', async () => {
  await create(wiki, 'Harbour', '[[File:Photo.png|thumb|boats]] and [[File:Missing.png]]')
  await create(wiki, 'Quay', 'boats, [[File:Missing.png]]')
  const first = async (path: string) => {
    const { pages } = await jsonOf(await get(`/v1/search/${path}`))
    return (pages as { thumbnail: { url: string } | null }[])[0]!.thumbnail
  }
  expect(await first('page?q=quay')).toBe(null)
  for (const path of ['page?q=harbour', 'title?q=harb']) {
    const thumbnail = await first(path)
    expect(thumbnail).toMatchObject({ mimetype: 'image/png', size: null, width: 60, height: 30, duration: null })
    const picture = await get(new URL(thumbnail!.url).pathname)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await bytesOf(picture)).readUInt32BE(16)).toBe(60)
  }
})
