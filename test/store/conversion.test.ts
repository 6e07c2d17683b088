import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { openWiki } from '../../src/operations/wiki.ts'
import { git, gitBytes, temporaryDirectory } from '../_setup.ts'
import { contentFor } from '../media/_files.ts'
import { ada, commitFiles, create, edit, newWiki, openTestWiki } from '../operations/_wiki.ts'

/** A wiki whose page Ferry is committed under these attributes and settings. */
async function wikiWith(attributes: string, settings: Readonly<Record<string, string>> = {}) {
  const { wiki, directory } = await newWiki({ Ferry: 'one\n' })
  writeFileSync(join(directory, '.gitattributes'), attributes)
  for (const [key, value] of Object.entries(settings)) git(directory, 'config', key, value)
  git(directory, 'add', '-A')
  // Git reads a file again only if its times have changed.
  git(directory, 'add', '--renormalize', '.')
  git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'attributes')
  return { wiki, directory }
}

/** Replaces each letter by the thirteenth after it: no line of the plain text is left. */
const rot13 = { 'filter.rot.clean': 'tr a-zA-Z n-za-mN-ZA-M', 'filter.rot.smudge': 'tr a-zA-Z n-za-mN-ZA-M' }
const required = { ...rot13, 'filter.rot.required': 'true' }

/** More pages than are cleaned one by one. */
const manyFiles = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`Page_${at}.wiki`, 'plain\n']))

const blobAt = (directory: string, path: string) => gitBytes(directory, 'cat-file', 'blob', `HEAD:${path}`)
const status = (directory: string) => {
  git(directory, 'add', '--renormalize', '.')
  return git(directory, 'status', '--porcelain')
}

