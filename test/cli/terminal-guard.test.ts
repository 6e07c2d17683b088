import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandTree, isGroup } from '../../src/cli/commands.ts'
import { guardOutput, ownSequence, ownStyles } from '../../src/cli/terminal/terminal-guard.ts'
import { escapeControls } from '../../src/core/control-characters.ts'
import { oneIn, rounds } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { temporaryFolder, wiki } from './harness.ts'

/** Clears the screen, sets the window's title, links, reverses the text, with every kind of character. */
const evil =
  '\u001b[31mred\u001b[2J\u001b]0;title\u0007\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\\u009b2J\u009d0;x\u009c\b\u007f\u202eback\u2066\u000e'
/** The parts of it that a file name, a branch and a title may contain. */
const evilName = 'A\u009b2J\u202eb'

/** All control characters except line feeds, tabs, our colours and the two sequences of the progress line. */
function controlsIn(text: string): string[] {
  const rest = text.replace(/\u001b\[(?:\d+(?:;\d+)*m|G|K)/g, '')
  return rest.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g) ?? []
}

/** A repository made by native git, with such characters wherever git permits them. */
function evilWiki(): string {
  const folder = temporaryFolder()
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, {
      cwd: folder,
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: `Eve ${evil}`,
        GIT_AUTHOR_EMAIL: `eve${evil}@example.org`,
        GIT_COMMITTER_NAME: 'Eve',
        GIT_COMMITTER_EMAIL: 'eve@example.org',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text)
  git('init', '-q', '-b', `main${evilName}`)
  write('wiki.json', JSON.stringify({ name: 'W\u202eb' }))
  write(
    'Evil.wiki',
    `== Head ${evil} ==\n${evil} word\n\n[[${evil}]] <b>open ${evil}\n{{Missing${evil}}}\n<ref>${evil}</ref>\n[[File:P.svg|thumb|${evil}]]\n[[fr:${evil}]]\n`,
  )
  write(`${evilName}.wiki`, 'A word.\n')
  write(`Bad\u001b[2J${evilName}.wiki`, 'word\n')
  write(`Other${evilName}.md`, `# ${evil}\n\nword\n`)
  write('P.svg', `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${evil}</title></svg>\n`)
  write(`${evilName}.svg`, '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n')
  git('add', '.')
  git('commit', '-q', '-m', `Subject ${evil}\n\nBody ${evil}`)
  write('Evil.wiki', `== Head ==\nNew ${evil} word\n`)
  git('commit', '-q', '-a', '-m', `Second ${evil}`)
  mkdirSync(join(folder, 'dumps'))
  write(
    'dumps/dump.xml',
    `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><title>X&#x9b;2J</title><ns>0</ns><id>1</id>${evil}`,
  )
  write('dumps/mine', `mine ${evil}\n`)
  write('dumps/base', 'base\n')
  write('dumps/theirs', `theirs ${evil}\n`)
  write('dumps/new.patch', `--- /dev/null\n+++ b/Made.wiki\n@@ -0,0 +1 @@\n+${evil} word\n`)
  write('dumps/other.patch', `--- a/${evilName}.wiki\n+++ b/${evilName}.wiki\n@@ -1 +1 @@\n-${evil}\n+word\n`)
  write('dumps/page.html', `<p>${evil.replaceAll('<', '')}</p>`)
  write('Evil.wiki', `Not recorded ${evil}\n`)
  return folder
}

