/**
 * Programs that a repository names. Its settings, attributes and hooks name one in every place where git knows one, as those of an unpacked
 * archive may; each notes its name when it runs. Commands and routes run what "Programs" in docs/git.md says, and nothing else.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { commandTree, isGroup } from '../src/cli/commands.ts'
import { createApp } from '../src/rest/app.ts'
import { loosePath } from '../src/store/git/objects.ts'
import { handlePage } from '../src/web/handle-page.ts'
import { git, hasGit, madeOnce, temporaryDirectory } from './_setup.ts'
import { wiki } from './cli/harness.ts'
import { create, edit, openTestWiki } from './operations/_wiki.ts'
import { sending } from './rest/_asking.ts'
import { examples, exampleWiki } from './rest/_route-examples.ts'

/** Settings that name a program. Source: git-config(1). */
const keys = [
  ...['filter.evil.clean', 'filter.evil.smudge', 'filter.long.process', 'filter.a b.clean', 'diff.external'],
  ...['diff.evil.command', 'diff.evil.textconv', 'merge.evil.driver', 'merge.evil.recursive', 'core.fsmonitor'],
  ...['core.editor', 'core.pager', 'core.sshCommand', 'core.askPass', 'core.gitProxy', 'core.alternateRefsCommand'],
  ...['sequence.editor', 'pager.log', 'pager.status', 'credential.helper', 'gpg.program', 'gpg.ssh.program'],
  ...['gpg.x509.program', 'gpg.ssh.defaultKeyCommand', 'gc.recentObjectsHook', 'interactive.diffFilter'],
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'uploadpack.packObjectsHook', 'trailer.see.command'],
  ...['trailer.see.cmd', 'browser.evil.cmd', 'man.evil.cmd', 'difftool.evil.cmd', 'mergetool.evil.cmd'],
  ...['sendemail.sendmailcmd', 'sendemail.toCmd', 'tar.tar.gz.command', 'hook.evil.command'],
] as const

/** Settings whose program follows a sign or a name. */
const forms: Readonly<Record<string, (program: string) => string>> = {
  'alias.status': program => `!${program}`,
  'alias.cat-file': program => `!${program}`,
  'submodule.sub.update': program => `!${program}`,
  'remote.origin.url': program => `ext::${program}`,
}

/** Settings without which git would not start some of them. */
const switches: Readonly<Record<string, string>> = {
  'log.showSignature': 'true',
  'protocol.ext.allow': 'always',
  'filter.evil.required': 'false',
  'diff.submodule': 'log',
  'status.submoduleSummary': 'true',
  'commit.gpgSign': 'true',
  'user.signingKey': 'ada',
  'extensions.partialClone': 'origin',
  'remote.origin.promisor': 'true',
  'core.repositoryFormatVersion': '1',
  'diff.tool': 'evil',
  'web.browser': 'evil',
}

const hooks = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-merge-commit', 'post-index-change'],
  ...[
    'post-checkout',
    'reference-transaction',
    'pre-auto-gc',
    'post-rewrite',
    'post-merge',
    'pre-push',
    'fsmonitor-watchman',
  ],
  ...['pre-applypatch', 'applypatch-msg', 'post-applypatch', 'pre-rebase', 'push-to-checkout', 'sendemail-validate'],
]

/** Variables of git that name a program, as a hook or an alias leaves them. */
const variables = [
  ...['GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR'],
  ...['GIT_PAGER', 'GIT_PROXY_COMMAND'],
]

interface Armed {
  readonly directory: string
  /** Names of the programs that have run since the last call, each once. */
  readonly ran: () => string[]
}

const exampleFolder = madeOnce(async () => {
  const opened = await exampleWiki()
  const folder = opened.store.repository.workTree as string
  await create(opened, 'Gone', 'one')
  await edit(opened, 'Gone', 'two')
  await create(opened, 'Wide', 'wide')
  await create(opened, 'Moves', 'text\n\nand a second paragraph\n\nand a third one')
  await edit(opened, 'Moves', 'text, edited\n\nand a second paragraph\n\nand a third one')
  await edit(opened, 'Moves', 'text, edited\n\nand a second paragraph\n\nand a third one, edited')
  await opened.close()
  sign(folder)
  return folder
})

