import { describe, expect, test } from 'vitest'
import { type MovePageRequest, movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { ada, base, commitCount, commitFiles, edit, gitPaths, gitText, lastMessage, newWiki } from './_wiki.ts'

const request = (from: string, to: string, more: Partial<MovePageRequest> = {}): MovePageRequest => ({
  from,
  to,
  comment: 'better name',
  author: ada,
  ...more,
})

test('a page moves with its id and history, and leaves a redirect, in one commit', async () => {
  const { wiki, directory } = await newWiki({ 'Fire house': 'text' })
  await edit(wiki, 'Fire house', 'text two')
  const moved = await movePage(wiki, request('fire house', 'fire station'))
  expect(moved).toEqual({
    id: 1,
    from: { key: 'Fire_house', title: 'Fire house' },
    to: { key: 'Fire_station', title: 'Fire station', path: 'Fire_station.wiki' },
    redirect: true,
    replaced: false,
    latest: 4,
    leftAlone: [],
  })
  expect(commitCount(directory)).toBe(3)
  expect(gitText(directory, 'Fire_station.wiki')).toBe('text two\n')
  expect(gitText(directory, 'Fire_house.wiki')).toBe('#REDIRECT [[Fire station]]\n')
  const { revisions } = await pageHistory(wiki, { title: 'Fire station', base })
  expect(revisions.map(({ id, delta }) => [id, delta])).toEqual([
    [4, 0],
    [2, 4],
    [1, null],
  ])
  expect(wiki.store.findPage('Fire_house')).toMatchObject({ redirect: 'Fire station', edits: 1 })
})

test('without a redirect the old title is free again', async () => {
  const { wiki, directory } = await newWiki({ A: 'text' })
  expect(await movePage(wiki, request('A', 'Talk:B', { redirect: false }))).toMatchObject({ redirect: false, id: 1 })
  expect(gitPaths(directory)).toEqual(['Talk/B.wiki'])
})

test('pages whose links a move changes state the reason, unless the user gives one', async () => {
  const { wiki } = await newWiki({ A: 'one', C: '[[A]]' })
  await movePage(wiki, request('A', 'B', { comment: null, updateLinks: true }))
  const commentOf = (title: string) => wiki.store.revision(wiki.store.findPage(title)!.latest)?.comment
  expect(commentOf('C')).toBe('Moved "[[A]]" to "[[B]]"')
  await movePage(wiki, request('B', 'D', { comment: 'better name', updateLinks: true }))
  expect(commentOf('C')).toBe('better name')
})

test('without a comment the history names both titles', async () => {
  const { wiki, directory } = await newWiki({ A: 'text' })
  await movePage(wiki, request('A', 'B', { comment: null }))
  expect(lastMessage(directory)).toMatch(/^Moved "\[\[A\]\]" to "\[\[B\]\]"\n?/)
  expect(wiki.store.revision(2)?.comment).toBe('Moved "[[A]]" to "[[B]]"')
})

describe('the text at the old title', () => {
  test.each([
    ['A', 'Category:X', '#REDIRECT [[:Category:X]]\n'],
    ['A', 'File:X.png', '#REDIRECT [[:File:X.png]]\n'],
    ['A', 'Template:X', '#REDIRECT [[Template:X]]\n'],
  ])('%s to %s leaves %j', async (from, to, redirect) => {
    const { wiki, directory } = await newWiki({ A: 'text' })
    await movePage(wiki, request(from, to))
    expect(gitText(directory, 'A.wiki')).toBe(redirect)
  })

  test.each([
    ['A.mediawiki', 'B.mediawiki'],
    ['A.wikitext', 'B.wikitext'],
    ['A.wiki', 'B.wiki'],
    ['A.md', 'B.md'],
    ['A.txt', 'B.txt'],
  ])('%s becomes %s, to the byte', async (from, to) => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { [from]: 'a \r\n\r\n' })
    const { title } = [...wiki.store.pages()][0]!
    await movePage(wiki, request(title, title.replace('A', 'B')))
    expect(gitText(directory, to)).toBe('a \r\n\r\n')
  })

  test('Markdown leaves a note with a link, and its history continues', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'notes/A.md': '# a\n' })
    const { id } = wiki.store.findPage('Notes/A')!
    expect(await movePage(wiki, request('Notes/A', 'B (c)'))).toMatchObject({ id, redirect: true })
    expect(gitText(directory, 'notes/A.md')).toBe('Moved to [B (c)](<../B_(c).md>).\n')
    expect(wiki.store.findPage('B_(c)')).toMatchObject({ id, edits: 2 })
    expect(await movePage(wiki, request('B (c)', 'Notes/A'))).toMatchObject({ id, replaced: true })
  })

  test('a plain text page leaves nothing', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'A.txt': 'a\n' })
    const { title } = [...wiki.store.pages()][0]!
    expect(await movePage(wiki, request(title, title.replace('A', 'B')))).toMatchObject({ redirect: false })
    expect(gitPaths(directory)).toEqual(['B.txt'])
  })

  test('a content model is kept if the new title implies another one', async () => {
    const { wiki } = await newWiki({ 'User:Ada/x.css': 'a {}' })
    await movePage(wiki, request('User:Ada/x.css', 'Plain'))
    expect(wiki.store.findPage('Plain')).toMatchObject({ id: 1, model: 'css' })
  })
})

