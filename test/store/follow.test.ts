import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { impatiently } from './_slices.ts'
import { newStore, openFresh, type Texts, write } from './_store.ts'

const pages: Texts = { 'A.wiki': 'a\n', 'B.wiki': 'b\n', 'f/C.wiki': 'c\n', 'x.png': 'x' }

/** So many that git's index is sorted to find them. */
const manyTexts: Texts = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`Many ${at}/N.wiki`, `${at}`]))

// Native git checks the index.
describe.skipIf(!hasGit)('the work tree', () => {
  test('follows a write if it matched the earlier commit', async () => {
    const { store, directory } = await newWiki()
    expect(await write(store, { 'A.wiki': 'a2\n', 'new/N.wiki': 'n', 'f/C.wiki': null })).toMatchObject({
      leftAlone: [],
    })
    expect(readdirSync(directory).sort()).toEqual(['.git', 'A.wiki', 'B.wiki', 'new', 'x.png'])
    expect([read(directory, 'A.wiki'), read(directory, 'new/N.wiki')]).toEqual(['a2\n', 'n'])
    expectClean(directory)
  })

  test.each<[name: string, change: (file: string) => void, status: string]>([
    ['has changes', file => writeFileSync(file, 'mine\n'), ' M A.wiki'],
    ['became a folder', file => put(file, 'x', 'x'), ' D A.wiki'],
    ['became a link', file => symlinkSync('B.wiki', file), ' T A.wiki'],
    ['became a link to nothing', file => symlinkSync('none', file), ' T A.wiki'],
  ])('keeps a file that %s, and reports it', async (_, change, status) => {
    const { store, directory } = await newWiki()
    rmSync(join(directory, 'A.wiki'))
    change(join(directory, 'A.wiki'))
    const before = describeFiles(directory)
    expect(git(directory, 'status', '--porcelain')).toBe(status)
    expect(await write(store, { 'A.wiki': 'theirs\n', 'B.wiki': 'b2\n' })).toMatchObject({ leftAlone: ['A.wiki'] })
    expect(describeFiles(directory)).toEqual({ ...before, 'B.wiki': 'b2\n' })
    expect(git(directory, 'status', '--porcelain')).toBe(status)
    expect(git(directory, 'show', ':A.wiki')).toBe('theirs')
    expect(await write(store, { 'A.wiki': null })).toMatchObject({ leftAlone: ['A.wiki'] })
    expect(describeFiles(directory)).toEqual({ ...before, 'B.wiki': 'b2\n' })
  })

  test('keeps a file that is new on both sides', async () => {
    const { store, directory } = await newWiki()
    put(directory, 'N.wiki', 'mine\n')
    expect(await write(store, { 'N.wiki': 'theirs\n' })).toMatchObject({ leftAlone: ['N.wiki'] })
    expect(read(directory, 'N.wiki')).toBe('mine\n')
    expect(git(directory, 'status', '--porcelain')).toBe(' M N.wiki')
  })

  test('does not restore a deleted file, and reports it', async () => {
    const { store, directory } = await newWiki()
    rmSync(join(directory, 'A.wiki'))
    expect(await write(store, { 'A.wiki': 'theirs\n' })).toMatchObject({ leftAlone: ['A.wiki'] })
    expect(existsSync(join(directory, 'A.wiki'))).toBe(false)
    expect(git(directory, 'status', '--porcelain')).toBe(' D A.wiki')
  })

  test('adopts a file that already has the new content', async () => {
    const { store, directory } = await newWiki()
    put(directory, 'A.wiki', 'same\n')
    put(directory, 'N.wiki', 'new\n')
    rmSync(join(directory, 'B.wiki'))
    expect(await write(store, { 'A.wiki': 'same\n', 'N.wiki': 'new\n', 'B.wiki': null })).toMatchObject({
      leftAlone: [],
    })
    expectClean(directory)
  })

  test('keeps staged changes', async () => {
    const { store, directory } = await newWiki()
    put(directory, 'A.wiki', 'staged\n')
    git(directory, 'add', 'A.wiki')
    put(directory, 'new.txt', 'staged too\n')
    git(directory, 'add', 'new.txt')
    git(directory, 'rm', '--quiet', '--cached', 'x.png')
    expect(await write(store, { 'A.wiki': 'a2\n', 'B.wiki': 'b2\n' })).toMatchObject({ leftAlone: ['A.wiki'] })
    expect(git(directory, 'show', ':A.wiki')).toBe('staged')
    expect(git(directory, 'status', '--porcelain')).toBe('M  A.wiki\nA  new.txt\nD  x.png\n?? x.png')
    expect(read(directory, 'A.wiki')).toBe('staged\n')
  })

  test('keeps a file whose change is staged while the file is unchanged', async () => {
    const { store, directory } = await newWiki()
    put(directory, 'A.wiki', 'staged\n')
    git(directory, 'add', 'A.wiki')
    put(directory, 'A.wiki', 'a\n')
    await write(store, { 'A.wiki': 'a2\n' })
    expect(git(directory, 'show', ':A.wiki')).toBe('staged')
  })

  test.each([2, 3, 4])('keeps an index of git in version %i in the form that git writes', async version => {
    const { store, directory } = await newWiki()
    git(directory, 'update-index', '--skip-worktree', 'x.png')
    git(directory, 'update-index', '--assume-unchanged', 'B.wiki')
    git(directory, 'update-index', `--index-version=${version}`)
    await write(store, { 'A.wiki': 'a2\n', 'f/D.wiki': 'd', 'Ü.wiki': 'ü', 'a.wiki': 'lower', 'f/C.wiki': null })
    const ours = git(directory, 'ls-files', '--stage', '-v')
    expect(git(directory, 'diff-index', '--cached', 'HEAD')).toBe('')
    expectClean(directory)
    git(directory, 'read-tree', 'HEAD')
    git(directory, 'update-index', '--skip-worktree', 'x.png')
    git(directory, 'update-index', '--assume-unchanged', 'B.wiki')
    expect(git(directory, 'ls-files', '--stage', '-v')).toBe(ours)
  })

  test('is clean to git, which need not read any file again', async () => {
    const { store, directory } = await newWiki()
    await write(store, { 'A.wiki': 'a2\n', 'N.wiki': 'n' })
    // diff-files compares only times and sizes.
    expect(git(directory, 'diff-files', '--name-only')).toBe('')
  })

  test('keeps the executable mode', async () => {
    const { store, directory } = await newWiki()
    chmodSync(join(directory, 'A.wiki'), 0o755)
    git(directory, 'commit', '--quiet', '--all', '-m', 'program')
    await write(store, { 'A.wiki': 'a2\n' })
    expect(statSync(join(directory, 'A.wiki')).mode & 0o111).toBe(0o111)
    expectClean(directory)
  })

  test('does not get excluded files', async () => {
    const { store, directory } = await newWiki()
    git(directory, 'update-index', '--skip-worktree', 'A.wiki')
    rmSync(join(directory, 'A.wiki'))
    expect(await write(store, { 'A.wiki': 'a2\n' })).toMatchObject({ leftAlone: [] })
    expect(existsSync(join(directory, 'A.wiki'))).toBe(false)
    expect(git(directory, 'ls-files', '-t', 'A.wiki')).toBe('S A.wiki')
    expectClean(directory)
  })

  test('is unchanged during an unresolved conflict', async () => {
    const { store, directory } = await newWiki()
    put(directory, 'A.wiki', 'mine\n')
    rmSync(join(directory, 'B.wiki'))
    git(directory, 'stash', '--quiet')
    await write(store, { 'A.wiki': 'theirs\n', 'B.wiki': 'b2\n' })
    expect(() => git(directory, 'stash', 'pop')).toThrow()
    const unmerged = git(directory, 'ls-files', '--unmerged')
    const files = describeFiles(directory)
    expect(unmerged).not.toBe('')
    const written = await write(store, { 'A.wiki': 'next\n', 'B.wiki': null })
    expect([...written.leftAlone].sort()).toEqual(['A.wiki', 'B.wiki'])
    await write(store, { 'B.wiki': 'made again\n', 'A.wiki': null })
    expect(git(directory, 'ls-files', '--unmerged')).toBe(unmerged)
    expect(git(directory, 'ls-files', '--stage', 'A.wiki', 'B.wiki')).toBe(unmerged)
    expect(describeFiles(directory)).toEqual(files)
  })

  test.each([
    ['a file stands where a folder is needed', { 'folder/N.wiki': 'n' }, 'folder'],
    ['files stand where the file belongs', { 'N.wiki': 'n' }, 'N.wiki/other'],
    ['files stand where one of many belongs', { 'N.wiki': 'n', ...manyTexts }, 'N.wiki/other'],
  ])('and its index stay valid if %s', async (_, files: Texts, staged) => {
    const { store, directory } = await newWiki()
    put(directory, staged, 'staged\n')
    git(directory, 'add', staged)
    expect(await write(store, files)).toMatchObject({ leftAlone: Object.keys(files).slice(0, 1) })
    expect(read(directory, staged)).toBe('staged\n')
    expect(git(directory, 'ls-files', staged)).toBe(staged)
    git(directory, 'write-tree')
  })

  test('is never written to through a symbolic link', async () => {
    const { store, directory } = await newWiki()
    const outside = await temporaryDirectory()
    put(outside, 'C.wiki', 'c\n')
    rmSync(join(directory, 'f'), { recursive: true })
    symlinkSync(outside, join(directory, 'f'))
    symlinkSync(outside, join(directory, 'g'))
    const written = await write(store, { 'f/C.wiki': 'c2\n', 'f/new/D.wiki': 'd\n', 'g/E.wiki': 'e\n' })
    expect([...written.leftAlone].sort()).toEqual(['f/C.wiki', 'f/new/D.wiki', 'g/E.wiki'])
    expect(await write(store, { 'f/C.wiki': null })).toMatchObject({ leftAlone: ['f/C.wiki'] })
    expect(describeFiles(outside)).toEqual({ 'C.wiki': 'c\n' })
    expect(lstatSync(join(directory, 'f')).isSymbolicLink()).toBe(true)
  })

  test('that cannot be updated does not undo the write', async () => {
    const { store, directory } = await newWiki()
    const long = `${'ü'.repeat(140)}.wiki`
    const { commit, leftAlone } = await write(store, { [long]: 'n', 'A.wiki': 'a2\n' })
    expect(leftAlone).toEqual([long])
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
    expect(read(directory, 'A.wiki')).toBe('a2\n')
  })

  test('with Windows line endings follows, and keeps them', async () => {
    const { store, directory } = await newWiki()
    await write(store, { 'A.wiki': 'one\ntwo\n' })
    git(directory, 'config', 'core.autocrlf', 'true')
    rmSync(join(directory, 'A.wiki'))
    git(directory, 'checkout', '--', 'A.wiki')
    expect(read(directory, 'A.wiki')).toBe('one\r\ntwo\r\n')
    expect(await write(store, { 'A.wiki': 'one\ntwo\nthree\n' })).toMatchObject({ leftAlone: [] })
    expect(read(directory, 'A.wiki')).toBe('one\r\ntwo\r\nthree\r\n')
    expectClean(directory)
  })

  test('of another branch is unchanged', async () => {
    const { store, directory } = await newWiki()
    git(directory, 'checkout', '--quiet', '-b', 'other')
    const { commit } = await write(store, { 'A.wiki': 'on main\n' })
    expect(git(directory, 'rev-parse', 'main')).toBe(commit)
    expect(read(directory, 'A.wiki')).toBe('a\n')
    expectClean(directory)
    expect(git(directory, 'reflog', '--format=%gs', '-1', 'HEAD')).toContain('checkout')
    git(directory, 'checkout', '--quiet', 'main')
    await write(store, { 'A.wiki': 'followed\n' })
    expect(read(directory, 'A.wiki')).toBe('followed\n')
  })

  test('that is linked follows, and the main one does not', async () => {
    const { directory } = await newWiki()
    git(directory, 'worktree', 'add', '--quiet', '-b', 'linked', 'linked')
    const store = await openFresh(join(directory, 'linked'))
    await write(store, { 'A.wiki': 'linked\n' })
    expect([read(directory, 'A.wiki'), read(directory, 'linked/A.wiki')]).toEqual(['a\n', 'linked\n'])
    expectClean(join(directory, 'linked'))
    expect(git(directory, 'status', '--porcelain')).toBe('?? linked/')
  })
})