/** Gives the last commit a signature, which git has a program check. */
function sign(folder: string): void {
  const commit = git(folder, 'cat-file', 'commit', 'HEAD')
  const end = commit.indexOf('\n\n')
  const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----'
  const file = join(folder, '.git', 'signed')
  writeFileSync(file, `${commit.slice(0, end)}${signature}${commit.slice(end)}`)
  git(folder, 'update-ref', 'HEAD', git(folder, 'hash-object', '-t', 'commit', '-w', file))
}

/** An unpacked archive of a wiki: no file has the times that git's index knows, one was edited, and one lags behind the branch. */
async function armedWiki(): Promise<Armed> {
  const [directory, traces] = [await exampleFolder(), await temporaryDirectory()]
  const log = join(traces, 'ran')
  const program = (name: string): string => {
    const path = join(traces, `${name.replaceAll(/[ .]/g, '-')}.sh`)
    writeFileSync(path, `#!/bin/sh\necho '${name}' >> ${log}\ntest $# -gt 5 || cat\n`, { mode: 0o755 })
    return path
  }
  const other = join(traces, 'included')
  for (const [at, key] of keys.entries())
    git(directory, 'config', ...(at % 3 === 0 ? ['--file', other] : []), key, program(key))
  for (const [key, form] of Object.entries(forms)) git(directory, 'config', key, form(program(key)))
  for (const [key, value] of Object.entries(switches)) git(directory, 'config', key, value)
  git(directory, 'config', 'include.path', other)
  mkdirSync(join(directory, '.git', 'hooks'), { recursive: true })
  for (const hook of hooks) copyTo(program(hook), join(directory, '.git', 'hooks', hook))
  const attributes = [
    ...[
      'X.wiki filter=evil diff=evil merge=evil',
      'Moves.wiki filter=evil',
      'Code*.wiki filter=evil',
      '*.md filter=long diff=evil',
    ],
    ...[
      '*.png filter="a b"',
      'New*.wiki filter=evil',
      'Wide.wiki working-tree-encoding=UTF-16LE',
      '[attr]evil filter=evil',
    ],
  ]
  writeFileSync(join(directory, '.gitattributes'), `${attributes.slice(0, 4).join('\n')}\n`)
  appendFileSync(join(directory, '.git', 'info', 'attributes'), `${attributes.slice(4).join('\n')}\n`)
  for (const name of ['X.wiki', 'Code.css.wiki', 'Mark.md', 'File/Photo.png', 'Old.wiki'])
    utimesSync(join(directory, name), 1_700_000_000, 1_700_000_000)
  writeFileSync(join(directory, 'Old.wiki'), 'edited\n')
  writeFileSync(join(directory, 'X.wiki'), '[[File:Script.svg]] <b>x, edited</b>\n')
  writeFileSync(join(directory, 'New one.wiki'), 'new\n')
  writeFileSync(join(directory, 'Wide.wiki'), Buffer.from('wide, edited\n', 'utf16le'))
  lagBehind(directory, 'Moves.wiki')
  const missing = git(directory, 'rev-parse', 'HEAD:Gone.wiki')
  rmSync(loosePath(join(directory, '.git', 'objects'), missing))
  const ran = () => {
    const names = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
    rmSync(log, { force: true })
    return [...new Set(names)].sort()
  }
  ran()
  return { directory, ran }
}

function copyTo(from: string, to: string): void {
  writeFileSync(to, readFileSync(from), { mode: 0o755 })
}

