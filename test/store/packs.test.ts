import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { applyDelta, makeDelta } from '../../src/store/git/delta.ts'
import { frameObject, hashFrame } from '../../src/store/git/objects.ts'
import { type PackedObject, PackWriter } from '../../src/store/git/pack-writer.ts'
import { openPacks } from '../../src/store/git/packs.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { newStore, openFresh, write } from './_store.ts'

/** Twenty texts that grow, one that compresses badly, and an empty one. */
const contents: readonly Buffer[] = [
  ...Array.from({ length: 20 }, (_, at) =>
    Buffer.from(`${'a line of the text\n'.repeat(30)}${'more '.repeat(at * 10)}`),
  ),
  randomBytes(50_000),
  Buffer.alloc(0),
]

/** An object directory with a pack in it; returns the hashes of `contents`. */
async function packed(): Promise<{ objects: string; hashes: readonly string[] }> {
  const objects = await temporaryDirectory()
  mkdirSync(join(objects, 'pack'))
  return { objects, hashes: addPack(objects, contents) }
}

function addPack(objects: string, texts: readonly Buffer[]): string[] {
  const pack = new PackWriter(join(objects, 'pack'))
  const hashes: string[] = []
  let before: PackedObject | null = null
  for (const content of texts) {
    before = pack.add('blob', content, before)
    hashes.push(before.hash)
  }
  pack.finish()
  return hashes
}

describe('objects of a pack', () => {
  test('are read without git, including deltas', async () => {
    const { objects, hashes } = await packed()
    const packs = openPacks(objects)
    expect(hashes.map(hash => packs.read(hash))).toEqual(contents.map(content => ({ type: 'blob', content })))
    packs.close()
  })

  test('are missing if no pack contains them, or there is no folder of packs', async () => {
    const packs = openPacks((await packed()).objects)
    expect(packs.read('0'.repeat(40))).toBeNull()
    expect(packs.read('f'.repeat(40))).toBeNull()
    packs.close()
    const none = openPacks(await temporaryDirectory())
    expect(none.read('0'.repeat(40))).toBeNull()
  })

  test('are found in new packs, and not in removed ones', async () => {
    const { objects, hashes } = await packed()
    const packs = openPacks(objects)
    expect(packs.read(hashes[3]!)).not.toBeNull()
    const [later] = addPack(objects, [Buffer.from('later')])
    expect(packs.read(later!)?.content.toString()).toBe('later')
    for (const name of readdirSync(join(objects, 'pack'))) rmSync(join(objects, 'pack', name))
    expect(packs.read(hashes[3]!)).toBeNull()
    packs.close()
  })

  test('are never read incorrectly, whichever byte of a pack or index is wrong', { tags: 'long' }, async () => {
    const { objects, hashes } = await packed()
    const names = readdirSync(join(objects, 'pack'))
    for (const name of names) {
      const path = join(objects, 'pack', name)
      const whole = readFileSync(path)
      for (let at = 0; at < whole.length; at += at < 1_100 || name.endsWith('.pack') ? 173 : 7) {
        const flipped = Buffer.from(whole)
        flipped[at]! ^= 1 << (at % 8)
        writeFileSync(path, flipped, { mode: 0o644, flag: 'r+' })
        const packs = openPacks(objects)
        for (const which of [0, 7, 19]) {
          const read = packs.read(hashes[which]!)
          if (read !== null) expect(read.content.equals(contents[which]!), `${name} byte ${at}`).toBe(true)
        }
        packs.close()
      }
      writeFileSync(path, whole, { flag: 'r+' })
    }
  })

  test('are left to git if the pack is truncated', async () => {
    const { objects, hashes } = await packed()
    const name = readdirSync(join(objects, 'pack')).find(name => name.endsWith('.pack'))!
    const path = join(objects, 'pack', name)
    const whole = readFileSync(path)
    rmSync(path)
    for (const length of [0, 11, 40, whole.length >> 1]) {
      writeFileSync(path, whole.subarray(0, length))
      const packs = openPacks(objects)
      for (const [which, hash] of hashes.entries()) {
        expect([null, contents[which]!.toString('latin1')]).toContain(
          packs.read(hash)?.content.toString('latin1') ?? null,
        )
      }
      expect(packs.read(hashes.at(-1)!)).toBeNull()
      packs.close()
    }
  })

  test.each([
    ['with bases named by their place', []],
    ['with bases named by their hash', ['-c', 'repack.useDeltaBaseOffset=false']],
  ])('match those that git packed, %s', async (_, settings) => {
    const folder = await temporaryDirectory()
    git(folder, 'init', '-q')
    for (const [at, content] of contents.entries()) writeFileSync(join(folder, `${at}.txt`), content)
    git(folder, 'add', '.')
    git(folder, 'commit', '-q', '-m', 'all')
    git(folder, 'tag', '-a', '-m', 'tag', 'tag')
    git(folder, ...settings, 'repack', '-adfq', '--depth=40', '--window=40')
    git(folder, 'prune-packed')
    const packs = openPacks(join(folder, '.git/objects'))
    const all = git(folder, 'cat-file', '--batch-all-objects', '--batch-check').split('\n')
    expect(all.length).toBe(contents.length + 3)
    for (const [hash, type] of all.map(line => line.split(' '))) {
      const object = packs.read(hash!)!
      expect([object.type, hashFrame(frameObject(object.type, object.content))]).toEqual([type, hash])
    }
    packs.close()
  })

  test('are read if the index has offsets of eight bytes', async context => {
    needsGit(context)
    const { objects, hashes } = await packed()
    const pack = join(objects, 'pack')
    const name = readdirSync(pack).find(name => name.endsWith('.pack'))!
    const index = name.replace('.pack', '.idx')
    rmSync(join(pack, index))
    git(pack, 'index-pack', '--index-version=2,0x40', '-o', index, name)
    const packs = openPacks(objects)
    expect(hashes.map(hash => packs.read(hash)?.content)).toEqual(contents)
    packs.close()
  })
})

