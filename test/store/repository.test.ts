import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isWikiError, type WikiError } from '../../src/core/errors.ts'
import { readSettings } from '../../src/store/repository/git-config.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import {
  findRepository,
  headOf,
  operationInProgress,
  type Repository,
  readGitConfig,
  readRef,
  shallowCommits,
} from '../../src/store/repository/repository.ts'
import { Conversion } from '../../src/store/work-tree/conversion/conversion.ts'
import { listWorkTree } from '../../src/store/work-tree/work-tree.ts'
import { git, madeOnce, needsGit, temporaryDirectory } from '../_setup.ts'
import { makeForm, repositoryForms } from './_repository-forms.ts'

const one = '1'.repeat(40)
const two = '2'.repeat(40)

describe('finding a repository', () => {
  test.for(repositoryForms)('$name: at the place where git finds it', async (form, context) => {
    needsGit(context)
    const source = await sourceRepository()
    const directory = await makeForm(form, source)
    const repository = findRepository(directory)
    const ask = (...questions: string[]) =>
      git(directory, 'rev-parse', '--path-format=absolute', ...questions).split('\n')
    const places = ['--git-dir', '--git-common-dir', '--git-path', 'objects']
    expect([repository.gitDirectory, repository.commonDirectory, repository.objectDirectory]).toEqual(ask(...places))
    // A bare repository has no top folder: git would fail.
    const top = repository.workTree === null ? [] : ['--show-toplevel']
    const answers = ask(...top, '--is-bare-repository', 'HEAD', '--symbolic-full-name', 'HEAD')
    const { workTree, branch } = repository
    const told = [`${workTree === null}`, readRef(repository, branch), branch]
    expect([...(workTree === null ? [] : [workTree]), ...told]).toEqual(answers)
    expect(repository.isCheckedOut).toBe(true)
  })

  test('works from inside its git directory, with the work tree around it', async () => {
    const folder = await emptyRepository()
    expect(findRepository(join(folder, '.git', 'refs')).workTree).toBe(folder)
  })

  test('is read with a core.worktree that is missing, and its work tree is an error', async () => {
    const folder = await temporaryDirectory()
    git(folder, 'init', '-q')
    git(folder, 'config', 'core.worktree', '/nowhere')
    const repository = findRepository(folder)
    const tree = { commit: null, read: () => Promise.reject(new Error('nothing is read')) }
    const conversion = new Conversion({ repository, tree, isFollowing: false })
    await expect(listWorkTree(repository, { root: '', backend: 'isomorphic-git', conversion })).rejects.toThrow(
      'its work tree, /nowhere, does not exist',
    )
  })

  test('works with the work tree in core.worktree', async () => {
    const folder = await emptyRepository()
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, '.git', 'config'), '[core]\n\tworktree = ../elsewhere\n')
    expect(findRepository(folder).workTree).toBe(join(folder, 'elsewhere'))
  })

  test.each(['true', 'yes', 'ON', '1'])('is bare if core.bare is %s', async value => {
    const folder = await emptyRepository()
    writeFileSync(join(folder, '.git', 'config'), `[core]\n\tbare = ${value}\n`)
    expect(findRepository(folder).workTree).toBeNull()
  })

  test('fails if its settings are damaged, and names the repository and the file', async () => {
    const folder = await emptyRepository()
    writeFileSync(join(folder, '.git', 'config'), '[core\n')
    expect(errorOf(() => findRepository(folder)).message).toBe(
      `The repository at ${join(folder, '.git')} cannot be read as a wiki: its file config is not a settings file of git: bad config line 1`,
    )
  })

  test('works with a branch that is not checked out', async () => {
    const folder = await emptyRepository()
    for (const branch of ['other', 'refs/heads/other'])
      expect(findRepository(folder, { branch })).toMatchObject({ branch: 'refs/heads/other', isCheckedOut: false })
    expect(findRepository(folder, { branch: 'main' }).isCheckedOut).toBe(true)
  })

  test.skipIf(process.platform === 'win32')('passes over a .git that is a pipe, as git does', async () => {
    const folder = await emptyRepository()
    mkdirSync(join(folder, 'sub'))
    makePipe(join(folder, 'sub/.git'), 'gitdir: nowhere')
    expect(findRepository(join(folder, 'sub')).workTree).toBe(folder)
  })

  test('fails if there is none', async () => {
    const folder = await temporaryDirectory()
    mkdirSync(join(folder, '.git'))
    expect(errorOf(() => findRepository(folder)).code).toBe('wiki-not-found')
  })

  test.each(['gone', 'wiki.json/gone'])('fails if .git names a missing folder: %s', async name => {
    const folder = await temporaryDirectory()
    writeFileSync(join(folder, 'wiki.json'), '{}')
    writeFileSync(join(folder, '.git'), `gitdir: ${name}\n`)
    const error = errorOf(() => findRepository(folder))
    expect(error.code).toBe('wiki-bad-repository')
    expect(error.message).toContain('gone')
  })

  test.each([
    ['extensions', 'objectformat', 'sha256', 'sha256'],
    ['extensions', 'objectFormat', 'sha256', 'sha256'],
    ['extensions', 'refstorage', 'reftable', 'reftable'],
    ['core', 'repositoryFormatVersion', '2', 'newer than version 1'],
    ['core]\n\trepositoryFormatVersion = 1\n[extensions', 'other', 'true', '"other" is not known'],
  ])('fails if %s.%s is %s', async (section, name, value, word) => {
    const folder = await emptyRepository()
    writeFileSync(join(folder, '.git', 'config'), `[${section}]\n\t${name} = ${value}\n`)
    const error = errorOf(() => findRepository(folder))
    expect(error.code).toBe('wiki-bad-repository')
    expect(error.message).toContain(word)
  })
})

