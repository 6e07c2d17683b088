/** Answers that are kept in memory for one state of the wiki are not given for another one, whatever git does to the branch. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { countHistory } from '../../src/operations/count-history.ts'
import { categoryMembers } from '../../src/operations/link-lists.ts'
import { incomingLinks, outgoingLinks } from '../../src/operations/page-links.ts'
import { findPages } from '../../src/operations/search-pages.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { copyFolder, git, needsGit, temporaryDirectory } from '../_setup.ts'
import { base, newWiki, openTestWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const pages = { Harbour: 'See [[Pier]]. [[Category:Coast]]', Pier: 'A pier. [[Category:Coast]]' }

/** Answers that are kept: of the graph of links, of its lists, of the search and of counts. */
async function answers(wiki: Wiki) {
  await wiki.store.refresh()
  const { results } = await findPages(wiki, { q: 'pier', limit: 10, base })
  const titles = (hits: Iterable<{ readonly title: string }>) => Array.from(hits, ({ title }) => title).sort()
  return {
    out: await found(() => outgoingLinks(wiki, { title: 'Harbour', limit: 10 })),
    to: await found(() => incomingLinks(wiki, { title: 'Pier', limit: 10 })),
    members: await found(() => categoryMembers(wiki, { name: 'Coast', limit: 10 })),
    search: titles(results.pages),
    edits: await found(() => countHistory(wiki, { title: 'Pier', type: 'edits' })),
  }
}

/** Without ids: those of retired revisions are known to the index alone. */
async function found(question: () => Promise<unknown>): Promise<string> {
  return JSON.stringify(await question().catch(error => error.key), (name, value) => (name === 'id' ? 0 : value))
}

/** Answers of a copy without anything that the wiki keeps. */
async function freshAnswers(directory: string) {
  const copy = join(await temporaryDirectory(), 'wiki')
  copyFolder(directory, copy)
  rmSync(join(copy, '.git', 'wiki'), { recursive: true })
  return answers(await openTestWiki(copy))
}

/** A change of the history, and what undoes it. */
const rewrites: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'leaves its last commit and comes back': [
    ['reset', '-q', '--hard', 'HEAD~1'],
    ['reset', '-q', '--hard', 'ORIG_HEAD'],
  ],
  'drops a deletion': [
    ['rm', '-q', 'Pier.wiki'],
    ['commit', '-q', '-m', 'Delete'],
    ['reset', '-q', '--hard', 'HEAD~1'],
  ],
  'drops a deletion twice': [
    ['rm', '-q', 'Pier.wiki'],
    ['commit', '-q', '-m', 'Delete'],
    ['reset', '-q', '--hard', 'HEAD~1'],
    ['rm', '-q', 'Harbour.wiki'],
    ['commit', '-q', '-m', 'Delete'],
    ['reset', '-q', '--hard', 'HEAD~1'],
    ['rm', '-q', 'Pier.wiki'],
    ['commit', '-q', '-m', 'Delete'],
    ['reset', '-q', '--hard', 'HEAD~1'],
  ],
  'amends its last commit': [['commit', '-q', '--amend', '--no-edit', '--date', '2020-01-01T00:00:00Z']],
}

describe('answers of a wiki whose branch', () => {
  test.each(Object.entries(rewrites))('%s are those of a copy without an index', async (_, steps) => {
    const { wiki, directory } = await newWiki(pages)
    await answers(wiki)
    for (const step of steps) {
      git(directory, ...step)
      expect(await answers(wiki)).toEqual(await freshAnswers(directory))
    }
  })

  test('leaves its last commit while its index is removed are those of a copy without an index', async () => {
    const { wiki, directory } = await newWiki(pages)
    await answers(wiki)
    git(directory, 'reset', '-q', '--hard', 'HEAD~1')
    await answers(wiki)
    rmSync(join(directory, '.git', 'wiki'), { recursive: true })
    git(directory, 'reset', '-q', '--hard', 'ORIG_HEAD')
    expect(await answers(wiki)).toEqual(await freshAnswers(directory))
  })
})

describe('the identity of a state', () => {
  const afterCommit = (directory: string, path: string, text: string) => {
    writeFileSync(join(directory, path), text)
    git(directory, 'add', '-A')
    git(directory, 'commit', '-q', '-m', 'Change')
  }

  test('changes with the commit, the settings and the ids, and comes back with them', async () => {
    const { wiki, directory } = await newWiki(pages)
    const { store } = wiki
    const stateNow = async () => {
      await store.refresh()
      return { state: store.state, lineage: store.lineage }
    }
    const first = await stateNow()
    afterCommit(directory, 'Pier.wiki', 'longer\n')
    const edited = await stateNow()
    afterCommit(directory, 'wiki.json', '{"license": {"title": "None", "url": ""}}')
    const licensed = await stateNow()
    expect(new Set([first.state, edited.state, licensed.state]).size).toBe(3)
    expect([edited.lineage, licensed.lineage]).toEqual([first.lineage, first.lineage])
    git(directory, 'reset', '-q', '--hard', 'HEAD~2')
    const back = await stateNow()
    // The ids of the two commits are retired.
    expect(back.lineage).not.toBe(first.lineage)
    expect(back.state).not.toBe(first.state)
    const again = await openTestWiki(directory)
    await again.store.refresh()
    expect([again.store.state, again.store.lineage]).toEqual([back.state, back.lineage])
  })
})
