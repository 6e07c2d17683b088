import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type DiskCache, openDiskCache } from '../../src/files/disk-cache.ts'
import { temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'

async function age(folder: string, name: string, hours: number): Promise<void> {
  const time = fromNow(-hours * 3600)
  await utimes(join(folder, name), time, time)
}

test('evicts the least recently used value above the limit', async () => {
  const folder = await temporaryDirectory()
  const kept = openDiskCache(folder, { totalBytes: 1000 })
  for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
    await kept.set(name, Buffer.alloc(240, name))
    await age(folder, name, 9 - at)
  }
  expect((await kept.get('a'))?.length).toBe(240)
  await kept.set('e', Buffer.alloc(240, 'e'))
  expect((await readdir(folder)).sort()).toEqual(['a', 'c', 'd', 'e'])
  expect(await kept.get('b')).toBe(null)
})

test('files of other processes, also killed ones, count as well', async () => {
  const folder = await temporaryDirectory()
  await writeFile(join(folder, 'x.png.1234.new'), Buffer.alloc(5000))
  await age(folder, 'x.png.1234.new', 2)
  const kept = openDiskCache(folder, { totalBytes: 1000 })
  await kept.set('a', Buffer.alloc(100))
  expect(await readdir(folder)).toEqual(['a'])
})

/** Writes values of a client, named by their numbers. */
async function fill(cache: DiskCache, client: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await cache.set(`${client}${at}`, Buffer.alloc(10), client)
}

test('is bounded by the number of files, and one client does not displace the values of another', async () => {
  const folder = await temporaryDirectory()
  const kept = openDiskCache(folder, { totalBytes: 1e6, files: 80 })
  await fill(kept, 'quiet', 10)
  await fill(kept, 'flood', 300)
  const names = await readdir(folder)
  expect(names).toHaveLength(80)
  expect(names.filter(name => name.startsWith('quiet'))).toHaveLength(10)
  expect(names).toContain('flood299')
})

test('the folder is listed before the first write, and again only after as many writes as it may hold files', async () => {
  const folder = await temporaryDirectory()
  const foreign = () => readdir(folder).then(names => names.filter(name => name.startsWith('foreign')).length)
  await writeFile(join(folder, 'foreign before'), 'x')
  const kept = openDiskCache(folder, { totalBytes: 1e6, files: 200 })
  await fill(kept, 'a', 1)
  for (let at = 0; at < 150; at++) await writeFile(join(folder, `foreign ${at}`), 'x')
  await fill(kept, 'b', 198)
  // Each listing would have counted the files of another process, and removed what is too much.
  expect(await foreign()).toBe(151)
  await fill(kept, 'c', 3)
  expect(await readdir(folder)).toHaveLength(200)
})

test('a process counts what an earlier one has left', async () => {
  const folder = await temporaryDirectory()
  await fill(openDiskCache(folder, { totalBytes: 1e6, files: 50 }), 'a', 50)
  await fill(openDiskCache(folder, { totalBytes: 1e6, files: 20 }), 'b', 1)
  const names = await readdir(folder)
  expect([names.length, names.includes('b0')]).toEqual([20, true])
})

test('values expire with the next write of any other', async () => {
  const folder = await temporaryDirectory()
  const kept = openDiskCache(folder, { totalBytes: 1e6, lifetime: 5000 })
  await fill(kept, 'a', 3)
  vi.useFakeTimers({ now: Date.now() + 6000, toFake: ['Date'] })
  await fill(kept, 'b', 1)
  vi.useRealTimers()
  expect(await readdir(folder)).toEqual(['b0'])
})

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['without content', () => Buffer.alloc(0)],
  ['that was cut off', bytes => bytes.subarray(0, 50)],
  ['with another byte than was written', bytes => Buffer.concat([Buffer.from('b'), bytes.subarray(1)])],
])('a file %s counts as missing', async (_, damage) => {
  const folder = await temporaryDirectory()
  const kept = openDiskCache(folder, { totalBytes: 1000 })
  await kept.set('a', Buffer.alloc(100, 'a'))
  expect(await kept.get('a')).toEqual(Buffer.alloc(100, 'a'))
  await writeFile(join(folder, 'a'), damage(await readFile(join(folder, 'a'))))
  expect(await kept.get('a')).toBe(null)
})
