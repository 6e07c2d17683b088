import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PageEntry, RevisionEntry } from '../../src/store/format/entries.ts'
import { maxObjectBytes } from '../../src/store/git/objects.ts'
import type { Store } from '../../src/store/store.ts'
import { git, gitAs, hasGit, temporaryDirectory } from '../_setup.ts'
import { type ScriptedCommit, writeHistory } from './_scripted-history.ts'
import { answersOf, newStore, openFresh, titlesOf, write } from './_store.ts'

describe.skipIf(!hasGit)('commits of native git', () => {
  test('are visible after the next refresh', async () => {
    const { store, directory } = await newStore()
    for (const [at, text] of ['a', 'b', 'c'].entries()) {
      commitFile(directory, 'A.wiki', text)
      await store.refresh()
      expect(store.findPage('A')).toMatchObject({ id: 1, latest: at + 1, edits: at + 1 })
      expect(await store.text(latestOf(store, 'A'))).toBe(text)
    }
  })

  test('are visible after a pull, including side branches', async () => {
    const { store, directory } = await newStore()
    commitFile(directory, 'A.wiki', 'a')
    const other = await temporaryDirectory()
    git(other, 'clone', '--quiet', directory, 'clone')
    const clone = join(other, 'clone')
    commitFile(clone, 'B.wiki', 'b')
    commitFile(clone, 'B.wiki', 'b2')
    commitFile(directory, 'A.wiki', 'a2')
    await store.refresh()
    git(directory, 'pull', '--quiet', '--no-rebase', '--no-edit', clone, 'main')
    await store.refresh()
    expect(titlesOf(store)).toEqual(['A', 'B'])
    expect(subjects(store, 'B')).toEqual(['B.wiki: b2', 'B.wiki: b'])
    const elsewhere = await openFresh(await cloneOf(directory))
    expect({ ...answersOf(elsewhere) }).toEqual({ ...answersOf(store) })
  })

  test('that were amended retire their earlier ids', async () => {
    const { store, directory } = await newStore()
    commitFile(directory, 'A.wiki', 'a')
    commitFile(directory, 'A.wiki', 'wrong')
    await store.refresh()
    writeFileSync(join(directory, 'A.wiki'), 'right')
    git(directory, 'commit', '--quiet', '--all', '--amend', '-m', 'amended')
    await store.refresh()
    expect(store.findPage('A')).toMatchObject({ id: 1, first: 1, latest: 3 })
    expect(store.revision(2)).toBeUndefined()
    expect(latestOf(store, 'A')).toMatchObject({ previous: 1, comment: 'amended' })
  })

  test('on a deleted branch disappear, and are restored with it', async () => {
    const { store, directory } = await newStore()
    commitFile(directory, 'A.wiki', 'a')
    git(directory, 'branch', 'other')
    const other = await openFresh(directory, { branch: 'other' })
    const answers = answersOf(other)
    expect(answers.pages.length).toBe(1)
    git(directory, 'branch', '-D', 'other')
    const missing = { code: 'wiki-branch-missing', hint: expect.stringContaining(`git branch other ${answers.tip}`) }
    await expect(other.refresh()).rejects.toMatchObject(missing)
    await expect(openFresh(directory, { branch: 'other' })).rejects.toMatchObject(missing)
    await expect(write(other, { 'B.wiki': 'b' })).rejects.toMatchObject(missing)
    expect(git(directory, 'branch', '--format=%(refname:short)')).toBe('main')
    git(directory, 'branch', 'other', 'main')
    await other.refresh()
    expect(answersOf(other)).toEqual(answers)
    await store.refresh()
    expect(titlesOf(store)).toEqual(['A'])
  })

  test('are distinguished from those of other branches, each of which has its index', async () => {
    const { store, directory } = await newStore()
    commitFile(directory, 'A.wiki', 'a')
    git(directory, 'checkout', '--quiet', '-b', 'deep/other')
    commitFile(directory, 'B.wiki', 'b')
    await store.refresh()
    expect(titlesOf(store)).toEqual(['A'])
    expect(titlesOf(await openFresh(directory))).toEqual(['A', 'B'])
    expect(titlesOf(await openFresh(directory, { branch: 'main' }))).toEqual(['A'])
  })

  test("of two linked work trees with detached heads do not retire each other's ids", async () => {
    const { directory } = await newStore()
    commitFile(directory, 'A.wiki', 'a')
    commitFile(directory, 'A.wiki', 'b')
    for (const [name, commit] of [
      ['one', 'HEAD'],
      ['two', 'HEAD~1'],
    ] as const)
      git(directory, 'worktree', 'add', '--quiet', '--detach', `${directory}-${name}`, commit)
    for (let round = 0; round < 3; round++) {
      expect((await openFresh(`${directory}-one`)).findPage('A')?.latest).toBe(2)
      expect((await openFresh(`${directory}-two`)).findPage('A')?.latest).toBe(1)
    }
    for (const name of ['one', 'two']) rmSync(`${directory}-${name}`, { recursive: true })
  })
})

