import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPage, deletePages, migrateLayout, movePage, updatePage, type Wiki } from '../../src/index.ts'
import type { FileEntry, PageEntry, RevisionEntry } from '../../src/store/format/entries.ts'
import { git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import {
  ada,
  bob,
  commitCount,
  commitFiles,
  copyOfWiki,
  create,
  edit,
  gitPaths,
  lastMessage,
  newWiki,
  openTestWiki,
  writeWork,
} from './_wiki.ts'

const settings = { name: 'Coast', namespaces: { 100: { name: 'Guide' } }, root: 'pages' }

/** The parts that must not change: pages and files without their paths, revisions with everything. */
function answers({ store }: Wiki): unknown {
  const withoutPath = <T extends PageEntry | FileEntry>({ path: _, ...rest }: T) => rest
  const pages = [...store.pages()]
  const histories = pages.map((page): RevisionEntry[] => [...store.revisionsOf(page)])
  return { pages: pages.map(withoutPath), files: [...store.files()].map(withoutPath), histories }
}

/** Pages of many kinds: same texts twice, long titles, subpages, other models, one that was moved, one named wiki.json. */
async function makeCoast(): Promise<string> {
  const made = await newWiki({ Boats: 'same\n', Knots: 'same\n', Ropes: 'same\n', Old: 'will move' }, settings)
  const { wiki } = made
  for (const title of [
    'Ab/Cd',
    'ab',
    '3f/Deep/Page',
    'Guide:Start',
    `${'Long '.repeat(45)}end`,
    'Talk:Boats',
    'User:A/Common.css',
  ])
    await create(wiki, title, `The page ${title}`)
  await createPage(wiki, { title: 'Wiki.json', source: '{}', contentModel: 'json', comment: 'data', author: bob })
  await createPage(wiki, { title: 'Marked', source: '# Head', contentModel: 'markdown', comment: 'new', author: ada })
  await movePage(wiki, { from: 'Old', to: 'New', comment: null, author: ada })
  await edit(wiki, 'Boats', 'other\n')
  await edit(wiki, 'Boats', 'same\n')
  await deletePages(wiki, { titles: ['Ropes'], comment: 'gone', author: bob })
  await commitFiles(wiki, {
    'pages/File/Buoy.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    'pages/File/Notes.txt': 'a text that is a file\n',
    'pages/File/Notes.txt.wiki': 'Its description\n',
    'pages/Hand made.mediawiki': 'spaces in the name\n',
    'README.txt': 'not of the wiki\n',
    'script.sh': 'not of the wiki\n',
  })
  return made.directory
}

let original: string

beforeAll(async () => {
  original = await makeCoast()
})

const coast = () => copyOfWiki(original)

test('there and back: one commit each, the same results, the same files', { tags: 'long' }, async () => {
  const { wiki, directory } = await coast()
  const [before, paths] = [answers(wiki), gitPaths(directory)]
  const count = commitCount(directory)

  const there = await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  expect(there.leftAlone).toEqual([])
  expect(commitCount(directory)).toBe(count + 1)
  expect(wiki.store.config.layout).toBe('sharded')
  expect(answers(wiki)).toEqual(before)
  expect(git(directory, 'status', '--porcelain')).toBe('')
  const pages = gitPaths(directory).filter(path => path.startsWith('pages/'))
  expect(pages.filter(path => !/^pages\/[0-9a-f]{2}\//.test(path))).toEqual(['pages/File/Notes.txt'])
  expect(git(directory, 'fsck', '--strict')).toBe('')

  await migrateLayout(wiki, { layout: 'folders', comment: null, author: ada })
  expect(answers(wiki)).toEqual(before)
  expect(gitPaths(directory)).toEqual(paths)
  expect(git(directory, 'status', '--porcelain')).toBe('')
})

test('a second clone, and a rebuilt index, have the same ids', { tags: 'long' }, async context => {
  needsGit(context)
  const { wiki, directory } = await coast()
  await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  await edit(wiki, 'Knots', 'after it')
  const clone = join(await temporaryDirectory(), 'clone')
  git(directory, 'clone', '-q', directory, clone)
  for (const backend of ['git', 'isomorphic-git'] as const) {
    const other = await openTestWiki(clone, { backend })
    await other.store.rebuild()
    expect(answers(other)).toEqual(answers(wiki))
  }
})

test('afterwards pages are written, moved and deleted at their new paths', async () => {
  const { wiki, directory } = await coast()
  const id = wiki.store.findPage('Boats')!.id
  await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  await edit(wiki, 'Boats', 'new text')
  await create(wiki, 'Brand new', 'text')
  await movePage(wiki, { from: 'Boats', to: 'Ships', comment: null, author: ada, redirect: false })
  expect(wiki.store.findPage('Ships')).toMatchObject({ id, edits: 5 })
  expect(gitPaths(directory).filter(path => /Ships|Brand_new|Boats\.wiki/.test(path))).toEqual([
    expect.stringMatching(/^pages\/[0-9a-f]{2}\/(Brand_new|Ships|Talk\/Boats)\.wiki$/),
    expect.stringMatching(/^pages\/[0-9a-f]{2}\/(Brand_new|Ships|Talk\/Boats)\.wiki$/),
    expect.stringMatching(/^pages\/[0-9a-f]{2}\/(Brand_new|Ships|Talk\/Boats)\.wiki$/),
  ])
})

test('its commit is marked as a migration, and is not an edit of any page', async () => {
  const { wiki, directory } = await coast()
  const last = wiki.store.lastRevisionId
  const { commit, moves } = await migrateLayout(wiki, {
    layout: 'sharded',
    comment: 'Too many in one folder',
    author: ada,
  })
  expect(lastMessage(directory)).toBe('Too many in one folder\n\nWiki-Layout: sharded')
  expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  expect(wiki.store.lastRevisionId).toBe(last)
  expect(moves.length).toBe([...wiki.store.pages()].length + [...wiki.store.files()].length - 1)
})

test('a dry run writes nothing, and a second run changes nothing', async () => {
  const { wiki, directory } = await coast()
  const count = commitCount(directory)
  const dry = await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada, dryRun: true })
  expect([dry.commit, commitCount(directory)]).toEqual([null, count])
  const done = await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  expect(done.moves).toEqual(dry.moves)
  const again = await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  expect([again.commit, again.moves, commitCount(directory)]).toEqual([null, [], count + 1])
})

describe('uncommitted changes are refused, and stay', () => {
  const cases: readonly [name: string, path: string][] = [
    ['an edited page', 'pages/Knots.wiki'],
    ['a page that git does not know', 'pages/Fresh.wiki'],
    ['other settings', 'wiki.json'],
  ]
  test.each(cases)('%s', async (_, path) => {
    const { wiki, directory } = await coast()
    await writeWork(directory, path, '{"name": "Mine"}\n')
    const [count, status] = [commitCount(directory), git(directory, 'status', '--porcelain')]
    await expect(migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })).rejects.toMatchObject({
      code: 'wiki-uncommitted',
      message: expect.stringContaining(path),
    })
    expect([commitCount(directory), git(directory, 'status', '--porcelain')]).toEqual([count, status])
    expect(readFileSync(join(directory, path), 'utf8')).toBe('{"name": "Mine"}\n')
  })
})

