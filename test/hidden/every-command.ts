/** Every command that reads, about the wiki in secret-wiki.ts. */

import type { Command } from '../../src/cli/command.ts'
import { commandTree, hiddenCommands, isGroup, type Loader } from '../../src/cli/commands.ts'
import { type RunResult, wiki } from '../cli/harness.ts'
import type { SecretWiki } from './secret-wiki.ts'

type Rows = (readonly string[])[]

const titles = ['Ferry', 'Tides', 'Gone', 'File:Map.svg', 'Pier', 'Quay', 'Users']
const eachTitle = titles.map(title => [title])
const points = ['@latest', '@prev', '@{2026-01-31T12:05:00Z}'].flatMap(point => titles.map(title => title + point))

/**
 * Arguments of each command that reads: everything that may contain a secret. Every option without a value is tried with each.
 */
export const reads: Readonly<Record<string, (wiki: SecretWiki) => Rows>> = {
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

/** Every command, by its words. */
export const commands: Readonly<Record<string, Loader>> = {
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
export async function flagsOf(name: string): Promise<string[]> {
  const { options = [] } = (await (commands[name] as Loader)()) as Command
  const rows = options.map(({ flags }) => flags).filter(flags => !flags.includes('<') && !flags.includes('['))
  return ['', '--json', '--jsonl', ...rows.map(flags => flags.split(/[ ,]+/).at(-1) as string)]
}

/** Runs one command line. */
export async function run({ directory }: SecretWiki, name: string, words: readonly string[]): Promise<RunResult> {
  const argv = name === '__complete' ? [name, ...words] : [...name.split(' '), ...words]
  const options = { cwd: directory, stdin: 'A new text.\n', stopped: Promise.resolve() }
  return wiki(argv, options)
}
