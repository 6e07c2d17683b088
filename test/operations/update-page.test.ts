import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { writeConfig } from '../../src/operations/configure.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { type UpdatePageRequest, updatePage } from '../../src/operations/update-page.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import { git, hasGit } from '../_setup.ts'
import {
  ada,
  base,
  bob,
  commitCount,
  commitFiles,
  create,
  edit,
  gitPaths,
  gitText,
  lastMessage,
  newWiki,
} from './_wiki.ts'

const request = (more: Partial<UpdatePageRequest> = {}): UpdatePageRequest => ({
  title: 'A',
  source: 'second\n',
  comment: 'upd',
  author: bob,
  ...more,
})

describe('creating', () => {
  test('without a base a missing page is created', async () => {
    const { wiki } = await newWiki()
    const saved = await updatePage(wiki, request({ title: 'rt x', comment: null }))
    expect(saved).toMatchObject({
      created: true,
      changed: true,
      merged: false,
      page: { key: 'Rt_x', source: 'second' },
    })
    expect(wiki.store.revision(saved.page.latest.id)?.comment).toBe('Created page with "second"')
  })

  test.each([0, -5])('the base %i is not accepted', async none => {
    const { wiki } = await newWiki()
    expect((await updatePage(wiki, request({ base: none }))).created).toBe(true)
  })

  test('with a base a missing page is an error', async () => {
    const { wiki } = await newWiki({ B: 'b' })
    await expect(updatePage(wiki, request({ base: 1 }))).rejects.toMatchObject({
      code: 'apierror-missingtitle',
      status: 404,
    })
  })

  test('the title determines the content model', async () => {
    const { wiki } = await newWiki()
    const { page } = await updatePage(wiki, request({ title: 'User:Bob/x.json', source: '[]' }))
    expect(page.content_model).toBe('json')
  })
})

describe('updating', () => {
  test('returns the page with its fields in the order of writes', async () => {
    const { wiki, directory } = await newWiki({ A: 'first' })
    const time = new Date('2024-01-01T00:00:00Z')
    const saved = await updatePage(wiki, request({ base: 1, time }))
    expect(saved).toMatchObject({ created: false, changed: true, merged: false, leftAlone: [] })
    expect(JSON.stringify(saved.page)).toBe(
      JSON.stringify({
        id: 1,
        title: 'A',
        key: 'A',
        latest: { id: 2, timestamp: '2024-01-01T00:00:00Z' },
        license: { url: '', title: '' },
        content_model: 'wikitext',
        source: 'second',
      }),
    )
    expect(gitText(directory, 'A.wiki')).toBe('second\n')
  })

  test('a page keeps its path', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'my folder/A b.mediawiki': 'x\n' })
    await updatePage(wiki, request({ title: 'My folder/A b', base: 1 }))
    expect(gitPaths(directory)).toEqual(['my folder/A b.mediawiki'])
    expect(gitText(directory, 'my folder/A b.mediawiki')).toBe('second\n')
  })

  test('an edit without a summary gets a subject, and is read back without one', async () => {
    const { wiki, directory } = await newWiki({ 'Main Page': 'first' })
    const { page } = await updatePage(wiki, request({ title: 'Main Page', base: 1, comment: null }))
    expect(wiki.store.revision(page.latest.id)?.comment).toBe('')
    expect(lastMessage(directory)).toMatch(/^Edit Main Page\n/)
  })

  test.each([
    ['#REDIRECT [[X]]', 'Redirected page to [[X]]'],
    ['', 'Blanked the page'],
    ['other', ''],
  ])('the summary of %j is %j', async (source, comment) => {
    const { wiki } = await newWiki({ A: 'first' })
    const { page } = await updatePage(wiki, request({ base: 1, source, comment: '' }))
    expect(wiki.store.revision(page.latest.id)?.comment).toBe(comment)
  })

  test('a revert is marked', async () => {
    const { wiki } = await newWiki({ A: 'first' })
    const bad = wiki.store.revision(await edit(wiki, 'A', 'bad'))!
    const { page } = await updatePage(wiki, request({ base: bad.id, source: 'other', reverts: bad.commit }))
    expect(wiki.store.revision(page.latest.id)?.reverted).toBe(true)
  })
})

