// @module-tag long
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gifDuration } from '../../src/media/gif.ts'
import { type Media, type MediaFile, openMedia } from '../../src/media/media.ts'
import { findSignature } from '../../src/media/signatures.ts'
import { temporaryDirectory } from '../_setup.ts'
import { gif, png, svg } from './_files.ts'

/** sharp is optional; without it the original is used. */
const hasSharp = await import('sharp').then(
  () => true,
  () => false,
)

function open(folder: string): Media {
  const media = openMedia(folder)
  onTestFinished(() => media.close())
  return media
}

function fileOf(bytes: Buffer, extension = 'png'): MediaFile & { content: ReturnType<typeof vi.fn> } {
  const content = vi.fn(async function* () {
    yield bytes
  })
  return { blob: createHash('sha1').update(bytes).digest('hex'), extension, content }
}

async function thumbnail(media: Media, file: MediaFile, width: number, exact: readonly number[] = []) {
  return media.thumbnail(file, { metadata: await media.metadata(file), width, exact })
}

/** Width and height in the header of a PNG. */
function sizeOf(bytes: Uint8Array): [number, number] {
  const header = Buffer.from(bytes)
  return [header.readUInt32BE(16), header.readUInt32BE(20)]
}

test('metadata is computed once, and stored for the next process', { tags: 'long' }, async () => {
  const folder = await temporaryDirectory()
  const file = fileOf(png(30, 20))
  const media = open(folder)
  const both = await Promise.all([media.metadata(file), media.metadata(file)])
  expect(both[0]).toEqual(both[1])
  expect(await open(folder).metadata(file)).toEqual(both[0])
  expect(file.content).toHaveBeenCalledTimes(1)
  expect(both[0]).toMatchObject({ mediatype: 'BITMAP', mime: 'image/png', width: 30, height: 20, duration: null })
})

test('a cached file may be incomplete, invalid or missing', { tags: 'long' }, async () => {
  const folder = await temporaryDirectory()
  const [first, second] = [fileOf(png(30, 20)), fileOf(png(3, 2))]
  await open(folder).metadata(first)
  const path = join(folder, 'facts.jsonl')
  const kept = await readFile(path, 'utf8')
  await writeFile(path, `${kept}{"version":1,"blob":"${second.blob}","sha1":"x","sign`)
  const media = open(folder)
  expect((await media.metadata(second)).width).toBe(3)
  expect((await open(folder).metadata(first)).width).toBe(30)
  expect((await open(folder).metadata(second)).width).toBe(3)
  expect([first, second].map(({ content }) => content.mock.calls.length)).toEqual([1, 1])
  await rm(folder, { recursive: true })
  expect((await open(folder).metadata(first)).width).toBe(30)
})

test('a folder without write permission only costs time', { tags: 'long' }, async () => {
  const folder = join(await temporaryDirectory(), 'a file')
  await writeFile(folder, '')
  const media = open(folder)
  expect((await media.metadata(fileOf(png(30, 20)))).width).toBe(30)
  if (hasSharp) expect((await thumbnail(media, fileOf(png(90, 60)), 40))?.width).toBe(40)
})

test.runIf(hasSharp)('a thumbnail is smaller, created once, and in a standard width', { tags: 'long' }, async () => {
  const folder = await temporaryDirectory()
  const file = fileOf(png(300, 200))
  const media = open(folder)
  const made = await Promise.all([100, 101, 120].map(width => thumbnail(media, file, width)))
  for (const picture of made) {
    expect(picture).toMatchObject({ mime: 'image/png', width: 120 })
    expect(sizeOf(picture!.bytes)).toEqual([120, 80])
  }
  expect(await readdir(join(folder, 'thumbnails'))).toEqual([`${file.blob}-120.png`])
  expect(await thumbnail(open(folder), file, 120)).toMatchObject({ width: 120 })
  // Once for its metadata, once for its picture.
  expect(file.content).toHaveBeenCalledTimes(2)
})

test.runIf(hasSharp)('other widths are created on exact request', { tags: 'long' }, async () => {
  const picture = await thumbnail(open(await temporaryDirectory()), fileOf(png(300, 200)), 111, [111])
  expect(sizeOf(picture!.bytes)).toEqual([111, 74])
})

test.runIf(hasSharp)('of an animated PNG the first frame is shown', { tags: 'long' }, async () => {
  const file = fileOf(
    png(90, 60, {
      animation: {
        plays: 0,
        delays: [
          [1, 2],
          [1, 2],
        ],
      },
    }),
  )
  expect(sizeOf((await thumbnail(open(await temporaryDirectory()), file, 40))!.bytes)).toEqual([40, 27])
})

test('the original is used if nothing smaller is requested', { tags: 'long' }, async () => {
  const media = open(await temporaryDirectory())
  expect(await thumbnail(media, fileOf(png(30, 20)), 30)).toBe(null)
  expect(await thumbnail(media, fileOf(png(30, 20)), 5000)).toBe(null)
  expect(await thumbnail(media, fileOf(Buffer.from('%PDF-1.4'), 'pdf'), 30)).toBe(null)
})

