import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { commandTree, hiddenCommands, isGroup, type Loader } from '../../src/cli/commands.ts'
import { oneIn } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { type RunResult, wiki } from '../cli/harness.ts'
import { hideSecrets, loseSecretEdit, mark, type SecretWiki, secretIn, secretWiki } from './secret-wiki.ts'

type Rows = (readonly string[])[]

const titles = ['Ferry', 'Tides', 'Gone', 'File:Map.svg', 'Pier', 'Quay', 'Users']
const eachTitle = titles.map(title => [title])
const points = ['@latest', '@prev', '@{2026-01-31T12:05:00Z}'].flatMap(point => titles.map(title => title + point))

/**
 * Arguments of each command that reads: everything that may contain a secret. Every option without a value is tried with each.
 */
const reads: Readonly<Record<string, (wiki: SecretWiki) => Rows>> = {
  search: () => [
    ...['ferry', 'tides', 'low water', 'insource:water'].map(word => [word]),
    // Differs from a secret in one letter: no suggestion may reveal the right one.
    ...['zqyoldtext', 'zqyfiletext', 'zqymovetext', 'zqyolduser'].map(word => [word]),
    ['text', '--history'],
    ['/zq.[a-z]+/', '--history'],
    ['insource:/zq.[a-z]+/'],
    ['zq', '--title'],
  ],
  'page get': () => [...eachTitle, ...titles.map(title => [title, '--flavor', 'edit', '--html'])],
  'page list': () => [[], ['--prefix', 'zq']],
  'page languages': () => eachTitle,
  'page files': () => eachTitle,
  blame: () => [...eachTitle, ...points.map(point => [point.split('@')[0] as string, '--at', point])],
  undo: ({ ids, commits }) => [...ids.map(String), ...commits].map(address => [address, '--dry-run']),
  show: () => [...eachTitle, ...points.map(point => [point.split('@')[0] as string, '--at', point])],
  log: () => [
    ...[[], ['--author', 'zq'], ['--prefix', 'zq'], ['--older-than', '4'], ['--newer-than', '1']],
    ...['Ferry', 'Gone', 'Tides'].map(title => ['--title', title]),
  ],
  history: () => [
    ['Ferry', '--author', 'zq'],
    ...eachTitle,
    ...['anonymous', 'bot', 'minor', 'reverted'].map(filter => ['Ferry', '--filter', filter]),
    ...['editors', 'edits', 'anonymous'].map(type => ['Ferry', '--count', type]),
  ],
  'revision get': ({ ids }) => [...ids.map(id => [String(id)]), ...points.map(point => [point])],
  compare: ({ ids, commits }) => [
    ...ids.slice(1).map(id => [String(id - 1), String(id)]),
    ['2', '3'],
    ['3', '4'],
    ['2', '4'],
    ['Ferry@prev', 'Ferry'],
    ['Ferry@work', 'Ferry@latest'],
    ...commits.flatMap(commit =>
      [`${commit}~1..${commit}`, `${commit}..HEAD`, `HEAD..${commit}`, `${commit}~1...HEAD`].map(range => [range]),
    ),
  ],
  merge: () => [['texts/base', 'texts/mine', 'texts/theirs']],
  'file get': () => [['Map.svg'], ['Map.svg', '--meta']],
  'file list': () => [[]],
  status: () => [[]],
  convert: () => [['wikitext', 'html', 'texts/mine']],
  lint: ({ ids }) => [[], ['--all'], ...eachTitle, ...ids.map(id => [`Ferry@${id}`])],
  links: () => eachTitle,
  list: () => [[], ['orphans'], ['wanted']],
  category: () => [['Harbours'], ['zq']],
  verify: () => [[]],
  check: ({ commits }) => [
    [],
    ...commits.flatMap(commit => [
      ['--since', `${commit}~1`],
      ['--range', `${commit}~1..${commit}`, '--format', 'markdown'],
      ['--range', `${commit}~1...HEAD`, '--format', 'sarif'],
    ]),
  ],
  export: () => [[], ['--latest'], ...eachTitle],
  'config get': () => [['hidden'], ['name']],
  'config list': () => [[]],
  'token list': () => [[]],
  completion: () => [['bash']],
  help: () => [['history'], ['revisions']],
  serve: () => [['--port', '0']],
  'diff-driver': () => [['Ferry.wiki', 'texts/base', '0', '0', 'texts/mine', '0', '0']],
  __complete: () =>
    ['', 'F', 'zq'].flatMap(word => [
      ['--', 'page', 'get', word],
      ['--', 'history', 'Ferry', '--user', word],
      ['--', word],
    ]),
  transform: () => [['wikitext', 'html', 'texts/mine']],
}