describe('refusals', () => {
  test.each<[string, Partial<UpdatePageRequest>, string, number]>([
    ['an existing page without a base', {}, 'rest-update-cannot-create-page', 409],
    ['a base of 0', { base: 0 }, 'rest-update-cannot-create-page', 409],
    ['an unknown base', { base: 99 }, 'rest-nonexistent-revision', 404],
    ["another page's base", { base: 2 }, 'rest-nonexistent-title-revision', 404],
    ['no content model', { base: 1, contentModel: 'nope' }, 'rest-bad-content-model', 400],
    ['no content model, before the title', { title: '<', contentModel: 'nope' }, 'rest-bad-content-model', 400],
    ["another content model than the page's", { base: 1, contentModel: 'json' }, 'rest-bad-content-model', 400],
    ['no title', { title: '<', base: 1 }, 'apierror-invalidtitle', 400],
    ['a title of another wiki', { title: 'Special:X' }, 'apierror-pagecannotexist', 400],
    ['invalid JSON', { title: 'User:Ada/x.json', base: 3, source: '{' }, 'invalid-json-data', 400],
    ['too long a text', { base: 1, source: 'x'.repeat(2 ** 21 + 1) }, 'apierror-contenttoobig', 400],
  ])('%s', async (_, more, code, status) => {
    const { wiki, directory } = await newWiki({ A: 'first', B: 'b', 'User:Ada/x.json': '{}' })
    await expect(updatePage(wiki, request(more))).rejects.toMatchObject({ code, status })
    expect(commitCount(directory)).toBe(3)
  })

  test('the same content model may be named', async () => {
    const { wiki } = await newWiki({ A: 'first', 'User:Ada/x.json': '{}' })
    expect((await updatePage(wiki, request({ base: 1, contentModel: 'wikitext' }))).changed).toBe(true)
    const json = { title: 'User:Ada/x.json', base: 2, source: '[1]' }
    expect((await updatePage(wiki, request(json))).page.content_model).toBe('json')
  })
})

describe('null edits', () => {
  test.each([
    ['of Windows', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\nd\r\n'],
    ['of both kinds', 'a\r\nb\nc\n', 'a\r\nB\nc\nd\n'],
    ['of Unix', 'a\nb\nc\n', 'a\nB\nc\nd\n'],
  ])('an edit keeps line ends %s, since forms of browsers lose them', async (_, before, after) => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': before })
    await updatePage(wiki, request({ base: 1, source: 'a\nB\nc\nd' }))
    expect(gitText(directory, 'A.wiki')).toBe(after)
  })

  test.each(['first', 'first   \n\n', 'first\r\n'])('%j is there already', async source => {
    const { wiki, directory } = await newWiki({ A: 'first' })
    const saved = await updatePage(wiki, request({ base: 1, source }))
    expect(saved).toMatchObject({ created: false, changed: false, merged: false })
    expect(saved.page).toMatchObject({ latest: { id: 1 }, source: 'first' })
    expect(commitCount(directory)).toBe(1)
  })

  test('a file that git stores in another form is unchanged', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': 'one\r\ntwo \r\n\r\n' })
    const { source } = await readPage(wiki, { title: 'A', base })
    expect((await updatePage(wiki, request({ base: 1, source }))).changed).toBe(false)
    expect(gitText(directory, 'A.wiki')).toBe('one\r\ntwo \r\n\r\n')
  })
})

