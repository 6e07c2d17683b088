/** Texts that seem to be older than recent edits of others, where no record names their base. */

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lacksEdit } from '../../src/operations/comparing/word-bag.ts'
import { openStore } from '../../src/store/store.ts'
import { git, hasGit } from '../_setup.ts'
import { day, fromNow } from '../_times.ts'
import { sampleWiki, temporaryFolder, wiki } from './harness.ts'

const path = 'Fire_station.wiki'
const title = 'Fire station'
const old = '== House ==\nThe old fire station is blue.\n\n== Crew ==\nNobody is there.\n'
const theirs = old.replace('blue.\n', 'blue.\nIts tower leans to the east.\n')
const mine = old.replace('Nobody is', 'Six people are')
const both = theirs.replace('Nobody is', 'Six people are')

interface Save {
  readonly name?: string
  readonly time?: Date
}

/** The page as Ada left it, then with the edits of others: the file follows. */
async function followedWiki(...texts: readonly (readonly [string, Save?])[]): Promise<string> {
  const cwd = sampleWiki()
  const store = openStore({ directory: cwd })
  const saves: readonly (readonly [string, Save?])[] = [[old, { name: 'Ada' }], ...texts]
  for (const [text, { name = 'Bob', time } = {}] of saves) {
    const changes = [{ path, content: Buffer.from(text) }]
    const author = { name, address: `${name}@example.org` }
    await store.commit(() => ({ changes, author, comment: '', subject: 'save', ...(time && { time }) }))
  }
  store.close()
  expect(readFileSync(join(cwd, path), 'utf8')).toBe(texts.at(-1)?.[0] ?? old)
  return cwd
}

const user = ['--user', 'Ada <ada@example.org>']
const pageOf = async (cwd: string) => (await wiki(['page', 'get', title], { cwd })).stdout
const save = (cwd: string, text: string) => writeFileSync(join(cwd, path), text)

test('an older text that an editor saved over a newer one is refused, and both solutions are named', {
  tags: 'long',
}, async () => {
  for (const way of [/To keep both: wiki (.*?);/, /to remove their edits: wiki (.*)/]) {
    const cwd = await followedWiki([theirs])
    save(cwd, mine)
    for (const extra of [[], ['--dry-run']]) {
      const refused = await wiki(['commit', ...extra, ...user], { cwd })
      expect([refused.status, await pageOf(cwd)]).toEqual([3, theirs])
      expect(refused.stderr).toContain('it lacks what others saved after revision')
    }
    const [, command = ''] = way.exec((await wiki(['commit', ...user], { cwd })).stderr) ?? []
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    expect((await wiki([...words, ...user], { cwd })).status).toBe(0)
    const expected = way.source.startsWith('To keep') ? both : mine
    expect([await pageOf(cwd), readFileSync(join(cwd, path), 'utf8')]).toEqual([expected, expected])
  }
})

test.each([
  ['a sentence', `${old}High water is at noon on Monday.\n`, `${old}Low water is at six on Tuesday.\n`],
  ['an item of a list', `${old}* Monday: Bob (done)\n`, `${old}* Friday: Ada (done)\n`],
  ['a numbered entry', `${old}* entry 12 of the log, by day\n`, `${old}* entry 13 of the log, by day\n`],
  [
    'a sentence of a paragraph',
    old.replace('blue.', 'blue. Its door is at the left side.'),
    old.replace('blue.', 'blue. Its yard is at the right side.'),
  ],
])('%s like one that others added does not pass for it', async (_, newer, text) => {
  const cwd = await followedWiki([newer])
  save(cwd, text)
  expect((await wiki(['commit', ...user], { cwd })).status).toBe(3)
  expect((await wiki(['page', 'edit', title, '-f', '-', ...user], { cwd, stdin: text })).status).toBe(3)
  expect(await pageOf(cwd)).toBe(newer)
})

test('a text from another source is refused, unless it names its base', async () => {
  const cwd = await followedWiki([theirs])
  const edit = ['page', 'edit', title, '-f', '-', ...user]
  expect((await wiki(edit, { cwd, stdin: mine })).status).toBe(3)
  expect(await pageOf(cwd)).toBe(theirs)
  expect((await wiki([...edit, '--base', '@prev'], { cwd, stdin: mine })).status).toBe(0)
  expect(await pageOf(cwd)).toBe(both)
})

test('the oldest of several edits missing from a text is found', async () => {
  const later = theirs.replace('there.\n', 'there.\nThe door stays open at night.\n')
  const cwd = await followedWiki([theirs], [later, { name: 'Cleo' }])
  save(cwd, mine)
  const refused = await wiki(['commit', '--json', ...user], { cwd })
  expect(JSON.parse(refused.stderr)).toMatchObject({ base: 6, current: 8 })
})

