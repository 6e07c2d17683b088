import { describe, expect, test } from 'vitest'
import { type ReplaceRequest, replaceText } from '../../src/operations/replace-text.ts'
import { ada, commitCount, commitFiles, edit, gitText, lastMessage, newWiki } from './_wiki.ts'

const request = (find: string, replacement: string, more: Partial<ReplaceRequest> = {}): ReplaceRequest => ({
  ...{ find, replacement, comment: null, author: ada },
  ...more,
})

const pages = {
  Tides: 'The colour of the sea. Colour! [[Category:Sea]]',
  Harbour: 'No such word.',
  'Talk:Tides': 'colour colour',
  Bridge: '12 ft and 7ft',
}

test('a text is replaced on all pages in one commit, and all other bytes stay', async () => {
  const { wiki, directory } = await newWiki(pages)
  await commitFiles(wiki, { 'Mixed.wiki': 'colour\r\n\r\n colour \ufeff' })
  const before = commitCount(directory)
  const planned = await replaceText(wiki, request('colour', 'color', { dryRun: true }))
  expect(planned.patch).toContain('+The color of the sea. Colour!')
  expect(commitCount(directory)).toBe(before)
  const done = await replaceText(wiki, request('colour', 'color', { planned }))
  expect(done.pages.map(({ title, count }) => [title, count])).toEqual([
    ['Mixed', 2],
    ['Talk:Tides', 2],
    ['Tides', 1],
  ])
  expect(commitCount(directory)).toBe(before + 1)
  expect(gitText(directory, 'Mixed.wiki')).toBe('color\r\n\r\n color \ufeff')
  expect(lastMessage(directory)).toMatch(/^Replace colour by color\n/)
})

describe('the selection of pages', () => {
  test.each([
    [{ ignoreCase: true }, ['Talk:Tides', 'Tides']],
    [{ namespace: 1 }, ['Talk:Tides']],
    [{ search: 'all:incategory:Sea' }, ['Tides']],
    [{ search: 'all:word' }, []],
  ])('%j', async (more, titles) => {
    const { wiki } = await newWiki(pages)
    const done = await replaceText(wiki, request('colour', 'x', more))
    expect(done.pages.map(({ title }) => title)).toEqual(titles)
    expect(done.commit === null).toBe(titles.length === 0)
  })
})

describe('a pattern', () => {
  test.each([
    ['(\\d+) *ft', '$1 feet', '12 feet and 7 feet'],
    ['(?P<n>\\d+) *ft', '${n}m $& $$1', '12m 12 ft $1 and 7m 7ft $1'],
    ['x*', '-', '12 ft and 7ft'],
  ])('%s by %s', async (find, replacement, text) => {
    const { wiki, directory } = await newWiki(pages)
    await replaceText(wiki, request(find, replacement, { isPattern: true, search: 'Bridge' }))
    expect(gitText(directory, 'Bridge.wiki')).toBe(`${text}\n`)
  })

  test.each([
    ['(', 'x'],
    ['a', '$1'],
    ['(?P<n>a)', '${m}'],
  ])('%s by %s is refused', async (find, replacement) => {
    const { wiki } = await newWiki(pages)
    const asked = replaceText(wiki, request(find, replacement, { isPattern: true }))
    await expect(asked).rejects.toMatchObject({ code: 'wiki-bad-pattern' })
  })
})

test('a page that changed since the dry run stops it', async () => {
  const { wiki, directory } = await newWiki(pages)
  const planned = await replaceText(wiki, request('colour', 'color', { dryRun: true }))
  await edit(wiki, 'Tides', 'Their colour and their colour.')
  const before = commitCount(directory)
  await expect(replaceText(wiki, request('colour', 'color', { planned }))).rejects.toMatchObject({
    code: 'edit-conflict',
  })
  expect(commitCount(directory)).toBe(before)
})

test('a page that is not UTF-8 is skipped and named', async () => {
  const { wiki } = await newWiki(pages)
  const content = Buffer.from('colour \xe9', 'latin1')
  await wiki.store.commit(() => ({
    ...{ changes: [{ path: 'Old.wiki', content }], author: ada, comment: 'x', subject: 'x' },
  }))
  const done = await replaceText(wiki, request('colour', 'color'))
  expect(done.unread).toEqual(['Old'])
})