/** Base, current text, submitted text; the merged text, or null for a conflict; where lines are merged. */
const merges: readonly [name: string, base: string, current: string, submitted: string, merged: string | null][] = [
  ['one line apart', 'a\nb\nc\nd\ne', 'a\nB1\nc\nd\ne', 'a\nb\nc\nD2\ne', 'a\nB1\nc\nD2\ne'],
  ['at both ends', 'a\nb\nc', 'X\na\nb\nc', 'a\nb\nc\nY', 'X\na\nb\nc\nY'],
  ['not ASCII', 'ä\n日本\nz', 'ä1\n日本\nz', 'ä\n日本\nz2', 'ä1\n日本\nz2'],
  ['the same change', 'a\nb', 'a\nX\nb', 'a\nX\nb', 'a\nX\nb'],
  ['nothing submitted', 'a\nb\nc', 'a\nB\nc', 'a\nb\nc', 'a\nB\nc'],
  ['the same line', 'the quick brown fox', 'the slow brown fox', 'the quick brown dog', null],
  ['lines that touch', 'a\nb\nc', 'a\nB\nc', 'a\nb\nC', null],
  ['inserted at one spot', 'a\nb', 'a\nX\nb', 'a\nY\nb', null],
  ['inserted before a deleted line', 'a\nb\nc', 'a\nb\nX\nc', 'a\nb', null],
  ['blanked', 'a\nb\nc', 'a\nb\nc\nd', '', null],
]

/** The same, where words are merged. */
const wordMerges: typeof merges = [
  ['other words of the line', 'a slow old red fox', 'a quick old red fox', 'a slow old red dog', 'a quick old red dog'],
  ['lines that touch', 'a\nb\nc', 'a\nB\nc', 'a\nb\nC', 'a\nB\nC'],
  ['items inserted at one position', '* a\n* b', '* a\n* X\n* b', '* a\n* Y\n* b', '* a\n* X\n* Y\n* b'],
  ['the same word', 'the slow fox', 'the quick fox', 'the red fox', null],
  ['blanked', 'a\nb\nc', 'a\nb\nc\nd', '', null],
]

describe('stale bases', () => {
  const cases = [...merges.map(row => ['lines', ...row] as const), ...wordMerges.map(row => ['words', ...row] as const)]
  test.each(cases)('%s: %s', async (policy, _, old, current, submitted, merged) => {
    const { wiki } = await newWiki({ A: old })
    await writeConfig(wiki, { path: 'merge', value: policy, comment: null, author: bob })
    await edit(wiki, 'A', current)
    const saving = updatePage(wiki, request({ base: 1, source: submitted }))
    if (merged === null) await expect(saving).rejects.toMatchObject({ code: 'edit-conflict', status: 409 })
    else expect((await saving).page.source).toBe(merged)
    expect((await readPage(wiki, { title: 'A', base })).source).toBe(merged ?? current)
  })

  test.each([
    ['a merge', 'a\nb\nc\nd\nE', true, true],
    ['the current text', 'A\nb\nc\nd\ne', false, false],
    ['the old text', 'a\nb\nc\nd\ne', false, false],
  ])('%s: changed, merged', async (_, source, changed, merged) => {
    const { wiki, directory } = await newWiki({ A: 'a\nb\nc\nd\ne' })
    await edit(wiki, 'A', 'A\nb\nc\nd\ne')
    const saved = await updatePage(wiki, request({ base: 1, source }))
    expect(saved).toMatchObject({ created: false, changed, merged })
    expect(saved.page.latest.id).toBe(changed ? 3 : 2)
    expect(commitCount(directory)).toBe(changed ? 3 : 2)
  })

  test('a conflict reports both differences', async () => {
    const { wiki } = await newWiki({ A: 'one\ntwo' })
    await edit(wiki, 'A', 'one\ntwo remote')
    const error = await updatePage(wiki, request({ base: 1, source: 'one\ntwo local' })).catch(error => error)
    expect(Object.keys(error.data)).toEqual(['base', 'current', 'local', 'remote'])
    expect(error.data).toMatchObject({
      base: 1,
      current: 2,
      local: { diff: [{ type: 0 }, { type: 3, text: 'two local' }] },
      remote: { diff: [{ type: 0 }, { type: 3, text: 'two remote' }] },
    })
  })

  test('with the setting never conflict even on separate lines', async () => {
    const { wiki } = await newWiki({ A: 'a\nb\nc' })
    await writeConfig(wiki, { path: 'merge', value: 'never', comment: null, author: bob })
    await edit(wiki, 'A', 'A\nb\nc')
    const saving = updatePage(wiki, request({ base: 1, source: 'a\nb\nC' }))
    await expect(saving).rejects.toMatchObject({ code: 'edit-conflict' })
    for (const source of ['A\nb\nc', 'a\nb\nc'])
      expect((await updatePage(wiki, request({ base: 1, source }))).changed).toBe(false)
  })

  test('a newer edit by the same author conflicts too', async () => {
    const { wiki } = await newWiki({ A: 'one' })
    await edit(wiki, 'A', 'mine', { author: bob })
    await expect(updatePage(wiki, request({ base: 1, source: 'mine, too' }))).rejects.toMatchObject({
      code: 'edit-conflict',
    })
  })

  test('line endings of a file edited on Windows do not conflict', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': 'a\r\nb\r\nc\r\n' })
    await edit(wiki, 'A', 'a1\nb\nc')
    await updatePage(wiki, request({ base: 1, source: 'a\r\nb\r\nc2' }))
    expect(gitText(directory, 'A.wiki')).toBe('a1\r\nb\r\nc2\r\n')
  })

  test('a merge with invalid JSON as its result is a conflict', async () => {
    const title = 'User:Ada/x.json'
    const { wiki } = await newWiki({ [title]: '{\n"a": 1\n,\n"b": 2\n}' })
    await edit(wiki, title, '{\n\n,\n"b": 2\n}'.replace('\n\n,', '\n"b": 1,\n'), {}).catch(() => undefined)
    await edit(wiki, title, '{\n"a": 1\n\n\n}')
    const saving = updatePage(wiki, request({ title, base: 1, source: '{\n\n\n"b": 2\n}' }))
    await expect(saving).rejects.toMatchObject({ code: 'edit-conflict' })
  })
})

