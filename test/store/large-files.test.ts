/** Files of git that are much larger than git makes them: each is read in limited time and memory, or refused with a sentence. */

import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linesFromEnd } from '../../src/files/lines-from-end.ts'
import { parseConfig } from '../../src/store/repository/config-text.ts'
import { readSettings } from '../../src/store/repository/git-config.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { listRefs } from '../../src/store/repository/list-refs.ts'
import { findRepository, readPackedRefs, readRef } from '../../src/store/repository/repository.ts'
import { readIndexFile } from '../../src/store/work-tree/staging-file.ts'
import { listWorkTree } from '../../src/store/work-tree/work-tree.ts'
import { temporaryDirectory } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'

const megabyte = 1024 * 1024

/** An index without entries: its header, and the checksum. */
const indexOfVersion4 = withSum(Buffer.from('DIRC\0\0\0\x04\0\0\0\0', 'latin1'))

function withSum(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
}

async function newRepository(): Promise<{ directory: string; gitDirectory: string }> {
  const directory = await temporaryDirectory()
  initRepository(directory)
  return { directory, gitDirectory: join(directory, '.git') }
}

/** Makes a file longer without writing its bytes. */
function lengthen(path: string, bytes: number): void {
  appendFileSync(path, '')
  truncateSync(path, bytes)
}

describe('settings', () => {
  test('of more than 4 MB are refused by name', async () => {
    const { directory, gitDirectory } = await newRepository()
    appendFileSync(join(gitDirectory, 'config'), `${'# nothing\n'.repeat(megabyte / 2)}`)
    expect(() => findRepository(directory)).toThrow(
      `The repository at ${gitDirectory} cannot be read as a wiki: its file config is larger than 4 MB`,
    )
  })

  test('of a megabyte are parsed once', () => {
    const text = `[a]\n${'\tkey = value\n'.repeat(megabyte / 12)}`
    expect(parseConfig(text)).toBe(parseConfig(`${text}`))
  })

  test('that include each other many times are refused', async () => {
    const { directory, gitDirectory } = await newRepository()
    const nameOf = (depth: number) => (depth === 0 ? 'config' : `config.${depth}`)
    for (let depth = 0; depth < 9; depth++)
      appendFileSync(join(gitDirectory, nameOf(depth)), `[include]\n${`\tpath = config.${depth + 1}\n`.repeat(10)}`)
    const repository = findRepository(directory)
    const place = { repository, environment: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' } }
    expect(() => readSettings(place)).toThrow(/the files that it includes have more than 4000000 settings/)
  })
})

describe('packed refs', () => {
  const lines = (count: number, hash: string) =>
    Array.from({ length: count }, (_, at) => `${hash} refs/tags/t${String(at).padStart(6, '0')}\n`).join('')

  test('of megabytes are read once, and again when git has replaced them', async () => {
    const { directory, gitDirectory } = await newRepository()
    const path = join(gitDirectory, 'packed-refs')
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
    writeFileSync(path, `${lines(20_000, one)}${one} refs/heads/main\n`)
    const repository = findRepository(directory)
    expect(readRef(repository, 'refs/heads/main')).toBe(one)
    expect(listRefs(repository).size).toBe(20_001)
    const read = readPackedRefs(gitDirectory)
    expect(readPackedRefs(gitDirectory)).toBe(read)
    writeFileSync(`${path}.new`, `${lines(20_000, two)}${two} refs/heads/main\n`)
    renameSync(`${path}.new`, path)
    expect(readRef(repository, 'refs/heads/main')).toBe(two)
  })

  test('beyond the limit are refused by name', async () => {
    const { directory, gitDirectory } = await newRepository()
    lengthen(join(gitDirectory, 'packed-refs'), 300 * megabyte)
    expect(() => readRef(findRepository(directory), 'refs/heads/main')).toThrow(
      'its file packed-refs is larger than 256 MB',
    )
  })
})

test('a list of shallow commits, HEAD and a ref are refused by name', async () => {
  const { directory, gitDirectory } = await newRepository()
  const head = readFileSync(join(gitDirectory, 'HEAD'))
  lengthen(join(gitDirectory, 'HEAD'), 5 * megabyte)
  expect(() => findRepository(directory)).toThrow('its file HEAD is larger than 4 MB')
  writeFileSync(join(gitDirectory, 'HEAD'), head)
  mkdirSync(join(gitDirectory, 'refs', 'heads'), { recursive: true })
  lengthen(join(gitDirectory, 'refs', 'heads', 'main'), 5 * megabyte)
  expect(() => findRepository(directory)).toThrow('its file refs/heads/main is larger than 4 MB')
})

test('the lines of a log are read up to one of more than a megabyte', async () => {
  const path = join(await temporaryDirectory(), 'log')
  writeFileSync(path, `first\n${'x'.repeat(2 * megabyte)}\nsecond\nthird\n`)
  expect([...linesFromEnd(path)]).toEqual(['third', 'second'])
})

describe("git's index", () => {
  test('of version 4 whose names expand a thousandfold is refused', async () => {
    const path = join(await temporaryDirectory(), 'index')
    const file = openSync(path, 'w')
    const head = Buffer.alloc(12)
    head.write('DIRC')
    head.writeUInt32BE(4, 4)
    const count = 2000
    head.writeUInt32BE(count, 8)
    writeSync(file, head)
    for (let row = 0; row < count; row++) {
      const entry = Buffer.alloc(62)
      entry.writeUInt16BE(0xfff, 60)
      const name = row === 0 ? 'n'.repeat(60_000) : `${row}`
      writeSync(file, Buffer.concat([entry, Buffer.from([row === 0 ? 0 : 4]), Buffer.from(name), Buffer.from([0])]))
    }
    writeSync(file, Buffer.alloc(20))
    closeSync(file)
    expect(() => readIndexFile(path)).toThrow('the names in its index share too much')
  })

  test.each([
    ['damaged', 'garbage\n', 'its index is damaged'],
    ['empty', '', 'its index is damaged'],
    ['of version 4', indexOfVersion4, 'its files cannot be compared without git'],
  ])('that is %s is named where there is no git', async (_, index, reason) => {
    const { wiki, directory } = await newWiki({ A: 'one' })
    writeFileSync(join(directory, '.git', 'index'), index)
    const conversion = await wiki.store.checkout.conversion()
    const listed = listWorkTree(wiki.store.repository, { root: '', backend: 'isomorphic-git', conversion })
    await expect(listed).rejects.toMatchObject({
      code: 'wiki-bad-repository',
      message: expect.stringContaining(reason),
      hint: expect.stringContaining('git'),
    })
  })

  test('of more than 2 GB is refused', async () => {
    const path = join(await temporaryDirectory(), 'index')
    lengthen(path, 3 * 1024 * megabyte)
    expect(() => readIndexFile(path)).toThrow('its index is too large')
  })
})