describe('a ref', () => {
  test.each<[name: string, files: Readonly<Record<string, string>>, commit: string | null]>([
    ['is loose', { 'refs/heads/main': `${one}\n` }, one],
    ['is packed', { 'packed-refs': `# pack-refs with: peeled fully-peeled sorted \n${one} refs/heads/main\n` }, one],
    [
      'is packed among others whose names are longer',
      { 'packed-refs': `${two} refs/heads/main-2\n${two} refs/x/refs/heads/main\n${one} refs/heads/main\n^${two}\n` },
      one,
    ],
    ['is both, and the loose one counts', { 'refs/heads/main': one, 'packed-refs': `${two} refs/heads/main\n` }, one],
    ['is symbolic', { 'refs/heads/main': 'ref: refs/heads/trunk\n', 'refs/heads/trunk': `${one}\n` }, one],
    [
      'is symbolic, for a packed one',
      { 'refs/heads/main': 'ref: refs/heads/trunk\n', 'packed-refs': `${one} refs/heads/trunk\n` },
      one,
    ],
    ['is not there', {}, null],
    ['is a symbol for none', { 'refs/heads/main': 'ref: refs/heads/trunk\n' }, null],
  ])('%s', async (_, files, commit) => {
    const folder = await emptyRepository()
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, '.git', path), text)
    expect(readRef(findRepository(folder), 'refs/heads/main')).toBe(commit)
  })

  // As a branch without commits it would be the beginning of a new history at the next write.
  test.each<[name: string, files: Readonly<Record<string, string>>]>([
    ['is a symbol for itself', { 'refs/heads/main': 'ref: refs/heads/main\n' }],
    ['goes in circles', { 'refs/heads/main': 'ref: refs/heads/trunk\n', 'refs/heads/trunk': 'ref: refs/heads/main\n' }],
    ['is empty, as after a crash', { 'refs/heads/main': '' }],
    ['is half written', { 'refs/heads/main': one.slice(0, 20) }],
  ])('%s, and is refused', async (_, files) => {
    const folder = await emptyRepository()
    const repository = findRepository(folder)
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, '.git', path), text)
    const error = errorOf(() => readRef(repository, 'refs/heads/main'))
    expect(error.code).toBe('wiki-bad-repository')
    expect(error.message).toContain('names no commit')
  })

  test('of a branch in a folder of branches is found', async () => {
    const folder = await emptyRepository()
    mkdirSync(join(folder, '.git', 'refs/heads/deep'))
    writeFileSync(join(folder, '.git', 'refs/heads/deep/main'), one)
    expect(readRef(findRepository(folder), 'refs/heads/deep/main')).toBe(one)
  })

  test('that is symbolic is followed: the branch is its target', async () => {
    const folder = await emptyRepository()
    writeFileSync(join(folder, '.git', 'refs/heads/main'), 'ref: refs/heads/trunk\n')
    expect(findRepository(folder)).toMatchObject({ branch: 'refs/heads/trunk', isCheckedOut: true })
    expect(findRepository(folder, { branch: 'main' })).toMatchObject({ branch: 'refs/heads/trunk', isCheckedOut: true })
  })

  test.each<[name: string, files: Readonly<Record<string, string>>, commit: string | null]>([
    ['a loose one', { 'refs/heads/trunk': `${one}\n` }, one],
    ['a packed one', { 'packed-refs': `${one} refs/heads/trunk\n` }, one],
    ['one without commits', {}, null],
  ])('that is a link to the name of %s is symbolic', async (_, files, commit) => {
    const folder = await emptyRepository()
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, '.git', path), text)
    unlinkSync(join(folder, '.git/HEAD'))
    for (const path of ['HEAD', 'refs/heads/main']) symlinkSync('refs/heads/trunk', join(folder, '.git', path))
    const repository = findRepository(folder)
    expect(repository).toMatchObject({ branch: 'refs/heads/trunk', isCheckedOut: true })
    for (const ref of ['HEAD', 'refs/heads/main']) expect(readRef(repository, ref)).toBe(commit)
  })
})