describe('a file with bytes that are not UTF-8', () => {
  const latin1 = Buffer.from('caf\u00e9\none\n', 'latin1')
  const broken = async () => {
    const { wiki } = await newWiki()
    const changes = [{ path: 'A.wiki', content: latin1 }]
    await wiki.store.commit(() => ({ changes, author: ada, comment: '', subject: 'By hand' }))
    return wiki
  }

  test('is not saved with U+FFFD instead of them', async () => {
    const wiki = await broken()
    const saving = updatePage(wiki, request({ base: 1, source: 'caf\uFFFD\ntwo' }))
    await expect(saving).rejects.toMatchObject({ code: 'wiki-not-utf8' })
    expect(await wiki.store.bytes(wiki.store.revision(1)!.blob)).toEqual(latin1)
    expect(wiki.store.findPage('A')?.latest).toBe(1)
  })

  test('is saved with characters instead of them', async () => {
    const wiki = await broken()
    const { page } = await updatePage(wiki, request({ base: 1, source: 'caf\u00e9\ntwo' }))
    expect(page.source).toBe('caf\u00e9\ntwo')
  })
})

test('U+FFFD that a page really contains can be saved', async () => {
  const { wiki } = await newWiki({ A: 'a \uFFFD' })
  expect((await updatePage(wiki, request({ base: 1, source: 'b \uFFFD' }))).page.source).toBe('b \uFFFD')
})

describe('simultaneous edits', () => {
  test('are merged one after the other', async () => {
    const lines = Array.from({ length: 9 }, (_, n) => `line ${n}`)
    const { wiki } = await newWiki({ A: lines.join('\n') })
    const texts = [0, 4, 8].map(place => lines.map((line, n) => (n === place ? `${line} changed` : line)).join('\n'))
    const saved = await Promise.all(texts.map(source => updatePage(wiki, request({ base: 1, source }))))
    expect(saved.map(({ page }) => page.latest.id).sort()).toEqual([2, 3, 4])
    const { source } = await readPage(wiki, { title: 'A', base })
    expect(source.match(/changed/g)).toHaveLength(3)
  })

  test('of two processes are merged as well', async () => {
    const { wiki, directory } = await newWiki({ A: 'a\nb\nc' })
    const other = await openWiki({ directory })
    await edit(other, 'A', 'A\nb\nc')
    const saved = await updatePage(wiki, request({ base: 1, source: 'a\nb\nC', author: ada }))
    await other.close()
    expect(saved).toMatchObject({ merged: true, page: { source: 'A\nb\nC', latest: { id: 3 } } })
  })
})