describe.skipIf(!hasGit)('ids after a rewrite', () => {
  test('survive a deleted index', async () => {
    const { store, directory } = await newStore()
    for (const text of ['a', 'b', 'c']) commitFile(directory, 'A.wiki', text)
    await store.refresh()
    const old = answersOf(store).ids
    git(directory, 'reset', '--quiet', '--hard', 'HEAD~2')
    commitFile(directory, 'A.wiki', 'new')
    commitFile(directory, 'New.wiki', 'n')
    await store.refresh()
    expect(store.findPage('A')).toMatchObject({ id: 1, latest: 4 })
    expect(store.findPage('New')).toMatchObject({ id: 2, latest: 5 })
    const answers = answersOf(store)
    for (const name of ['base', 'tail']) rmSync(join(directory, '.git/wiki/main', name), { force: true })
    expect(answersOf(await openFresh(directory))).toEqual(answers)
    await store.rebuild()
    expect(answersOf(store)).toEqual(answers)
    git(directory, 'reset', '--quiet', '--hard', old[2]?.[1] as string)
    await store.refresh()
    expect(store.findPage('A')?.latest).toBeGreaterThan(5)
    const reused = answersOf(store).ids.filter(([id, commit]) =>
      answers.ids.some(row => row[0] === id && row[1] !== commit),
    )
    expect(reused).toEqual([])
  })

  test('survive a renamed branch', async () => {
    const { store, directory } = await newStore()
    for (const text of ['a', 'b', 'c']) commitFile(directory, 'A.wiki', text)
    await store.refresh()
    git(directory, 'reset', '--quiet', '--hard', 'HEAD~2')
    commitFile(directory, 'A.wiki', 'new')
    await store.refresh()
    const { ids } = answersOf(store)
    expect(store.findPage('A')?.latest).toBe(4)
    store.close()
    for (const [from, to] of [
      ['main', 'trunk'],
      ['trunk', 'a/b'],
    ] as const) {
      git(directory, 'branch', '-m', from, to)
      expect(answersOf(await openFresh(directory)).ids).toEqual(ids)
    }
    git(directory, 'reset', '--quiet', '--hard', 'HEAD~1')
    commitFile(directory, 'A.wiki', 'newer')
    expect((await openFresh(directory)).findPage('A')?.latest).toBe(5)
  })

  test('are reported once', async () => {
    const { directory } = await newStore()
    for (const text of ['a', 'b']) commitFile(directory, 'A.wiki', text)
    await openFresh(directory)
    git(directory, 'commit', '--quiet', '--amend', '-m', 'amended')
    const notices: string[] = []
    for (let round = 0; round < 3; round++) await openFresh(directory, { notice: text => notices.push(text) })
    expect(notices).toEqual([expect.stringContaining('rewritten')])
  })

  test('agree in every process', async () => {
    const { store, directory } = await newStore()
    const other = await openFresh(directory)
    for (const text of ['a', 'b']) commitFile(directory, 'A.wiki', text)
    await store.refresh()
    for (const text of ['c', 'd']) {
      git(directory, 'commit', '--quiet', '--amend', '-m', text)
      await store.refresh()
      await other.refresh()
      expect(answersOf(other)).toEqual(answersOf(store))
      expect(answersOf(await openFresh(directory))).toEqual(answersOf(store))
    }
  })
})

