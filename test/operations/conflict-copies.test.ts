/** Copies that programs for synchronising make of conflicting edits are not recorded as pages without a word. */

import { expect, test } from 'vitest'
import { conflictCopy } from '../../src/checks/conflict-copies.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { ada, commitFiles, newWiki, writeWork } from './_wiki.ts'

test.each([
  ['Note.sync-conflict-20260101-120000-ABCDEFG.md', 'Syncthing', 'Note.md'],
  ['a/Note.v2.sync-conflict-20260101-120000.md', 'Syncthing', 'a/Note.v2.md'],
  ['Note (conflicted copy 2026-01-01).md', 'Dropbox or Nextcloud', 'Note.md'],
  ["Note (Ada's conflicted copy 2026-01-01).md", 'Dropbox or Nextcloud', 'Note.md'],
  ['Note (ada-laptop conflicted copy).wiki', 'Dropbox or Nextcloud', 'Note.wiki'],
  ['a b/Note (conflicted copy 2026-01-01 120000).md', 'Dropbox or Nextcloud', 'a b/Note.md'],
  ['Note (Conflicted Copy 2026-01-01 1).png', 'Dropbox or Nextcloud', 'Note.png'],
  ['Note_conflict-20260101-120000.md', 'ownCloud', 'Note.md'],
  ['Note (SFConflict ada@example.org 2026-01-01-12-00-00).md', 'Seafile', 'Note.md'],
  ['Note.variant-3f2a.md', 'git-annex', 'Note.md'],
])('%s is a copy by %s of %s', (path, program, original) => {
  expect(conflictCopy(path)).toEqual({ program, original })
})

test.each([
  ...[
    'Note.md',
    'Note 2.md',
    'Note (1).md',
    'Note-PC.md',
    'Sync-conflict.md',
    'Conflicted copy.md',
    '(conflicted copy).md',
  ],
  ...['Note (copy).md', 'a (conflicted copy)/Note.md', 'Note.sync-conflict-2026.md', 'Conflict-20260101-120000.md'],
])('%s is a page of its own', path => {
  expect(conflictCopy(path)).toBeNull()
})

const copy = 'Note.sync-conflict-20260101-120000-ABCDEFG.md'
const about = { program: 'Syncthing', original: 'Note.md' }

async function copied() {
  const { wiki, directory } = await newWiki({})
  await commitFiles(wiki, { 'Note.md': 'one\n' })
  await writeWork(directory, 'Note.md', 'two\n')
  await writeWork(directory, copy, 'three\n')
  await wiki.store.refresh()
  return wiki
}

test('commit leaves a new copy out and says so, and records it when its title is given', async () => {
  const wiki = await copied()
  expect((await wikiStatus(wiki)).changes.map(({ path, copy }) => [path, copy])).toEqual([
    ['Note.md', undefined],
    [copy, about],
  ])
  const request = { comment: 'x', author: ada }
  for (const dryRun of [true, false]) {
    const { recorded, copies } = await commitWork(wiki, { ...request, dryRun })
    expect([recorded.map(({ path }) => path), copies.map(change => [change.path, change.copy])]).toEqual([
      ['Note.md'],
      [[copy, about]],
    ])
  }
  const [left] = (await wikiStatus(wiki)).changes
  const alone = await commitWork(wiki, request)
  expect([alone.commit, alone.copies.length]).toEqual([null, 1])
  const named = await commitWork(wiki, { ...request, titles: [left!.title!] })
  expect([named.recorded.map(({ path }) => path), named.copies]).toEqual([[copy], []])
  // It is a page now, and its edits are recorded like those of any page.
  expect((await wikiStatus(wiki)).changes).toEqual([])
})

test('check lists the copies that are pages', async () => {
  const { wiki } = await newWiki({})
  await commitFiles(wiki, { 'Note.md': 'one\n', [copy]: 'two\n' })
  await wiki.store.refresh()
  const whole = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
  for (const { problems } of [await checkWiki(wiki), whole])
    expect(problems.map(({ kind, path, message }) => [kind, path, message])).toEqual([
      ['conflict-copy', copy, 'It has the name of a copy of Note.md that Syncthing makes of conflicting edits'],
    ])
})