describe.skipIf(!hasGit)('nothing is written', () => {
  test.each<[operation: string, begin: (directory: string) => void]>([
    ['merge', directory => git(directory, 'merge', 'other')],
    ['rebase', directory => git(directory, 'rebase', 'other')],
    ['cherry-pick', directory => git(directory, 'cherry-pick', 'other')],
    ['revert', directory => git(directory, 'revert', '--no-edit', 'HEAD~1')],
    ['bisect', directory => git(directory, 'bisect', 'start')],
  ])('during a %s', async (operation, begin) => {
    const { store, directory } = await newWiki()
    await write(store, { 'A.wiki': 'a2\n' })
    git(directory, 'checkout', '--quiet', '-b', 'other', 'HEAD~1')
    put(directory, 'A.wiki', 'other\n')
    git(directory, 'commit', '--quiet', '--all', '-m', 'other')
    git(directory, 'checkout', '--quiet', 'main')
    await write(store, { 'A.wiki': 'a3\n' })
    try {
      begin(directory)
    } catch {
      // It stops at the conflict: this is its middle.
    }
    const opened = await openFresh(directory)
    const before = snapshot(directory)
    await expect(write(opened, { 'B.wiki': 'b2\n' })).rejects.toMatchObject({
      code: 'wiki-repository-busy',
      message: expect.stringContaining(operation),
    })
    expect(snapshot(directory)).toEqual(before)
    git(directory, operation, operation === 'bisect' ? 'reset' : '--abort')
    expect((await write(await openFresh(directory), { 'B.wiki': 'b2\n' })).commit).not.toBeNull()
  })

  test.each<[name: string, change: (directory: string) => void, code: string]>([
    ['where git holds its index', directory => put(directory, '.git/index.lock', ''), 'wiki-locked'],
    ['where the index is split', directory => git(directory, 'update-index', '--split-index'), 'wiki-bad-repository'],
    ['where the index is damaged', directory => put(directory, '.git/index', 'DIRC'), 'wiki-bad-repository'],
  ])('%s', async (_, change, code) => {
    const { store, directory } = await newWiki()
    change(directory)
    const before = snapshot(directory)
    await expect(impatiently(() => write(store, { 'B.wiki': 'b2\n' }))).rejects.toMatchObject({ code })
    expect(snapshot(directory)).toEqual(before)
    expect(existsSync(join(directory, '.git/wiki/journal'))).toBe(false)
  })

  test('where the index is damaged, and says what to do', async () => {
    const { store, directory } = await newWiki()
    put(directory, '.git/index', 'DIRC')
    const hint = expect.stringContaining('git reset')
    await expect(write(store, { 'B.wiki': 'b2\n' })).rejects.toMatchObject({
      hint,
      params: [join(directory, '.git'), expect.anything()],
    })
    await expect(store.checkout.changes()).rejects.toMatchObject({ hint })
    rmSync(join(directory, '.git/index'))
    git(directory, 'reset', '--quiet')
    await write(store, { 'B.wiki': 'b2\n' })
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('where the folder of the wiki in the git directory is a file', async () => {
    const { store, directory } = await newWiki()
    store.close()
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    put(directory, '.git/wiki', 'x')
    const refusal = { code: 'wiki-cannot-write', hint: expect.stringContaining(join(directory, '.git/wiki')) }
    await expect(write(await openFresh(directory), { 'B.wiki': 'b2\n' })).rejects.toMatchObject(refusal)
  })
})

async function newWiki(): Promise<{ store: Store; directory: string }> {
  const made = await newStore()
  await write(made.store, pages)
  return made
}

function put(directory: string, path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

function read(directory: string, path: string): string {
  return readFileSync(join(directory, path), 'utf8')
}

/** For each path, the text, or the target of a link. */
function describeFiles(directory: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1)
    if (path.startsWith('.git') || entry.isDirectory()) continue
    found[path] = entry.isSymbolicLink() ? 'a link' : read(directory, path)
  }
  return found
}

/** State that a refused write must not change. */
function snapshot(directory: string) {
  return {
    files: describeFiles(directory),
    index: readFileSync(join(directory, '.git/index'), 'latin1'),
    refs: git(directory, 'for-each-ref'),
    head: git(directory, 'rev-parse', 'HEAD'),
  }
}

function expectClean(directory: string): void {
  expect(git(directory, 'status', '--porcelain')).toBe('')
}
