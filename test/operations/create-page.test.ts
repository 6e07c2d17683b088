import { describe, expect, test } from 'vitest'
import { type CreatePageRequest, createPage } from '../../src/operations/create-page.ts'
import { maxSourceBytes } from '../../src/operations/resources/source.ts'
import { git } from '../_setup.ts'
import { ada, commitCount, commitFiles, create, gitPaths, gitText, lastMessage, newWiki, visitor } from './_wiki.ts'

const request = (title: string, more: Partial<CreatePageRequest> = {}): CreatePageRequest => ({
  title,
  source: 'Hello [[World]]\n\nline ü\n',
  comment: 'creating',
  author: ada,
  ...more,
})

test('a new page is returned with its fields in the order of writes', async () => {
  const { wiki } = await newWiki({}, { license: { url: 'https://example.org/l', title: 'L' } })
  const { page, leftAlone } = await createPage(wiki, request('rt a/b', { time: new Date('2024-01-01T00:00:00Z') }))
  expect(JSON.stringify(page)).toBe(
    JSON.stringify({
      id: 1,
      title: 'Rt a/b',
      key: 'Rt_a/b',
      latest: { id: 1, timestamp: '2024-01-01T00:00:00Z' },
      license: { url: 'https://example.org/l', title: 'L' },
      content_model: 'wikitext',
      source: 'Hello [[World]]\n\nline ü',
    }),
  )
  expect(leftAlone).toEqual([])
})

test('one commit writes one file, with one line feed at its end', async () => {
  const { wiki, directory } = await newWiki()
  await createPage(
    wiki,
    request('A', { source: 'one\r\ntwo\0 \n\n', author: { name: 'Zoë', address: 'zoe@example.org' } }),
  )
  expect(gitPaths(directory)).toEqual(['A.wiki'])
  expect(gitText(directory, 'A.wiki')).toBe('one\ntwo\n')
  expect(git(directory, 'log', '--format=%an <%ae> %s')).toBe('Zoë <zoe@example.org> creating')
})

describe('titles', () => {
  test.each([
    ['rTC low', 'RTC_low'],
    ['Talk:x', 'Talk:X'],
    ['e\u0301', 'É'],
    ['File:Photo.png', 'File:Photo.png'],
    ["!*'();:@&=$,~.-_x+?%q", "!*'();:@&=$,~.-_x+?%q"],
  ])('%j is created as %s', async (title, key) => {
    const { wiki } = await newWiki()
    expect((await createPage(wiki, request(title))).page.key).toBe(key)
    expect(wiki.store.findPage(key)?.edits).toBe(1)
  })

  test.each([
    ['RT<bad>', 'apierror-invalidtitle', 'Bad title "RT<bad>": it has one of < > [ ] { } |'],
    ['', 'apierror-invalidtitle', 'Bad title "": it is empty'],
    ['Talk:', 'apierror-invalidtitle', 'Bad title "Talk:": it names only a namespace'],
    ['../x', 'apierror-invalidtitle', expect.any(String)],
    ['a~~~', 'apierror-invalidtitle', expect.any(String)],
    ['a: b<', 'apierror-invalidtitle', 'Bad title "a: b<": it has one of < > [ ] { } |'],
    ['x'.repeat(256), 'apierror-invalidtitle', expect.any(String)],
    ['A#section', 'apierror-invalidtitle', 'Bad title "A#section": a title cannot hold #'],
    ['C#', 'apierror-invalidtitle', 'Bad title "C#": a title cannot hold #'],
    ['Talk:A#', 'apierror-invalidtitle', expect.any(String)],
    ['#', 'apierror-invalidtitle', expect.any(String)],
    ['Special:Foo', 'apierror-pagecannotexist', 'A page named "Special:Foo" cannot exist in this namespace'],
    [' : media : Foo.png', 'apierror-pagecannotexist', expect.any(String)],
  ])('%j cannot be created', async (title, code, message) => {
    const { wiki, directory } = await newWiki({ A: 'a' })
    await expect(createPage(wiki, request(title))).rejects.toMatchObject({ code, message, status: 400 })
    expect(commitCount(directory)).toBe(1)
  })
})

test('an existing page is not created again', async () => {
  const { wiki, directory } = await newWiki({ 'RT x': 'a' })
  await expect(createPage(wiki, request('rT_x'))).rejects.toMatchObject({
    code: 'apierror-articleexists',
    status: 409,
    message: 'The page RT x exists already',
  })
  expect(commitCount(directory)).toBe(1)
})

