import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ObjectType } from '../../src/store/git/backend.ts'
import { makeDelta } from '../../src/store/git/delta.ts'
import { hashBlob } from '../../src/store/git/objects.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import type { PackedObject } from '../../src/store/git/pack-writer.ts'
import { PackSeries } from '../../src/store/import/pack-series.ts'
import { readSpool, SpoolWriter } from '../../src/store/import/spool.ts'
import { TreeBuilder } from '../../src/store/import/tree-builder.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'

const backends = hasGit ? (['git', 'isomorphic-git'] as const) : (['isomorphic-git'] as const)

async function repository(): Promise<{ directory: string; packs: string }> {
  const directory = await temporaryDirectory()
  initRepository(directory, { bare: true })
  const packs = join(directory, 'objects/pack')
  mkdirSync(packs, { recursive: true })
  return { directory, packs }
}

/** Random bytes, the same for the same seed. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[at] = state >> 16
  }
  return bytes
}

/** Versions of a text as edits make them: a bit changes at the beginning, in the middle, at the end. */
function versions(length: number, count: number): Buffer[] {
  const made = [noise(length, 7)]
  for (let at = 1; at < count; at++) {
    const before = made.at(-1) as Buffer
    const place = [0, before.length >> 1, before.length][at % 3] as number
    made.push(Buffer.concat([before.subarray(0, place), Buffer.from(`edit ${at}`), before.subarray(place + (at % 5))]))
  }
  return made
}

const contents: readonly [name: string, contents: Buffer[]][] = [
  ['nothing', [Buffer.alloc(0)]],
  ['short texts', ['a', 'ab', 'b', 'abc', 'a'].map(text => Buffer.from(text))],
  ['texts around the length from which they are packed', [79, 80, 81].map(length => noise(length, length))],
  ['a text that grows through many deltas', versions(2000, 120)],
  ['a text longer than one copy of a delta', versions(17 * 1024 * 1024, 3)],
  ['a text that becomes another', [noise(500, 1), noise(500, 2), Buffer.alloc(0), noise(10, 3)]],
]

describe.each(contents)('a pack of %s', (_, texts) => {
  test.each(backends)('is read back through %s', { tags: 'long' }, async backend => {
    const { directory, packs } = await repository()
    const series = new PackSeries(packs)
    let base: PackedObject | null = null
    for (const text of texts) base = series.add('blob', text, base)
    series.finish()
    const reader = openBackend(findRepository(directory), backend)
    for (const text of texts) expect((await reader.read(hashBlob(text))).content.equals(text)).toBe(true)
    reader.close()
  })

  test('is valid for git', { tags: 'long' }, async context => {
    needsGit(context)
    const { directory, packs } = await repository()
    const series = new PackSeries(packs)
    let base: PackedObject | null = null
    for (const text of texts) base = series.add('blob', text, base)
    series.finish()
    git(directory, 'verify-pack', join(packs, `${series.names[0]}.idx`))
    expect(
      git(directory, 'fsck', '--full')
        .replace(/^dangling blob .*$/gm, '')
        .trim(),
    ).toBe('')
    expect(git(directory, 'count-objects', '-v')).toContain(`in-pack: ${new Set(texts.map(hashBlob)).size}`)
  })
})

test('a series continues in another pack when one is full, including deltas', { tags: 'long' }, async () => {
  const { directory, packs } = await repository()
  const series = new PackSeries(packs, { objects: 10 })
  const texts = versions(300, 35)
  let base: PackedObject | null = null
  for (const text of texts) base = series.add('blob', text, base)
  series.finish()
  expect(series.names).toHaveLength(4)
  const reader = openBackend(findRepository(directory), 'isomorphic-git')
  for (const text of texts) expect((await reader.read(hashBlob(text))).content.equals(text)).toBe(true)
})

test('a delta is small for a small change', () => {
  const [before, after] = versions(100_000, 2) as [Buffer, Buffer]
  expect(makeDelta(before, after).length).toBeLessThan(40)
})

describe('growing trees', () => {
  const paths = ['a', 'a.b', 'a0', 'b/c/d', 'b/c.d', 'b-', 'b.wiki', 'ä/ö', 'z', '\u{1F600}/x', '\uff5e/x']

  test.each(backends)('match those of git, read through %s', async backend => {
    const { directory, packs } = await repository()
    const reader = openBackend(findRepository(directory), backend)
    const series = new PackSeries(packs)
    const blobs = ['one', 'two', 'three'].map(text => series.add('blob', Buffer.from(text)).hash)
    let tree: string | null = null
    const state = new Map<string, string>()
    const reads = async (hash: string) => ({ type: 'tree' as ObjectType, content: (await reader.read(hash)).content })
    for (let round = 0; round < 6; round++) {
      series.finish()
      const builder = await TreeBuilder.open(reads, tree)
      for (const [at, path] of paths.entries()) {
        if ((at + round) % 4 === 0) continue
        const blob = (at * 7 + round) % 5 === 0 && state.has(path) ? null : (blobs[(at + round) % 3] as string)
        expect(await builder.set(path, blob)).toBe(state.get(path) ?? null)
        if (blob === null) state.delete(path)
        else state.set(path, blob)
        tree = builder.write(series)
      }
      for (const path of paths) expect(await builder.blobAt(path)).toBe(state.get(path) ?? null)
    }
    series.finish()
    const rebuilt = await TreeBuilder.open(reads, null)
    for (const [path, blob] of [...state].reverse()) await rebuilt.set(path, blob)
    expect(rebuilt.write(new PackSeries(await temporaryDirectory()))).toBe(tree)
    if (hasGit)
      expect(
        git(directory, 'fsck', '--full', '--strict')
          .replace(/^dangling .*$/gm, '')
          .trim(),
      ).toBe('')
  })

  test('refuse a file instead of a folder, and a folder instead of a file', async () => {
    const builder = await TreeBuilder.open(() => Promise.reject(new Error('nothing to read')), null)
    const blob = hashBlob(Buffer.from('x'))
    await builder.set('a/b', blob)
    await builder.set('c', blob)
    await expect(builder.set('a', blob)).rejects.toMatchObject({ code: 'wiki-title-collision' })
    await expect(builder.set('c/d', blob)).rejects.toMatchObject({ code: 'wiki-title-collision' })
  })
})

test.each([
  ['one run', 1_000_000],
  ['many runs', 60],
])('a spool of %s returns records by time, then id, then input order', async (_, runLength) => {
  const folder = await temporaryDirectory()
  const spool = new SpoolWriter<{ name: string }>(folder, { runLength })
  const keys = Array.from({ length: 200 }, (_, at) => [(at * 37) % 20, (at * 11) % 3] as const)
  keys.forEach((key, at) => {
    spool.add(key, { name: `${at} \u2028\n"ü` })
  })
  const read: string[] = []
  for await (const items of readSpool<{ name: string }>(folder, spool.finish()))
    read.push(...items.map(item => item.name))
  const sorted = keys
    .map((key, at) => ({ key, at }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.at - b.at)
  expect(read).toEqual(sorted.map(({ at }) => `${at} \u2028\n"ü`))
})