describe('wiki.json', () => {
  test.each([
    ['namespaces', { namespaces: { '100': { name: 'Portal' } } }, ['A', 'Portal:X', 'Talk:A', 'lower']],
    ['case', { capitalization: 'case-sensitive' }, ['A', 'Portal/X', 'Talk:A', 'lower']],
    ['root', { root: 'docs' }, ['In docs']],
  ])('renames or renumbers pages when its %s change', async (name, change, titles) => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a', 'Portal/X.wiki': 'x', 'Talk/A.wiki': 't', 'lower.wiki': 'l', 'p.png': 'p' })
    await write(store, { 'A.wiki': 'b', 'docs/In docs.wiki': 'd' })
    await write(store, { 'docs/In docs.wiki': null, 'A.wiki': 'c' })
    if (name === 'root') await write(store, { 'docs/In docs.wiki': 'again' })
    const before = answersOf(store)
    await write(store, { 'wiki.json': JSON.stringify(change) })
    const expected = name === 'case' ? titles : titles.map(title => (title === 'lower' ? 'Lower' : title))
    expect(titlesOf(store).sort()).toEqual(expected.sort())
    expect(answersOf(await openFresh(directory))).toEqual(answersOf(store))
    if (name !== 'root') expect(answersOf(store).ids).toEqual(before.ids)
    else expect(store.findPage('In_docs')?.latest).toBeGreaterThan(before.ids.at(-1)?.[0] as number)
    await write(store, { 'wiki.json': '{}' })
    expect(titlesOf(store)).toEqual(before.pages.map(page => page.title))
    expect(answersOf(await openFresh(directory))).toEqual(answersOf(store))
  })

  test('names bots, by address or by name', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'a' }, { author: { name: 'Robot', address: 'Robot@Example.org' } })
    await write(store, { 'A.wiki': 'b' }, { author: { name: 'Script', address: 's@example.org' } })
    await write(store, { 'A.wiki': 'c' }, { author: { name: 'Ada', address: 'ada@example.org' } })
    const bots = () => listRevisions(store, 'A').map(revision => revision.bot)
    expect(bots()).toEqual([false, false, false])
    await write(store, { 'wiki.json': '{"bots": ["robot@EXAMPLE.org", "Script"]}' })
    expect(bots()).toEqual([false, true, true])
  })

  test('with an error keeps the earlier settings, and applies when it is corrected', async () => {
    const { store: other, directory } = await newStore()
    const notices: string[] = []
    const store = await openFresh(directory, { notice: text => notices.push(text) })
    await write(store, { 'wiki.json': '{"namespaces": {"100": {"name": "Portal"}}}', 'Portal/X.wiki': 'x' })
    await write(store, { 'wiki.json': '{"namespaces": 7}' })
    await other.refresh()
    expect(notices).toEqual([expect.stringContaining('namespaces')])
    expect([titlesOf(store), titlesOf(other)]).toEqual([['Portal:X'], ['Portal:X']])
    await write(store, { 'Y.wiki': 'y' })
    await other.refresh()
    expect(notices).toHaveLength(1)
    const later = await openFresh(directory)
    expect(titlesOf(later)).toEqual(['Portal:X', 'Y'])
    store.close()
    if (hasGit) {
      git(directory, 'reset', '--quiet', '--hard')
      commitFile(directory, 'wiki.json', '{"namespaces": {"102": {"name": "Book"}}}')
      expect(titlesOf(await openFresh(directory))).toEqual(['Portal/X', 'Y'])
    }
  })
})

describe('colliding titles', () => {
  test('show the file with the first content model, and report the other', async () => {
    const { store } = await newStore()
    await write(store, { 'A.md': 'm', 'A.wiki': 'w', 'b_c.wiki': '1', 'b c.wiki': '2', 'x_y.png': 'p', 'x y.png': 'q' })
    expect([...store.pages()].map(page => [page.key, page.path])).toEqual([
      ['A', 'A.wiki'],
      ['B_c', 'b c.wiki'],
    ])
    expect([...store.files()].map(file => file.path)).toEqual(['x y.png'])
    expect(store.findFile('File:X_y.png')?.path).toBe('x y.png')
    const reason = (path: string) => `it has the same title as ${path}`
    expect([...store.problems()].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'A.md', shownAs: 'A.wiki', reason: reason('A.wiki') },
      { path: 'b_c.wiki', shownAs: 'b c.wiki', reason: reason('b c.wiki') },
      { path: 'x_y.png', shownAs: 'x y.png', reason: reason('x y.png') },
    ])
    await write(store, { 'A.wiki': null, 'b c.wiki': null, 'x y.png': null })
    expect([...store.problems()]).toEqual([])
    expect(store.findPage('A')?.path).toBe('A.md')
  })

  test('are not titles at all if a file name is invalid', async () => {
    const { store } = await newStore()
    await write(store, { 'a#b.wiki': 'x', 'a[b].wiki': 'y', '%FF.wiki': 'z', '<.png': 'p' })
    expect(titlesOf(store)).toEqual([])
    expect([...store.problems()].map(({ path, shownAs }) => [path, shownAs]).sort()).toEqual([
      ['%FF.wiki', null],
      ['<.png', null],
      ['a#b.wiki', null],
      ['a[b].wiki', null],
    ])
    expect(store.pageAtPath('a#b.wiki')).toMatchObject({ key: '', edits: 1 })
  })
})