test('an edit on an older branch is merged into the page at its new path', { tags: 'long' }, async context => {
  needsGit(context)
  const { wiki, directory } = await coast()
  const id = wiki.store.findPage('Knots')!.id
  git(directory, 'checkout', '-q', '-b', 'topic')
  await writeWork(directory, 'pages/Knots.wiki', 'same\nand more\n')
  git(directory, 'commit', '-q', '-am', 'More of knots')
  git(directory, 'checkout', '-q', 'main')
  await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  git(directory, 'merge', '-q', '-m', 'Bring it in', 'topic')
  await wiki.store.refresh()
  const page = wiki.store.findPage('Knots')!
  expect(page).toMatchObject({ id, edits: 2 })
  expect(await wiki.store.text(wiki.store.revision(page.latest)!)).toBe('same\nand more\n')
})

test('a migration on a merged branch keeps ids and adds no revision', { tags: 'long' }, async context => {
  needsGit(context)
  const { wiki, directory } = await coast()
  git(directory, 'checkout', '-q', '-b', 'topic')
  const topic = await openTestWiki(directory)
  await migrateLayout(topic, { layout: 'sharded', comment: null, author: ada })
  git(directory, 'checkout', '-q', 'main')
  const { page } = await updatePage(wiki, {
    title: 'Knots',
    source: 'same\nchanged meanwhile\n',
    base: wiki.store.findPage('Knots')!.latest,
    comment: 'meanwhile',
    author: bob,
  })
  const before = answers(wiki) as { pages: unknown; histories: unknown }
  git(directory, 'merge', '-q', '-m', 'Bring it in', 'topic')
  await wiki.store.refresh()
  const after = answers(wiki) as { pages: unknown; histories: unknown }
  expect(wiki.store.findPage('Knots')).toMatchObject({
    latest: page.latest.id,
    path: expect.stringMatching(/^pages\/..\/Knots/),
  })
  expect([after.pages, after.histories]).toEqual([before.pages, before.histories])
})

// Trees of more than 500 folders are written as a pack.
test.skipIf(!hasGit)('many pages', { tags: 'long' }, async () => {
  const { wiki, directory } = await newWiki()
  await commitFiles(
    wiki,
    Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`Part_${n % 9}/Page_${n}.wiki`, 'same\n'])),
  )
  const before = answers(wiki)
  await migrateLayout(wiki, { layout: 'sharded', comment: null, author: ada })
  expect(answers(wiki)).toEqual(before)
  expect(git(directory, 'fsck', '--strict')).toBe('')
  expect(git(directory, 'status', '--porcelain')).toBe('')
})
