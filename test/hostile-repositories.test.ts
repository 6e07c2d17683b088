import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/rest/app.ts'
import type { LogEntry } from '../src/rest/log.ts'
import { contentsOf, type Entry, type Hostile, hostileRepository, link, mark } from './_hostile.ts'
import { oneIn, rounds } from './_rounds.ts'
import { wiki } from './cli/harness.ts'
import { openTestWiki } from './operations/_wiki.ts'
import { sending } from './rest/_asking.ts'

const commitHash = '1'.repeat(40)

/** Everything that a tree can contain, at once. */
async function fullRepository(): Promise<Hostile> {
  const hostile = await hostileRepository()
  const { blob, tree, outside } = hostile
  const inside = blob('inside')
  const evil = blob('[core]\n\tfsmonitor = touch /tmp/evil\n')
  const folder = tree([['100644', 'x.wiki', inside]])
  const entries: Entry[] = [
    ['100644', 'A.wiki', inside],
    ['100644', 'a.wiki', inside],
    ['100644', 'E\u0301clair.wiki', inside],
    ['100644', 'Éclair.wiki', inside],
    ['100755', 'Executable.wiki', inside],
    ['120000', 'Link.wiki', blob(join(outside, 'secret.wiki'))],
    ['120000', 'Relative.wiki', blob('../outside/secret.wiki')],
    ['120000', 'Linked', blob(outside)],
    ['120000', 'File', blob(outside)],
    ['120000', 'Talk', blob('../outside')],
    ['120000', 'wiki.json', blob(join(outside, 'wiki.json'))],
    ['160000', 'Module.wiki', commitHash],
    ['160000', 'Module', commitHash],
    ['160000', 'Module.png', commitHash],
    [
      '40000',
      '.git',
      tree([
        ['100644', 'config', evil],
        ['100644', 'x.wiki', inside],
      ]),
    ],
    ['40000', '.GIT', folder],
    ['40000', '.git ', folder],
    ['40000', '.git.', folder],
    ['40000', '.g\u200cit', folder],
    ['40000', 'git~1', folder],
    ['40000', 'GIT~1', folder],
    ['40000', '.git::$INDEX_ALLOCATION', folder],
    ['40000', '..', folder],
    ['40000', '.', folder],
    [
      '40000',
      'Good',
      tree([
        ['40000', '..', tree([['40000', '..', folder]])],
        ['120000', 'in', blob(outside)],
      ]),
    ],
    ['100644', '../outside/x.wiki', inside],
    ['100644', `${outside}/x.wiki`, inside],
    ['100644', '/tmp/x.wiki', inside],
    ['100644', 'slash/in/name.wiki', inside],
    ['100644', '..\\outside\\x.wiki', inside],
    ['100644', 'back\\slash.wiki', inside],
    ['100644', 'C:\\x.wiki', inside],
    ['100644', 'a:stream.wiki', inside],
    ['100644', 'con.wiki', inside],
    ['100644', 'ctrl\u0001\u001b[31m\r\n.wiki', inside],
    ['100644', '-rf.wiki', inside],
    ['100644', '--upload-pack=touch x.wiki', inside],
    ['100644', Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x77, 0x69, 0x6b, 0x69]), inside],
    ['100644', `${'n'.repeat(5_000)}.wiki`, inside],
    ['100644', 'constructor.wiki', inside],
    ['100644', '__proto__.wiki', inside],
    ['100644', 'Twice.wiki', inside],
    ['100644', 'Twice.wiki', inside],
    ['777', 'Odd mode.wiki', inside],
    ['100644', 'drawing.svg', blob('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')],
  ]
  hostile.commit(tree(entries))
  return hostile
}

const titles = [
  ...[
    'A',
    'Éclair',
    'Executable',
    'Link',
    'Relative',
    'Linked/secret',
    'Linked/sub/x',
    'Talk:secret',
    'Talk:x',
    'Module',
  ],
  ...[
    'Module/x',
    '.git/x',
    '.git/config',
    '.GIT/x',
    'Git~1/x',
    '../outside/x',
    '..',
    'Good/../../x',
    'Good/in/x',
    '/tmp/x',
  ],
  ...[
    'Slash/in/name',
    'Back\\slash',
    '..\\outside\\x',
    'C:\\x',
    'A:stream',
    'Con',
    '-rf',
    '--upload-pack=touch x',
    '-x',
  ],
  ...[
    'Constructor',
    '__proto__',
    'Twice',
    'Odd mode',
    'No mode',
    'N'.repeat(200),
    'Wiki.json',
    'File:Secret.png',
    'File:X.png',
  ],
  ...['File:Module.png', 'File:Drawing.svg', 'File:../secret.png', 'File:Secret.wiki', 'New', 'Linked/new', 'Talk:New'],
]

