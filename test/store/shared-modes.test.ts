import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from '../cli/harness.ts'
import { openFresh, write } from './_store.ts'

const settings = [
  undefined,
  'umask',
  'false',
  'group',
  'true',
  '1',
  'all',
  'world',
  '2',
  '0640',
  '0660',
  '0664',
  '0600',
] as const

/** Modes of the files in a git directory, under names that do not depend on hashes. */
function modesIn(gitDirectory: string): Record<string, string> {
  const modes: Record<string, Set<string>> = {}
  for (const path of readdirSync(gitDirectory, { recursive: true, encoding: 'utf8' })) {
    const kind = path
      .replace(/^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/, 'object')
      .replace(/^objects\/[0-9a-f]{2}$/, 'objects/xx')
      .replace(/pack-[0-9a-f]+/, 'pack')
    const mode = (statSync(join(gitDirectory, path)).mode & 0o7777).toString(8)
    if (
      /^(object|objects\/xx|objects\/pack\/pack\.(pack|idx)|index|logs(\/.*)?|refs(\/heads\/.*)?|wiki.*)$/.test(kind)
    ) {
      modes[kind] ??= new Set()
      modes[kind].add(mode)
    }
  }
  return Object.fromEntries(Object.entries(modes).map(([kind, set]) => [kind, [...set].toSorted().join(' ')]))
}

async function emptyShared(setting: string | undefined): Promise<string> {
  const directory = await temporaryDirectory()
  // The folders have the modes of a repository that was not shared when it was made.
  git(directory, 'init', '-q', '-b', 'team/main')
  if (setting !== undefined) git(directory, 'config', 'core.sharedRepository', setting)
  return directory
}

