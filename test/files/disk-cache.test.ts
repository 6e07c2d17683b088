import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDiskCache } from '../../src/files/disk-cache.ts'
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
  expect((await readdir(folder)).sort()).toEqual(['a', 'd', 'e'])
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
