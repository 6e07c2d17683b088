import { mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openJsonCache } from '../../src/operations/caches/json-cache.ts'
import { openStash, parseRenderId, uuidOf } from '../../src/operations/caches/stash.ts'
import { temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'

afterEach(() => {
  vi.useRealTimers()
})

const id = { revision: 7, uuid: uuidOf('x') }
const entry = { source: '== a ==', html: '<h2>a</h2>' }
const day = 24 * 60 * 60 * 1000

/** Advances the clock that the code reads. */
function pass(milliseconds: number): void {
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ['Date'] })
}

describe('the stash', () => {
  test('returns the stored value, also to another process', async () => {
    const folder = join(await temporaryDirectory(), 'stash')
    await openStash(folder).set(id, entry)
    expect(await openStash(folder).get(id)).toEqual(entry)
    expect(await openStash(folder).get({ ...id, revision: 8 })).toBeUndefined()
  })

  test('discards entries after a day, however often they were read', async () => {
    const stash = openStash(join(await temporaryDirectory(), 'stash'))
    await stash.set(id, entry)
    pass(day - 60_000)
    expect(await stash.get(id)).toEqual(entry)
    pass(120_000)
    expect(await stash.get(id)).toBeUndefined()
  })

  test('ignores a truncated or changed file', async () => {
    const folder = join(await temporaryDirectory(), 'stash')
    await openStash(folder).set(id, entry)
    const path = join(folder, readdirSync(folder)[0]!)
    const written = readFileSync(path, 'utf8')
    for (const damage of ['', written.slice(0, -3), written.replace('== a', '== b')]) {
      writeFileSync(path, damage)
      expect(await openStash(folder).get(id)).toBeUndefined()
    }
    truncateSync(path)
    await openStash(folder).set(id, entry)
    expect(await openStash(folder).get(id)).toEqual(entry)
  })

  test('keeps in memory for a day what the folder cannot store', async () => {
    const folder = join(await temporaryDirectory(), 'stash')
    writeFileSync(folder, 'a file stands in the way')
    const stash = openStash(folder)
    await stash.set(id, entry)
    expect(await stash.get(id)).toMatchObject(entry)
    const large = { ...entry, html: 'x'.repeat(2_000_000) }
    for (let revision = 100; revision < 109; revision++) await stash.set({ ...id, revision }, large)
    expect(await stash.get(id)).toBeUndefined()
    await stash.set({ ...id, revision: 119 }, entry)
    expect(await stash.get({ ...id, revision: 119 })).toMatchObject(entry)
    pass(day + 1000)
    expect(await stash.get({ ...id, revision: 119 })).toBeUndefined()
  })
})

describe('the cache of JSON values', () => {
  test('evicts expired entries, or the oldest of too many', async () => {
    const folder = join(await temporaryDirectory(), 'kept')
    mkdirSync(folder)
    const old = (name: string, seconds: number, text: string) => {
      writeFileSync(join(folder, name), text)
      utimesSync(join(folder, name), fromNow(-seconds), fromNow(-seconds))
    }
    old('left-by-a-crash.json.abc.new', 5000, 'x')
    old('first.json', 90, 'x'.repeat(800))
    old('second.json', 60, 'x'.repeat(300))
    const files = openJsonCache<string>(folder, { totalBytes: 1000, fileBytes: 500, lifetime: 1_000_000 })
    expect(await files.set('third', 'y')).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['second.json', 'third.json'])
  })

  test('refuses a value that is too large', async () => {
    const files = openJsonCache<string>(await temporaryDirectory(), { totalBytes: 1000, fileBytes: 50 })
    expect([await files.set('a', 'é'.repeat(25)), await files.get('a')]).toEqual([false, undefined])
  })
})

const uuid = '0eeaee6f-e4ca-81f1-9806-02fc00000001'

test.each([
  [`"6209/${uuid}/stash/html"`, { revision: 6209, uuid }],
  [`W/"6209/${uuid}/view/with_html"`, { revision: 6209, uuid }],
  [`"0/${uuid}"`, { revision: 0, uuid }],
  [`6209/${uuid}`, { revision: 6209, uuid }],
  ['"6209"', null],
  [`"6209/${uuid.toUpperCase()}/stash/html"`, null],
  [`"1/../../${uuid}"`, null],
  [`"../1/${uuid}"`, null],
  [`"1/${uuid}\0/x"`, null],
  [`"9999999999999999/${uuid}"`, null],
  [`"1/${uuid}/${'x'.repeat(500)}"`, null],
  ['', null],
])('the id in %s is %o', (text, id) => {
  expect(parseRenderId(text)).toEqual(id)
})
