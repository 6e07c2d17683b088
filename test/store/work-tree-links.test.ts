/** Links in a repository at paths that the store writes and reads. */

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openByHandle, openByPath } from '../../src/files/open-folder.ts'
import { changeFile, writeBeside } from '../../src/files/replace-file.ts'
import { readWorkFile, type WorkFile, workTreeAt } from '../../src/files/work-file.ts'
import { temporaryDirectory } from '../_setup.ts'
import { newStore, write } from './_store.ts'

const isWindows = process.platform === 'win32'

describe.skipIf(isWindows)('a repository with symbolic links', () => {
  test('redirects no write to the outside by the name of a temporary file', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a\n', 'f/A.wiki': 'a\n' })
    const victim = join(await temporaryDirectory(), 'victim')
    writeFileSync(victim, 'victim\n')
    for (const name of [`.wiki-${process.pid}.tmp`, `f/.wiki-${process.pid}.tmp`])
      symlinkSync(victim, join(directory, name))
    expect(await write(store, { 'A.wiki': 'b\n', 'f/A.wiki': 'b\n' })).toMatchObject({ leftAlone: [] })
    expect(readFileSync(victim, 'utf8')).toBe('victim\n')
    expect(readdirSync(directory).sort()).toEqual(['.git', `.wiki-${process.pid}.tmp`, 'A.wiki', 'f'])
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('b\n')
  })

  test('redirects no write or deletion to the outside by a linked folder', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'Talk/A.wiki': 'a\n', 'Talk/B.wiki': 'b\n' })
    const outside = await temporaryDirectory()
    writeFileSync(join(outside, 'A.wiki'), 'a\n')
    writeFileSync(join(outside, 'B.wiki'), 'b\n')
    rmSync(join(directory, 'Talk'), { recursive: true })
    symlinkSync(outside, join(directory, 'Talk'))
    expect(await write(store, { 'Talk/A.wiki': 'new\n', 'Talk/B.wiki': null, 'Talk/C.wiki': 'c\n' })).toMatchObject({
      leftAlone: ['Talk/A.wiki', 'Talk/B.wiki', 'Talk/C.wiki'],
    })
    expect(readdirSync(outside).sort()).toEqual(['A.wiki', 'B.wiki'])
    expect(readFileSync(join(outside, 'A.wiki'), 'utf8')).toBe('a\n')
  })
})

const holds = [
  ['handles', openByHandle],
  ['paths', openByPath],
] as const

describe.skipIf(isWindows).each(holds)('files of a work tree, by %s', (_, hold) => {
  test.runIf(hold === openByPath || process.platform === 'linux')('are read, replaced, added and removed', async () => {
    const { tree, directory } = await newTree()
    writeFileSync(join(directory, 'A'), 'a', { mode: 0o640 })
    const found = readWorkFile(tree, 'A') as WorkFile
    expect(found.content.toString()).toBe('a')
    const changed = async (path: string, change: Parameters<typeof writeBeside>[2]) => {
      await writeBeside(tree, path, change)
      return changeFile(tree, path, change)
    }
    expect(await changed('A', { found, content: Buffer.from('b'), id: 'x1' })).toBe(true)
    expect(readFileSync(join(directory, 'A'), 'utf8')).toBe('b')
    expect(Number((readWorkFile(tree, 'A') as WorkFile).stat.mode & 0o777n)).toBe(0o640)
    expect(await changed('f/g/B', { found: null, content: Buffer.from('c'), id: 'x2' })).toBe(true)
    expect(await changed('f/g/B', { found: null, content: Buffer.from('d'), id: 'x3' })).toBe(false)
    const second = readWorkFile(tree, 'f/g/B') as WorkFile
    expect(await changed('f/g/B', { found: second, content: null, id: 'x4' })).toBe(true)
    expect(readdirSync(directory)).toEqual(['A'])
  })

  test.each([
    '../A',
    'f/../../A',
    '/A',
    'f//A',
    './A',
    '.git/config',
    '.GIT/config',
    'f/.git/hooks/pre-commit',
    '.git /config',
    'git~1/config',
    '.g\u200cit/config',
    'a\0b',
    '',
  ])('have no path like %j', async path => {
    const { tree, directory } = await newTree()
    mkdirSync(join(directory, '.git'))
    writeFileSync(join(directory, '.git', 'config'), 'secret')
    expect(readWorkFile(tree, path)).toBe('behind a link')
    expect(changeFile(tree, path, { found: null, content: Buffer.from('x'), id: 'x1' })).toBe(false)
    expect(readdirSync(directory)).toEqual(['.git'])
    expect(readdirSync(join(directory, '.git'))).toEqual(['config'])
  })

  test('are not links, folders or pipes', async () => {
    const { tree, directory } = await newTree()
    writeFileSync(join(directory, 'A'), 'a')
    symlinkSync('A', join(directory, 'link'))
    symlinkSync('.', join(directory, 'loop'))
    mkdirSync(join(directory, 'folder'))
    expect(readWorkFile(tree, 'link')).toBe('no regular file')
    expect(readWorkFile(tree, 'loop/A')).toBe('behind a link')
    expect(readWorkFile(tree, 'A/A')).toBe('behind a link')
    expect(readWorkFile(tree, 'folder')).toBe('no regular file')
    expect(readWorkFile(tree, 'none')).toBe(null)
    expect(readWorkFile(tree, 'none/A')).toBe(null)
    expect(readWorkFile(tree, 'A', 0)).toBe('too large')
  })

  async function newTree() {
    const directory = await temporaryDirectory()
    return { directory, tree: workTreeAt(directory, hold) }
  }
})