/** Command lines that show content of a wiki, or their arguments: every command of the tree, in success and failure. */
const walked: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [
    ['--name', evil],
    [evil, '--user', `Eve${evil}`],
  ],
  serve: [
    ['--port', evil],
    ['--port', '0'],
  ],
  search: [['word'], ['Evil'], ['--title', 'E'], ['--history', 'word'], [evil], ['word', '--side-by-side']],
  'page get': [
    ['Evil'],
    ['Evil', '--html'],
    ['Evil', '--with-html'],
    ['Evil', '--meta'],
    ['Evil', '--html', '--flavor', 'edit'],
    [evilName],
    [evil],
  ],
  'page list': [[], ['--prefix', 'A'], ['--prefix', evil]],
  'page languages': [['Evil']],
  'page files': [['Evil']],
  'page create': [
    [`New ${evilName}`, '-f', '-', '-m', evil],
    [evil, '-f', '-'],
    ['Y', '-f', evil],
  ],
  'page edit': [
    [evilName, '-f', '-', '-m', evil],
    ['Evil', '-f', '-'],
  ],
  'page move': [
    [evilName, `Moved ${evilName}`],
    [evil, 'X'],
  ],
  'page delete': [
    [`Other${evilName}`, '--yes'],
    [evil, '--yes'],
  ],
  history: [[], ['Evil'], ['Evil', '--all'], ['Evil', '--counts'], [evil]],
  'revision get': [['1'], ['1', '--html'], ['Evil@prev'], [evil]],
  'revision hide': [
    ['1', '--comment'],
    [evil, '--text'],
  ],
  'revision show': [
    ['1', '--comment'],
    [evil, '--text'],
  ],
  compare: [
    ['Evil@prev', 'Evil'],
    ['1', '3'],
    ['HEAD~1..HEAD'],
    ['1', '3', '--html'],
    ['1', '3', '--side-by-side'],
    ['1', '3', '--patch'],
    ['HEAD~1..HEAD', '--markdown'],
    [evil, 'x'],
  ],
  show: [['Evil'], ['Evil', '--work'], [`Other${evilName}`], ['Evil', '--at', '@prev'], [evil]],
  blame: [['Evil'], ['Evil', '--words'], ['Evil', '--authors', '--hash'], [evil], ['Evil', '--at', evil]],
  log: [[], ['-p'], ['--stat'], ['--hash', '--date', 'iso'], ['--author', evil], ['--title', evil], ['--since', evil]],
  undo: [['2', '--dry-run'], ['2'], [evil]],
  links: [['Evil'], [`Other${evilName}`, '--from'], [evil], ['Evil', '--kind', evil]],
  list: [['--orphans'], ['wanted'], ['longest'], [evil]],
  category: [[evil], ['X']],
  replace: [
    ['x', evil, '--dry-run'],
    [evil, 'x'],
    ['--regex', `(${evil}`, 'x'],
    ['e', 'E'],
  ],
  apply: [
    ['dumps/new.patch', '--dry-run'],
    ['dumps/new.patch', '-m', evil],
    ['dumps/other.patch'],
    ['dumps/mine'],
    [evil],
  ],
  merge: [
    ['dumps/base', 'dumps/mine', 'dumps/theirs'],
    [evil, evil, evil],
  ],
  'file get': [['P.svg'], ['P.svg', '--meta'], [`${evilName}.svg`], [evil]],
  'file list': [[]],
  'file add': [['dumps/mine'], [evil]],
  status: [[]],
  verify: [[]],
  'page restore': [[evil], [evil, '--dry-run']],
  restore: [[], ['--dry-run'], [evil]],
  commit: [['--dry-run'], [evil], ['-m', evil]],
  convert: [
    ['--from', 'wikitext', '--to', 'html', '-f', 'dumps/mine'],
    ['--from', 'html', '--to', 'wikitext', '-f', 'dumps/page.html'],
    ['-f', evil],
  ],
  lint: [['Evil'], [], ['Evil@1'], [evil]],
  check: [[]],
  'migrate-layout': [['--dry-run', 'sharded'], [evil]],
  export: [[], ['Evil'], [evil]],
  import: [['dumps/dump.xml'], [evil]],
  'config get': [['name'], [evil]],
  'config set': [
    ['name', `N ${evil}`],
    [evil, evil],
  ],
  'config list': [[]],
  'token create': [[`T${evil}`], [evil, '--expires', evil]],
  'token list': [[]],
  'token revoke': [[evil]],
  completion: [['bash'], [evil]],
  help: [['history'], [evil]],
}

const named = Object.entries(commandTree).flatMap(([name, entry]) =>
  isGroup(entry) ? Object.keys(entry.commands).map(sub => `${name} ${sub}`) : [name],
)

