import { expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { fixProblems } from '../../src/operations/fix-problems.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, commitFiles, newWiki } from './_wiki.ts'

const problemsOf = async (wiki: Wiki) =>
  (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems

test('text written after the check stays', async () => {
  const { wiki } = await newWiki({ Tides: '<tt>high</tt> and <strike>low</strike>', Ferry: '<tt>f</tt>' })
  const problems = await problemsOf(wiki)
  expect(problems.map(({ path }) => path)).toEqual(['Ferry.wiki', 'Tides.wiki', 'Tides.wiki'])
  const theirs = '<tt>high and low</tt>, says <strike>she</strike>\n'
  await commitFiles(wiki, { 'Tides.wiki': theirs })
  const { fixed, left, pages } = await fixProblems(wiki, { problems, author: ada, comment: null })
  expect(pages).toEqual([{ title: 'Ferry', path: 'Ferry.wiki', count: 1 }])
  expect({ fixed, left }).toEqual({ fixed: [problems[0]], left: 2 })
  const page = wiki.store.pageAtPath('Tides.wiki')!
  expect(await wiki.store.text(wiki.store.revision(page.latest)!)).toBe(theirs)
})
