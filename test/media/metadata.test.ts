import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createDecoder } from '../../src/media/decoder.ts'
import { type ByteMetadata, readMetadata } from '../../src/media/metadata.ts'
import { formatOf } from '../../src/media/signatures.ts'
import { gif, jpegHead, mp3, mp4, png, svg, theoraHead, wav, webpHead } from './_files.ts'

const decoder = createDecoder()
afterAll(() => decoder.close())

async function metadataOf(...pieces: Buffer[]): Promise<ByteMetadata> {
  const content = async function* () {
    yield* pieces
  }
  const { metadata, settled } = await readMetadata(content, decoder)
  expect(settled).toBe(true)
  return metadata
}

describe('a picture', () => {
  test.each([
    ['png', png(30, 20), 'png', 30, 20],
    ['jpeg', jpegHead(160, 90), 'jpeg', 160, 90],
    ['jpeg that lies on its side', jpegHead(160, 90, 6), 'jpeg', 90, 160],
    ['webp', webpHead(640, 480), 'webp', 640, 480],
    ['gif', gif(12, 8, [10]), 'gif', 12, 8],
    ['svg', svg('width="40" height="30"'), 'svg', 40, 30],
  ])('%s has its size', async (_, content, signature, width, height) => {
    expect(await metadataOf(content)).toMatchObject({ signature, width, height, duration: null })
  })

  test('is read in any chunks', async () => {
    const content = png(30, 20)
    const pieces = Array.from(content, byte => Buffer.from([byte]))
    expect(await metadataOf(...pieces)).toEqual(await metadataOf(content))
  })
})

test('an animation has the sum of its delays, as floating point adds them', async () => {
  expect((await metadataOf(gif(9, 9, [20, 20, 20]))).duration).toBe(0.6000000000000001)
  expect((await metadataOf(gif(9, 9, [0, 0]))).duration).toBe(null)
})

test('an animated PNG has the sum of its delays, times its number of plays', async () => {
  const delays = [
    [1, 2],
    [25, 0],
  ] as const
  expect((await metadataOf(png(9, 9, { animation: { plays: 0, delays } }))).duration).toBe(0.75)
  expect((await metadataOf(png(9, 9, { animation: { plays: 3, delays } }))).duration).toBe(2.25)
  expect((await metadataOf(png(9, 9, { animation: { plays: 1, delays: [[1, 2]] } }))).duration).toBe(null)
})

describe('a sound or video', () => {
  test('has its length', { tags: 'long' }, async () => {
    expect(await metadataOf(wav(2.5))).toMatchObject({ signature: 'wav', duration: 2.5, width: null, shows: false })
    expect((await metadataOf(mp3(50))).signature).toBe(null)
    expect(
      (await metadataOf(Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'), mp3(50)]))).duration,
    ).toBeCloseTo(1.3, 1)
  })

  test('has the size of its pictures', { tags: 'long' }, async () => {
    expect(await metadataOf(mp4(320, 240, { seconds: 3 }))).toMatchObject({ width: 320, height: 240, duration: 3 })
    expect(await metadataOf(mp4(320, 240, { turned: true }))).toMatchObject({ width: 240, height: 320 })
    expect(await metadataOf(theoraHead(176, 144))).toMatchObject({ width: 176, height: 144, shows: true })
  })
})

test('the hash is SHA-1 in base 36', async () => {
  expect((await metadataOf(Buffer.from('abc'))).sha1).toBe('jt72fo5t4yobf0qugwuczbwj07max7h')
  expect((await metadataOf()).sha1).toHaveLength(31)
})

describe('the content has priority over the name', () => {
  test.each([
    ['png', 'jpg', 'BITMAP', 'image/png'],
    ['pdf', 'png', 'OFFICE', 'application/pdf'],
    ['svg', 'png', 'DRAWING', 'image/svg+xml'],
    ['zip', 'pdf', 'ARCHIVE', 'application/zip'],
    [null, 'png', 'UNKNOWN', 'application/octet-stream'],
    [null, 'svg', 'UNKNOWN', 'application/octet-stream'],
    [null, 'stl', '3D', 'model/stl'],
    [null, 'mp3', 'AUDIO', 'audio/mpeg'],
    [null, 'constructor', 'UNKNOWN', 'application/octet-stream'],
    ['ogg', 'oga', 'AUDIO', 'audio/ogg'],
    ['ogg', 'ogg', 'AUDIO', 'application/ogg'],
  ] as const)('%s called .%s is %s, %s', (signature, extension, mediatype, mime) => {
    expect(formatOf(signature, extension, null)).toEqual({ mediatype, mime })
  })

  test('a container is a video if it has pictures', () => {
    expect(formatOf('ogg', 'ogg', true).mediatype).toBe('VIDEO')
    expect(formatOf('webm', 'webm', false)).toEqual({ mediatype: 'AUDIO', mime: 'audio/webm' })
  })
})

describe('hostile bytes', () => {
  const heads: readonly [string, Buffer][] = [
    ['png', png(30, 20)],
    ['animated png', png(30, 20, { animation: { plays: 2, delays: [[1, 2]] } })],
    ['jpeg', jpegHead(16, 9, 6)],
    ['webp', webpHead(6, 4)],
    ['gif', gif(9, 9, [20, 20])],
    ['mp4', mp4(32, 24)],
    ['wav', wav(0.1)],
    ['theora', theoraHead(8, 8)],
    ['tiff', Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1')],
    ['avif', Buffer.from('\0\0\0\0ftypavif\0\0\0\0', 'latin1')],
    ['webm', Buffer.from('\x1aE\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xff', 'latin1')],
    ['flac', Buffer.from('fLaC\x7f\xff\xff\xff', 'latin1')],
  ]

  test.each(heads)(
    '%s: truncated anywhere, or followed by noise, it is described',
    { tags: 'long' },
    async (_, content) => {
      const lengths = Array.from({ length: 12 }, (_, at) => Math.floor((content.length * at) / 12))
      for (const length of lengths) {
        const cut = content.subarray(0, length)
        const metadata = await metadataOf(cut)
        const noisy = await metadataOf(cut, randomBytes(500), Buffer.alloc(5000, 0xff))
        for (const { width, height } of [metadata, noisy])
          expect([width, height].every(n => n === null || n > 0)).toBe(true)
      }
    },
  )

  test('a GIF with invalid block lengths ends', async () => {
    const endless = Buffer.concat([gif(9, 9, [20, 20]).subarray(0, -1), Buffer.alloc(2_000_000, 0x21)])
    expect((await metadataOf(endless)).duration).toBe(0.4)
  })
})