/** Git's files that the wiki writes itself. */
const ownFiles = /^\.git\/(?:wiki|objects|logs|refs|index|ORIG_HEAD)/

let hostile: Hostile
let before: Readonly<Record<string, string>>

function unchanged(): void {
  expect(contentsOf(hostile.outside)).toEqual(before)
  expect(readdirSync(join(hostile.directory, '..')).sort()).toEqual(['outside', 'wiki'])
}

/**
 * The permitted output of a command: a result or an expected error, never an internal error, never content from outside
 * the wiki.
 */
async function run(argv: readonly string[], stdin = ''): Promise<number> {
  const { status, stdout, stderr } = await wiki(['-C', hostile.directory, '--no-input', ...argv], { stdin })
  expect(status, `${argv.join(' ')}: ${stderr}`).toBeLessThan(70)
  expect(stdout + stderr, argv.join(' ')).not.toContain(mark)
  return status
}

const backends = [['git'], ['isomorphic-git']] as const

describe.skipIf(process.platform === 'win32')('a repository with whatever a tree can hold', () => {
  beforeAll(async () => {
    hostile = await fullRepository()
    link(hostile, { 'Link.wiki': 'secret.wiki', Linked: '.', File: '.', Talk: '.' })
    before = contentsOf(hostile.outside)
  })
  afterEach(unchanged)

  // Slow: hundreds of requests and commands. `npm test` tries each title in one of the three tests.
  test.each(backends)('is read, and written to, through REST, by %s', { tags: ['rounds', 'long'] }, async backend => {
    const faults: LogEntry[] = []
    const opened = await openTestWiki(hostile.directory, { backend })
    const app = createApp(opened, {
      allowAnonymous: true,
      log: entry => entry.event === 'error' && faults.push(entry),
    })
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await app.request(path, init)
      expect(await answer.text(), path).not.toContain(mark)
      return answer.status
    }
    expect(await ask('/v1/page/A')).toBe(200)
    let written = 0
    for (const title of oneIn(4, titles, backend === 'git' ? 0 : 1)) {
      const key = encodeURIComponent(title.replaceAll(' ', '_'))
      for (const end of ['', '/html', '/links/media']) await ask(`/v1/page/${key}${end}`)
      const name = encodeURIComponent(title.replace(/^File:/, ''))
      for (const path of [`/file/File:${name}`, `/files/${name}`]) await ask(`/v1${path}`)
      const page = await app.request(`/v1/page/${key}/bare`)
      const latest = page.status === 200 ? ((await page.json()) as { latest: object }).latest : undefined
      const put = sending('PUT', { source: `written by ${backend}`, comment: '', ...(latest && { latest }) })
      if ((await ask(`/v1/page/${key}`, put)) < 300) written++
    }
    await ask('/v1/search/page?q=inside')
    expect(written).toBeGreaterThan(rounds(2, 10))
    expect(faults).toEqual([])
    await opened.close()
  })

  test('is read, and written to, by every command', { tags: ['rounds', 'long'] }, async () => {
    for (const argv of [
      ['status'],
      ['page', 'list'],
      ['file', 'list'],
      ['check'],
      ['lint', '--all'],
      ['export'],
      ['search', 'inside'],
    ])
      await run(argv)
    expect(await run(['page', 'get', 'A'])).toBe(0)
    const reading = [
      ['page', 'get'],
      ['history'],
      ['file', 'get'],
      ['compare'],
      ['lint'],
      ['page', 'files'],
      ['commit'],
    ]
    for (const [at, title] of oneIn(4, titles, 2).entries()) {
      for (const argv of oneIn(3, reading, at)) await run([...argv, '--', title])
      await run(['compare', '--', `${title}@latest`, `${title}@work`])
      await run(['page', 'create', '--file', '-', '--', title], 'created')
      await run(['page', 'edit', '--file', '-', '--', title], 'edited')
    }
  })

  test('has its pages moved and deleted', { tags: ['rounds', 'long'] }, async () => {
    for (const [index, title] of oneIn(4, titles, 3).entries()) {
      await run(['page', 'move', '--', title, `Linked/moved ${index}`])
      await run(['page', 'move', '--', `Linked/moved ${index}`, `Talk:Back ${index}`])
      await run(['page', 'delete', '--', title])
    }
    await run(['commit'])
    await run(['migrate-layout', 'sharded'])
    await run(['status'])
  })

  test('gets no file of git written by these commands', () => {
    const config = Object.keys(contentsOf(hostile.directory, ownFiles)).filter(path => path.startsWith('.git/'))
    expect(config.filter(path => /hooks|x\.wiki|info\/attributes/.test(path))).toEqual([])
  })
})