describe('a page under a required filter', () => {
  test('is cleaned when it is edited, and its file is smudged', { tags: 'long' }, async () => {
    const { wiki, directory } = await wikiWith('*.wiki filter=rot\n', required)
    await create(wiki, 'Secret', 'plain\n')
    expect(blobAt(directory, 'Secret.wiki').toString()).toBe('cynva\n')
    expect(readFileSync(join(directory, 'Secret.wiki'), 'utf8')).toBe('plain\n')
    await edit(wiki, 'Secret', 'hello\n')
    expect(blobAt(directory, 'Secret.wiki').toString()).toBe('uryyb\n')
    expect(readFileSync(join(directory, 'Secret.wiki'), 'utf8')).toBe('hello\n')
    expect(status(directory)).toBe('')
  })

  test('is cleaned by wiki commit', async () => {
    const { wiki, directory } = await wikiWith('*.wiki filter=rot\n', required)
    writeFileSync(join(directory, 'New.wiki'), 'plain\n')
    await commitWork(wiki, { author: ada, comment: 'new' })
    expect(blobAt(directory, 'New.wiki').toString()).toBe('cynva\n')
    expect(readFileSync(join(directory, 'New.wiki'), 'utf8')).toBe('plain\n')
    expect(status(directory)).toBe('')
  })

  test.each([
    ['fails', { 'filter.rot.clean': 'false', 'filter.rot.required': 'true' }, 'the program of filter.rot.clean in'],
    ['has no clean command', { 'filter.rot.required': 'true' }, ''],
    ['is not configured', {}, ''],
  ])('is refused if the filter %s', async (_, settings, reason) => {
    const { wiki, directory } = await newWiki({ Ferry: 'one\n' })
    writeFileSync(join(directory, '.gitattributes'), 'Secret.wiki filter=rot\n')
    for (const [key, value] of Object.entries(settings)) git(directory, 'config', key, value)
    await expect(create(wiki, 'Secret', 'plain\n')).rejects.toMatchObject({
      code: 'wiki-conversion-failed',
      message: expect.stringContaining(reason),
    })
    expect(git(directory, 'ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('Secret')
  })

  test('is refused without a git binary', async () => {
    const { directory } = await wikiWith('Secret.wiki filter=rot\n', required)
    const path = process.env.PATH
    process.env.PATH = ''
    try {
      const wiki = await openWiki({ directory })
      await expect(create(wiki, 'Secret', 'plain\n')).rejects.toMatchObject({ code: 'wiki-conversion-failed' })
      await create(wiki, 'Open', 'plain\n')
      await wiki.close()
    } finally {
      process.env.PATH = path
    }
    expect(git(directory, 'ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('Secret')
  })

  test('is cleaned or refused in a bare repository according to the attributes of its tip', async () => {
    const { directory } = await wikiWith('*.wiki filter=rot\n', required)
    const bare = join(await temporaryDirectory(), 'bare.git')
    git(directory, 'clone', '-q', '--bare', directory, bare)
    const wiki = await openTestWiki(bare)
    await expect(create(wiki, 'Secret', 'plain\n')).rejects.toMatchObject({ code: 'wiki-conversion-failed' })
    for (const [key, value] of Object.entries(required)) git(bare, 'config', key, value)
    await create(wiki, 'Secret', 'plain\n')
    expect(blobAt(bare, 'Secret.wiki').toString()).toBe('cynva\n')
  })
})

test('without a temporary folder a filter fails its own write alone', async () => {
  const { wiki, directory } = await wikiWith('*.wiki filter=rot\n', rot13)
  vi.stubEnv('TMPDIR', join(directory, 'missing'))
  onTestFinished(() => void vi.unstubAllEnvs())
  // Vitest reports a rejection that nobody handles: it would end a server.
  await expect(create(wiki, 'Secret', 'plain\n')).rejects.toMatchObject({ code: 'wiki-cannot-write' })
  await expect(commitFiles(wiki, manyFiles)).rejects.toMatchObject({ code: 'wiki-cannot-write' })
  vi.unstubAllEnvs()
  await create(wiki, 'Secret', 'plain\n')
  expect(blobAt(directory, 'Secret.wiki').toString()).toBe('cynva\n')
})

test('an optional filter that fails leaves the bytes unchanged, as in git', async () => {
  const { wiki, directory } = await wikiWith('*.wiki filter=rot\n', { 'filter.rot.clean': 'false' })
  await create(wiki, 'Secret', 'plain\n')
  expect(blobAt(directory, 'Secret.wiki').toString()).toBe('plain\n')
})

describe.each<[string, string, Readonly<Record<string, string>>, Buffer]>([
  ['core.autocrlf', '', { 'core.autocrlf': 'true' }, Buffer.from('a\r\nb\r\n')],
  ['eol=crlf', '*.wiki text eol=crlf\n', {}, Buffer.from('a\r\nb\r\n')],
  ['working-tree-encoding', '*.wiki text working-tree-encoding=UTF-16LE\n', {}, Buffer.from('a\nb\n', 'utf16le')],
])('under %s', (_, attributes, settings, file) => {
  test('an editor saves UTF-8 with line feeds and the file is as git writes it', async () => {
    const { wiki, directory } = await wikiWith(attributes, settings)
    await create(wiki, 'Tide', 'a\nb\n')
    expect(blobAt(directory, 'Tide.wiki').toString()).toBe('a\nb\n')
    expect(readFileSync(join(directory, 'Tide.wiki'))).toEqual(file)
    await edit(wiki, 'Tide', 'a\nb\nc\n')
    expect(blobAt(directory, 'Tide.wiki').toString()).toBe('a\nb\nc\n')
    expect(status(directory)).toBe('')
  })

  test('wiki commit records the same as git add', async () => {
    const { wiki, directory } = await wikiWith(attributes, settings)
    writeFileSync(join(directory, 'Tide.wiki'), file)
    await commitWork(wiki, { author: ada, comment: 'new' })
    expect(blobAt(directory, 'Tide.wiki').toString()).toBe('a\nb\n')
    expect(readFileSync(join(directory, 'Tide.wiki'))).toEqual(file)
    expect(status(directory)).toBe('')
  })
})

test('ident is expanded in the file and not in the blob', async () => {
  const { wiki, directory } = await wikiWith('*.wiki ident\n')
  await create(wiki, 'Tide', '$Id$\n')
  expect(blobAt(directory, 'Tide.wiki').toString()).toBe('$Id$\n')
  expect(readFileSync(join(directory, 'Tide.wiki'), 'utf8')).toMatch(/^\$Id: [0-9a-f]{40} \$\n$/)
  expect(status(directory)).toBe('')
})

test('a picture under a filter with external storage is recorded as its pointer', async () => {
  const { wiki, directory } = await wikiWith('*.png filter=store\n')
  const program = join(directory, '.git', 'clean.sh')
  mkdirSync(join(directory, '.git', 'store'))
  writeFileSync(program, '#!/bin/sh\nh=$(git hash-object --stdin --no-filters)\necho "pointer" $h\n')
  chmodSync(program, 0o755)
  git(directory, 'config', 'filter.store.clean', program)
  git(directory, 'config', 'filter.store.smudge', 'cat >/dev/null; printf picture')
  await addFile(wiki, { name: 'A.png', content: contentFor('A.png'), author: ada, comment: 'up' })
  const path = git(directory, 'ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .find(one => one.endsWith('.png'))!
  expect(blobAt(directory, path).toString()).toMatch(/^pointer [0-9a-f]{40}\n$/)
  expect(existsSync(join(directory, path)) && readFileSync(join(directory, path), 'utf8')).toBe('picture')
})