/** Commands that write, in this order; texts come from stdin. */
const writes: readonly (readonly [command: string, ...words: string[]])[] = [
  ['page edit', 'Ferry', '-f', '-', '--base', '2'],
  ['page edit', 'Ferry', '-f', '-', '--base', '3'],
  ['page edit', 'Tides', '-f', '-', '--base', '2'],
  ['page edit', 'Ferry', '-f', '-'],
  ['page create', 'Ferry', '-f', '-'],
  ['page create', 'Wharf', '-f', '-'],
  ...['1', '2', '3', '4', '1..3'].flatMap(
    range =>
      [
        ['undo', range, '--dry-run'],
        ['undo', range],
      ] as const,
  ),
  ['replace', '--regex', '.+', '$&', '--dry-run'],
  ['replace', '--regex', '(\\w)$', '$1!'],
  ['apply', 'texts/mine', '--dry-run'],
  ['page move', 'Ferry', 'Boat', '--update-links', '--dry-run'],
  ['page move', 'Ferry', 'Boat'],
  ['page move', 'Tides', 'Currents'],
  ['page restore', 'Gone', '--dry-run'],
  ['page restore', 'Gone'],
  ['page restore', 'Gone@latest'],
  ['page delete', 'Boat', '--dry-run'],
  ['page delete', 'Boat', '--yes'],
  ['page restore', 'Boat', '--dry-run'],
  ['page restore', 'Boat'],
  ['file add', 'texts/mine', '--title', 'Mine.txt'],
  ['commit', '--dry-run'],
  ['commit', '-m', 'own work'],
  ['restore', '--dry-run'],
  ['restore'],
  ['config set', 'name', 'Haven'],
  ['token create', 'Robot'],
  ['token revoke', 'nothing'],
  ['migrate-layout', 'sharded', '--dry-run'],
  ['migrate-layout', 'sharded'],
  ['import', 'texts/mine'],
  ['init'],
  ['merge-driver', 'texts/base', 'texts/mine', 'texts/theirs', 'Boat.wiki', '7'],
  ['revision hide', '2', '--comment'],
  ['revision hide', '3', '--text', '--author', '--comment', '--reason', 'again'],
  ['revision show', '2'],
]

/** Every command, by its words. */
const commands: Readonly<Record<string, Loader>> = {
  ...Object.fromEntries(
    Object.entries(commandTree).flatMap(([word, entry]): [string, Loader][] =>
      isGroup(entry)
        ? Object.entries(entry.commands).map(([name, load]) => [`${word} ${name}`, load])
        : [[word, entry]],
    ),
  ),
  ...hiddenCommands,
}

/** Options without a value that are tried with every command line, because each may change the form of the output. */
async function flagsOf(name: string): Promise<string[]> {
  const { options = [] } = (await (commands[name] as Loader)()) as Command
  const rows = options.map(({ flags }) => flags).filter(flags => !flags.includes('<') && !flags.includes('['))
  return ['', '--json', '--jsonl', ...rows.map(flags => flags.split(/[ ,]+/).at(-1) as string)]
}

async function run(secret: SecretWiki, name: string, words: readonly string[]): Promise<RunResult> {
  const argv = name === '__complete' ? [name, ...words] : [...name.split(' '), ...words]
  const options = { cwd: secret.directory, stdin: 'A new text.\n', stopped: Promise.resolve() }
  return wiki(argv, options)
}

/**
 * Runs everything that reads, with each option or as people read it; returns the secrets that each command line shows. `npm
 * test` takes a sixth of the options for each row of arguments, the next sixth for the next row, and the full run half of them:
 * all are 6,000 command lines.
 */
async function walk(secret: SecretWiki, { thorough }: { thorough: boolean }): Promise<Map<string, string[]>> {
  const shown = new Map<string, string[]>()
  for (const [name, rowsOf] of Object.entries(reads)) {
    const flags = thorough ? await flagsOf(name) : ['']
    const part = thorough ? 6 : 1
    const rows = rowsOf(secret)
    for (const [at, row] of rows.entries())
      for (const flag of oneIn(Math.min(part, 2 * rows.length), flags, at, Math.min(2, part))) {
        const words = flag === '' ? row : name === '__complete' ? [flag, ...row] : [...row, flag]
        const { stdout, stderr } = await run(secret, name, words)
        const secrets = secretIn(stdout + stderr)
        if (secrets.length > 0) shown.set([name, ...words].join(' '), secrets)
      }
  }
  return shown
}

test('every command is tested', () => {
  const walked = [...Object.keys(reads), ...writes.map(([name]) => name)]
  expect(Object.keys(commands).filter(name => !walked.includes(name))).toEqual([])
})

describe('of hidden revisions', () => {
  test('no command shows anything, although all of them do before', {
    tags: ['rounds', 'long'],
    timeout: 1_200_000,
  }, async () => {
    const secret = await secretWiki()
    const before = new Set([...(await walk(secret, { thorough: false })).values()].flat())
    const parts = ['text', 'user', 'comment']
    const expected = ['old', 'gone', 'file', 'move', 'last'].flatMap(place => parts.map(part => mark + place + part))
    expect([...before].sort()).toEqual(expect.arrayContaining(expected))
    await hideSecrets(secret)
    if (hasGit) await loseSecretEdit(secret)
    expect(await walk(secret, { thorough: true })).toEqual(new Map())
    writeFileSync(join(secret.directory, 'Pier.wiki'), 'My own text.\n')
    for (const [name, ...words] of writes) {
      const { stdout, stderr } = await run(secret, name, words)
      expect(secretIn(stdout + stderr), [name, ...words].join(' ')).toEqual([])
      if (words.at(-1) !== '--json') {
        const again = await run(secret, name, [...words, '--json'])
        expect(secretIn(again.stdout + again.stderr), [name, ...words, '--json'].join(' ')).toEqual([])
      }
    }
    expect(await walk(secret, { thorough: false })).toEqual(new Map())
  })
})