/** Leaves a file as it was before the branch's last edit, with the notes by which this program brings it up to date. */
function lagBehind(directory: string, path: string): void {
  const [to, from] = ['HEAD', 'HEAD~1'].map(commit => git(directory, 'rev-parse', `${commit}:${path}`))
  writeFileSync(join(directory, path), git(directory, 'cat-file', 'blob', from as string))
  const notes = join(directory, '.git', 'wiki')
  writeFileSync(join(notes, 'bases'), JSON.stringify({ [path]: [{ from, to, isDue: true }] }))
  const note = { mark: null, branch: 'refs/heads/main', paths: [{ path, before: from, after: to }] }
  writeFileSync(join(notes, 'replaced'), `${JSON.stringify(note)}\n`)
  const journal = { branch: 'refs/heads/main', commit: '', paths: [{ path, before: from, after: to }] }
  writeFileSync(join(notes, 'journal'), JSON.stringify({ ...journal, replaced: [], ahead: [] }))
}

/** Arguments of the commands that read: with those that read files of the work tree. */
const reading: Readonly<Record<string, readonly (readonly string[])[]>> = {
  serve: [['--port', '0']],
  show: [['X'], ['X', '--work'], ['Mark', '--work']],
  search: [['x'], ['--history', 'x'], ['--title', 'X']],
  'page get': [['X'], ['X', '--work'], ['Wide', '--work'], ['New one', '--work'], ['X', '--html'], ['Gone']],
  'page list': [[]],
  'page languages': [['X']],
  'page files': [['X']],
  log: [[], ['-p'], ['--stat']],
  history: [['X'], ['Moves', '--all']],
  blame: [['X'], ['Moves', '--words']],
  'revision get': [['1'], ['1', '--html']],
  compare: [['X@latest', 'X@work'], ['--page', 'X'], ['HEAD~1..HEAD'], ['HEAD~3..HEAD', '--patch'], ['--page', 'Mark']],
  links: [['X']],
  list: [['orphans']],
  category: [['X']],
  merge: [['X.wiki', 'Old.wiki', 'Moves.wiki']],
  'file get': [['Photo.png'], ['Photo.png', '--meta']],
  'file list': [[]],
  status: [[]],
  convert: [['wikitext', 'html', 'X.wiki']],
  lint: [[], ['X'], ['--all'], ['Mark', 'New one'], ['X@1']],
  verify: [[]],
  check: [[], ['--work'], ['--all'], ['--staged'], ['--since', 'HEAD~2']],
  export: [[], ['--latest', 'X']],
  'config get': [['name']],
  'config list': [[]],
  'token create': [['Reader']],
  'token list': [[]],
  'token revoke': [['1']],
  completion: [['bash']],
  help: [['history']],
}

/** Commands that write, as dry runs. */
const rehearsed: readonly (readonly string[])[] = [
  ['page', 'move', 'X', 'Y', '--update-links', '--dry-run'],
  ['page', 'delete', 'X', '--dry-run'],
  ['replace', 'x', 'y', '--dry-run'],
  ['undo', 'HEAD~1', '--dry-run'],
  ['undo', 'Moves@prev', '--dry-run'],
  ['commit', '--dry-run'],
  ['restore', '--dry-run'],
  ['migrate-layout', 'sharded', '--dry-run'],
  ['lint', '--all', '--fix', '--dry-run'],
  ['check', '--all', '--fix', '--dry-run'],
  ['__complete', '--', 'page', 'get', ''],
]

const dump =
  '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><page><title>New four</title><ns>0</ns>' +
  '<id>1</id><revision><id>1</id><timestamp>2024-01-01T00:00:00Z</timestamp><contributor><username>A</username></contributor>' +
  '<model>wikitext</model><format>text/x-wiki</format><text>text</text></revision></page></mediawiki>\n'

/** Commands that write. */
const writing: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [[]],
  'page create': [['New two', '-f', '-']],
  'page edit': [['X', '-f', '-']],
  'page move': [['Mark', 'Mark two', '--update-links']],
  'page delete': [['Mark', '--yes']],
  'page restore': [['Mark']],
  'revision hide': [['1', '--comment']],
  'revision show': [['1', '--comment']],
  replace: [['third', 'fourth', '--yes']],
  apply: [['new.patch']],
  undo: [['Moves@prev']],
  'file add': [['Photo.png', '--title', 'Other.png']],
  commit: [['Old']],
  restore: [['--yes']],
  'migrate-layout': [['sharded']],
  import: [['dump.xml']],
  'config set': [['name', 'Other']],
}