test.runIf(hasSharp)('an animation stays animated', { tags: 'long' }, async () => {
  const picture = await thumbnail(open(await temporaryDirectory()), fileOf(gif(2, 2, [20, 20]), 'gif'), 1, [1])
  expect(picture).toMatchObject({ mime: 'image/gif', width: 1 })
  expect(gifDuration(Buffer.from(picture!.bytes))).toBe(0.4)
})

test.runIf(hasSharp).each([
  ['width="40" height="30"', 500, [500, 375]],
  ['viewBox="0 0 24 12"', 250, [250, 125]],
  ['viewBox="0 0 24000 12000" width="2cm"', 120, [120, 59]],
] as const)('a drawing is drawn as large as it is wanted: %s', { tags: 'long' }, async (attributes, width, size) => {
  const picture = await thumbnail(open(await temporaryDirectory()), fileOf(svg(attributes), 'svg'), width)
  expect(picture?.mime).toBe('image/png')
  expect(sizeOf(picture!.bytes)).toEqual(size)
})

test('a drawing loads no external resources', { tags: 'long' }, async () => {
  const asked = vi.fn()
  const server = createServer((request, response) => {
    asked(request.url)
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const folder = await temporaryDirectory()
  await writeFile(join(folder, 'secret.png'), png(60, 60))
  const places = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`, `file://${folder}/secret.png`]
  for (const place of places) {
    const image = `<image href="${place}" width="60" height="60"/>`
    const text = `<!DOCTYPE svg [<!ENTITY e SYSTEM "${place}">]><svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">`
    const drawing = Buffer.from(`${text}<style>@import url(${place});</style>${image}<text>&e;</text></svg>`)
    const picture = await thumbnail(open(folder), fileOf(drawing, 'svg'), 60, [60])
    const empty = await thumbnail(open(folder), fileOf(svg('width="60" height="60" opacity="0"'), 'svg'), 60, [60])
    if (picture !== null) expect(picture.bytes).toEqual(empty?.bytes)
  }
  expect(asked).not.toHaveBeenCalled()
})

/** Files that expand to much more than their size. */
const bombs: readonly [string, Buffer, string][] = [
  ['claims more pixels than are read', png(9, 9, { claims: [60_000, 60_000] }), 'png'],
  ['claims pixels that it has not', png(9, 9, { claims: [900, 900] }), 'png'],
  ['has a billion entities', Buffer.from(laughs()), 'svg'],
  ['uses itself without end', Buffer.from(nest(14)), 'svg'],
  ['is as wide as the world', svg('width="999999" height="1"'), 'svg'],
  ['is nothing but its first bytes', png(90, 90).subarray(0, 60), 'png'],
]

test.each(bombs)('a picture that %s causes no damage', { tags: 'long' }, async (_, bytes, extension) => {
  const media = open(await temporaryDirectory())
  const file = fileOf(bytes, extension)
  expect(findSignature(bytes)).not.toBe(null)
  const picture = await thumbnail(media, file, 40)
  expect(picture === null || picture.bytes.length > 0).toBe(true)
  // The next one is still made.
  if (hasSharp) expect((await thumbnail(media, fileOf(png(90, 60)), 40))?.width).toBe(40)
})

function laughs(): string {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(12)}">`)
  const head = `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]>`
  return `${head}<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><text>&e12;</text></svg>`
}

function nest(depth: number): string {
  const group = (at: number) => `<g id="g${at}">${`<use href="#g${at - 1}"/>`.repeat(10)}</g>`
  const groups = Array.from({ length: depth }, (_, at) =>
    at === 0 ? '<g id="g0"><rect width="9" height="9"/></g>' : group(at),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${groups.join('')}</svg>`
}

test('a process without sharp reads metadata, shows the originals, and ends by itself', { tags: 'long' }, async () => {
  // Otherwise the decoder's process would keep it alive while waiting for the next request.
  const folder = await temporaryDirectory()
  const [outfile, packages] = [join(folder, 'media.mjs'), join(folder, 'node_modules')]
  const entryPoints = [join(import.meta.dirname, '../../src/media/media.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  await mkdir(packages)
  await symlink(join(import.meta.dirname, '../../node_modules/image-size'), join(packages, 'image-size'), 'junction')
  const script = `
    import { openMedia } from ${JSON.stringify(pathToFileURL(outfile).href)}
    const bytes = Buffer.from(${JSON.stringify(png(90, 60).toString('base64'))}, 'base64')
    const file = { blob: '0'.repeat(40), extension: 'png', content: async function* () { yield bytes } }
    const media = openMedia(${JSON.stringify(folder)})
    const metadata = await media.metadata(file)
    const picture = await media.thumbnail(file, { metadata, width: 40, exact: [] })
    console.log(metadata.width, picture, process.getActiveResourcesInfo().filter(name => /Process|Timeout|Pipe/.test(name)))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 120_000 })
  expect(String(printed)).toBe('90 null []\n')
})