describe('a tree with false entries', () => {
  test.each<[what: string, entry: (made: { blob: string; tree: string }) => Entry]>([
    ['a folder as a page', ({ tree }) => ['100644', 'B.wiki', tree]],
    ['a page as a folder', ({ blob }) => ['40000', 'B', blob]],
    ['a name of nothing', ({ tree }) => ['40000', '', tree]],
    ['no mode', ({ blob }) => ['', 'B.wiki', blob]],
    ['an object that is missing', () => ['100644', 'B.wiki', '2'.repeat(40)]],
    ['a folder that is missing', () => ['40000', 'B', '2'.repeat(40)]],
  ])('of %s is reported', async (_, entry) => {
    hostile = await hostileRepository()
    const { blob, tree, commit } = hostile
    const inside = blob('one')
    const folder = tree([['100644', 'x.wiki', inside]])
    commit(tree([['100644', 'A.wiki', inside], entry({ blob: inside, tree: folder })]))
    for (const argv of [['page', 'get', 'A'], ['page', 'get', 'B'], ['page', 'list'], ['status']]) await run(argv)
    await run(['page', 'create', 'B/new', '--file', '-'], 'new')
  })
})

describe('settings', () => {
  test.each<[what: string, text: string]>([
    ['are huge', `{"name": "${'x'.repeat(3_000_000)}"}`],
    ['are deep', `${'{"license":'.repeat(200_000)}`],
    [
      'are many',
      `{"namespaces": {${Array.from({ length: 40_000 }, (_, id) => `"${id + 100}": {"name": "N${id}"}`).join()}}}`,
    ],
    ['lead into git', '{"root": ".git "}'],
    ['lead to the short name', '{"root": "GIT~1"}'],
    ['lead outside', '{"root": ".. /outside"}'],
    ['are a prototype', '{"__proto__": {"root": "x"}, "constructor": 1}'],
    ['are no text', '\0\u0001\ufffd'],
  ])('that %s are refused with their key, and nothing is written', async (_, text) => {
    hostile = await hostileRepository()
    const { blob, tree, commit } = hostile
    commit(
      tree([
        ['100644', 'A.wiki', blob('one')],
        ['100644', 'wiki.json', blob(text)],
      ]),
    )
    for (const argv of [['page', 'get', 'A'], ['status'], ['page', 'list'], ['config', 'list']]) await run(argv)
    await run(['page', 'create', 'New', '--file', '-'], 'new')
    expect(readdirSync(join(hostile.directory, '..')).sort()).toEqual(['outside', 'wiki'])
  })
})

describe('nested folders', () => {
  test.each(backends)('with 1,500 levels are read by %s', { tags: 'long' }, async backend => {
    hostile = await hostileRepository()
    const { blob, tree, commit, directory } = hostile
    let folder = tree([['100644', 'Bottom.wiki', blob('deep')]])
    for (let depth = 0; depth < 1_500; depth++) folder = tree([['40000', 'd', folder]])
    commit(
      tree([
        ['100644', 'A.wiki', blob('one')],
        ['40000', 'd', folder],
      ]),
    )
    const opened = await openTestWiki(directory, { backend })
    const { readPage } = await import('../src/index.ts')
    expect((await readPage(opened, { title: 'A', base: '' })).source).toBe('one')
    await opened.close()
    for (const argv of [['page', 'list'], ['check'], ['status']]) await run(argv)
    await run(['page', 'create', 'New', '--file', '-'], 'new')
  })
})

describe('refs', () => {
  test.each([
    '../../outside/x',
    'refs/heads/../../../../outside/x',
    '-x',
    '--output=x',
    'a\0b',
    '\u001b[31m',
    'refs/heads/a b',
    '',
    '/',
    'x'.repeat(5_000),
  ])('of the name %j are refused or missing', async name => {
    hostile = await hostileRepository()
    const { blob, tree, commit, directory } = hostile
    commit(tree([['100644', 'A.wiki', blob('one')]]))
    await run(['compare', '--', `${name}..main`])
    await run(['compare', '--', `commit:${name}`, 'A@latest'])
    writeFileSync(join(directory, '.git/HEAD'), `ref: ${name}\n`)
    const seen = contentsOf(hostile.outside)
    for (const argv of [['status'], ['page', 'get', 'A']]) await run(argv)
    await run(['page', 'create', 'New', '--file', '-'], 'new')
    expect(contentsOf(hostile.outside)).toEqual(seen)
    expect(readdirSync(join(directory, '..')).sort()).toEqual(['outside', 'wiki'])
  })
})