describe('an occupied title', () => {
  const taken = {
    A: 'text',
    'Old name': '#REDIRECT [[A]]',
    Elsewhere: '#REDIRECT [[Old name]]',
    Page: 'other',
  }

  test('is freed if it is an unedited redirect to the page', { tags: 'long' }, async () => {
    const { wiki, directory } = await newWiki(taken)
    const moved = await movePage(wiki, request('A', 'Old name'))
    expect(moved).toMatchObject({ id: 1, replaced: true, redirect: true })
    expect(wiki.store.findPage('Old_name')).toMatchObject({ id: 1, edits: 2 })
    expect(gitText(directory, 'Old_name.wiki')).toBe('text\n')
    expect(gitText(directory, 'A.wiki')).toBe('#REDIRECT [[Old name]]\n')
  })

  test.each(['Elsewhere', 'Page', 'A'])('by %s is not', async to => {
    const { wiki, directory } = await newWiki(taken)
    await expect(movePage(wiki, request('A', to))).rejects.toMatchObject({
      code: 'apierror-articleexists',
      status: 409,
    })
    expect(commitCount(directory)).toBe(4)
  })

  test('is not freed if the redirect has a history', async () => {
    const { wiki } = await newWiki(taken)
    await edit(wiki, 'Old name', '#REDIRECT [[Page]]')
    await edit(wiki, 'Old name', '#REDIRECT [[A]]')
    await expect(movePage(wiki, request('A', 'Old name'))).rejects.toMatchObject({ code: 'apierror-articleexists' })
  })

  test('is freed when a page moves back and forth', async () => {
    const { wiki } = await newWiki({ A: 'text' })
    await movePage(wiki, request('A', 'B'))
    await movePage(wiki, request('B', 'A'))
    expect(wiki.store.findPage('A')).toMatchObject({ id: 1, redirect: null })
    expect(wiki.store.findPage('B')).toMatchObject({ redirect: 'A' })
  })
})

describe('errors', () => {
  test.each([
    ['Missing', 'B', 'apierror-missingtitle', 404],
    ['<', 'B', 'apierror-invalidtitle', 400],
    ['A', '<', 'apierror-invalidtitle', 400],
    ['A', 'Special:X', 'apierror-pagecannotexist', 400],
  ])('%s to %s', async (from, to, code, status) => {
    const { wiki } = await newWiki({ A: 'text' })
    await expect(movePage(wiki, request(from, to))).rejects.toMatchObject({ code, status })
    await expect(movePage(wiki, request(from, to, { dryRun: true }))).rejects.toMatchObject({ code, status })
  })

  test('a dry run writes nothing', async () => {
    const { wiki, directory } = await newWiki({ A: 'text' })
    expect(await movePage(wiki, request('A', 'B', { dryRun: true }))).toMatchObject({ latest: null, redirect: true })
    expect(commitCount(directory)).toBe(1)
  })
})