describe.skipIf(!hasGit)('a shallow clone', () => {
  test('shows what it has, and assigns new ids when it is deepened', { tags: 'long' }, async () => {
    const { store, directory } = await newStore()
    for (const text of ['a', 'b', 'c', 'd']) await write(store, { 'A.wiki': text })
    const empty = await temporaryDirectory()
    git(empty, 'clone', '--quiet', '--depth=2', `file://${directory}`, 'clone')
    const clone = join(empty, 'clone')
    const notices: string[] = []
    const opened = await openFresh(clone, { notice: line => notices.push(line) })
    expect(opened.shallow).toBe(true)
    expect(opened.findPage('A')).toMatchObject({ first: 1, latest: 2, edits: 2 })
    git(clone, 'fetch', '--quiet', '--deepen=1')
    await opened.refresh()
    expect(opened.findPage('A')).toMatchObject({ first: 3, latest: 5, edits: 3 })
    // Nobody has rewritten anything.
    expect(notices).toEqual([expect.stringMatching(/^The clone has more or less history than before: .*, from 3 on/)])
    git(clone, 'fetch', '--quiet', '--unshallow')
    await opened.refresh()
    expect(opened.shallow).toBe(false)
    expect(opened.findPage('A')).toMatchObject({ first: 6, latest: 9, edits: 4 })
    expect(listRevisions(opened, 'A').map(revision => revision.commit)).toEqual(
      listRevisions(store, 'A').map(revision => revision.commit),
    )
    await write(opened, { 'A.wiki': 'written there' })
    expect(opened.findPage('A')?.latest).toBe(10)
  })
})

