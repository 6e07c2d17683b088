import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { GitObject } from '../../src/store/git/backend.ts'
import { openNative } from '../../src/store/git/native.ts'
import { loosePath, looseSize, maxObjectBytes, readLoose, streamLoose } from '../../src/store/git/objects.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'

const megabyte = 1024 * 1024

/** Writes any bytes as an object under a chosen hash; returns the folder and the hash. */
async function looseObject(header: string, content: Buffer): Promise<[objects: string, hash: string]> {
  const objects = await temporaryDirectory()
  const hash = createHash('sha1').update(header).digest('hex')
  const path = loosePath(objects, hash)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(path), deflateSync(Buffer.concat([Buffer.from(`${header}\0`), content])))
  return [objects, hash]
}

/** Bytes that streaming gives before it ends or fails. */
async function streamed(objects: string, hash: string): Promise<{ bytes: number; failed: boolean }> {
  let bytes = 0
  try {
    for await (const piece of streamLoose(objects, hash)!) bytes += piece.length
    return { bytes, failed: false }
  } catch {
    return { bytes, failed: true }
  }
}

describe('a loose object', () => {
  test('that claims 10 bytes and unpacks to 200 MB is neither unpacked nor streamed any further', {
    tags: 'long',
  }, async () => {
    const object = await looseObject('blob 10', Buffer.alloc(200 * megabyte))
    expect(readLoose(...object)).toBeNull()
    const { bytes, failed } = await streamed(...object)
    expect(failed).toBe(true)
    expect(bytes).toBeLessThan(megabyte)
  })

  test.each(['blob 4294967296', 'blob 99999999999999999999', 'blob -1', 'blob x', 'blob'])(
    'that says "%s" and holds three is not believed',
    async header => {
      const object = await looseObject(header, Buffer.from('abc'))
      expect(readLoose(...object)).toBeNull()
      expect((await streamed(...object)).failed).toBe(true)
    },
  )

  test('is read whole up to the limit, and above it only as a stream, after its size', { tags: 'long' }, async () => {
    const bytes = maxObjectBytes + 1
    const object = await looseObject(`blob ${bytes}`, Buffer.alloc(bytes))
    expect(readLoose(...object)).toBeNull()
    expect(looseSize(...object)).toBe(bytes)
    expect(await streamed(...object)).toEqual({ bytes, failed: false })
  })
})

test.skipIf(!hasGit)(
  "an object too large for memory is refused by git's reader, and the next one is read",
  { tags: 'long' },
  async () => {
    const { directory } = await newWiki({ A: 'one' })
    writeFileSync(join(directory, 'large'), Buffer.alloc(maxObjectBytes + 1))
    const large = git(directory, 'hash-object', '-w', 'large')
    const small = git(directory, 'rev-parse', 'HEAD:A.wiki')
    const gitDirectory = join(directory, '.git')
    const empty = await temporaryDirectory()
    const backend = openNative({ gitDirectory, objectDirectory: empty, shallow: () => new Set() })
    const answers = [backend.read(small), backend.read(large), backend.read(small)]
    const [before, refused, after] = await Promise.allSettled(answers)
    expect(refused).toMatchObject({ reason: { code: 'rest-resource-limit-exceeded' } })
    for (const read of [before, after]) expect(String((read as { value: GitObject }).value.content)).toBe('one\n')
    backend.close()
  },
)