test("a file whose notes were removed with the wiki's folder is refused", async () => {
  const cwd = await followedWiki()
  save(cwd, mine)
  const store = openStore({ directory: cwd })
  const author = { name: 'Bob', address: '' }
  await store.commit(() => ({ changes: [{ path, content: Buffer.from(theirs) }], author, comment: '', subject: 's' }))
  store.close()
  rmSync(join(cwd, '.git/wiki'), { recursive: true })
  expect((await wiki(['commit', ...user], { cwd })).status).toBe(3)
  expect(await pageOf(cwd)).toBe(theirs)
})

test('a text that lacks what others saved, and what its writer saved after them, is refused', async () => {
  const cwd = await followedWiki([theirs], [theirs.replace('Nobody is', 'Nobody was ever'), { name: 'Ada' }])
  save(cwd, old.replace('blue', 'green'))
  const refused = await wiki(['commit', '--json', ...user], { cwd })
  expect([refused.status, JSON.parse(refused.stderr)]).toMatchObject([3, { base: 6, current: 8 }])
  const env = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'Ada@example.org' }
  const stale = 'stale: lacks what others saved after revision 6, latest is 8'
  expect((await wiki(['status'], { cwd, env })).stdout).toBe(`modified\t${path}\t${title}\t${stale}\n`)
  expect(JSON.parse((await wiki(['status', '--json'], { cwd, env })).stdout).changes).toMatchObject([
    { path, stale: { base: 6, latest: 8 } },
  ])
})

test.skipIf(!hasGit)('edits that a pull brought count from the pull on, however old they are', async () => {
  const cwd = await followedWiki()
  const clone = join(temporaryFolder(), 'clone')
  git('.', 'clone', '-q', cwd, clone)
  writeFileSync(join(clone, path), theirs)
  const gitOn = (date: string, folder: string, ...words: string[]) => {
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    execFileSync('git', ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', ...words], { cwd: folder, env })
  }
  gitOn('2020-01-01T00:00:00Z', clone, 'commit', '-qam', 'theirs')
  // The log of the branch begins two days earlier.
  const log = join(cwd, '.git/logs/refs/heads/main')
  const [first = ''] = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-1)
  writeFileSync(log, `${first.replace(/> \d+/, `> ${Math.floor(fromNow(-2 * day).getTime() / 1000)}`)}\n`)
  gitOn(fromNow(0).toISOString(), cwd, 'pull', '-q', clone)
  expect(readFileSync(join(cwd, path), 'utf8')).toBe(theirs)
  save(cwd, mine)
  expect((await wiki(['commit', ...user], { cwd })).status).toBe(3)
  expect(await pageOf(cwd)).toBe(theirs)
})

const longer = `${theirs}${'More and more of it. '.repeat(9)}\n`

test.each([
  ['keeps what others saved and takes back its own', [[theirs], [longer, { name: 'Ada' }]], theirs],
  ['has its own and takes out what others saved before', [[theirs], [both, { name: 'Ada' }]], mine],
  ['keeps a part of what others wrote', [[theirs]], mine.replace('blue.\n', 'blue.\nIts tower leans.\n')],
  ['rewrites what others wrote', [[old.replace('blue', 'green')]], old.replace('blue', 'red')],
  [
    'goes on with what others wrote',
    [[theirs]],
    mine.replace('blue.\n', 'blue.\nIts tower leans to the east, and its roof to the west, by a yard.\n'),
  ],
  ['corrects what others wrote', [[theirs]], mine.replace('blue.\n', 'blue.\nIts tower leans to the west.\n')],
  ['takes back the own edit', [[theirs, { name: 'Ada' }]], mine],
  ['takes back what was saved long ago', [[theirs, { time: fromNow(-2 * day) }]], mine],
  ['is mostly new', [[theirs]], 'A page about engines, hoses and ladders, of a quite different kind than before.\n'],
] as const)('a text that %s is recorded', async (_, texts, text) => {
  const cwd = await followedWiki(...texts)
  save(cwd, text)
  expect((await wiki(['commit', ...user], { cwd })).status).toBe(0)
  expect(await pageOf(cwd)).toBe(text)
})

test('an edit counts as missing by its words', () => {
  expect(lacksEdit('a b c', 'a b c', 'a b c d')).toBe(true)
  expect(lacksEdit('a b c x', 'a b c', 'a b c d')).toBe(true)
  expect(lacksEdit('a b c d x', 'a b c', 'a b c d')).toBe(false)
  expect(lacksEdit('a b c', 'a b c', 'a b')).toBe(true)
  expect(lacksEdit('a b x', 'a b c', 'a b')).toBe(false)
  expect(lacksEdit('a b c', 'a b c', ' a  b c')).toBe(false)
  expect(lacksEdit('x y z', 'a b c', 'a b c d')).toBe(false)
  expect(lacksEdit('船在港。人在岸。鳥在天。', '船在港。人在岸。', '船在港。人在岸。魚在水。')).toBe(true)
})
