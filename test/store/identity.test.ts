import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { gitIdentity } from '../../src/store/repository/identity.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'

/** Files by path below a folder that is the home folder, with `wiki` as the repository. */
interface Situation {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  /** Lines of the repository's own configuration. */
  readonly local?: string
  readonly branch?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly expected: string | null
}

const user = (name: string) => `[user]\n\tname = ${name}\n\temail = ${name.toLowerCase()}@example.org\n`
const others = { '.gitconfig': user('Home') }

const situations: readonly Situation[] = [
  { name: '~/.gitconfig', files: others, expected: 'Home' },
  { name: 'the file of XDG', files: { '.config/git/config': user('Xdg') }, expected: 'Xdg' },
  {
    name: 'XDG_CONFIG_HOME',
    files: { 'else/git/config': user('Xdg'), '.config/git/config': user('Not') },
    environment: { XDG_CONFIG_HOME: '$HOME/else' },
    expected: 'Xdg',
  },
  { name: 'home before XDG', files: { ...others, '.config/git/config': user('Xdg') }, expected: 'Home' },
  {
    name: 'the system',
    files: { 'etc/gitconfig': user('System') },
    environment: { GIT_CONFIG_SYSTEM: '$HOME/etc/gitconfig', GIT_CONFIG_NOSYSTEM: '0' },
    expected: 'System',
  },
  {
    name: 'no system',
    files: { 'etc/gitconfig': user('System'), ...others },
    environment: { GIT_CONFIG_SYSTEM: '$HOME/etc/gitconfig', GIT_CONFIG_NOSYSTEM: '1' },
    expected: 'Home',
  },
  {
    name: 'GIT_CONFIG_GLOBAL in place of both',
    files: { ...others, '.config/git/config': user('Xdg'), mine: user('Mine') },
    environment: { GIT_CONFIG_GLOBAL: '$HOME/mine' },
    expected: 'Mine',
  },
  { name: 'the repository', files: others, local: user('Local'), expected: 'Local' },
  {
    name: 'the work tree',
    files: { ...others, 'wiki/.git/config.worktree': user('Tree') },
    local: `[extensions]\n\tworktreeConfig\n${user('Local')}`,
    expected: 'Tree',
  },
  {
    name: 'the work tree, where the repository does not say so',
    files: { 'wiki/.git/config.worktree': user('Tree') },
    local: user('Local'),
    expected: 'Local',
  },
  {
    name: 'author before user',
    files: others,
    local: '[author]\nname=Writer\nemail=writer@example.org\n',
    expected: 'Writer',
  },
  {
    name: 'not the committer',
    files: others,
    local: '[committer]\nname=Other\nemail=o@example.org\n',
    expected: 'Home',
  },
  { name: 'an include', files: { '.gitconfig': '[include]\npath = more\n', more: user('More') }, expected: 'More' },
  {
    name: 'an include of the home folder, in which the later one counts',
    files: { '.gitconfig': `[include]\npath = ~/a/more\n${user('Home')}`, 'a/more': user('More') },
    expected: 'Home',
  },
  {
    name: 'includes in a row',
    files: { '.gitconfig': '[include]\npath=a/1\n', 'a/1': '[include]\npath=2\n', 'a/2': user('Two') },
    expected: 'Two',
  },
  {
    name: 'an include that is not there',
    files: { '.gitconfig': `[include]\npath=no\n${user('Home')}` },
    expected: 'Home',
  },
  ...(
    [
      ['gitdir:~/wiki/', true],
      ['gitdir:~/wiki/.git', true],
      ['gitdir:wiki/', true],
      ['gitdir:~/Wiki/', false],
      ['gitdir/i:~/WIKI/', true],
      ['gitdir:~/w*/', true],
      ['gitdir:~/*', false],
      ['gitdir:~/**', true],
      ['gitdir:~/other/', false],
      ['gitdir:./', true],
      ['gitdir:[vw]iki/', true],
      ['gitdir:[!w]iki/', false],
      ['onbranch:main', true],
      ['onbranch:ma?n', true],
      ['onbranch:other', false],
      ['hasconfig:remote.*.url:https://example.org/**', true],
      ['hasconfig:remote.*.url:https://example.com/**', false],
      ['unknown:main', false],
    ] as const
  ).map(([condition, isMet]) => ({
    name: `includeIf ${condition}`,
    files: { '.gitconfig': `${user('Home')}[includeIf "${condition}"]\npath = more\n`, more: user('More') },
    local: '[remote "origin"]\nurl = https://example.org/a/wiki.git\n',
    expected: isMet ? 'More' : 'Home',
  })),
  {
    name: 'includeIf onbranch with a folder of branches',
    files: { '.gitconfig': `${user('Home')}[includeIf "onbranch:work/"]\npath = more\n`, more: user('More') },
    branch: 'work/a/b',
    expected: 'More',
  },
  {
    name: 'the environment',
    files: others,
    environment: { GIT_AUTHOR_NAME: 'Env', GIT_AUTHOR_EMAIL: 'env@example.org' },
    expected: 'Env',
  },
  {
    name: 'EMAIL',
    files: { '.gitconfig': '[user]\nname = Mail\n' },
    environment: { EMAIL: 'mail@example.org' },
    expected: 'Mail',
  },
  { name: 'nobody, where only the configuration counts', local: '[user]\nuseConfigOnly = true\n', expected: null },
]

