/** The link graph follows edits, and equals one built from nothing. */

import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { linkLists, listByLinks } from '../../src/operations/link-lists.ts'
import { linkGraph } from '../../src/operations/linking/link-graph.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { wikiLinkResolver } from '../../src/operations/naming/wiki-names.ts'
import { outgoingLinks } from '../../src/operations/page-links.ts'
import { openSnapshot, type Wiki } from '../../src/operations/wiki.ts'
import { notStarted } from '../../src/operations/workers/job.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { oneIn } from '../_rounds.ts'
import { ada, commitFiles, newWiki, openTestWiki } from './_wiki.ts'

/** All results of the graph: all lists, and the links of each page. */
async function graphOf(wiki: Wiki) {
  await wiki.store.refresh({ force: true })
  const lists: Record<string, unknown> = {}
  for (const list of Object.keys(linkLists)) lists[list] = (await listByLinks(wiki, { list })).members
  const links: Record<string, unknown> = {}
  for (const { title } of [...wiki.store.pages()]) links[title] = (await outgoingLinks(wiki, { title })).members
  return { lists, links }
}

/** The first list of a process comes from the file; the others from the whole graph. */
async function listsAlone(directory: string) {
  const lists: Record<string, unknown> = {}
  for (const list of Object.keys(linkLists))
    lists[list] = (await listByLinks(await openTestWiki(directory), { list })).members
  return lists
}

const start = {
  'Tides.wiki': '[[Ebb]] {{Box}} [[notes.md]] [[File:Map.png]]\n',
  'Ebb.wiki': '#REDIRECT [[Low]]\n',
  'Low.wiki': '[[Tides]] [[Category:Sea]] [[Missing]]\n',
  'Template/Box.wiki': '[[Quay]] {{Frame}} [[late.md]]\n',
  'notes/a.md': '[x](../Low.wiki) [[b]] ![](../Map.png) [y](gone.md)\n',
  'notes/b.md': '[[a|the a]]\n',
  'notes/c.md': '[[bee]] [l](run.sh) [[tides|Low]]\n',
  'notes/Deep-Sea.md': 'x\n',
  'Plain.wiki': '{{Box}} [[Deep Sea]]\n',
  'Map.png': 'no picture',
}

const changes: Readonly<Record<string, (wiki: Wiki) => Promise<unknown>>> = {
  'an edit': wiki => commitFiles(wiki, { 'Low.wiki': '[[Ebb]] {{Box}}\n' }),
  'an edit of a template': wiki => commitFiles(wiki, { 'Template/Box.wiki': '[[Pier]] [[Category:Boxed]]\n' }),
  'a new template that another one uses': wiki => commitFiles(wiki, { 'Template/Frame.wiki': '[[Framed]]\n' }),
  'a new page that a path meant': wiki => commitFiles(wiki, { 'notes/gone.md': '[[a]]\n', 'notes.md': 'x\n' }),
  'a deletion': wiki => deletePages(wiki, { titles: ['Low'], comment: null, author: ada }),
  'a deletion of a page of Markdown': wiki => deletePages(wiki, { titles: ['Notes/b'], comment: null, author: ada }),
  'a rename': wiki => movePage(wiki, { from: 'Low', to: 'Lowest', comment: null, author: ada, redirect: true }),
  'a rename by hand': wiki => commitFiles(wiki, { 'notes/b.md': null, 'other/c.md': '[[a|the a]]\n' }),
  'files that come and go': wiki => commitFiles(wiki, { 'Map.png': null, 'Plan.png': 'no picture' }),
  'a page that becomes a redirect': wiki => commitFiles(wiki, { 'Tides.wiki': '#REDIRECT [[Nowhere]]\n' }),
  'a name in front matter': wiki => commitFiles(wiki, { 'notes/b.md': '---\naliases: [Bee]\n---\n[[a|the a]]\n' }),
  'a file that is neither page nor media': wiki => commitFiles(wiki, { 'notes/run.sh': 'true\n' }),
  'a page that tells the kind of the wiki': wiki => commitFiles(wiki, { 'Home.md': '[[tides|Low]]\n' }),
  'a page that a template names by its path': wiki => commitFiles(wiki, { 'late.md': '[[a]]\n' }),
  'a deletion that shows another page of its title': async wiki => {
    await commitFiles(wiki, { 'Low.md': '[[Ebb]]\n' })
    await graphOf(wiki)
    await commitFiles(wiki, { 'Low.wiki': null })
  },
  settings: wiki => commitFiles(wiki, { 'wiki.json': '{"links":"mediawiki"}\n' }),
}