test('a deleted page is created again', async () => {
  const { wiki } = await newWiki()
  await create(wiki, 'A', 'a')
  await commitFiles(wiki, { 'A.wiki': null })
  const saved = await updatePage(wiki, request({ title: 'A' }))
  expect(saved).toMatchObject({ created: true, page: { id: 2 } })
})

describe('an index that cannot follow a commit', () => {
  test('at first is refreshed again', async () => {
    const { wiki, directory } = await newWiki({ A: 'first' })
    const edited = request({ base: wiki.store.findPage('A')?.latest })
    failRefresh(wiki, 1)
    expect(await updatePage(wiki, edited)).toMatchObject({ changed: true, page: { source: 'second' } })
    expect(gitText(directory, 'A.wiki')).toBe('second\n')
  })

  test('permanently is reported with its cause', async () => {
    const { wiki, directory } = await newWiki({ A: 'first' })
    const edited = request({ base: wiki.store.findPage('A')?.latest })
    failRefresh(wiki, Number.POSITIVE_INFINITY)
    const cause = expect.objectContaining({ message: 'no refresh' })
    await expect(updatePage(wiki, edited)).rejects.toMatchObject({ code: 'wiki-saved-unread', cause })
    expect(gitText(directory, 'A.wiki')).toBe('second\n')
  })
})

test('a commit that git removes from the branch before the response is reported as such', async () => {
  const { wiki, directory } = await newWiki({ A: 'first' })
  const edited = request({ base: wiki.store.findPage('A')?.latest })
  // The writer's last check is over when the write is acknowledged.
  const { commit } = wiki.store
  vi.spyOn(wiki.store, 'commit').mockImplementation(async plan => {
    const committed = await commit.call(wiki.store, plan)
    git(directory, 'reset', '-q', '--keep', 'HEAD~1')
    return committed
  })
  await expect(updatePage(wiki, edited)).rejects.toMatchObject({ code: 'wiki-taken-out' })
  expect((await verifyWiki(wiki)).lost).toHaveLength(1)
})

/** When the branch moves, the index fails to follow it, this number of times. */
function failRefresh({ store }: Wiki, times: number): void {
  const before = store.branchTip()
  const { refresh } = LiveIndex.prototype
  let failed = 0
  const failing = vi.spyOn(LiveIndex.prototype, 'refresh').mockImplementation(function (this: LiveIndex, options) {
    if (store.branchTip() === before || failed++ >= times) return refresh.call(this, options)
    return Promise.reject(new Error('no refresh'))
  })
  onTestFinished(() => failing.mockRestore())
}

test.skipIf(!hasGit)('a repository made in the place of another one is edited, with ids of its own', async () => {
  const { wiki } = await newWiki({ A: 'first\n', B: 'b\n' })
  const directory = wiki.store.repository.workTree as string
  const { page } = await updatePage(wiki, request({ base: 1 }))
  rmSync(join(directory, '.git'), { recursive: true })
  git(directory, 'init', '--quiet', '-b', 'main')
  git(directory, 'add', '.')
  git(directory, 'commit', '--quiet', '-m', 'New')
  await wiki.store.refresh()
  const { latest } = await readPage(wiki, { title: 'A', base })
  expect(latest.id).toBeGreaterThan(page.latest.id)
  for (const source of ['third\n', 'fourth\n']) {
    const { latest: now } = await readPage(wiki, { title: 'A', base })
    await updatePage(wiki, request({ source, base: now.id }))
  }
  await expect(updatePage(wiki, request({ source: 'stale\n', base: page.latest.id }))).rejects.toMatchObject({
    code: 'edit-conflict',
  })
  expect(git(directory, 'status', '--porcelain')).toBe('')
})
