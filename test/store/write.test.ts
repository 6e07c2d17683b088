import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import type { CommitPlan } from '../../src/store/format/entries.ts'
import { hashBlob } from '../../src/store/git/objects.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import { openWriter } from '../../src/store/write.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { writeHistory } from './_scripted-history.ts'
import { impatiently } from './_slices.ts'
import { newStore, openFresh, type Texts, titlesOf, write } from './_store.ts'

// Native git reads the result.
describe.skipIf(!hasGit)('a write', () => {
  test('is one commit, which is valid for git, with its author, time and message', async () => {
    const { store, directory } = await newStore()
    const first = await write(store, { 'A.wiki': 'a', 'Talk/B.wiki': 'b', 'deep/er/c.md': 'c' }, { comment: 'Begin' })
    const second = await write(store, { 'A.wiki': 'a2' }, { comment: '', subject: 'Edit A', minor: true })
    expect(git(directory, 'log', '--format=%H|%an|%ae|%aI|%cn|%cI|%P')).toBe(
      [
        `${second.commit}|Bob Example|bob@example.org|2024-02-03T04:05:06+00:00|Bob Example|2024-02-03T04:05:06+00:00|${first.commit}`,
        `${first.commit}|Bob Example|bob@example.org|2024-02-03T04:05:06+00:00|Bob Example|2024-02-03T04:05:06+00:00|`,
      ].join('\n'),
    )
    expect(git(directory, 'log', '--format=%B', '-1', `${first.commit}`).trim()).toBe('Begin')
    expect(git(directory, 'log', '--format=%B', '-1').trim()).toBe('Edit A\n\nWiki-Comment: none\nWiki-Minor: true')
    expect(listTree(directory)).toEqual({ 'A.wiki': 'a2', 'Talk/B.wiki': 'b', 'deep/er/c.md': 'c' })
    expectSound(directory)
  })

  test.each<[name: string, files: Texts]>([
    ['writes the text that is there', { 'A.wiki': 'a' }],
    ['deletes what is not there', { 'B.wiki': null, 'f/B.wiki': null, 'A.wiki/x': null }],
    ['has no changes', {}],
  ])('that %s creates no commit', async (_, files) => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a', 'f/x.wiki': 'x' })
    expect(await write(store, files)).toEqual({ commit: null, leftAlone: [] })
    expect(await store.commit(() => null)).toEqual({ commit: null, leftAlone: [] })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  })

  test.each<[name: string, bytes: Uint8Array]>([
    ['empty, as a power cut leaves it', Buffer.alloc(0)],
    ['cut short', deflateSync('blob 9\0precious\n').subarray(0, 12)],
    ['of another text', deflateSync('blob 9\0damaged!\n')],
    ['of a longer text', deflateSync(`blob 9\0precious\n${'x'.repeat(1000)}`)],
  ])('of a text whose object was left %s by git writes it again', async (_, bytes) => {
    const { store, directory } = await newStore()
    const hash = hashBlob(Buffer.from('precious\n'))
    const folder = join(directory, '.git/objects', hash.slice(0, 2))
    mkdirSync(folder)
    writeFileSync(join(folder, hash.slice(2)), bytes, { mode: 0o444 })
    await write(store, { 'A.wiki': 'precious\n' })
    expect(git(directory, 'show', 'HEAD:A.wiki')).toBe('precious')
    expectSound(directory)
  })

  test.each<[name: string, plan: Partial<CommitPlan>, line: string]>([
    ['brackets', { author: { name: 'A <b> c', address: '<x@y>' } }, 'A b c <x@y> 1706933106'],
    ['line feeds', { author: { name: 'A\nauthor B', address: 'x\n@y' } }, 'Aauthor B <x@y> 1706933106'],
    ['nothing', { author: { name: '', address: '' } }, 'unknown <> 1706933106'],
    ['only brackets', { author: { name: '<>', address: '>' } }, 'unknown <> 1706933106'],
    ['an address of the network', { author: { name: '2001:db8::1', address: '' } }, '2001:db8::1 <> 1706933106'],
    ['a half letter', { author: { name: 'A\ud800', address: 'a' } }, 'A\ufffd <a> 1706933106'],
    ['points at its ends', { author: { name: '.A.', address: 'a' } }, '.A. <a> 1706933106'],
    ['a time before 1970', { time: new Date('1969-12-31T23:59:59Z') }, 'Bob Example <bob@example.org> 0'],
    ['a time far away', { time: new Date(8.64e15) }, 'Bob Example <bob@example.org> 8640000000000'],
  ])('by an author with %s is a valid commit', async (_, plan, line) => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' }, plan)
    expect(git(directory, 'cat-file', 'commit', 'HEAD')).toContain(`\nauthor ${line} +0000\ncommitter ${line} +0000\n`)
    expectSound(directory)
  })

  test.each(['a\0b', 'a\n\n\nb', 'x'.repeat(60_000), '\u2028', '\ud83d', 'tree 0\nparent 1'])(
    'with a comment like %j is a sound commit',
    async comment => {
      const { store, directory } = await newStore()
      await write(store, { 'A.wiki': 'a' }, { comment })
      expect(store.revision(1)?.comment).toBe(comment.replace('\0', '\ufffd').replace('\ud83d', '\ufffd').trim())
      expectSound(directory)
    },
  )

  test('that deletes the last file of a folder deletes the folder', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a', 'f/g/x.wiki': 'x', 'f/y.wiki': 'y' })
    await write(store, { 'f/g/x.wiki': null })
    expect(git(directory, 'ls-tree', '-r', '-t', '--name-only', 'HEAD')).toBe('A.wiki\nf\nf/y.wiki')
    await write(store, { 'f/y.wiki': null })
    expect(git(directory, 'ls-tree', '-r', '-t', '--name-only', 'HEAD')).toBe('A.wiki')
    await write(store, { 'A.wiki': null })
    expect(git(directory, 'ls-tree', '-r', '-t', '--name-only', 'HEAD')).toBe('')
    expectSound(directory)
    await write(store, { 'A.wiki': 'again' })
    expect(titlesOf(store)).toEqual(['A'])
  })

  test.each<[name: string, files: Texts]>([
    ['a file in the place of a folder', { f: 'x' }],
    ['a file in a folder that is a file', { 'A.wiki/x.wiki': 'x' }],
    ['a file in a folder that is a link', { 'link/x.wiki': 'x' }],
    ['a file in the place of a link', { link: '/etc/passwd' }],
    ['a file in a submodule', { 'module/x.wiki': 'x' }],
    ['a file in the place of a submodule', { module: 'x' }],
    ['two that exclude each other', { new: 'x', 'new/y.wiki': 'y' }],
  ])('of %s is refused, and simultaneous writes are not', async (_, files) => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet', '--bare')
    writeHistory(directory, [
      {
        name: 'begin',
        files: {
          'A.wiki': 'a',
          'f/x.wiki': 'x',
          link: { mode: '120000', text: 'f' },
          module: { mode: '160000', text: '1'.repeat(40) },
        },
      },
    ])
    const store = await openFresh(directory)
    const before = git(directory, 'ls-tree', '-r', 'HEAD')
    const [refused, written] = await Promise.allSettled([write(store, files), write(store, { 'B.wiki': 'b' })])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'wiki-title-collision' } })
    expect(written).toMatchObject({ status: 'fulfilled' })
    expect(git(directory, 'ls-tree', '-r', 'HEAD~1')).toBe(before)
    expect(git(directory, 'diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('B.wiki')
  })

  test('that deletes a path which is a folder leaves the folder', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'f/x.wiki': 'x', 'A.wiki': 'a' })
    await write(store, { f: null, 'A.wiki': 'b' })
    expect(listTree(directory)).toEqual({ 'A.wiki': 'b', 'f/x.wiki': 'x' })
  })

  test('keeps the modes of files', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a', 'B.wiki': 'b' })
    git(directory, 'update-index', '--chmod=+x', 'A.wiki')
    git(directory, 'commit', '--quiet', '-m', 'program')
    git(directory, 'reset', '--quiet', '--hard')
    await write(store, { 'A.wiki': 'a2', 'B.wiki': 'b2' })
    expect(git(directory, 'ls-tree', '--format=%(objectmode) %(path)', 'HEAD')).toBe('100755 A.wiki\n100644 B.wiki')
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('creates the same trees as git', { tags: 'long' }, async () => {
    const name = fc.constantFrom('a', 'a.', 'a-', 'a0', 'ab', 'A', 'ü', '😀', '\uffee', '-', 'b.wiki')
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => `${names.join('/')}.wiki`)
    const change = fc.dictionary(path, fc.option(fc.constantFrom('1', '2', '3')), { minKeys: 1, maxKeys: 6 })
    const { store, directory } = await newStore({ bare: true })
    const expected: Record<string, string> = {}
    await fc.assert(
      fc.asyncProperty(change, async files => {
        const written = await write(store, files).catch(error => error)
        if (isWikiError(written, 'wiki-title-collision')) return
        for (const [key, text] of Object.entries(files)) {
          if (text === null) delete expected[key]
          else expected[key] = text
        }
        if (written.commit === null) return
        const listed = git(directory, 'ls-tree', '-r', '-z', 'HEAD').split('\0').filter(Boolean)
        const found = Object.fromEntries(listed.map(row => [row.slice(53), row.slice(12, 52)]))
        const hashed = Object.entries(expected).map(([key, text]) => [key, hashBlob(Buffer.from(text))])
        expect(found).toEqual(Object.fromEntries(hashed))
      }),
      { numRuns: 40, seed: 2026, endOnFailure: true },
    )
    expectSound(directory)
  })

  test('is in the reflogs of the branch and of HEAD', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' }, { comment: 'one\ntwo' })
    await write(store, { 'A.wiki': 'b' })
    for (const ref of ['HEAD', 'main'])
      expect(git(directory, 'reflog', '--format=%gs', ref)).toBe('commit (wiki): Change A.wiki\ncommit (wiki): one')
    expect(git(directory, 'rev-parse', 'main@{1}')).toBe(git(directory, 'rev-parse', 'HEAD~1'))
  })

  test.each([
    ['a bare repository', false],
    ['where the configuration says so', true],
  ])('is in no reflog in %s', async (_, hasWorkTree) => {
    const { store, directory } = await newStore({ bare: !hasWorkTree })
    if (hasWorkTree) git(directory, 'config', 'core.logAllRefUpdates', 'false')
    await write(store, { 'A.wiki': 'a' })
    expect(git(directory, 'reflog', 'main')).toBe('')
  })

  test('continues from packed refs and packed objects', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a', 'f/B.wiki': 'b' })
    git(directory, 'gc', '--quiet', '--prune=now')
    await write(store, { 'f/B.wiki': 'b2' })
    git(directory, 'pack-refs', '--all', '--prune')
    await write(store, { 'f/B.wiki': 'b' })
    expect(listTree(directory)).toEqual({ 'A.wiki': 'a', 'f/B.wiki': 'b' })
    expectSound(directory)
  })

  test('through a symbolic branch moves its target', async () => {
    const { store, directory } = await newStore({ bare: true })
    await write(store, { 'A.wiki': 'a' })
    git(directory, 'branch', 'trunk')
    git(directory, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk')
    const { commit } = await write(await openFresh(directory), { 'A.wiki': 'b' })
    expect(git(directory, 'rev-parse', 'trunk')).toBe(commit)
    expect(git(directory, 'symbolic-ref', 'refs/heads/main')).toBe('refs/heads/trunk')
  })

  test('to a detached HEAD moves only HEAD', async () => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    git(directory, 'checkout', '--quiet', '--detach')
    const detached = await openFresh(directory)
    const written = await write(detached, { 'A.wiki': 'b' })
    expect(git(directory, 'rev-parse', 'HEAD', 'main')).toBe(`${written.commit}\n${commit}`)
    expect(git(directory, 'status', '--porcelain')).toBe('')
    git(directory, 'checkout', '--quiet', 'main')
    await expect(write(detached, { 'A.wiki': 'c' })).rejects.toMatchObject({ code: 'wiki-bad-repository' })
    expect(git(directory, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  })

  test('is refused while another process holds the lock of the branch', async () => {
    const { store, directory } = await newStore()
    const { commit } = await write(store, { 'A.wiki': 'a' })
    const lock = join(directory, '.git/refs/heads/main.lock')
    writeFileSync(lock, '')
    await expect(impatiently(() => write(store, { 'A.wiki': 'b' }))).rejects.toMatchObject({ code: 'wiki-locked' })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })
})