afterEach(() => vi.unstubAllEnvs())

/** Makes the repository and the user's files; returns the environment in which git finds them. */
async function made({ files = {}, local = '', branch = 'main', environment = {} }: Situation) {
  const home = await temporaryDirectory()
  for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'XDG_CONFIG_HOME', 'EMAIL']) vi.stubEnv(name, undefined)
  const wiki = join(home, 'wiki')
  mkdirSync(join(wiki, '.git/objects'), { recursive: true })
  mkdirSync(join(wiki, '.git/refs'))
  writeFileSync(join(wiki, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
  writeFileSync(join(wiki, '.git/config'), `[core]\nrepositoryformatversion = 0\n${local}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const given = Object.entries(environment).map(([name, value]) => [name, value.replace('$HOME', home)])
  return { wiki, environment: { HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(given) } }
}

describe.each([
  ['with git', true],
  ['without git', false],
] as const)('%s the author comes from', (_, mayRunGit) => {
  test.skipIf(mayRunGit && !hasGit).for(situations)('$name', async situation => {
    const { wiki, environment } = await made(situation)
    const repository = findRepository(wiki)
    const author = gitIdentity({ repository, role: 'author', environment, mayRunGit })
    expect(author?.name ?? null).toBe(situation.expected)
    if (author) expect(author.address).toBe(`${author.name.toLowerCase()}@example.org`)
  })
})

test.skipIf(!hasGit)('a commit has the author that git would use', async () => {
  const files = { '.gitconfig': '[includeIf "gitdir:~/wiki/"]\npath = work\n', work: user('Work') }
  const { wiki, environment } = await made({ name: '', files, expected: '' })
  const argv = ['-C', wiki, 'page', 'create', 'A', '-f', '-']
  const { stderr, status } = await command(argv, {
    stdin: 'text',
    env: { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '', ...environment },
  })
  expect(stderr).toContain('Created')
  expect(status).toBe(0)
  expect(git(wiki, 'log', '-1', '--format=%an <%ae>')).toBe('Work <work@example.org>')
})

test.skipIf(!hasGit)('a setting that git refuses is an error of its own', async () => {
  const { wiki, environment } = await made({ name: '', local: '[core]\nfileMode = maybe\n', expected: null })
  const ask = () => gitIdentity({ repository: findRepository(wiki), role: 'author', environment, mayRunGit: true })
  expect(ask).toThrowError(/git refuses its settings: bad boolean config value 'maybe' for 'core\.filemode'/)
})

test('files that include each other endlessly are an error', async () => {
  const { wiki, environment } = await made({
    name: '',
    files: { '.gitconfig': '[include]\npath = .gitconfig\n' },
    expected: null,
  })
  const repository = findRepository(wiki)
  const ask = () => gitIdentity({ repository, role: 'author', environment, mayRunGit: false })
  expect(ask).toThrowError(/^The settings file .*\/\.gitconfig of git is unusable: it is included more than 10 deep$/)
})

test.each([true, false])('a damaged file of the user is named, not taken for a repository, %s', async mayRunGit => {
  const { wiki, environment } = await made({ name: '', files: { '.gitconfig': '[user\nname' }, expected: null })
  vi.stubEnv('HOME', environment.HOME)
  vi.stubEnv('GIT_CONFIG_GLOBAL', undefined)
  const repository = findRepository(wiki)
  if (!mayRunGit)
    expect(() => gitIdentity({ repository, role: 'author', environment, mayRunGit })).toThrowError(damaged)
  const { stderr, status } = await command(['-C', wiki, 'page', 'create', 'A', '-f', '-'], { stdin: 'x' })
  expect([status, stderr]).toEqual([2, expect.stringMatching(damaged)])
  expect(stderr).toContain(join(environment.HOME, '.gitconfig'))
})

const damaged = /The settings file .* of git is unusable: it is not a settings file of git: bad config line 1/

/** Git's sentences on machines that a test does not have. Source: git's wrapper.c, ident.c, config.c. */
test.skipIf(process.platform === 'win32').each([
  ['unable to look up current user in the passwd file: no such user', null],
  ["unable to auto-detect email address (got 'unknown@vm.(none)')", null],
  ['no email was given and auto-detection is disabled', null],
  ["unable to access '/home/ada/.gitconfig': Permission denied", /git refuses its settings: unable to access/],
  ["unable to parse '--' from command-line config", /git refuses its settings: unable to parse/],
])('git says: %s', async (sentence, refusal) => {
  const { wiki, environment } = await made({ name: '', expected: null })
  const programs = await temporaryDirectory()
  writeFileSync(join(programs, 'git'), `#!/bin/sh\ncat >&2 <<'END'\nfatal: ${sentence}\nEND\nexit 128\n`, {
    mode: 0o755,
  })
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  const ask = () => gitIdentity({ repository: findRepository(wiki), role: 'author', environment, mayRunGit: true })
  if (refusal === null) expect(ask()).toBeNull()
  else expect(ask).toThrowError(refusal)
})
