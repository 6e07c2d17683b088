import { describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { readRevision, readRevisionBare } from '../../src/operations/read-revision.ts'
import { ada, base, create, edit, newWiki } from './_wiki.ts'

test('a revision has its fields in the documented order', async () => {
  const { wiki } = await newWiki({}, { license: { url: 'https://example.org/l', title: 'L' } })
  const time = new Date('2024-01-01T00:00:00Z')
  await create(wiki, 'Talk:A b', 'one', { time })
  const id = await edit(wiki, 'Talk:A b', 'one two', { minor: true, comment: 'why', time })
  const head = {
    id,
    size: 7,
    minor: true,
    timestamp: '2024-01-01T00:00:00Z',
    content_model: 'wikitext',
    page: { id: 1, key: 'Talk:A_b', title: 'Talk:A b' },
    license: { url: 'https://example.org/l', title: 'L' },
    user: { id: 1, name: 'Ada Example' },
    comment: 'why',
    delta: 4,
  }
  expect(JSON.stringify(await readRevision(wiki, { id }))).toBe(JSON.stringify({ ...head, source: 'one two' }))
  const html_url = `${base}/revision/${id}/html`
  expect(JSON.stringify(await readRevisionBare(wiki, { id, base }))).toBe(JSON.stringify({ ...head, html_url }))
})

test('the first revision has no delta, and old revisions keep their text', async () => {
  const { wiki } = await newWiki()
  const id = await create(wiki, 'A', 'one')
  await edit(wiki, 'A', 'two')
  expect(await readRevision(wiki, { id })).toMatchObject({ delta: null, source: 'one', minor: false })
})

describe('revisions that do not exist', () => {
  test.each([0, -1, 99, 2 ** 53])('%i', async id => {
    const { wiki } = await newWiki({ A: 'a' })
    const error = { code: 'rest-nonexistent-revision', message: `The specified revision (${id}) does not exist` }
    await expect(readRevision(wiki, { id })).rejects.toMatchObject(error)
    await expect(readRevisionBare(wiki, { id, base })).rejects.toMatchObject(error)
  })
})

test('revisions of deleted pages are read as before', async () => {
  const { wiki } = await newWiki()
  const id = await create(wiki, 'A', 'a')
  await deletePages(wiki, { titles: ['A'], comment: null, author: ada })
  expect(await readRevision(wiki, { id })).toMatchObject({ id, source: 'a', page: { id: 1, key: 'A' } })
})
