import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortHash } from '../../src/core/short-hash.ts'
import { resolveRevision } from '../../src/operations/resolve-revision.ts'
import { git, temporaryDirectory } from '../_setup.ts'
import { commitFiles, create, edit, newWiki, type TestWiki, writeWork } from './_wiki.ts'

let shared: TestWiki

beforeAll(async () => {
  shared = await datedWiki()
})

/** Page A with the revisions 1 to 3 on three days, page B@c with 4. */
async function datedWiki(): Promise<TestWiki> {
  const test = await newWiki()
  await create(test.wiki, 'A', 'one', { time: new Date('2026-01-30T12:00:00Z') })
  await edit(test.wiki, 'A', 'two', { time: new Date('2026-01-31T12:00:00Z') })
  await edit(test.wiki, 'A', 'three', { time: new Date('2026-02-01T12:00:00Z') })
  await create(test.wiki, 'B@c', 'b')
  return test
}

describe('addresses', () => {
  test.each([
    ['42', 42],
    ['007', 7],
    ['A@latest', 3],
    ['a@prev', 2],
    ['B@c@latest', 4],
    ['A@{2026-01-31}', 1],
    ['A@{2026-01-31T12:00:00Z}', 1],
    ['A@{2026-01-31T12:00:01Z}', 2],
    ['A@{2026-01-31 12:01}', 2],
    ['A@{2026-01-31T14:00:00+02:00}', 1],
    ['A@{2030-01-01}', 3],
    ['A@{yesterday}', 3],
    ['A@{3.weeks.ago}', 3],
    ['A@latest~0', 3],
    ['A@latest~2', 1],
    ['A@prev~1', 1],
    ['A@2', 2],
  ])('%s is %i', async (address, id) => {
    expect(await resolveRevision(shared.wiki, address)).toBe(id)
  })

  test('a point alone refers to the page in context', async () => {
    expect(await resolveRevision(shared.wiki, '@prev', { title: 'A' })).toBe(2)
    expect(await resolveRevision(shared.wiki, '@{2026-01-31}', { title: 'A' })).toBe(1)
  })

  test('a commit of several pages with @ and a title refers to that page', async () => {
    const { wiki, directory } = await datedWiki()
    await commitFiles(wiki, { 'A.wiki': 'four\n', 'C.wiki': 'new\n' })
    expect(await resolveRevision(wiki, `C@${shortHash(git(directory, 'rev-parse', 'HEAD'))}`)).toBe(6)
  })

  test('a commit is identified by seven or more digits of its hash', async () => {
    const { wiki, directory } = await datedWiki()
    const hash = git(directory, 'rev-parse', 'HEAD~2')
    expect(await resolveRevision(wiki, `commit:${hash.slice(0, 7)}`)).toBe(2)
    expect(await resolveRevision(wiki, `commit:${hash.toUpperCase()}`)).toBe(2)
    expect(await resolveRevision(wiki, hash)).toBe(2)
    await expect(resolveRevision(wiki, `commit:${hash.slice(0, 6)}`)).rejects.toMatchObject({
      code: 'wiki-bad-revision',
    })
  })

  test('a commit of several pages requires the page', async () => {
    const { wiki, directory } = await datedWiki()
    await commitFiles(wiki, { 'A.wiki': 'four\n', 'C.wiki': 'new\n' })
    const address = `commit:${git(directory, 'rev-parse', 'HEAD').slice(0, 10)}`
    await expect(resolveRevision(wiki, address)).rejects.toMatchObject({
      code: 'wiki-bad-revision',
      hint: 'It means several revisions: 5 (A), 6 (C)',
    })
    expect(await resolveRevision(wiki, address, { title: 'C' })).toBe(6)
    await expect(resolveRevision(wiki, address, { title: 'B@c' })).rejects.toMatchObject({
      code: 'rest-nonexistent-revision',
    })
  })

  test('@work is the file in the work tree', async () => {
    const { wiki, directory } = await datedWiki()
    await writeWork(directory, 'A.wiki', 'being written')
    expect(await resolveRevision(wiki, 'A@work')).toMatchObject({ page: { key: 'A' }, text: 'being written' })
  })

  test.skipIf(process.platform === 'win32')('@work follows no link, of a file or of a folder above it', async () => {
    const { wiki, directory } = await datedWiki()
    await create(wiki, 'F/G/h', 'inside')
    const outside = await temporaryDirectory()
    await writeWork(outside, 'G/h.wiki', 'a secret')
    await rm(join(directory, 'F'), { recursive: true })
    await symlink(outside, join(directory, 'F'))
    await expect(resolveRevision(wiki, 'F/G/h@work')).rejects.toMatchObject({ code: 'wiki-bad-work-file' })
    await rm(join(directory, 'A.wiki'))
    await symlink(join(outside, 'G/h.wiki'), join(directory, 'A.wiki'))
    await expect(resolveRevision(wiki, 'A@work')).rejects.toMatchObject({ code: 'wiki-bad-work-file' })
  })
})

describe('names of commits', () => {
  test.each([
    'a\0b',
    'a\nb',
    '--help',
    '-x',
    '../HEAD',
    'refs/heads/../../config',
    '.',
    '/',
    'a\u007f',
    '@{u}',
    '\0',
    ':/x',
  ])('%j is not one', async name => {
    expect(await shared.wiki.store.trees.commitNamed(name)).toBeNull()
  })
})

describe('invalid addresses', () => {
  test.each([
    ['B@c@prev', 'rest-nonexistent-revision'],
    ['A@{2026-01-30}', 'rest-nonexistent-revision'],
    ['commit:1234567', 'rest-nonexistent-revision'],
    ['abcdef1', 'rest-nonexistent-revision'],
    ['Missing@latest', 'rest-nonexistent-title'],
    ['<@latest', 'rest-invalid-title'],
    ['', 'wiki-bad-revision'],
    ['@latest', 'wiki-bad-revision'],
    ['A@first', 'wiki-bad-revision'],
    ['A@{someday}', 'wiki-bad-revision'],
    ['A@{2026-13-01}', 'wiki-bad-revision'],
    ['A@{2026-01-31', 'wiki-bad-revision'],
    ['A@{}', 'wiki-bad-revision'],
    ['abcdef', 'wiki-bad-revision'],
    ['A@prev~2', 'rest-nonexistent-revision'],
    ['A@latest~99999999', 'wiki-bad-revision'],
    ['A@4', 'rest-nonexistent-revision'],
    ['A@{0 fathoms ago}', 'wiki-bad-revision'],
    ['@prev', 'wiki-bad-revision'],
  ])('%j: %s', async (address, code) => {
    await expect(resolveRevision(shared.wiki, address)).rejects.toMatchObject({ code })
  })
})
