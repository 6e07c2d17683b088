/** The search index follows every change on which a page's document depends, also those that make no revision of the page. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { incomingLinks } from '../../src/operations/page-links.ts'
import { findPages, searchTitles } from '../../src/operations/search-pages.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { copyUnderived } from '../proof/_asked-wiki.ts'
import { commitFiles, newWiki, openTestWiki } from './_wiki.ts'

type Files = Readonly<Record<string, string | null>>

interface Situation {
  /** Files of a commit before the first question, which `files` may delete. */
  readonly before?: Files
  readonly files: Files
  /** Commits, one after the other; a text is a command of git. */
  readonly changes: readonly (Files | readonly string[])[]
  readonly queries: readonly string[]
  /** Titles that each query finds in the end. */
  readonly found: readonly (readonly string[])[]
}

const config = (settings: object) => JSON.stringify(settings)

const situations: Readonly<Record<string, Situation>> = {
  'the shown one of two files of a title is deleted': {
    files: { 'A.wiki': 'crane\n', 'A.md': 'harbour\n' },
    changes: [{ 'A.wiki': null }],
    queries: ['crane', 'harbour', 'prefix:A'],
    found: [[], ['A'], ['A']],
  },
  'the shown one of two files of a title is moved away': {
    files: { 'A.wiki': 'crane\n', 'A.md': 'harbour\n' },
    changes: [['mv', 'A.wiki', 'B.wiki']],
    queries: ['crane', 'harbour'],
    found: [['B'], ['A']],
  },
  'one deletion reveals a file while another one is undone': {
    before: { 'B.wiki': 'pier\n' },
    files: { 'A.wiki': 'crane\n', 'A.md': 'harbour [[Rope]]\n', 'B.wiki': null },
    changes: [{ 'A.wiki': null }, { 'B.wiki': 'pier\n' }],
    queries: ['crane', 'harbour', 'pier', 'linksto:Rope'],
    found: [[], ['A'], ['B'], ['A']],
  },
  'a move reveals a file while a new one hides another': {
    files: { 'A.wiki': 'crane\n', 'A.md': 'harbour [[Rope]]\n', 'C.md': 'pier [[Rope]]\n' },
    changes: [['mv', 'A.wiki', 'B.wiki'], { 'C.wiki': 'lantern\n' }],
    queries: ['crane', 'harbour', 'pier', 'lantern', 'linksto:Rope'],
    found: [['B'], ['A'], [], ['C'], ['A']],
  },
  'a hidden file becomes a redirect': {
    files: { 'A.wiki': 'crane\n', 'A.mediawiki': 'harbour\n', 'B.wiki': 'rope\n' },
    changes: [{ 'A.mediawiki': '#REDIRECT [[B]]\n' }],
    queries: ['A', 'rope'],
    found: [['A'], ['B']],
  },
  'a hidden file gets the name of a link': {
    files: { 'A.wiki': 'crane\n', 'A.md': 'harbour\n', 'B.md': '[[Other name]]\n' },
    changes: [{ 'A.md': '---\naliases: [Other name]\n---\n' }, { 'C.md': '[[Other name]]\n' }],
    queries: ['linksto:A', 'linksto:"Other name"'],
    found: [[], ['B', 'C']],
  },
  'a file with the name of a link is hidden': {
    files: { 'A.md': '---\naliases: [Other name]\n---\n', 'B.md': '[[Other name]]\n' },
    changes: [{ 'A.wiki': 'crane\n' }, { 'C.md': '[[Other name]]\n' }],
    queries: ['linksto:A', 'linksto:"Other name"'],
    found: [[], ['B', 'C']],
  },
  'a file with the name of a link is revealed': {
    files: { 'A.wiki': 'crane\n', 'A.md': '---\naliases: [Other name]\n---\n', 'B.md': '[[Other name]]\n' },
    changes: [{ 'A.wiki': null }, { 'C.md': '[[Other name]]\n' }],
    queries: ['linksto:A', 'linksto:"Other name"'],
    found: [['B', 'C'], []],
  },
  'a page with the name of a link is moved': {
    files: { 'A.md': '---\naliases: [Other name]\n---\n', 'B.md': '[[Other name]]\n' },
    changes: [['mv', 'A.md', 'C.md']],
    queries: ['linksto:A', 'linksto:C'],
    found: [[], ['B']],
  },
  'a file hides another one of its title': {
    files: { 'A.md': 'harbour\n', 'B.wiki': 'rope\n' },
    changes: [{ 'A.wiki': 'crane\n' }],
    queries: ['crane', 'harbour'],
    found: [['A'], []],
  },
  'a redirect is revealed': {
    files: { 'A.wiki': 'crane\n', 'A.mediawiki': '#REDIRECT [[B]]\n', 'B.wiki': 'rope\n' },
    changes: [{ 'A.wiki': null }],
    queries: ['crane', 'A'],
    found: [[], ['B']],
  },
  'a page such as Home.md changes the dialect': {
    files: { 'A.md': '[[Docs|Rope]]\n', 'Docs.md': 'docs\n', 'Rope.md': 'rope\n' },
    changes: [{ 'Home.md': 'home\n' }],
    queries: ['linksto:Rope', 'linksto:Docs'],
    found: [['A'], []],
  },
  'a setting changes the dialect': {
    files: { 'A.md': '[[Docs|Rope]]\n', 'Docs.md': 'docs\n', 'Rope.md': 'rope\n' },
    changes: [{ 'wiki.json': config({ links: 'gollum' }) }],
    queries: ['linksto:Rope', 'linksto:Docs'],
    found: [['A'], []],
  },
  'a setting names the category namespace': {
    files: { 'A.wiki': '[[Sort:Ports]]\n' },
    changes: [{ 'wiki.json': config({ namespaces: { 14: { name: 'Sort' } } }) }],
    queries: ['incategory:Ports'],
    found: [['A']],
  },
  'a setting changes the case of titles': {
    files: { 'A.wiki': '[[pier]]\n', 'pier.wiki': 'wood\n' },
    changes: [{ 'wiki.json': config({ capitalization: 'case-sensitive' }) }],
    queries: ['linksto:pier', 'wood'],
    found: [['A'], ['pier']],
  },
  'a file that is no page gets the name of a link': {
    files: { 'A.md': '[x](chart.pdf) [[chart]]\n' },
    changes: [{ 'docs/chart.pdf': '%PDF-1.4\n' }],
    queries: ['linksto:"Chart.pdf"', 'linksto:"File:docs/chart.pdf"'],
    found: [[], ['A']],
  },
  'a redirect becomes a page of Markdown': {
    files: { 'R.wiki': '#REDIRECT [[B]]\n', 'B.wiki': 'rope\n' },
    changes: [['mv', 'R.wiki', 'R.md']],
    queries: ['redirect', 'R'],
    found: [['R'], ['R']],
  },
}