test.each(oneIn(4, Object.entries(changes)))('%s', { tags: ['rounds', 'long'] }, async (_, change) => {
  const { wiki, directory } = await newWiki({}, {})
  await commitFiles(wiki, start)
  await graphOf(wiki)
  await change(wiki)
  const live = await graphOf(wiki)
  // Another process reads the file of the first one, and the changes since.
  expect(await listsAlone(directory)).toEqual(live.lists)
  expect(await graphOf(await openTestWiki(directory))).toEqual(live)
  rmSync(join(wiki.store.cacheDirectory, 'links'), { recursive: true })
  expect(await graphOf(await openTestWiki(directory))).toEqual(live)
})

function withOther(place: (length: number) => number) {
  return (path: string) => {
    const bytes = readFileSync(path)
    const at = place(bytes.length)
    writeFileSync(path, bytes.fill(1, at, at + 8))
  }
}

test.each<[string, string, (path: string) => void]>([
  ['table', 'is not whole', path => truncateSync(path, 300)],
  ['table', 'has other bytes at its end', withOther(length => length - 40)],
  ['table', 'has other bytes in its middle', withOther(length => length >> 1)],
  ['table', 'has another header', withOther(() => 90)],
  ['changes', 'is not whole', path => truncateSync(path, 100)],
  ['changes', 'has other bytes', withOther(length => length >> 1)],
])('a file of the %s that %s is rebuilt', async (name, _, damage) => {
  const { wiki, directory } = await newWiki({}, {})
  await commitFiles(wiki, start)
  await graphOf(wiki)
  await commitFiles(wiki, { 'Low.wiki': '[[Ebb]] {{Box}} [[Elsewhere]]\n' })
  const before = await graphOf(wiki)
  damage(join(wiki.store.cacheDirectory, 'links', name))
  expect(await listsAlone(directory)).toEqual(before.lists)
  damage(join(wiki.store.cacheDirectory, 'links', name))
  expect(await graphOf(await openTestWiki(directory))).toEqual(before)
})

test('a request from before an edit gets the graph of its own state', async () => {
  const { wiki } = await newWiki({}, {})
  await commitFiles(wiki, start)
  const before = await openSnapshot(wiki)
  const graph = await linkGraph(before)
  await commitFiles(wiki, { 'Low.wiki': '[[Elsewhere]]\n' })
  const after = await openSnapshot(wiki)
  expect((await linkGraph(after)).to('Elsewhere')).toHaveLength(1)
  expect(graph.to('Elsewhere')).toEqual([])
  expect(await linkGraph(before)).toBe(graph)
  for (const { store } of [before, after]) store.close()
})

const longPage = { 'Long.wiki': `[[Ebb]] ${'water '.repeat(1000)}\n`, 'Ebb.wiki': '[[Long]]\n' }

function refusing(wiki: Wiki, cause?: string): Wiki {
  const run = () => Promise.reject(new WikiError('wiki-work-limit', { params: ['links', 'x'], cause }))
  return { ...wiki, workerPool: () => ({ run, close: async () => undefined }) as unknown as WorkerPool }
}

test('a new name does not make texts be read again', async () => {
  const { wiki } = await newWiki({}, {})
  const letters = [...'ABCDEFGHIJ']
  await commitFiles(
    wiki,
    Object.fromEntries(letters.map(letter => [`${letter}.md`, `[[Later]] ${'water '.repeat(1000)}\n`])),
  )
  await wiki.store.refresh({ force: true })
  expect((await linkGraph(wiki)).to('Later')).toHaveLength(letters.length)
  await commitFiles(wiki, { 'sea/Later.md': 'x\n' })
  await wiki.store.refresh({ force: true })
  // Long texts are read by a worker, which is missing here.
  const graph = await linkGraph(refusing(wiki, notStarted))
  expect([graph.to('Later'), graph.to('Sea/Later').length]).toEqual([[], letters.length])
})