test('only one of two simultaneous creations of a page succeeds', async () => {
  const { wiki, directory } = await newWiki()
  const outcomes = await Promise.allSettled(
    ['one', 'two', 'three'].map(source => createPage(wiki, request('A', { source }))),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(commitCount(directory)).toBe(1)
})

test('many pages created at the same moment each get their own revision', async () => {
  const { wiki } = await newWiki()
  const titles = Array.from({ length: 20 }, (_, n) => `Page ${n}`)
  const created = await Promise.all(titles.map(title => createPage(wiki, request(title, { source: title }))))
  expect(new Set(created.map(({ page }) => page.latest.id)).size).toBe(20)
  for (const { page } of created) expect(page.source).toBe(page.title)
})

describe('content models', () => {
  test.each([
    ['A', undefined, 'wikitext'],
    ['A', null, 'wikitext'],
    ['A', '', 'wikitext'],
    ['A', 'json', 'json'],
    ['A', 'markdown', 'markdown'],
    ['A', 'text', 'text'],
    ['A.json', undefined, 'wikitext'],
    ['User:Ada/x.json', undefined, 'json'],
    ['User:Ada/common.css', undefined, 'css'],
    ['MediaWiki:Common.js', undefined, 'javascript'],
    ['MediaWiki:Common.js', 'wikitext', 'wikitext'],
    ['Template:X.css', undefined, 'wikitext'],
  ])('%s with %j is %s', async (title, contentModel, model) => {
    const { wiki } = await newWiki()
    const { page } = await createPage(wiki, request(title, { contentModel, source: '{"a": 1}' }))
    expect([page.content_model, page.title, page.source]).toEqual([model, title, '{"a": 1}'])
  })

  test.each(['nope', 'JSON', 'toString'])('%s is not one, and is refused before the title', async contentModel => {
    const { wiki } = await newWiki()
    await expect(createPage(wiki, request('<', { contentModel }))).rejects.toMatchObject({
      code: 'rest-bad-content-model',
      status: 400,
      message: `Bad content model: ${contentModel}`,
    })
  })

  test('JSON must be valid', async () => {
    const { wiki } = await newWiki()
    await expect(createPage(wiki, request('A', { contentModel: 'json' }))).rejects.toMatchObject({
      code: 'invalid-json-data',
      status: 400,
    })
  })
})

describe('comments', () => {
  test.each<[string, Partial<CreatePageRequest>, string]>([
    ['null is filled in', { comment: null }, 'Created page with "Hello [[World]]  line ü"'],
    ['empty is filled in', { comment: '' }, 'Created page with "Hello [[World]]  line ü"'],
    ['blank is filled in', { comment: ' ' }, 'Created page with "Hello [[World]]  line ü"'],
    ['a redirect is named', { comment: null, source: '#REDIRECT [[X]]' }, 'Redirected page to [[X]]'],
    ['given ones are trimmed', { comment: ' a\nb ' }, 'a\nb'],
    ['given ones are cut at 500 code points', { comment: '😀'.repeat(501) }, '😀'.repeat(500)],
  ])('%s', async (_, more, comment) => {
    const { wiki, directory } = await newWiki()
    const { page } = await createPage(wiki, request('A', more))
    expect(wiki.store.revision(page.latest.id)?.comment).toBe(comment)
    expect(lastMessage(directory)).toContain(comment)
  })
})

test('marks and anonymous authors are read back', async () => {
  const { wiki } = await newWiki()
  const id = await create(wiki, 'A', 'a', { minor: true, bot: true, author: visitor })
  expect(wiki.store.revision(id)).toMatchObject({ minor: true, bot: true, user: { id: null, name: '203.0.113.5' } })
})

test('an author name is required', async () => {
  const { wiki } = await newWiki()
  const author = { name: ' ', address: 'x@example.org' }
  await expect(createPage(wiki, request('A', { author }))).rejects.toMatchObject({ code: 'wiki-no-author' })
})

test('a text over 2 MiB is refused, one of exactly 2 MiB is not', async () => {
  const { wiki } = await newWiki()
  const source = 'x'.repeat(maxSourceBytes)
  await expect(createPage(wiki, request('A', { source: `${source}x` }))).rejects.toMatchObject({
    code: 'apierror-contenttoobig',
    status: 400,
  })
  expect((await createPage(wiki, request('A', { source: `${source}\n\n` }))).page.source).toHaveLength(maxSourceBytes)
})

test('an empty page is an empty file', async () => {
  const { wiki, directory } = await newWiki()
  expect((await createPage(wiki, request('A', { source: ' \n', comment: null }))).page.source).toBe('')
  expect(gitText(directory, 'A.wiki')).toBe('')
  expect(lastMessage(directory)).toBe('Created blank page')
})

test("a title that MediaWiki keeps for scripts is an owner's under every name of its namespace", async () => {
  const { wiki } = await newWiki(
    {},
    { namespaces: { 2: { name: 'Benutzer', aliases: [] }, 8: { name: 'Systemtext' } } },
  )
  await commitFiles(wiki, { 'Benutzer/Ada/Notes.wiki': 'n', 'MediaWiki_/Help.wiki': 'h' })
  const editor = { ...ada, isOwner: false }
  for (const title of ['User:Ada/common.js', 'Benutzer:Ada/Skin.CSS', 'MediaWiki:Common.js', 'Systemtext:Gadget.vue'])
    await expect(createPage(wiki, request(title, { contentModel: 'wikitext', author: editor }))).rejects.toMatchObject({
      code: 'protectedpagetext',
    })
  await createPage(wiki, request('Benutzer:Ada/js', { author: editor }))
})