describe('a missing repository', () => {
  test('has no refs, and is not a repository without commits', async () => {
    const folder = await emptyRepository()
    const repository = findRepository(folder)
    expect(readRef(repository, 'refs/heads/main')).toBeNull()
    renameSync(folder, `${folder}-moved`)
    expect(errorOf(() => readRef(repository, 'refs/heads/main'))).toMatchObject({ code: 'wiki-bad-repository' })
  })
})

describe('an invalid branch name', () => {
  test.each([
    'refs/heads/../../../x',
    'refs/heads/a/../b',
    'refs/../x',
    'refs/heads/.a',
    'refs/heads/a..b',
    'refs/heads/a\\b',
  ])('%s is not followed outside the refs', async name => {
    const folder = await emptyRepository()
    expect(() => findRepository(folder, { branch: name })).toThrow('not the name of a branch')
    writeFileSync(join(folder, '.git', 'HEAD'), `ref: ${name}\n`)
    expect(() => findRepository(folder)).toThrow('not the name of a branch')
    expect(() => findRepository(folder)).toThrow(`The repository at ${join(folder, '.git')} cannot`)
  })
})

describe('HEAD', () => {
  test.each([
    ['ref: refs/heads/main\n', 'refs/heads/main'],
    ['ref: refs/heads/deep/Ünï\n', 'refs/heads/deep/Ünï'],
    [`${one}\n`, 'HEAD'],
    ['', 'HEAD'],
  ])('%j names %s', async (text, branch) => {
    const folder = await emptyRepository()
    writeFileSync(join(folder, '.git', 'HEAD'), text)
    expect(headOf(folders(folder))).toBe(branch)
  })
})