test('a page is not recorded without links because a server is busy', async () => {
  const { wiki, directory } = await newWiki({}, {})
  await commitFiles(wiki, longPage)
  await wiki.store.refresh({ force: true })
  await expect(linkGraph(refusing(wiki, notStarted))).rejects.toThrow('was stopped')
  expect((await linkGraph(wiki)).to('Ebb')).toHaveLength(1)
  expect((await linkGraph(await openTestWiki(directory))).to('Ebb')).toHaveLength(1)
})

test('a text that takes too long has no links, until another process reads it', async () => {
  const { wiki, directory } = await newWiki({}, {})
  await commitFiles(wiki, longPage)
  await wiki.store.refresh({ force: true })
  expect((await linkGraph(refusing(wiki))).to('Ebb')).toEqual([])
  rmSync(join(wiki.store.cacheDirectory, 'links', 'table'))
  const other = await openTestWiki(directory)
  await other.store.refresh()
  expect((await linkGraph(other)).to('Ebb')).toHaveLength(1)
})

test('names of files are looked up again after a failure', async () => {
  const { wiki } = await newWiki({}, {})
  await commitFiles(wiki, start)
  const snapshot = await openSnapshot(wiki)
  const failing = vi.spyOn(snapshot.store.trees, 'pathsOf').mockRejectedValueOnce(new Error('disk'))
  await expect(wikiLinkResolver(snapshot.store)).rejects.toThrow('disk')
  expect((await wikiLinkResolver(snapshot.store)).named('Tides')).toBeDefined()
  failing.mockRestore()
  snapshot.store.close()
})

test('a name removed from front matter, and a deleted file, are followed', async () => {
  const { wiki, directory } = await newWiki({}, {})
  await commitFiles(wiki, { ...start, 'notes/run.sh': 'true\n', 'notes/b.md': '---\ntitle: Bee\n---\n' })
  const first = await graphOf(wiki)
  await commitFiles(wiki, { 'notes/run.sh': null, 'notes/b.md': '---\ntitle: Wasp\n---\n' })
  const live = await graphOf(wiki)
  expect(live.links).not.toEqual(first.links)
  rmSync(join(wiki.store.cacheDirectory, 'links'), { recursive: true })
  expect(await graphOf(await openTestWiki(directory))).toEqual(live)
})

test('settings unrelated to links leave the graph unchanged', async () => {
  const { wiki } = await newWiki({}, {})
  await commitFiles(wiki, start)
  await graphOf(wiki)
  await commitFiles(wiki, { 'Low.wiki': '[[Ebb]]\n' })
  await graphOf(wiki)
  await commitFiles(wiki, { 'wiki.json': '{"contact":"mailto:a@example.org"}\n' })
  await wiki.store.refresh({ force: true })
  // A graph that is rebuilt has no changes.
  expect((await linkGraph(wiki)).table.changes).toBeGreaterThan(0)
})

test('a late request for an earlier state leaves the newer graph in place', async () => {
  const { wiki } = await newWiki({}, {})
  await commitFiles(wiki, start)
  await graphOf(wiki)
  const before = await openSnapshot(wiki)
  await deletePages(wiki, { titles: ['Low'], comment: null, author: ada })
  await wiki.store.refresh({ force: true })
  const path = join(wiki.store.cacheDirectory, 'links', 'table')
  rmSync(path)
  const after = await linkGraph(wiki)
  for (const state of ['a', 'b', 'c']) {
    await commitFiles(wiki, { 'Low.wiki': null, 'x.txt': state })
    await linkGraph(await openSnapshot(wiki))
  }
  expect((await linkGraph(before)).to('Missing')).toHaveLength(1)
  expect(after.to('Missing')).toEqual([])
  expect(existsSync(path)).toBe(false)
  before.store.close()
})
