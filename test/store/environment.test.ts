import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  gitEnvironment,
  inheritedVariables,
  readingEnvironment,
  settingsEnvironment,
} from '../../src/store/repository/environment.ts'
import { readSettings } from '../../src/store/repository/git-config.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { newWiki } from '../operations/_wiki.ts'

/** Files that may start a process, and the processes. */
const starters = [
  'src/cli/browser.ts',
  'src/cli/editor.ts',
  'src/cli/terminal/pager.ts',
  'src/dump/decompress.ts',
  'src/media/decoder.ts',
  'src/operations/searching/search-worker.ts',
  'src/operations/workers/worker-pool.ts',
  'src/store/repository/process.ts',
]

test('only named files start processes', () => {
  const top = join(import.meta.dirname, '../..')
  const files = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' })
  const found = files
    .filter(
      file => file.endsWith('.ts') && /['"]node:child_process['"]/.test(readFileSync(join(top, 'src', file), 'utf8')),
    )
    .map(file => `src/${file.replaceAll('\\', '/')}`)
  expect(found.toSorted()).toEqual(starters)
})

/** Git variables that select another repository, another program or other settings. */
function foreign(elsewhere: string): Record<string, string> {
  const program = join(elsewhere, 'program')
  return {
    GIT_DIR: join(elsewhere, 'other.git'),
    GIT_COMMON_DIR: join(elsewhere, 'other.git'),
    GIT_WORK_TREE: elsewhere,
    GIT_INDEX_FILE: join(elsewhere, 'no-index'),
    GIT_OBJECT_DIRECTORY: join(elsewhere, 'no-objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(elsewhere, 'no-alternates'),
    GIT_QUARANTINE_PATH: join(elsewhere, 'quarantine'),
    GIT_NAMESPACE: 'other',
    GIT_PREFIX: 'other/',
    GIT_DEFAULT_HASH: 'sha256',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CONFIG: join(elsewhere, 'config'),
    GIT_CONFIG_PARAMETERS: "'core.worktree'='/nowhere'",
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: program,
    GIT_CONFIG_KEY_1: 'status.showUntrackedFiles',
    GIT_CONFIG_VALUE_1: 'bad',
    GIT_EXTERNAL_DIFF: program,
    GIT_SSH_COMMAND: program,
    GIT_ASKPASS: program,
    GIT_EDITOR: program,
    GIT_PAGER: program,
    GIT_TRACE: join(elsewhere, 'trace'),
    GIT_TRACE2_EVENT: join(elsewhere, 'trace2'),
    GIT_TRACE_SETUP: join(elsewhere, 'trace-setup'),
    GIT_REPLACE_REF_BASE: 'refs/other/',
    GIT_SHALLOW_FILE: join(elsewhere, 'shallow'),
    GIT_GRAFT_FILE: join(elsewhere, 'grafts'),
    GIT_ATTR_SOURCE: 'nothing',
    GIT_REFLOG_ACTION: 'other',
    GIT_SEQUENCE_EDITOR: program,
    GIT_INTERNAL_SUPER_PREFIX: 'other/',
    GIT_FLUSH: '0',
  }
}

afterEach(() => vi.unstubAllEnvs())

function stub(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

describe('the environment of git', () => {
  test('contains no git variable that is not in the table', () => {
    stub(foreign('/elsewhere'))
    stub({ git_dir: '/elsewhere', GIT_AUTHOR_NAME: 'Ada', GITHUB_ACTIONS: 'true' })
    const names = Object.keys(gitEnvironment()).filter(name => /^git_/i.test(name))
    for (const name of names) expect(inheritedVariables).toContain(name)
    expect(gitEnvironment()).toMatchObject({ GIT_AUTHOR_NAME: 'Ada', GITHUB_ACTIONS: 'true', PATH: process.env.PATH })
    expect(readingEnvironment()).toMatchObject({ GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' })
  })

  test('is described in docs/git.md, row by row', () => {
    const doc = readFileSync(join(import.meta.dirname, '../../docs/git.md'), 'utf8')
    for (const name of [
      ...inheritedVariables,
      ...Object.keys(foreign('')).filter(name => !/_[01]$|INTERNAL/.test(name)),
    ])
      expect(doc.includes(`\`${name}\``) || /^GIT_TRACE/.test(name), name).toBe(true)
  })
})

describe.skipIf(!hasGit)('with another repository named in the environment', () => {
  test('every command gives the same result as without it', { tags: 'long' }, async () => {
    const { wiki, directory } = await newWiki({ A: 'one', B: 'two' })
    await wiki.close()
    writeFileSync(join(directory, 'A.wiki'), 'changed\n')
    writeFileSync(join(directory, 'New.wiki'), 'new\n')
    const questions = [
      ['status'],
      ['check'],
      ['history', 'A'],
      ['history'],
      ['compare', 'HEAD~1..HEAD'],
      ['search', 'one'],
      ['commit', '--dry-run'],
    ]
    const ask = async () => {
      const answers: string[] = []
      for (const argv of questions) answers.push((await command(['-C', directory, ...argv])).stdout)
      return answers
    }
    const before = await ask()
    expect(before[0]).toContain('modified\tA.wiki')
    const elsewhere = await temporaryDirectory()
    git(elsewhere, 'init', '-q', '--bare', 'other.git')
    writeFileSync(join(elsewhere, 'program'), `#!/bin/sh\necho >> '${elsewhere}/ran'\n`)
    chmodSync(join(elsewhere, 'program'), 0o755)
    const files = readdirSync(elsewhere, { recursive: true }).toSorted()
    stub(foreign(elsewhere))
    expect(await ask()).toEqual(before)
    const { status, stderr } = await command(['-C', directory, 'commit', '-m', 'Both'])
    expect(stderr).toContain('Recorded 2 files')
    expect(status).toBe(0)
    await command(['-C', directory, 'init', '--merge-driver'])
    vi.unstubAllEnvs()
    expect(readdirSync(elsewhere, { recursive: true }).toSorted()).toEqual(files)
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(git(directory, 'config', 'merge.wiki.name')).toBe('merge of prose by words')
  })

  test.skipIf(process.platform === 'win32')(
    "what runs in a hook or in `git rebase --exec` finds its folder's repository",
    async () => {
      const { wiki, directory } = await newWiki({ A: 'one', B: 'two' })
      await wiki.close()
      const seen = join(await temporaryDirectory(), 'seen')
      // Records the environment that git passes to its programs.
      git(directory, '-c', 'sequence.editor=true', 'rebase', '-q', '-i', 'HEAD~1', '--exec', `env > '${seen}'`)
      const variables = readFileSync(seen, 'utf8')
        .split('\n')
        .flatMap(line => (/^(GIT_\w+)=(.*)$/.exec(line)?.slice(1) ? [/^(GIT_\w+)=(.*)$/.exec(line)!.slice(1)] : []))
      stub(Object.fromEntries(variables))
      expect((await command(['status', '--json'], { cwd: directory })).stdout).toContain('"changes":[]')
      expect(existsSync(join(directory, '.git/index.lock'))).toBe(false)
    },
  )

  test.skipIf(process.platform === 'win32')(
    "a git of the user's own on the PATH gets nothing of it",
    { tags: 'long' },
    async () => {
      const { wiki, directory } = await newWiki({ A: 'one' })
      await wiki.close()
      const folder = await temporaryDirectory()
      const real = (process.env.PATH ?? '')
        .split(delimiter)
        .map(path => join(path, 'git'))
        .find(existsSync)
      writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv | grep ^GIT_ >> '${folder}/seen'\nexec '${real}' "$@"\n`)
      chmodSync(join(folder, 'git'), 0o755)
      stub({ ...foreign(join(folder, 'elsewhere')), PATH: `${folder}${delimiter}${process.env.PATH}` })
      for (const argv of [
        ['status'],
        ['check'],
        ['compare', 'nothing..HEAD'],
        ['history', 'A'],
        ['init', '--merge-driver'],
      ])
        await command(['-C', directory, ...argv])
      const names = new Set(readFileSync(join(folder, 'seen'), 'utf8').match(/^GIT_\w+/gm))
      const ours = ['GIT_NO_LAZY_FETCH', 'GIT_ALLOW_PROTOCOL', 'GIT_TERMINAL_PROMPT']
      expect([...names].filter(name => ![...inheritedVariables, ...ours].includes(name as never))).toEqual([])
      expect(names.size).toBeGreaterThan(0)
    },
  )
})

test('reading the settings reads only the variables that name the user’s files', async () => {
  const { directory } = await newWiki({ A: 'one' })
  git(directory, 'config', 'include.path', '~/own')
  git(directory, 'config', 'includeIf.gitdir:~/.path', '~/other')
  const asked = new Set<string>()
  const environment = new Proxy<Record<string, string>>(
    { HOME: directory },
    {
      get: (target, name) => {
        asked.add(String(name))
        return target[String(name)]
      },
    },
  )
  const gitDirectory = join(directory, '.git')
  readSettings({ repository: { gitDirectory, commonDirectory: gitDirectory }, environment })
  expect(asked).toContain('HOME')
  expect([...asked].filter(name => !Object.hasOwn(settingsEnvironment(), name))).toEqual([])
})
