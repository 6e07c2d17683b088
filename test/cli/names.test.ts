/**
 * Names are data: no name of a page, file, branch or person becomes an option, a pattern, a command or a line of its own in what this
 * program prints for a shell or another program. Each is tried in each place that can have it. Reports of checks: `test/checks/formats.test.ts`;
 * terminals: `terminal-guard.test.ts`.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commandTree, isGroup } from '../../src/cli/commands.ts'
import { parseConfig } from '../../src/core/config.ts'
import {
  asFileTitle,
  asPath,
  asTitle,
  inShellQuotes,
  lastArgument,
  pathArgument,
  pathspecArgument,
  shellQuote,
  titleArgument,
} from '../../src/core/shell-quote.ts'
import { possibleTitle, titleRules } from '../../src/core/title.ts'
import { createApp } from '../../src/rest/app.ts'
import { hasGit, needsGit } from '../_setup.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { git, gitWiki, temporaryFolder, wiki } from './harness.ts'

const names = [
  ...['-o', '-o out', '--help', '--output=x', '-', '--', '-n5', '--no-pager', '-c', '-C', '-rf'],
  ...[
    '$IFS',
    '$(touch ran)',
    '`touch ran`',
    '${HOME}',
    'a;touch ran',
    'a&touch ran',
    'a&&b',
    'a>ran',
    'a\\b',
    'a!b',
    '!!',
  ],
  ...[
    "it's",
    "''",
    '"',
    'a "b" c',
    '\\',
    '*',
    'a?',
    '~',
    '~root',
    '=ls',
    '=1+1',
    '@{u}',
    '@',
    'HEAD',
    'refs/heads/main',
  ],
  ...[
    '%A',
    '%O%%',
    ':(glob)**',
    ':!a',
    ':/',
    ':',
    '{a,b}',
    '[a]',
    '#a',
    '(a)',
    '007',
    '1e3',
    '0x10',
    '...',
    'a b',
    ' a',
  ],
  ...[
    'ä',
    'e\u0301',
    'a\u202eb',
    'a\u200fb',
    'a\nb',
    'a\n::error::b',
    'a\tb',
    'a\rb',
    '\u001b[31ma',
    'a\u009b2J',
    'a\u2028b',
  ],
]
const rules = titleRules(parseConfig('{}'))

/** Names that a page can have, as this program prints them. */
const titles = [...new Set(names.flatMap(name => possibleTitle(name, rules)?.text ?? []))]

const shells = ['bash', 'dash', 'zsh'].filter(shell => spawnSync(shell, ['-c', ':']).status === 0)

/** The arguments that a shell reads from each of these texts, by a program that prints their number and itself. */
function argumentsIn(shell: string, texts: readonly string[], cwd: string): string[][] {
  const lines = texts.map(text => `arguments ${text}\n`).join('')
  const script = `arguments() { printf '%s\\0' "$#" "$@"; }\n${lines}`
  const words = execFileSync(shell, ['-c', script], { cwd, encoding: 'utf8' }).split('\0')
  const read: string[][] = []
  for (let at = 0; at < words.length - 1; at += Number(words[at]) + 1)
    read.push(words.slice(at + 1, at + 1 + Number(words[at])))
  return read
}

/** The functions that write a name, and the arguments that a program gets. */
const forms: Readonly<
  Record<string, readonly [write: (name: string) => string, read: (name: string) => readonly string[]]>
