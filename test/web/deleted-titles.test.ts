import { expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { ada, commitFiles, newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

test('the history of a deleted page under another spelling leads to its title', async () => {
  const { wiki } = await newWiki({ 'Category:C': 'text' })
  await deletePages(wiki, { titles: ['Category:C'], author: ada, comment: '' })
  await commitFiles(wiki, { 'wiki.json': '{"namespaces":{"14":{"name":"Sort"}}}' })
  const { status, headers } = await siteOf(wiki).ask('/wiki/Category:C?action=history')
  expect([status, headers.get('location')]).toEqual([301, '/wiki/Sort:C?action=history'])
})