describe.skipIf(!hasGit)('a revision', () => {
  test('has the flags in its message', async () => {
    const store = await historyOf([
      { name: 'plain', files: { 'A.wiki': 'a' } },
      { name: 'minor', files: { 'A.wiki': 'b' }, message: 'minor\n\nWiki-Minor: true\n' },
      { name: 'bot', files: { 'A.wiki': 'c' }, message: 'bot\n\nWiki-Bot: true\n' },
      { name: 'empty', files: { 'A.wiki': 'd' }, message: 'Edit A\n\nWiki-Comment: none\n' },
      { name: 'undo', files: { 'A.wiki': 'e' }, message: `undo\n\nThis reverts commit ${'1'.repeat(40)}.\n` },
      { name: 'back', files: { 'A.wiki': 'b' } },
      { name: 'ip', files: { 'A.wiki': 'f' }, author: '192.0.2.7 <> 1704067200 +0000' },
      { name: 'ip6', files: { 'A.wiki': 'g' }, author: '2001:db8::1 <x@y> 1704067200 +0000' },
    ])
    const marks = ({ comment, minor, bot, reverted, user }: RevisionEntry) => [comment, minor, bot, reverted, user.id]
    expect(listRevisions(store, 'A').reverse().map(marks)).toEqual([
      ['plain', false, false, false, 1],
      ['minor', true, false, false, 1],
      ['bot', false, true, false, 1],
      ['', false, false, false, 1],
      [expect.stringContaining('undo'), false, false, true, 1],
      ['back', false, false, true, 1],
      ['ip', false, false, false, null],
      ['ip6', false, false, false, null],
    ])
  })

  test('is a revert if its text equals one of the 15 before it, but not the previous one', async () => {
    const texts = ['0', ...Array.from({ length: 16 }, (_, at) => `${at + 1}`), '1', '2', '0']
    const store = await historyOf(texts.map((text, at) => ({ name: `${at}`, files: { 'A.wiki': text } })))
    const reverts = listRevisions(store, 'A').filter(revision => revision.reverted)
    // Revision 18 goes 16 back to text 1, 19 goes 16 back to text 2, 20 goes 19 back.
    expect(reverts.map(revision => revision.id)).toEqual([])
    const near = await historyOf(
      [...texts.slice(0, 16), '1', '2', '3', '17'].map((text, at) => ({ name: `${at}`, files: { 'A.wiki': text } })),
    )
    expect(listRevisions(near, 'A').flatMap(({ id, reverted }) => (reverted ? [id] : []))).toEqual([19, 18, 17])
  })

  test('has the user of its address, in any case, under the name in its commit', async () => {
    const store = await historyOf([
      { name: '1', files: { 'A.wiki': '1' }, author: 'Ada <ada@example.org> 1700000000 +0200' },
      { name: '2', files: { 'A.wiki': '2' }, author: 'Bob <bob@example.org> 1700000000 -0800' },
      { name: '3', files: { 'A.wiki': '3' }, author: 'Ada L. <ADA@Example.ORG> 1700000001 +0000' },
      { name: '4', files: { 'A.wiki': '4' }, author: 'Nobody <> 1700000002 +0000' },
      { name: '5', files: { 'A.wiki': '5' }, author: 'Somebody <> 1700000003 +0000' },
      { name: '6', files: { 'A.wiki': '6' }, author: 'Nobody <> 1700000004 +0000' },
    ])
    expect(
      listRevisions(store, 'A')
        .reverse()
        .map(({ user }) => [user.id, user.name]),
    ).toEqual([
      [1, 'Ada'],
      [2, 'Bob'],
      [1, 'Ada L.'],
      [3, 'Nobody'],
      [4, 'Somebody'],
      [3, 'Nobody'],
    ])
    expect(latestOf(store, 'A').timestamp).toBe('2023-11-14T22:13:24Z')
  })

  test('has a size, and the difference to the previous one', async () => {
    const store = await historyOf(
      ['four', 'ünï', '', 'four'].map((text, at) => ({ name: `${at}`, files: { 'A.wiki': text } })),
    )
    expect(listRevisions(store, 'A').map(({ size, delta, sequence }) => [sequence, size, delta])).toEqual([
      [4, 4, 4],
      [3, 0, -5],
      [2, 5, 1],
      [1, 4, null],
    ])
  })

  test('is found by the beginning of its commit hash', async () => {
    const store = await historyOf([
      { name: '1', files: { 'A.wiki': 'a', 'B.wiki': 'b' } },
      { name: '2', files: { 'A.wiki': 'c' } },
    ])
    const first = store.revision(1)?.commit as string
    expect(store.commits(first.slice(0, 9)).map(revision => revision.id)).toEqual([1, 2])
    expect(store.commits('').map(revision => revision.id)).toEqual([1, 2, 3])
    expect(store.commits('zz')).toEqual([])
  })

  test('is found that way in the base and in the tail', { tags: 'long' }, async () => {
    const numbers = Array.from({ length: 300 }, (_, at) => ({ name: `${at}`, files: { 'A.wiki': `${at}` } }))
    const store = await historyOf(numbers)
    await write(store, { 'A.wiki': 'after' })
    const all = [...store.allRevisions()]
    expect(all).toHaveLength(301)
    for (const { id, commit } of all)
      for (const length of [11, 12, 40])
        expect(store.commits(commit.slice(0, length)).map(revision => revision.id)).toEqual([id])
  })
})

