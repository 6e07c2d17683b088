import { expect, test } from 'vitest'
import { missingHint } from '../../src/operations/resources/deleted-page.ts'
import { newWiki } from './_wiki.ts'

test.each([
  ['Tides@yesterday', 'Read a revision of a page: wiki page get "Tides" --at "@{yesterday}"'],
  ['Tides@3_days_ago', 'Read a revision of a page: wiki page get "Tides" --at "@{3 days ago}"'],
  ['Tides@prev~2', 'Read a revision of a page: wiki page get "Tides" --at "@prev~2"'],
  ['Nowhere@prev', 'Create it with: wiki page create "Nowhere@prev"'],
  ['@prev', 'Create it with: wiki page create "@prev"'],
])('the hint for %s, which is not a page', async (title, hint) => {
  const { wiki } = await newWiki({ Tides: 'x' })
  expect(missingHint(wiki.store, title, title)).toBe(hint)
})