describe.skipIf(!hasGit || process.platform === 'win32')('on a terminal', () => {
  test('every command is tested', () => {
    const missing = named.filter(name => !(name in walked))
    expect(missing).toEqual([])
  })

  test.each([
    ['for people', [], 0],
    ['--json', ['--json'], 1],
    ['--jsonl', ['--jsonl'], 2],
    ['--color always', ['--color', 'always'], 3],
  ] as const)(
    'no command lets a control character through: %s',
    { tags: ['rounds', 'long'] },
    async (_, options, number) => {
      const cwd = evilWiki()
      let shown = 0
      const rows = Object.entries(walked).flatMap(([name, lines]) => lines.map(line => [...name.split(' '), ...line]))
      rows.push(
        ['__complete', '--', 'page', 'get', 'A'],
        ['__complete', '--', 'page', 'get', ''],
        [evil],
        ['page', evil],
        [`--${evil}`],
      )
      // Slow: 130 commands. `npm test` gives each one of the four options.
      for (const argv of oneIn(4, rows, number)) {
        const end = argv[0] === '__complete' ? ['__complete', ...options, ...argv.slice(1)] : [...argv, ...options]
        const result = await wiki(end, {
          cwd,
          stdin: `text ${evil}\n`,
          tty: ['stdin', 'stdout', 'stderr'],
          env: { FORCE_COLOR: '1', GIT_AUTHOR_NAME: `Eve ${evil}` },
          stopped: Promise.resolve(),
        })
        for (const stream of ['stdout', 'stderr'] as const)
          expect(
            controlsIn(result[stream]),
            `${JSON.stringify(end)} ${stream}: ${JSON.stringify(result[stream].slice(0, 3000))}`,
          ).toEqual([])
        expect(`${result.stdout}${result.stderr}`.includes('\u001b[31mred'), JSON.stringify(end)).toBe(false)
        if (/␛|<U\+|\\u009b|\\u001b/.test(result.stdout + result.stderr)) shown++
        // The displayed JSON has the same meaning as the original text.
        if (options[0] === '--json' && result.status === 0 && result.stdout.startsWith('{')) JSON.parse(result.stdout)
      }
      expect(shown).toBeGreaterThan(rounds(5, 20))
    },
  )

  test('the pager gets only our colours', async () => {
    const cwd = evilWiki()
    const paged = join(temporaryFolder(), 'paged')
    for (const argv of [
      ['history', 'Evil'],
      ['page', 'get', 'Evil', '--html'],
      ['compare', 'HEAD~1..HEAD'],
    ]) {
      await wiki(argv, { cwd, tty: ['stdout'], env: { WIKI_PAGER: `cat >> ${paged}`, FORCE_COLOR: '1' } })
      expect(existsSync(paged), argv.join(' ')).toBe(true)
    }
    const text = readFileSync(paged, 'utf8')
    expect(controlsIn(text)).toEqual([])
    expect(text).toContain('\u001b[')
  })

  test('a pipe gets every byte of a result unchanged, and no message controls the terminal', async () => {
    const cwd = evilWiki()
    const { stdout } = await wiki(['revision', 'get', 'Evil@prev'], { cwd })
    expect(stdout).toContain(evil)
    const { stderr } = await wiki(['page', 'get', `None ${evil}`], { cwd })
    expect([stderr.includes('None'), controlsIn(stderr)]).toEqual([true, []])
    const driver = ['diff-driver', 'x', 'dumps/base', '0', '0', 'dumps/mine', '0', '0']
    expect(controlsIn((await wiki(driver, { cwd, env: { GIT_PAGER_IN_USE: 'true' } })).stdout)).toEqual([])
  })
})

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
const binary = join(import.meta.dirname, '../../bin/wiki.cjs')

test.skipIf(!hasGit || !hasScript || !existsSync(join(import.meta.dirname, '../../dist/wiki.cjs')))(
  'the program itself, on a pseudo-terminal',
  { tags: 'long' },
  () => {
    const cwd = evilWiki()
    for (const line of [
      'revision get Evil@prev',
      'page get Evil --html',
      'history',
      'status',
      'compare HEAD~1..HEAD',
      'page get --json Evil',
      'lint',
      'check',
    ]) {
      const argv = ['-q', '-e', '-c', `${process.execPath} ${binary} ${line}`, '/dev/null']
      const env = { ...process.env, PAGER: 'cat', TERM: 'xterm', FORCE_COLOR: '' }
      const { stdout } = spawnSync('script', argv, { cwd, env, input: '' })
      // The terminal itself ends lines with CR LF.
      const text = stdout.toString().replaceAll('\r\n', '\n')
      expect(controlsIn(text), `${line}: ${JSON.stringify(text.slice(0, 2000))}`).toEqual([])
      expect(text.length, line).toBeGreaterThan(5)
    }
  },
)

test('a character split over two chunks is recognised', async () => {
  const written: string[] = []
  const output = guardOutput(
    { isTTY: true, columns: 80, write: async chunk => void written.push(String(chunk)) },
    'text',
  )
  for (const byte of Buffer.from('a\u009bb\u00e4')) await output.write(Uint8Array.of(byte))
  expect(written.join('')).toBe('a<U+009B>bä')
})

test('a style makes control characters in its text visible, and styles nest', async () => {
  const written: string[] = []
  const output = guardOutput(
    { isTTY: true, columns: 80, write: async chunk => void written.push(String(chunk)) },
    'text',
  )
  const { createPaint } = await import('../../src/cli/terminal/colour.ts')
  const paint = ownStyles(await createPaint(1))
  await output.write(paint.bold(`a${paint.red('\u001b[2J')}b`))
  expect(written.join('')).toBe('\u001b[1ma\u001b[31m␛[2J\u001b[39mb\u001b[22m')
  expect(ownSequence('\u001b[K')).not.toBe('\u001b[K')
})

test('JSON stays unchanged', () => {
  const value = { text: evil }
  expect(JSON.parse(escapeControls(JSON.stringify(value), 'json'))).toEqual(value)
})