describe.skipIf(!hasGit)('a page', () => {
  test('that was deleted and created again is a new page', async () => {
    const store = await historyOf([
      { name: 'made', files: { 'A.wiki': 'a', 'B.wiki': 'b' } },
      { name: 'deleted', files: { 'A.wiki': null } },
      { name: 'again', files: { 'A.wiki': 'another' } },
    ])
    expect(store.findPage('A')).toMatchObject({ id: 3, first: 3, latest: 3, edits: 1 })
    expect(store.pageById(1)).toBeUndefined()
    expect(store.revision(1)).toBeUndefined()
    expect(store.revision(1, { deleted: true })).toMatchObject({ page: 1 })
  })

  test.each<[name: string, left: string | null]>([
    ['without a redirect', null],
    ['leaving a redirect', '#REDIRECT [[New]]'],
  ])('moved %s keeps its id and its history', async (_, left) => {
    const store = await historyOf([
      { name: 'made', files: { 'Old.wiki': 'text of it' } },
      { name: 'edited', files: { 'Old.wiki': 'longer text of it' } },
      { name: 'moved', files: { 'Old.wiki': left, 'New.wiki': 'longer text of it' } },
      { name: 'edited again', files: { 'New.wiki': 'another text' } },
    ])
    expect(store.findPage('New')).toMatchObject({ id: 1, first: 1, edits: 4 } satisfies Partial<PageEntry>)
    expect(subjects(store, 'New')).toEqual(['edited again', 'moved', 'edited', 'made'])
    if (left === null) expect(store.findPage('Old')).toBeUndefined()
    else expect(store.findPage('Old')).toMatchObject({ id: 2, edits: 1, redirect: 'New' })
  })

  test('takes its redirect from its latest text', async () => {
    const { store } = await newStore()
    const redirect = () => store.findPage('A')?.redirect
    for (const [text, target] of [
      ['#REDIRECT [[B]]', 'B'],
      ['no more', null],
      ['#redirect: [[C#x]]', 'C#x'],
    ] as const) {
      await write(store, { 'A.wiki': text })
      expect(redirect()).toBe(target)
    }
    await write(store, { 'A.wiki': null, 'A.md': '#redirect: [[C#x]]' })
    expect(store.findPage('A')).toMatchObject({ model: 'markdown', redirect: null, edits: 4 })
  })

  test('has the redirect of the language that wiki.json names', async () => {
    const { store } = await newStore()
    const redirect = () => store.findPage('A')?.redirect
    await write(store, { 'A.wiki': '#WEITERLEITUNG [[B]]' })
    expect(redirect()).toBe(null)
    await write(store, { 'wiki.json': '{"language":"de"}' })
    expect(redirect()).toBe('B')
    await write(store, { 'wiki.json': '{"language":"fr"}', 'C.wiki': '#REDIRECTION [[D]]' })
    expect([redirect(), store.findPage('C')?.redirect]).toEqual([null, 'D'])
  })
})

/** A store over commits written by native git. */
describe.skipIf(!hasGit)('texts and commits of any size', () => {
  test('a page that is too large to be read does not refuse the others', { tags: 'long' }, async () => {
    const huge = Buffer.alloc(maxObjectBytes + 1, 'text\n')
    const store = await historyOf([
      { name: 'first', files: { 'Huge.wiki': huge, 'Small.wiki': '#REDIRECT [[Huge]]\n' } },
    ])
    expect(store.findPage('Small')?.redirect).toBe('Huge')
    expect(latestOf(store, 'Huge').size).toBe(huge.length)
    expect([...store.unread()]).toEqual([])
    const texts: (string | null)[] = []
    const both = [latestOf(store, 'Huge'), latestOf(store, 'Small')]
    for await (const [, text] of store.presentTexts(both)) texts.push(text)
    expect(texts).toEqual([null, '#REDIRECT [[Huge]]\n'])
    await expect(store.text(latestOf(store, 'Huge'))).rejects.toMatchObject({ code: 'rest-resource-limit-exceeded' })
  })

  test('long comments and names are cut, and their trailers are read', async () => {
    const message = `${'word '.repeat(20_000)}\n\nWiki-Minor: true\n`
    const author = `${'Ada'.repeat(1000)} <${'a'.repeat(2000)}@example.org> 1704067200 +0000`
    const store = await historyOf([{ name: 'first', files: { 'A.wiki': 'a' }, message, author }])
    const { comment, minor, user } = latestOf(store, 'A')
    expect([comment.length, minor, user?.name.length]).toEqual([65_536, true, 1000])
  })
})

async function historyOf(commits: readonly ScriptedCommit[]): Promise<Store> {
  const directory = await temporaryDirectory()
  git(directory, 'init', '--quiet', '--bare')
  writeHistory(directory, commits)
  return openFresh(directory)
}

function commitFile(directory: string, path: string, text: string): void {
  writeFileSync(join(directory, path), text)
  git(directory, 'add', '--', path)
  gitAs(
    { name: 'Carl', address: 'carl@example.org' },
    directory,
    'commit',
    '--quiet',
    '-m',
    `${path}: ${text}`,
    '--',
    path,
  )
}

async function cloneOf(directory: string): Promise<string> {
  const empty = await temporaryDirectory()
  git(empty, 'clone', '--quiet', directory, 'clone')
  return join(empty, 'clone')
}

function latestOf(store: Store, key: string): RevisionEntry {
  return store.revision(store.findPage(key)?.latest as number) as RevisionEntry
}

/** Newest first. */
function listRevisions(store: Store, key: string): RevisionEntry[] {
  return [...store.revisionsOf(store.findPage(key) as PageEntry)]
}

function subjects(store: Store, key: string): string[] {
  return listRevisions(store, key).map(revision => revision.comment)
}