describe.skipIf(!hasGit || process.platform === 'win32')('core.sharedRepository', () => {
  test.each(settings)("%s: objects, refs, logs and index have git's modes", async setting => {
    const before = process.umask(0o022)
    try {
      const [theirs, ours] = [await emptyShared(setting), await emptyShared(setting)]
      writeFileSync(join(theirs, 'A.wiki'), 'one\n')
      git(theirs, 'add', '.')
      git(theirs, 'commit', '-q', '-m', 'A')
      const store = await openFresh(ours)
      await write(store, { 'A.wiki': 'one\n' })
      await store.refresh()
      const [wanted, found] = [modesIn(join(theirs, '.git')), modesIn(join(ours, '.git'))]
      const wiki = Object.fromEntries(Object.entries(found).filter(([path]) => path.startsWith('wiki')))
      expect(Object.fromEntries(Object.entries(found).filter(([path]) => path in wanted))).toEqual(wanted)
      // Our own folders are as those of git.
      for (const [path, mode] of Object.entries(wiki))
        if (/^wiki\/[^.]*$/.test(path) && statSync(join(ours, '.git', path)).isDirectory())
          expect(mode, path).toBe(wanted['objects/xx'])
    } finally {
      process.umask(before)
    }
  })

  test("a pack has git's mode", { tags: 'long' }, async () => {
    const before = process.umask(0o022)
    try {
      const [theirs, ours] = [await emptyShared('group'), await emptyShared('group')]
      writeFileSync(join(theirs, 'A.wiki'), 'one\n')
      git(theirs, 'add', '.')
      git(theirs, 'commit', '-q', '-m', 'A')
      git(theirs, 'repack', '-a', '-d', '-q')
      const store = await openFresh(ours)
      const texts = Array.from({ length: 600 }, (_, number) => [`P${number}.wiki`, `text ${number}\n`])
      await write(store, Object.fromEntries(texts))
      const [wanted, found] = [modesIn(join(theirs, '.git')), modesIn(join(ours, '.git'))]
      for (const file of ['objects/pack/pack.pack', 'objects/pack/pack.idx']) expect(found[file]).toBe(wanted[file])
    } finally {
      process.umask(before)
    }
  })

  test('group: all files and folders of the wiki may be changed by the group, whoever makes them', async () => {
    const before = process.umask(0o077)
    try {
      const cwd = await emptyShared('group')
      const commands = [
        ['page', 'create', 'Tides', '-f', '-', '-m', 'Begin'],
        ['page', 'edit', 'Tides', '-f', '-'],
        ['search', 'moon'],
        ['show', 'Tides'],
        ['check'],
        ['verify'],
        ['token', 'create', 'laptop'],
      ]
      for (const [at, argv] of commands.entries())
        expect(await wiki(argv, { cwd, stdin: `the moon ${at} [[Sea]]\n` })).toMatchObject({ status: 0 })
      // A cache may still be written in the background: a file gets its mode before its name.
      const closed = readdirSync(join(cwd, '.git'), { recursive: true, encoding: 'utf8' })
        .filter(path => /^(wiki|refs\/wiki|index)(\/|$)/.test(path) && !/^wiki\/\.access\/|\.new$/.test(path))
        .filter(path => (statSync(join(cwd, '.git', path)).mode & 0o060) !== 0o060)
      expect(closed).toEqual(['wiki/.access'])
    } finally {
      process.umask(before)
    }
  })

  test('the folder of tokens stays private', async () => {
    const ours = await emptyShared('all')
    const store = await openFresh(ours)
    const folder = join(ours, '.git/wiki/.access')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'tokens.json'), '{}')
    chmodSync(join(folder, 'tokens.json'), 0o600)
    chmodSync(folder, 0o700)
    await write(store, { 'A.wiki': 'one\n' })
    await store.refresh()
    expect(statSync(join(folder, 'tokens.json')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('a mode without access for the owner is refused, as in git', async () => {
    const ours = await emptyShared('0040')
    const store = await openFresh(ours)
    await expect(write(store, { 'A.wiki': 'x' })).rejects.toMatchObject({ code: 'wiki-bad-repository' })
  })
})

const isRoot = process.geteuid?.() === 0
const canSwitch = isRoot && spawnSync('setpriv', ['--version']).status === 0

test.skipIf(!hasGit || !canSwitch)(
  'native git of a second user in the group can commit after a write',
  { tags: 'long' },
  async () => {
    const before = process.umask(0o022)
    const group = 54_321
    try {
      const directory = await emptyShared('group')
      for (const path of [
        '',
        '.git',
        ...readdirSync(join(directory, '.git'), { recursive: true, encoding: 'utf8' }).map(path => `.git/${path}`),
      ]) {
        chownSync(join(directory, path), 0, group)
        if (statSync(join(directory, path)).isDirectory()) chmodSync(join(directory, path), 0o2775)
      }
      const store = await openFresh(directory)
      for (let number = 0; number < 40; number++) await write(store, { 'A.wiki': `text ${number}\n` })
      const second = (...argv: string[]) =>
        execFileSync(
          'setpriv',
          [
            '--reuid',
            '54322',
            '--regid',
            '54322',
            '--groups',
            `${group}`,
            'git',
            '-c',
            `safe.directory=${directory}`,
            ...argv,
          ],
          {
            cwd: directory,
            env: {
              ...process.env,
              HOME: '/nonexistent',
              GIT_CONFIG_COUNT: '1',
              GIT_CONFIG_KEY_0: 'safe.directory',
              GIT_CONFIG_VALUE_0: directory,
              GIT_AUTHOR_NAME: 'Two',
              GIT_AUTHOR_EMAIL: 'two@example.org',
              GIT_COMMITTER_NAME: 'Two',
              GIT_COMMITTER_EMAIL: 'two@example.org',
            },
            stdio: ['ignore', 'pipe', 'pipe'],
          },
        ).toString()
      chmodSync(directory, 0o2775)
      rmSync(join(directory, 'A.wiki'))
      // Forty commits fill many folders of objects: some of the second user's go into one that we made.
      for (let number = 0; number < 40; number++) second('commit', '-q', '--allow-empty', '-m', `Two ${number}`)
      second('rm', '-q', '--cached', 'A.wiki')
      second('commit', '-q', '-m', 'Removed')
      expect(second('log', '-1', '--format=%an %s').trim()).toBe('Two Removed')
    } finally {
      process.umask(before)
    }
  },
)