> = {
  shellQuote: [shellQuote, name => [name]],
  inShellQuotes: [inShellQuotes, name => [name]],
  titleArgument: [titleArgument, name => [asTitle(name)]],
  pathArgument: [pathArgument, name => [asPath(name)]],
  pathspecArgument: [pathspecArgument, name => [/^:|[*?[\\]/.test(name) ? `:(literal)${name}` : name]],
  lastArgument: [lastArgument, name => (name.startsWith('-') ? ['--', name] : [name])],
}

describe.skipIf(process.platform === 'win32')('a pasted name', () => {
  test.each(Object.entries(forms))('is one word in every shell: %s', (_, [write, read]) => {
    expect(shells.length).toBeGreaterThan(0)
    const cwd = temporaryFolder()
    for (const shell of shells) expect(argumentsIn(shell, names.map(write), cwd), shell).toEqual(names.map(read))
    expect(readdirSync(cwd)).toEqual([])
  })

  test('is no option, and means the same title or path', () => {
    for (const title of titles) {
      expect(asTitle(title)).not.toMatch(/^-/)
      expect(possibleTitle(asTitle(title), rules)?.text).toBe(title)
      expect(asFileTitle(title)).not.toMatch(/^-/)
    }
    for (const name of names) {
      expect(asPath(name)).not.toMatch(/^-/)
      expect(normalize(asPath(name))).toBe(normalize(name))
    }
  })

  test('is a pattern of git that matches it alone', context => {
    needsGit(context)
    const cwd = temporaryFolder()
    git(cwd, ['init', '-q'])
    const files = names.filter(name => !name.includes('/'))
    for (const name of [...files, 'other']) writeFileSync(join(cwd, name), name)
    git(cwd, ['add', '.'])
    const commands = files.map(name => `git ls-files -z -- ${pathspecArgument(name)}; printf '\\0'`)
    const found = execFileSync('sh', ['-c', commands.join('\n')], { cwd, encoding: 'utf8' })
    expect(found.split('\0\0').slice(0, -1)).toEqual(files)
  })
})

/**
 * Every text of the sources that holds a command with a value in it. A value is written by a function of `shell-quote.ts`, or is a number, a
 * hash or a word of this program, which this table lists.
 */
const plainValues: Readonly<Record<string, RegExp>> = {
  'src/cli/help.ts': /^(?:words|Object\.keys\(topics\))\.join/,
  'src/cli/hints.ts': /^(?:meant\.map\(shellQuote\)|first|words\[0\]|near|base|current|words\.join\(' '\)|\['wiki')/,
  'src/cli/parse.ts': /^(?:group|near|words\.join\(' '\))/,
  'src/cli/commands/config.ts': /^near$/,
  'src/cli/commands/history.ts': /^(?:id|options\.join)/,
  'src/cli/commands/restore.ts': /^restore$/,
  'src/cli/commands/revision/revision-hide.ts': /^other$/,
  'src/cli/commands/serve.ts': /^(?:url|page)$/,
  'src/cli/commands/status.ts': /^(?:original|path)$/,
  'src/cli/commands/undo.ts': /^(?:await hashOf|short)/,
  'src/cli/commands/verify.ts': /^\[\.\.\.commands\]/,
  'src/operations/access/hidden.ts': /^revision\.id$/,
  'src/operations/acknowledged/plan-restore.ts': /^short$/,
  'src/operations/undo-revisions.ts': /^shortHash/,
  'src/operations/comparing/commits.ts': /^(?:depth|name|steps)$/,
  'src/operations/editing/edit.ts': /^commit\.slice/,
  'src/operations/restore-edits.ts': /^short$/,
  'src/operations/undo-commit.ts': /^layout ===/,
  'src/operations/verify-wiki.ts': /^(?:commit === undefined|where|restoreCommand)/,
  'src/operations/work-tree/stale-text.ts': /^(?:base|edit\()/,
  'src/operations/work-tree/work-merge.ts': /^(?:title|file|takeTheirs|made\?\.id|page\?\.latest|latest)$/,
  'src/store/acknowledged/repair.ts': /^(?:isCheckedOut|repairCommand)/,
  'src/store/index/live-index.ts': /^(?:commit|trace)$/,
  'src/store/index/eras.ts': /^process\.geteuid/,
  'src/store/work-tree/branch-move.ts': /^operation/,
  'src/store/work-tree/content-filters.ts': /^trustSetting$/,
}
const safe =
  /^(?:visibleLine\()?(?:literalInTag\()?(?:shellQuote|inShellQuotes|titleArgument|pathArgument|pathspecArgument|lastArgument)\(/
const top = fileURLToPath(new URL('../..', import.meta.url))

/** The values after a command in the template literals of a source; nested braces are not looked into. */
function pastedValues(source: string): string[] {
  const ofWiki = ['-C', ...Object.keys(commandTree)].join('|')
  const ofGit = '-C|add|branch|check-attr|checkout|config|diff|fetch|merge|mv|rebase|restore|rm|show|switch'
  const command = new RegExp(`\\b(?:wiki (?:${ofWiki}) |git (?:${ofGit}) |(?:rm|mv|sudo|curl) (?=\\S*\\$))`)
  const templates = source.match(/`(?:[^`\\]|\\.)*`/g) ?? []
  return templates.flatMap(template => {
    const at = template.search(command)
    return at < 0
      ? []
      : [...template.slice(at).matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, value]) => value as string)
  })
}

test('every command in a text of the sources has its names quoted', () => {
  const files = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.ts'),
  )
  const unquoted = files.flatMap(file => {
    const path = `src/${file.replaceAll('\\', '/')}`
    const values = pastedValues(readFileSync(join(top, path), 'utf8'))
    return values
      .filter(value => !safe.test(value) && !plainValues[path]?.test(value))
      .map(value => `${path}: ${value}`)
  })
  expect(unquoted).toEqual([])
})

/** Arguments of each command that prints a list of names; of any other one the reason why it does not. */
const lists: Readonly<Record<string, readonly (readonly string[])[] | string>> = {
  init: 'names the files that it wrote, in a sentence',
  serve: 'names no page',
  show: 'a page for people',
  search: [
    ['word', '-n', '200'],
    ['--title', '-'],
    ['--history', 'word', '-n', '200'],
  ],
  'page get': 'a text',
  'page list': [[], ['-z']],
  'page languages': [['All']],
  'page files': [['All'], ['All', '-z']],
  'page create': 'a sentence',
  'page edit': 'a sentence',
  'page move': 'a sentence',
  'page delete': 'a sentence',
  'page restore': 'a sentence',
  log: [['-n', '200']],
  history: 'revisions of one page, without its name',
  blame: 'lines of a text',
  'revision get': 'a text',
  'revision hide': 'a sentence',
  'revision show': 'a sentence',
  compare: 'texts, and the patch of git',
  links: [
    ['All', '--from'],
    ['All', '--from', '-z'],
    [':-o', '--to'],
    [':-o', '--to', '-z'],
  ],
  list: [['orphans'], ['orphans', '-z'], ['longest'], ['wanted', '-z']],
  category: [['X'], ['X', '-z']],
  replace: 'the patch of git',
  apply: 'a sentence',
  undo: 'a sentence',
  merge: 'a text',
  'file get': [['File:-x.svg']],
  'file list': [[], ['-z']],
  'file add': 'a sentence',
  status: [[]],
  commit: 'sentences',
  convert: 'a text',
  lint: 'reports: test/checks/formats.test.ts',
  verify: 'a sentence for each branch, and lost edits',
  restore: 'sentences',
  check: [[]],
  'migrate-layout': 'sentences',
  export: 'XML',
  import: 'sentences',
  'config get': 'values',
  'config set': 'a sentence',
  'config list': 'values',
  'token create': 'a token',
  'token list': 'tokens',
  'token revoke': 'a sentence',
  completion: 'a script',
  help: 'a text',
}

const commands = Object.entries(commandTree).flatMap(([name, entry]) =>
  isGroup(entry) ? Object.keys(entry.commands).map(sub => `${name} ${sub}`) : [name],
)

test('every command says whether it lists names', () => {
  expect(Object.keys(lists)).toEqual(expect.arrayContaining(commands))
})

/** A wiki with a page for each title, and files, people and branches of such names. */
async function namedWiki(): Promise<string> {
  const files = titles.filter(title => !/[:/]/.test(title)).map(title => [`${title}.wiki`, 'word [[Category:X]]'])
  const links = titles.map(title => `[[:${title}]]`).join(' ')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
  const cwd = await gitWiki([
    { files: { 'All.wiki': `${links} [[File:-x.svg]] [[-missing]]`, '-x.svg': svg }, message: 'All' },
    { files: { ...Object.fromEntries(files), 'wiki.json': '{}' }, message: 'All the others' },
  ])
  for (const name of ['-new.wiki', '-new.svg', '-bad<.wiki']) writeFileSync(join(cwd, name), svg)
  return cwd
}

/** Words that begin with `-` without being names: differences of bytes, and an empty cell. */
const number = /^-?\d*$/

describe.skipIf(process.platform === 'win32' || !hasGit)('a name in a list', () => {
  test('is no option for the program that reads it', { tags: 'long' }, async () => {
    const cwd = await namedWiki()
    let named = 0
    for (const [command, all] of Object.entries(lists)) {
      if (typeof all === 'string') continue
      for (const line of all) {
        const { stdout, stderr } = await wiki([...command.split(' '), ...line], { cwd })
        const fields = stdout.split(/[\t\n\0]/)
        const options = fields.filter(field => field.startsWith('-') && !number.test(field))
        expect(options, `${command} ${line.join(' ')}: ${stderr}`).toEqual([])
        named += fields.filter(field => /^(?::|\.\/|File:)-/.test(field)).length
      }
    }
    expect(named).toBeGreaterThan(50)
  })

  test('names the same page when it comes back as an argument', { tags: 'long' }, async () => {
    const cwd = await namedWiki()
    const { stdout } = await wiki(['page', 'list', '-z'], { cwd })
    const printed = stdout.split('\0').slice(0, -1)
    expect(printed.length).toBeGreaterThan(30)
    for (const name of printed) {
      const { stdout, stderr } = await wiki(['page', 'get', '--json', name], { cwd })
      expect(asTitle(JSON.parse(stdout || '{}').title ?? stderr)).toBe(name)
    }
    expect((await wiki(['lint', ...printed], { cwd })).stderr).toBe('')
    expect((await wiki(['lint', '--', ...printed], { cwd })).stderr).toBe('')
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  test('is one word in the hints of the commands that miss or find it', { tags: 'long' }, async () => {
    const cwd = await namedWiki()
    for (const title of titles) {
      const [, missing] = [title, `${title} not there`]
      const hints = [
        ['wiki page create ', (await wiki(['page', 'get', '--', missing], { cwd })).stderr, missing],
        [
          'wiki page edit ',
          (await wiki(['page', 'create', '-f', '-', '--', title], { cwd, stdin: 'x' })).stderr,
          title,
        ],
      ] as const
      for (const [start, text, name] of hints) {
        const at = text.indexOf(start)
        if (at < 0) continue
        const words = argumentsIn('sh', [text.slice(at + start.length).split('\n', 1)[0] as string], cwd)[0]!
        expect(possibleTitle(words[0]!, rules)?.text, text).toBe(possibleTitle(name, rules)?.text)
        expect(words[0]).not.toMatch(/^-/)
      }
    }
  })

  test('is a value of headers in ASCII, which leads back to it', { tags: 'long' }, async () => {
    const app = createApp(await openTestWiki(await namedWiki()), { allowAnonymous: true })
    for (const title of titles) {
      const key = encodeURIComponent(title.replaceAll(' ', '_'))
      for (const path of [
        `/v1/page/${key}`,
        `/v1/page/${key}/html`,
        `/wiki/${key}`,
        `/files/${key}.svg`,
        `/v1/feed?title=${key}`,
      ]) {
        const answer = await app.request(path)
        await answer.text()
        for (const [name, value] of answer.headers) expect(value, `${path} ${name}`).toMatch(/^[\x20-\x7e]*$/)
      }
    }
  })
})

test('the script for bash offers a name as one quoted word that is no option, and expands no pattern', {
  tags: 'long',
}, async context => {
  context.skip(!shells.includes('bash'), 'there is no bash')
  const cwd = await namedWiki()
  const { stdout: script } = await wiki(['completion', 'bash'])
  const { stdout: offered } = await wiki(['__complete', '--', 'page', 'get', ''], { cwd })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'offered'), offered)
  const input = `${script}
wiki() { cat '${join(folder, 'offered')}'; }
COMP_WORDS=(wiki page get '') COMP_CWORD=3
_wiki
printf '%s\n' "\${COMPREPLY[@]}"`
  const quoted = execFileSync('bash', ['--norc'], { cwd, input, encoding: 'utf8' }).split('\n').slice(0, -1)
  expect(argumentsIn('bash', quoted, cwd).flat()).toEqual(offered.split('\n').slice(0, -1))
  expect(quoted.filter(word => word.startsWith('-'))).toEqual([])
})
