/** An import acknowledges each of its commits: what git takes away of it is named and restored, page by page. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { importDump } from '../../src/operations/import-dump.ts'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { appendEvents, readLog } from '../../src/store/acknowledged/log.ts'
import { withSeries } from '../../src/store/acknowledged/series.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { dumpOf } from '../operations/_dump.ts'
import { bob, commitFiles, edit, gitPaths, gitText, newWiki, openTestWiki, type TestWiki } from '../operations/_wiki.ts'

const titles = ['Ebb', 'Flood', 'Neap', 'Slack']

/** Two revisions of each page. */
const dump = dumpOf(
  titles.map((title, page) => ({
    title,
    revisions: [0, 1].map(edit => ({
      id: 100 + 10 * edit + page,
      time: `2024-01-0${edit + 1}T00:00:0${page}Z`,
      by: 'Ada#1',
      text: `${title} ${edit}`,
    })),
  })),
)

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const restoreAll = (wiki: Wiki) => restoreEdits(wiki, { author: async () => bob })
const lostTitles = async (wiki: Wiki) => [...new Set((await verifyWiki(wiki)).lost.map(({ title }) => title))].sort()
const logOf = (directory: string) => readFileSync(join(directory, '.git/wiki/.acknowledged/main'), 'utf8')

describe('an import', () => {
  let scene: TestWiki & { readonly before: string; readonly count: number }

  beforeEach(async context => {
    needsGit(context)
    const { wiki, directory } = await newWiki({ Quay: 'q' })
    const before = git(directory, 'rev-parse', 'HEAD')
    await importDump(wiki, { dump: bytesOf(dump) })
    const count = Number(git(directory, 'rev-list', '--count', `${before}..HEAD`))
    scene = { wiki, directory, before, count }
  })

  test('is acknowledged with each of its commits, by a few lines', async () => {
    const { wiki, directory, count } = scene
    expect(count).toBe(8)
    expect((await verifyWiki(wiki)).checked).toBe(1 + count)
    const lines = logOf(directory).trim().split('\n')
    const tip = git(directory, 'rev-parse', 'HEAD')
    expect(lines.filter(line => line.startsWith(tip))).toHaveLength(3)
  })

  test.for([
    ['the whole import', 8, titles],
    ['its last commits', 3, ['Flood', 'Neap', 'Slack']],
  ] as const)('%s is named and restored after git reset --hard', async ([, back, lost]) => {
    const { wiki, directory } = scene
    git(directory, 'reset', '-q', '--hard', `HEAD~${back}`)
    expect(await lostTitles(wiki)).toEqual(lost)
    // So it is for a command that starts then, and after an edit.
    expect(await lostTitles(await openTestWiki(directory))).toEqual(lost)
    await edit(wiki, 'Quay', 'r')
    expect(await lostTitles(wiki)).toEqual(lost)
    git(directory, '-c', 'gc.pruneExpire=now', 'gc', '-q', '--prune=now')
    const { failures } = await restoreAll(wiki)
    expect(failures).toEqual([])
    expect(titles.map(title => gitText(directory, `${title}.wiki`))).toEqual(titles.map(title => `${title} 1`))
    expect(gitText(directory, 'Quay.wiki')).toBe('r\n')
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('is restored one commit at a time, and accepted one at a time or as a whole', async () => {
    const { wiki, directory, count } = scene
    git(directory, 'reset', '-q', '--hard', `HEAD~${count}`)
    const { lost } = await verifyWiki(wiki)
    expect(lost).toHaveLength(count)
    await verifyWiki(wiki, { accept: [lost[1]?.commit ?? ''] })
    await restoreEdits(wiki, { commits: [lost[0]?.commit ?? ''], author: async () => bob })
    expect((await verifyWiki(wiki)).lost.map(({ commit }) => commit)).toEqual(lost.slice(2).map(({ commit }) => commit))
    await verifyWiki(wiki, { accept: 'all' })
    expect((await verifyWiki(wiki)).lost).toEqual([])
    expect((await verifyWiki(await openTestWiki(directory))).lost).toEqual([])
  })

  test('accepted as a whole takes one line', async () => {
    const { wiki, directory, count } = scene
    git(directory, 'reset', '-q', '--hard', `HEAD~${count}`)
    const lines = logOf(directory).split('\n').length
    await verifyWiki(wiki, { accept: 'all' })
    expect(logOf(directory).split('\n').length - lines).toBe(2)
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('loses nothing in a rebase, and names what a stale commit undoes', async () => {
    const { wiki, directory, before } = scene
    git(directory, 'switch', '-q', '-c', 'other', before)
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'other')
    git(directory, 'switch', '-q', 'main')
    git(directory, 'rebase', '-q', 'other')
    expect((await verifyWiki(wiki)).lost).toEqual([])
    await commitFiles(await openTestWiki(directory), { 'Quay.wiki': 's\n' })
    const { lost } = await verifyWiki(wiki)
    expect(lost).toEqual([])
  })

  test('is named where its branch is gone', async () => {
    const { directory, before } = scene
    git(directory, 'switch', '-q', '-c', 'kept', before)
    git(directory, 'branch', '-q', '-D', 'main')
    const wiki = await openTestWiki(directory)
    expect(await lostTitles(wiki)).toEqual(titles)
    await restoreAll(wiki)
    expect(gitPaths(directory)).toEqual([...titles.map(title => `${title}.wiki`), 'Quay.wiki'].sort())
  })
})

test('the log keeps a series when it drops old lines', async () => {
  const path = join(await temporaryDirectory(), 'log')
  const commit = (at: number) => `${at}`.padStart(40, '0')
  const series = { first: commit(1), count: 9 }
  await appendEvents(path, 'noted', [commit(9)], { durable: true, series })
  for (let at = 10; at < 14; at++)
    await appendEvents(path, 'moved', [commit(at)], { durable: true, limit: 1, kept: 10 })
  expect(readLog(path)[0]).toMatchObject({ commit: commit(9), kind: 'noted', series })
  await appendEvents(path, 'cancelled', [commit(9)], { durable: true })
  const [cancelled] = readLog(path)
  expect(cancelled).toMatchObject({ kind: 'cancelled', series })
  const index = { commitCount: 9, commit: (at: number) => ({ hash: commit(at + 1) }) }
  const read = () => Promise.reject(new Error('not needed'))
  expect(await withSeries([cancelled!], { index, read })).toHaveLength(1)
  expect(await withSeries([{ ...cancelled!, kind: 'settled' }], { index, read })).toMatchObject([
    ...Array.from({ length: 8 }, (_, at) => ({ commit: commit(at + 1), kind: 'moved' })),
    { commit: commit(9), kind: 'settled' },
  ])
})
