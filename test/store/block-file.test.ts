import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BlockFile, blockBytes, blockSums } from '../../src/store/index/bytes.ts'
import { temporaryDirectory } from '../_setup.ts'

const content = Buffer.concat([1, 2, 3].map(byte => Buffer.alloc(blockBytes, byte)))

/** Writes three blocks, and opens the file with memory for the given number of blocks. */
async function openBlocks(blocks: number): Promise<{ file: BlockFile; path: string }> {
  const path = join(await temporaryDirectory(), 'blocks')
  writeFileSync(path, content)
  return { file: new BlockFile(path, content.length, blockSums(content), blocks * blockBytes), path }
}

describe('the blocks of an index', () => {
  test('stay in memory up to a limit, and are read again above it', async () => {
    const { file, path } = await openBlocks(2)
    for (const block of [0, 1, 2, 0]) expect(file.read(block * blockBytes, 1)[0]).toBe(block + 1)
    writeFileSync(path, Buffer.alloc(content.length))
    expect(file.read(0, 1)[0]).toBe(1)
    expect(() => file.read(blockBytes, 1)).toThrow(expect.objectContaining({ code: 'wiki-index-damaged' }))
    file.close()
  })

  test('stay readable in older versions after they were replaced', async () => {
    const { file } = await openBlocks(1)
    const first = file.read(0, blockBytes)
    file.read(blockBytes, 1)
    expect(first.equals(content.subarray(0, blockBytes))).toBe(true)
    file.close()
  })
})