describe('an operation in progress', () => {
  test.each([
    ['MERGE_HEAD', 'merge'],
    ['rebase-merge', 'rebase'],
    ['rebase-apply', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
    ['BISECT_LOG', 'bisect'],
  ])('is detected by %s', async (file, operation) => {
    const folder = await emptyRepository()
    expect(operationInProgress(findRepository(folder))).toBeNull()
    writeFileSync(join(folder, '.git', file), `${one}\n`)
    expect(operationInProgress(findRepository(folder))).toBe(operation)
  })

  test('is git am if patches are being applied by it', async () => {
    const folder = await emptyRepository()
    mkdirSync(join(folder, '.git', 'rebase-apply'))
    writeFileSync(join(folder, '.git', 'rebase-apply', 'applying'), '')
    expect(operationInProgress(findRepository(folder))).toBe('am')
  })

  test.each([
    ['pick', 'cherry-pick'],
    ['revert', 'revert'],
  ])('is detected by the remains of %s', async (word, operation) => {
    const folder = await emptyRepository()
    mkdirSync(join(folder, '.git', 'sequencer'))
    writeFileSync(join(folder, '.git', 'sequencer', 'todo'), `${word} ${one.slice(0, 7)} subject\n`)
    expect(operationInProgress(findRepository(folder))).toBe(operation)
  })

  test.each([
    ['refs/heads/main', 'rebase'],
    ['refs/heads/other', null],
  ])('on %s while HEAD names no branch is %s for main', async (branch, operation) => {
    const folder = await emptyRepository()
    const repository = findRepository(folder)
    mkdirSync(join(folder, '.git', 'rebase-merge'))
    writeFileSync(join(folder, '.git', 'rebase-merge', 'head-name'), `${branch}\n`)
    writeFileSync(join(folder, '.git', 'HEAD'), `${one}\n`)
    expect(operationInProgress(repository)).toBe(operation)
  })

  test('is detected whenever native git reports one', async context => {
    needsGit(context)
    const folder = await sourceRepository()
    for (const [operation, begin, end] of await conflicts(folder)) {
      const repository = findRepository(folder)
      expect(() => begin()).toThrow()
      expect(operationInProgress(repository)).toBe(operation)
      end()
      expect(operationInProgress(repository)).toBeNull()
    }
  })
})

describe('a shallow clone', () => {
  test('names its boundary', async context => {
    needsGit(context)
    const source = await sourceRepository()
    const empty = await temporaryDirectory()
    git(empty, 'clone', '--quiet', '--depth=1', `file://${source}`, 'wiki')
    const cut = (repository: Repository) => [...shallowCommits(repository)]
    expect(cut(findRepository(join(empty, 'wiki')))).toEqual([git(source, 'rev-parse', 'HEAD')])
    expect(cut(findRepository(source))).toEqual([])
  })
})

describe("git's configuration", () => {
  test.each([
    ['[user]\n\tname = Ada Example\n', 'user.name', 'Ada Example'],
    ['[user]\nname=Ada ; who else\n', 'user.name', 'Ada'],
    ['[user]\n\tname = "Ada # 1" # who\n', 'user.name', 'Ada # 1'],
    ['[user]\n\tname = "a \\"b\\" c"\n', 'user.name', 'a "b" c'],
    ['[User]\n\tNAME = Ada\n', 'user.name', 'Ada'],
    ['[core] bare = true\n', 'core.bare', 'true'],
    ['[core]\n\tbare\n', 'core.bare', 'true'],
    ['[remote "Origin"]\n\turl = x\n', 'remote.Origin.url', 'x'],
    ['[a]\n\tb = 1\n[a]\n\tb = 2\n', 'a.b', '2'],
    ['[a]\r\n\tb = 1\r\n', 'a.b', '1'],
    ['# [a]\n; b\n[c]\n\td = e\n', 'c.d', 'e'],
    ['[a]\n\tb =\n', 'a.b', ''],
    ['', 'a.b', undefined],
  ])('%j gives %s as %j', async (text, name, value) => {
    const folder = await temporaryDirectory()
    writeFileSync(join(folder, 'config'), text)
    expect(readGitConfig(join(folder, 'config')).get(name)).toBe(value)
  })

  test.skipIf(process.platform === 'win32')('is an error if it is a pipe, which would block', async () => {
    const folder = await emptyRepository()
    const repository = findRepository(folder)
    const pipe = join(folder, 'pipe')
    makePipe(pipe, '[a]')
    appendFileSync(join(folder, '.git/config'), `[include]\n\tpath = ${pipe}\n`)
    const error = errorOf(() => readSettings({ repository, environment: {} }))
    expect(error.message).toContain('is a pipe')
  })
})

/** A pipe, with a writer: without one a read of it would wait for ever. */
function makePipe(path: string, text: string): void {
  execFileSync('mkfifo', [path])
  const writer = spawn('sh', ['-c', `echo '${text}' > '${path}'`], { stdio: 'ignore' })
  onTestFinished(() => void writer.kill())
}

/** Operations of git that stop at a conflict: their names, how they are started and aborted. */
async function conflicts(folder: string): Promise<[string, () => void, () => void][]> {
  git(folder, 'checkout', '--quiet', '-b', 'other', 'HEAD~1')
  writeFileSync(join(folder, 'folder/A.wiki'), 'other\n')
  git(folder, 'commit', '--quiet', '-am', 'other')
  const run = (operation: string, ...words: string[]): [string, () => void, () => void] => [
    operation,
    () => git(folder, ...words),
    () => git(folder, words[0] as string, '--abort'),
  ]
  return [
    run('merge', 'merge', 'main'),
    run('rebase', 'rebase', 'main'),
    run('rebase', 'rebase', '--apply', 'main'),
    run('cherry-pick', 'cherry-pick', 'main'),
    run('revert', 'revert', '--no-edit', 'main'),
  ]
}

function folders(folder: string): { gitDirectory: string; commonDirectory: string } {
  return { gitDirectory: join(folder, '.git'), commonDirectory: join(folder, '.git') }
}

async function emptyRepository(): Promise<string> {
  const folder = await temporaryDirectory()
  initRepository(folder)
  return folder
}

/** Ten commits and a folder. */
const sourceRepository = madeOnce(async () => {
  const folder = await emptyRepository()
  mkdirSync(join(folder, 'folder'))
  symlinkSync('folder', join(folder, 'link'))
  for (let at = 0; at < 10; at++) {
    writeFileSync(join(folder, 'folder/A.wiki'), `${at}\n`)
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '-m', `${at}`)
  }
  return folder
})

function errorOf(action: () => unknown): WikiError {
  try {
    action()
  } catch (error) {
    if (isWikiError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