const commands = Object.entries(commandTree).flatMap(([name, entry]) =>
  isGroup(entry) ? Object.keys(entry.commands).map(sub => `${name} ${sub}`) : [name],
)

/** The commands of a row of the table in docs/git.md. */
function rowOf(kind: string): string[] {
  const text = readFileSync(new URL('../docs/git.md', import.meta.url), 'utf8')
  const row = text.split('\n').find(line => line.startsWith(`| ${kind} |`)) ?? ''
  return [...row.matchAll(/`([a-z -]+)`/g)].map(([, name]) => name as string)
}

test('the document says of every command whether it reads or writes', () => {
  const [read, written] = [rowOf('read'), rowOf('write')]
  expect([...read, ...written].sort()).toEqual([...commands].sort())
  expect(Object.keys(reading).sort()).toEqual([...read].sort())
  expect(Object.keys(writing).sort()).toEqual([...written].sort())
})

describe.skipIf(!hasGit || process.platform === 'win32')('a repository whose settings name programs', () => {
  const setVariables = () => {
    for (const name of variables) vi.stubEnv(name, `touch /nowhere/${name}; false`)
  }
  const run = (directory: string, argv: readonly string[]) =>
    wiki(argv, { cwd: directory, stdin: 'written\n', stopped: Promise.resolve() })

  test('git itself runs them', async () => {
    const { directory, ran } = await armedWiki()
    git(directory, '--no-pager', '-c', 'core.alternateRefsCommand=', 'status')
    git(directory, '--no-pager', 'log', '-p', '-1')
    expect(ran()).toEqual(expect.arrayContaining(['filter.evil.clean', 'filter.long.process', 'gpg.program']))
  })

  // Slow: a hundred commands.
  test.each([0, 1, 2])('no command that reads runs one: part %i of three', { tags: 'long' }, async part => {
    const { directory, ran } = await armedWiki()
    setVariables()
    const lines = Object.entries(reading).flatMap(([name, all]) => all.map(line => [...name.split(' '), ...line]))
    for (const argv of [...lines, ...rehearsed].filter((_, at) => at % 3 === part)) {
      const { stdout, stderr } = await run(directory, argv)
      expect.soft(ran(), `${argv.join(' ')}: ${stdout.slice(0, 300)}${stderr.slice(0, 300)}`).toEqual([])
    }
  })

  const pages = ['X', 'Mark', 'Moves', 'New_one', 'Gone']
  const actions = ['history', 'authors', 'info', 'links', 'edit', 'edit&undo=HEAD', 'lead', 'raw', 'render']
  const specials = [
    'Statistics',
    'LintErrors',
    'RecentChanges',
    'Search?search=x',
    'Lists/orphans',
    'ListFiles',
    'UnusedFiles',
  ]
  const forPeople = (undone: number) => [
    ...pages.flatMap(title => actions.map(action => `/wiki/${title}?action=${action}`)),
    ...[`/wiki/Moves?action=edit&undo=${undone}`, `/wiki/Moves?diff=prev&oldid=${undone}&view=side`],
    ...[...specials, 'WhatLinksHere/X', 'MovePage/X', 'DeletePage/X', 'Upload'].map(name => `/wiki/Special:${name}`),
  ]

  test('no route that reads runs one', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    setVariables()
    const opened = await openTestWiki(directory)
    const app = createApp(opened, { allowAnonymous: true, pages: async () => handlePage })
    await opened.store.checkout.watchIndex()
    const undone = [...opened.store.revisionsOf(opened.store.findPage('Moves')!)][1]!.id
    const asked = Object.entries(examples).flatMap(([route, all]) =>
      /^GET|^POST \/(?:merge|compare|transform)/.test(route)
        ? all.filter(([path]) => path !== '').map(one => [route.split(' ')[0]!, ...one] as const)
        : [],
    )
    const others = forPeople(undone).map(path => ['GET', path, undefined] as const)
    const move = ['POST', '/v1/page/X/move', { to: 'Y', dryRun: true, updateLinks: true }] as const
    const statuses = new Set<number>()
    for (const [method, path, body] of [...asked, ...others, move]) {
      const request = body === undefined ? { headers: { accept: 'text/html' } } : sending(method, body)
      const answer = await app.request(path, request)
      await answer.text()
      statuses.add(answer.status)
      expect.soft(ran(), `${method} ${path}`).toEqual([])
    }
    expect(statuses.has(200)).toBe(true)
  })

  test('an edit over a server runs filters, and hooks by a setting alone', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    setVariables()
    const programs = { hooks: 'none', sign: false, byServer: true, patience: 60_000 } as const
    const app = createApp(await openTestWiki(directory, { programs }), { allowAnonymous: true })
    const answer = await app.request('/v1/page', sending('POST', { title: 'New five', source: 'x', comment: null }))
    expect(answer.status).toBe(201)
    expect(ran().filter(name => !name.startsWith('filter.'))).toEqual([])
    git(directory, 'config', 'commit.gpgSign', 'false')
    git(directory, 'config', 'wiki.serverHooks', 'true')
    await app.request('/v1/page', sending('POST', { title: 'New six', source: 'x', comment: null }))
    expect(ran()).toContain('pre-commit')
  })

  /** Lists the changes that `wiki status` names, with what it says of them. */
  const changesOf = async (directory: string) => (await run(directory, ['status'])).stdout.split('\n').filter(Boolean)

  test('reading compares a file without its filter, and says so where it cannot', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    git(directory, 'config', '--add', 'wiki.trustedDirectory', '*')
    const lines = await changesOf(directory)
    const maybe = 'maybe unchanged: its filter "evil" was not run'
    expect(lines).toEqual(expect.arrayContaining([`modified\tX.wiki\tX\t${maybe}`, 'added\tNew one.wiki\tNew one']))
    // Its bytes are those of the blob, although its times are others.
    expect(lines.filter(line => line.includes('Code.'))).toEqual([])
    const { status, stderr } = await run(directory, ['lint', 'X'])
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`git config --global --add wiki.trustedDirectory "${directory}"`),
    ])
    expect(ran()).toEqual([])
  })

  test('a folder that the user trusts has its filters run', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    const settings = join(await temporaryDirectory(), 'config')
    vi.stubEnv('GIT_CONFIG_GLOBAL', settings)
    git(directory, 'config', '--file', settings, 'wiki.trustedDirectory', directory)
    expect((await changesOf(directory)).join('\n')).not.toContain('maybe')
    expect(ran()).toEqual(expect.arrayContaining(['filter.evil.clean']))
  })

  /** Programs that a write may run: docs/git.md, "Programs" and "Hooks and signing". */
  const ofWrites = /^(?:filter\..*|gpg\.program|pre-commit|prepare-commit-msg|commit-msg|post-commit)$/

  test('commands that write run those of a commit', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    setVariables()
    git(directory, 'config', 'commit.gpgSign', 'false')
    writeFileSync(join(directory, 'new.patch'), '--- /dev/null\n+++ b/New three.wiki\n@@ -0,0 +1 @@\n+word\n')
    writeFileSync(join(directory, 'dump.xml'), dump)
    const all = new Set<string>()
    for (const [name, lines] of Object.entries(writing))
      for (const line of lines) {
        const { stderr } = await run(directory, [...name.split(' '), ...line])
        const names = ran()
        for (const one of names) all.add(one)
        expect(
          names.filter(one => !ofWrites.test(one)),
          `${name}: ${stderr}`,
        ).toEqual([])
      }
    const expected = ['commit-msg', 'filter.evil.clean', 'filter.evil.smudge', 'filter.long.process', 'post-commit']
    expect([...all].sort()).toEqual([...expected, 'pre-commit', 'prepare-commit-msg'])
  })
})