/** A pack of many small objects under hashes with the same first byte, distributed as `placeOf` (0 to 1) specifies. */
function addCrowded(objects: string, count: number, placeOf: (share: number) => number): string[] {
  const [heads, sums, offsets]: [Buffer[], Buffer[], Buffer[]] = [[], [], []]
  const number = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])
  const parts = [Buffer.alloc(12)]
  let length = 12
  for (let at = 0; at < count; at++) {
    const content = Buffer.from(`text ${at}`)
    const entry = Buffer.concat([Buffer.from([(3 << 4) | content.length]), deflateSync(content)])
    const place = Math.min(2 ** 32 - 1, Math.floor(placeOf(at / count) * 2 ** 32))
    heads.push(Buffer.concat([Buffer.from([0x7f]), number(place), number(at), Buffer.alloc(11)]))
    sums.push(number(crc32(entry)))
    offsets.push(number(length))
    parts.push(entry)
    length += entry.length
  }
  const fanout = Array.from({ length: 256 }, (_, byte) => number(byte < 0x7f ? 0 : count))
  const index = [number(0xff744f63), number(2), ...fanout, ...heads, ...sums, ...offsets]
  writeFileSync(join(objects, 'pack', 'pack-crowded.pack'), Buffer.concat(parts))
  writeFileSync(join(objects, 'pack', 'pack-crowded.idx'), Buffer.concat(index))
  return heads.map(hash => hash.toString('hex'))
}

describe('among thousands of objects', () => {
  test.each([
    ['spread evenly', (share: number) => share],
    ['crowded at the beginning', (share: number) => share ** 8],
    ['crowded at the end', (share: number) => 1 - (1 - share) ** 8],
    ['all but alike', (share: number) => 0.5 + share / 2 ** 18],
  ])('%s each is found, and no missing one', { tags: 'long' }, async (_, placeOf) => {
    const objects = await temporaryDirectory()
    mkdirSync(join(objects, 'pack'))
    const hashes = addCrowded(objects, 3000, placeOf)
    const packs = openPacks(objects)
    for (const [at, hash] of hashes.entries()) {
      expect(packs.read(hash)?.content.toString()).toBe(`text ${at}`)
      expect(packs.read(`${hash.slice(0, -1)}1`)).toBeNull()
    }
    for (const edge of ['7e', '80', '7f']) expect(packs.read(edge.padEnd(40, 'f'))).toBeNull()
    packs.close()
  })
})

describe('a delta', () => {
  const base = Buffer.from('0123456789'.repeat(10))

  test('is applied to its base', () => {
    for (const target of [base, Buffer.alloc(0), Buffer.from('other'), Buffer.concat([base, base.subarray(7)])])
      expect(applyDelta(base, makeDelta(base, target), 1_000)).toEqual(target)
  })

  test('is not applied if the result would be too large', () => {
    const target = Buffer.concat([base, base])
    expect(applyDelta(base, makeDelta(base, target), 199)).toBeNull()
    expect(applyDelta(base, makeDelta(base, target), 200)).toEqual(target)
  })

  test.each([
    ['of another base', [99, 1, 1, 0x61]],
    ['that says less than it promises', [100, 2, 1, 0x61]],
    ['that says more', [100, 1, 2, 0x61, 0x61]],
    ['that copies from behind the end', [100, 10, 0x91, 95, 10]],
    ['that ends in the middle', [100, 5, 5, 0x61]],
    ['with an operation that does not exist', [100, 1, 0]],
    ['with nothing in it', []],
  ])('%s is refused', (_, bytes) => {
    expect(() => applyDelta(base, Buffer.from(bytes), 1_000)).toThrow()
  })
})

describe('a store', () => {
  test('reads packs like loose objects', async context => {
    needsGit(context)
    const { store: made, directory } = await newStore()
    for (const text of ['first', 'second', 'third']) await write(made, { 'A.wiki': text, 'B.wiki': `b ${text}` })
    git(directory, 'gc', '-q')
    const store = await openFresh(directory)
    const texts: string[] = []
    for await (const [, text] of store.texts(store.allRevisions())) texts.push(text)
    expect(texts).toEqual(['first', 'b first', 'second', 'b second', 'third', 'b third'])
    store.close()
  })
})
