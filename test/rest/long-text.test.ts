import { describe, expect, test } from 'vitest'
import { composableSlices, composed } from '../../src/core/composed-text.ts'
import { percentDecoded } from '../../src/http/percent-decoded.ts'
import { jsonBody, toResponse } from '../../src/http/response.ts'
import { isLongJson, jsonPieces } from '../../src/operations/workers/json-pieces.ts'
import { bytesInSlices, decoded, encoded, wellFormed, withLineFeeds } from '../../src/operations/workers/long-text.ts'

/** The same numbers in every run, below a limit. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Letters, marks, parts of syllables, characters of two units and halves of them. */
const signs = [
  'a',
  '\u0301',
  '\u0316',
  'é',
  '\u1112',
  '\u1161',
  '\u11ab',
  '가',
  '😀',
  '\ud83d',
  '\ude00',
  '中',
  '\u3099',
]

function randomText(random: (below: number) => number, length: number): string {
  return Array.from({ length }, () => signs[random(signs.length)]).join('')
}

/** Counts the turns of the event loop that others get until a promise settles. */
async function turnsUntil(settled: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await settled
  isOver = true
  return turns
}

/** The same from a text of bytes. */
function percentDecodedAtOnce(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', ' ')).toString('latin1')
  const unescaped = bytes.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(unescaped, 'latin1').toString('utf8')
}

const megabyte = 1024 * 1024
const marks = `a${'\u0301\u0316'.repeat(10)}`
const longMarks = marks.repeat(megabyte / marks.length)

describe('long texts of requests and responses', () => {
  test('slices compose to the composed form of their text', () => {
    for (let seed = 1; seed < 200; seed++) {
      const text = randomText(randomNumbers(seed), 60)
      const slices = [...composableSlices(text, 5)]
      expect(slices.join('')).toBe(text)
      expect(slices.map(composed).join('')).toBe(composed(text))
    }
  })

  test.each([
    ['marks in a row', '\u0315'],
    ['marks outside the BMP', '\u{1d165}'],
    ['halves of characters', '\ud800'],
  ])('slices of %s are short, and compose to the composed form of their text', (_, sign) => {
    for (const length of [61, 62, 500]) {
      const text = `e\u0301${sign.repeat(length)}e${sign}\u0301`
      const slices = [...composableSlices(text, 100)]
      expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(100 + 2 * 62)
      expect(slices.join('')).toBe(text)
      expect(slices.map(composed).join('')).toBe(composed(text))
    }
  })

  test('are decoded, normalised and encoded as short ones are', { tags: 'long' }, async () => {
    const random = randomNumbers(7)
    for (const length of [10, 131_071, 131_072, 131_073, 300_000]) {
      const text = randomText(random, length)
      const bytes = Buffer.from(Uint8Array.from({ length }, () => (random(3) === 0 ? random(256) : 0x80 + random(64))))
      expect((await decoded(bytes)) === bytes.toString('utf8')).toBe(true)
      expect((await wellFormed(text)) === composed(text.replace(/\p{Surrogate}/gu, '\uFFFD'))).toBe(true)
      expect(Buffer.from(text).equals(await encoded([text]))).toBe(true)
    }
  })

  test.each(['\r\n', 'a\r\n', 'ab\r\n', '\r\r\n\n', '\r'])('have line feeds, wherever a slice ends: %j', async line => {
    const text = line.repeat(200_000)
    expect((await withLineFeeds(text)) === text.replaceAll('\r\n', '\n')).toBe(true)
    expect(await turnsUntil(withLineFeeds(longMarks))).toBeGreaterThan(5)
  })

  test('of forms are decoded as the URL Standard says, also beside invalid escapes', async () => {
    const pieces = ['%41', '%e4%bd', '%a0', '%', '%4', '%zz', '+', 'a', 'é', '%2B', '%C3%A9', '%ff']
    const random = randomNumbers(3)
    for (const length of [40, 60_000, 140_000]) {
      const text = Array.from({ length }, () => pieces[random(pieces.length)]).join('')
      expect((await percentDecoded(text)).toString() === percentDecodedAtOnce(text)).toBe(true)
    }
  })

  test('in JSON are what JSON.stringify writes', { tags: 'long' }, () => {
    const random = randomNumbers(5)
    const value = (depth: number): unknown => {
      const kind = random(depth > 3 ? 5 : 8)
      if (kind < 3) return [null, random(9) / 3, random(2) === 0][kind]
      if (kind < 5) return randomText(random, random(60) === 0 ? 200_000 : 9)
      if (kind === 5) return Array.from({ length: random(9) }, () => (random(9) === 0 ? undefined : value(depth + 1)))
      return Object.fromEntries(
        Array.from({ length: random(9) }, (_, at) => [`"${at}é`, random(9) === 0 ? undefined : value(depth + 1)]),
      )
    }
    const values = Array.from({ length: 300 }, () => value(0))
    for (const one of [...values, values, { values }])
      expect([...jsonPieces(one)].join('') === JSON.stringify(one)).toBe(true)
  })

  test.each([
    ['a list of short values', Array.from({ length: 40_000 }, (_, at) => ({ at, title: `Page ${at}` }))],
    ['a long text', { source: longMarks }],
    ['long texts in lists', [[longMarks.slice(0, 300_000)], { text: [longMarks] }]],
  ])('in JSON are written in pieces: %s', (_, value) => {
    expect(isLongJson(value)).toBe(true)
    const pieces = [...jsonPieces(value)]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
    expect(pieces.join('') === JSON.stringify(value)).toBe(true)
  })

  test.each([
    ['decoding', () => decoded(Buffer.from(longMarks))],
    ['normalising', () => wellFormed(longMarks)],
    ['encoding', () => encoded([longMarks])],
    ['decoding a form', () => percentDecoded(encodeURIComponent(longMarks))],
    ['writing JSON', () => jsonBody({ text: longMarks })],
    [
      'writing JSON of short values',
      () => jsonBody(Array.from({ length: 40_000 }, (_, at) => `Page ${at} of many more`)),
    ],
  ])('let others be served between two slices: %s', async (_, work) => {
    expect(await turnsUntil(work())).toBeGreaterThan(5)
  })

  test('are sent in slices', async () => {
    const body = (await jsonBody({ text: longMarks })) as Uint8Array<ArrayBuffer>
    const response = toResponse({ status: 200, headers: {}, body }, { id: '', bytes: body.length, method: 'GET' })
    expect(new Headers(response.headers).get('content-length')).toBe(String(body.length))
    const sizes: number[] = []
    for await (const piece of response.body as ReadableStream<Uint8Array>) sizes.push(piece.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(131_072)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(body.length)
    expect(await turnsUntil(drain(body))).toBeGreaterThan(5)
  })
})

async function drain(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for await (const _ of bytesInSlices(bytes));
}