test.for(Object.entries(situations))('%s', async ([, { before, files, changes, queries, found }], context) => {
  needsGit(context)
  const { wiki, directory } = await newWiki()
  if (before !== undefined) await commitFiles(wiki, before)
  await commitFiles(wiki, files)
  await answersOf(wiki, queries)
  for (const change of changes) {
    if (Array.isArray(change)) {
      git(directory, ...(change as string[]))
      git(directory, 'commit', '-qm', 'changed')
    } else await commitFiles(wiki, change as Files)
  }
  const live = await answersOf(wiki, queries)
  const cold = await answersOf(await openTestWiki(directory), queries)
  const rebuilt = await answersOf(await rebuiltWiki(directory), queries)
  expect(live.found).toEqual(found)
  expect(live).toEqual(rebuilt)
  expect(cold).toEqual(rebuilt)
})

test('a hidden text is not found, and found again when it is shown', async context => {
  needsGit(context)
  const { wiki, directory } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': 'crane\n' })
  expect((await answersOf(wiki, ['crane'])).found).toEqual([['A']])
  const { commit, blob } = wiki.store.revision(wiki.store.lastRevisionId)!
  const hidden = { [`${commit}/${blob}`]: { parts: ['text'], reason: 'r' } }
  await commitFiles(wiki, { 'wiki.json': config({ hidden }) })
  expect((await answersOf(wiki, ['crane'])).found).toEqual([[]])
  expect((await answersOf(await rebuiltWiki(directory), ['crane'])).found).toEqual([[]])
  await commitFiles(wiki, { 'wiki.json': config({}) })
  expect((await answersOf(wiki, ['crane'])).found).toEqual([['A']])
})

test('of many pages of one score the best linked is first, however the index grew', async context => {
  needsGit(context)
  const { wiki, directory } = await newWiki()
  const page = (at: number) => `P${String(at).padStart(3, '0')}`
  for (let from = 0; from < 160; from += 20) {
    const some = Array.from({ length: 20 }, (_, at) => [`${page(from + at)}.wiki`, 'crane\n'] as const)
    await commitFiles(wiki, Object.fromEntries(some))
    await answersOf(wiki, ['crane'])
  }
  await commitFiles(wiki, { 'Links.wiki': `[[${page(147)}]] [[${page(3)}]]\n`, 'More.wiki': `[[${page(147)}]]\n` })
  await commitFiles(wiki, { [`${page(1)}.wiki`]: 'crane \n' })
  const live = await answersOf(wiki, ['crane', 'cranf', 'P'])
  expect(live.found[0]!.slice(0, 2)).toEqual([page(147), page(3)])
  expect(live).toEqual(await answersOf(await rebuiltWiki(directory), ['crane', 'cranf', 'P']))
})

test('a misspelt word is not replaced by a name of a link, nor by a word that no page has any more', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.md': '[x](Crane.md) lantern\n', 'B.md': 'lanterns harbour\n' })
  await answersOf(wiki, ['crane'])
  await commitFiles(wiki, { 'A.md': '[x](Crane.md) rope\n', 'B.md': 'harbour\n' })
  for (const q of ['crane', 'lantorn']) expect((await findPages(wiki, { q })).suggestion).toBeNull()
})

/** The answers of searches, typed titles and links. */
async function answersOf(wiki: Wiki, queries: readonly string[]) {
  const titlesOf = ({ pages }: { readonly pages: readonly { readonly title: string }[] }) =>
    pages.map(({ title }) => title)
  const found = []
  const typed = []
  for (const q of queries) {
    found.push(titlesOf((await findPages(wiki, { q, limit: 100 })).results))
    typed.push(titlesOf(await searchTitles(wiki, { q, match: 'words', limit: 100 })))
  }
  const linked = await incomingLinks(wiki, { title: 'Rope' })
  return { found, typed, links: linked.members.map(({ key, redirect }) => [key, redirect]) }
}

async function rebuiltWiki(directory: string): Promise<Wiki> {
  const copy = join(await temporaryDirectory(), 'wiki')
  copyUnderived(directory, copy)
  return openTestWiki(copy)
}