function listTree(directory: string): Record<string, string> {
  const rows = git(directory, 'ls-tree', '-r', '-z', 'HEAD').split('\0').filter(Boolean)
  return Object.fromEntries(rows.map(row => [row.slice(53), git(directory, 'cat-file', 'blob', row.slice(12, 52))]))
}

/** Checks every object and ref; returns nothing if all is well. */
function expectSound(directory: string): void {
  expect(git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
}

test.each([
  ['ENOSPC', 'the disk is full', 'Free space'],
  ['EROFS', 'the file system is read-only', 'Work in a clone'],
  ['EACCES', 'permission denied', 'as a user who may'],
  ['EMFILE', 'too many files are open', 'ulimit -n'],
])('a write refused by the system with %s reports it, with a hint', async (code, reason, hint) => {
  const { store } = await newStore()
  const fail = () => Promise.reject(Object.assign(new Error(code), { code }))
  const backend = openBackend(store.repository)
  const writer = await openWriter({
    repository: store.repository,
    backend,
    refresh: fail,
    isIndexed: () => false,
    titleAt: path => path,
    checkRights: () => {},
  })
  const error: unknown = await writer.commit(() => null).catch(error => error)
  expect(error).toMatchObject({ code: 'wiki-cannot-write', hint: expect.stringContaining(hint) })
  expect((error as Error).message).toContain(reason)
  backend.close()
})

test('a lock that a killed process left where nothing can be written is no bug', async () => {
  const { store } = await newStore()
  const readOnly = Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'unlink' })
  const cleared = vi.spyOn(LiveIndex.prototype, 'clearLeftovers').mockImplementation(() => {
    throw readOnly
  })
  await expect(store.commit(() => null)).rejects.toMatchObject({ code: 'wiki-cannot-write' })
  cleared.mockRestore()
})
