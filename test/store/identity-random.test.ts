/** Generated settings, from which git and the reader without git must make the same identity. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { gitIdentity, type Role } from '../../src/store/repository/identity.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { rounds } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'

type Pick = <Value>(list: readonly Value[]) => Value

/** Numbers in [0, 1) from a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** None ends with a full stop: git cut it off until 2.45, and leaves it since. */
const names = [
  'Ada',
  'Bea Lund',
  '  Cy ',
  '"D. E,"',
  'Émile',
  'F <f@x>',
  'G,',
  ',:;',
  '""',
  'H # not',
  '"H # in"',
  "'I'",
  'J\\tK',
]
const addresses = [
  'a@example.org',
  '<b@example.org>',
  ' c@example.org ',
  'd@',
  '""',
  '"e e@example.org"',
  'f@example.org,',
]
const conditions = [
  'gitdir:~/wiki/',
  'gitdir:~/w*/',
  'gitdir/i:~/WIKI/',
  'gitdir:~/other/',
  'gitdir:wiki/.git',
  'gitdir:./',
  'gitdir:**/.git',
  'onbranch:main',
  'onbranch:m*',
  'onbranch:work/',
  'hasconfig:remote.*.url:https://example.org/**',
  'hasconfig:remote.*.url:https://example.com/*',
  'unknown:x',
]
const sections = ['user', 'author', 'committer', 'User', 'AUTHOR']

function settings(random: () => number, pick: Pick, depth: number): string {
  const lines: string[] = []
  for (let left = Math.floor(random() * 4); left > 0; left--) {
    const chance = random()
    if (chance < 0.35 && depth < 2) {
      const condition = random() < 0.3 ? '[include]' : `[includeIf "${pick(conditions)}"]`
      lines.push(condition, `\tpath = ${pick(['more0', 'more1', '~/more2', 'no'])}`)
    } else if (chance < 0.4) lines.push('[user]', `\tuseConfigOnly = ${pick(['true', 'yes'])}`)
    else if (chance < 0.42) lines.push(`[${pick(sections)}]`, `\t${pick(['name', 'email'])}`)
    else {
      lines.push(`[${pick(sections)}]`)
      if (random() < 0.8) lines.push(`\t${pick(['name', 'Name'])} = ${pick(names)}`)
      if (random() < 0.8) lines.push(`\temail = ${pick(addresses)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function generate(seed: number) {
  const random = randomNumbers(seed)
  const pick: Pick = list => list[Math.floor(random() * list.length)]!
  const files: Record<string, string> = {}
  for (const path of [
    '.gitconfig',
    '.config/git/config',
    'etc/gitconfig',
    'else/git/config',
    'mine',
    'wiki/.git/config.worktree',
  ])
    if (random() < 0.6) files[path] = settings(random, pick, 0)
  for (const [at, name] of ['more0', 'more1', 'more2'].entries()) {
    const folder = pick(['', 'etc/', '.config/git/', 'wiki/.git/'])
    files[`${folder}${name}`] = settings(random, pick, at)
  }
  const environment: Record<string, string> = {
    GIT_CONFIG_NOSYSTEM: pick(['1', '0', 'false']),
    GIT_CONFIG_SYSTEM: '$HOME/etc/gitconfig',
  }
  const maybe = (name: string, value: () => string) => {
    if (random() < 0.15) environment[name] = value()
  }
  maybe('GIT_CONFIG_GLOBAL', () => '$HOME/mine')
  maybe('XDG_CONFIG_HOME', () => '$HOME/else')
  maybe('EMAIL', () => 'mail@example.org')
  for (const role of ['AUTHOR', 'COMMITTER']) {
    maybe(`GIT_${role}_NAME`, () => pick(['Env', 'Env; ', '<Env>']))
    maybe(`GIT_${role}_EMAIL`, () => pick(['env@example.org', '<env@example.org>']))
  }
  const remote = pick(['', '[remote "origin"]\n\turl = https://example.org/a/wiki.git\n'])
  const local = `[user]\n\tuseConfigOnly = true\n${remote}${pick(['', '[extensions]\n\tworktreeConfig = true\n'])}${settings(random, pick, 0)}`
  return { files, environment, local, branch: pick(['main', 'work/a', 'other']) }
}

afterEach(() => vi.unstubAllEnvs())

async function made({ files, environment, local, branch }: ReturnType<typeof generate>) {
  const home = await temporaryDirectory()
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
  return { wiki, environment: { HOME: home, ...Object.fromEntries(given) } as Record<string, string> }
}

/** Git's own result; null if it refuses, and if there is nothing between `<` and `>`. */
function askGit(wiki: string, role: Role, environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...environment }
  const options = { cwd: wiki, env, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync('git', ['var', `GIT_${role.toUpperCase()}_IDENT`], options)
  const [, name, address] = /^([^<>]*) <([^<>]*)> /.exec(status === 0 ? stdout : '') ?? []
  return name && address ? { name, address } : null
}

describe.skipIf(!hasGit)('generated settings give the same identity as git var (skipped without git)', () => {
  test.for(Array.from({ length: rounds(10, 150, 500) }, (_, at) => at + 1))(
    'seed %i',
    { tags: 'rounds' },
    async seed => {
      for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'XDG_CONFIG_HOME', 'EMAIL'])
        vi.stubEnv(name, undefined)
      for (const name of ['AUTHOR_NAME', 'AUTHOR_EMAIL', 'COMMITTER_NAME', 'COMMITTER_EMAIL'])
        vi.stubEnv(`GIT_${name}`, undefined)
      const generated = generate(seed)
      const { wiki, environment } = await made(generated)
      const repository = findRepository(wiki)
      for (const role of ['author', 'committer'] as const) {
        const expected = askGit(wiki, role, environment)
        // If the variables determine the whole identity, settings are not read, not even those that git refuses.
        const isWhole = ['NAME', 'EMAIL'].every(part => `GIT_${role.toUpperCase()}_${part}` in environment)
        if (expected === null && isWhole) continue
        const say = JSON.stringify({ role, ...generated }, null, 1)
        for (const mayRunGit of [true, false]) {
          let found: unknown
          try {
            found = gitIdentity({ repository, role, environment, mayRunGit })
          } catch {
            found = null
          }
          expect(found, `${mayRunGit ? 'with' : 'without'} git: ${say}`).toEqual(expected)
        }
      }
    },
  )
})
