import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CheckedChange, checkChange } from '../../src/operations/check-change.ts'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { lintPages } from '../../src/operations/lint-pages.ts'
import { searchPages } from '../../src/operations/search-pages.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { hashBlob, loosePath } from '../../src/store/git/objects.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { oneIn } from '../_rounds.ts'
import { git, hasGit, needsGit } from '../_setup.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { newStore, openFresh, write } from './_store.ts'

const isMissing = { code: 'wiki-objects-missing' }

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const backends = (['git', 'isomorphic-git'] as const).filter(name => hasGit || name !== 'git')

describe.each(backends)('a text missing from git, read by %s,', backend => {
  /** A wiki of two pages; `take` removes the text of one, and returns a function that restores it. */
  async function lacking(): Promise<{ store: Store; directory: string; take: () => () => void }> {
    const { store: made, directory } = await newStore()
    await write(made, { 'A.wiki': 'a', 'B.wiki': 'b', 'A.png': 'picture' })
    const store = await openFresh(directory, { backend })
    made.close()
    const { blob } = store.revision(store.findPage('A')?.latest as number) as { blob: string }
    const path = loosePath(join(directory, '.git/objects'), blob)
    const take = () => {
      const bytes = readFileSync(path)
      rmSync(path)
      return () => writeFileSync(path, bytes)
    }
    return { store, directory, take }
  }

  test('is reported by what lints all pages, missing or damaged', async () => {
    const { store, directory, take } = await lacking()
    const { blob } = store.revision(store.findPage('A')?.latest as number) as { blob: string }
    take()
    const wiki = await openTestWiki(directory, { backend })
    expect(await lintPages(wiki, {})).toMatchObject({ unread: ['A'], count: 2 })
    writeFileSync(loosePath(join(directory, '.git/objects'), blob), 'damaged')
    expect(await lintPages(await openTestWiki(directory, { backend }), {})).toMatchObject({ unread: ['A'], count: 2 })
  })

  test('does not count as empty', async () => {
    const { store, take } = await lacking()
    const revisions = [...store.allRevisions()]
    const bringBack = take()
    await expect(collect(store.texts(revisions))).rejects.toMatchObject(isMissing)
    await expect(collect(store.committed(revisions))).rejects.toMatchObject(isMissing)
    bringBack()
    expect((await collect(store.texts(revisions))).map(([, text]) => text)).toEqual(['a', 'b'])
    expect((await collect(store.committed(revisions))).map(({ content }) => `${content}`)).toEqual(['a', 'b'])
  })

  test('is one unread text of a new index, until it is back', async () => {
    const { store, directory, take } = await lacking()
    store.close()
    const bringBack = take()
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    const fresh = openStore({ directory, backend })
    await fresh.refresh()
    const [a, b] = [...fresh.allRevisions()]
    await expect(fresh.text(a!)).rejects.toMatchObject(isMissing)
    expect(await fresh.text(b!)).toBe('b')
    expect([...fresh.unread()]).toEqual([{ title: 'A', path: 'A.wiki', blob: a!.blob }])
    fresh.close()
    bringBack()
    const again = openStore({ directory, backend })
    await again.refresh()
    expect([...again.allRevisions()].map(({ size }) => size)).toEqual([1, 1])
    expect([...again.unread()]).toEqual([])
    again.close()
  })

  test('is named by wiki verify and wiki check, and leaves ids, links and search of the others', {
    tags: 'long',
  }, async () => {
    const { store, directory, take } = await lacking()
    const ids = [...store.allRevisions()].map(({ id, commit, blob }) => ({ id, commit, blob }))
    store.close()
    take()
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    const wiki = await openTestWiki(directory)
    const { problems } = await checkWiki(wiki)
    expect(problems).toMatchObject([{ kind: 'missing-content', path: 'A.wiki' }])
    expect((await verifyWiki(wiki)).unread).toEqual(['A'])
    expect(
      (await checkChange(wiki, { from: null, to: { state: 'work' }, sinceParting: false })).problems.map(
        ({ kind, path }) => `${kind} ${path}`,
      ),
    ).toContain('missing-content A.wiki')
    expect((await searchPages(wiki, { q: 'b' })).pages.map(({ title }) => title)).toEqual(['B'])
    expect([...wiki.store.allRevisions()].map(({ id, commit, blob }) => ({ id, commit, blob }))).toEqual(ids)
    await wiki.close()
  })

  test('that are too many are refused, as in a clone without texts', { tags: 'long' }, async () => {
    const { store, directory } = await newStore()
    const pages = Array.from({ length: 102 }, (_, at) => [`P${at}.wiki`, `text ${at}`])
    await write(store, Object.fromEntries(pages))
    const blobs = [...store.allRevisions()].map(({ blob }) => blob)
    store.close()
    for (const blob of blobs) rmSync(loosePath(join(directory, '.git/objects'), blob))
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    const fresh = openStore({ directory, backend })
    await expect(fresh.refresh()).rejects.toMatchObject(isMissing)
    fresh.close()
  })
})

describe.each(backends)('a content damaged after it was indexed, read by %s,', backend => {
  /** Damages the end of a loose object, so that its size can still be read. */
  function damage(directory: string, blob: string): void {
    const path = loosePath(join(directory, '.git/objects'), blob)
    const bytes = readFileSync(path)
    chmodSync(path, 0o644)
    writeFileSync(path, bytes.fill(0x55, bytes.length - 4))
  }

  const contents = {
    'A.wiki': 'a',
    'B.wiki': `as long as a pointer ${'b'.repeat(200)}`,
    'C.wiki': 'another text',
    'D.png': 'picture',
    'E.wav': randomBytes(5 * 1024 * 1024),
  }

  const tried = oneIn(Object.keys(contents).length, Object.keys(contents), backend === 'git' ? 0 : 1)
  test.each(tried)('is named by each kind of wiki check: %s', { tags: ['rounds', 'long'] }, async path => {
    const { store, directory } = await newStore()
    await write(store, { 'First.wiki': 'first' })
    await write(store, contents)
    await write(store, { 'Last.wiki': 'last' })
    store.close()
    const wiki = await openTestWiki(directory, { backend })
    expect((await checkWiki(wiki)).problems).toEqual([])
    damage(directory, hashBlob(Buffer.from(contents[path as keyof typeof contents])))
    const named = { kind: 'missing-content', path, message: expect.stringContaining('git fsck') }
    expect((await checkWiki(wiki)).problems).toMatchObject([named])
    const found = async (change: Partial<CheckedChange>) =>
      (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false, ...change })).problems
    const fault = expect.objectContaining(named)
    expect(await found({})).toContainEqual(fault)
    expect(await found({ from: 'HEAD~2' })).toContainEqual(fault)
    expect(await found({ from: 'HEAD~2', to: { state: 'staged' } })).toContainEqual(fault)
    expect(await found({ from: 'HEAD~1' })).not.toContainEqual(fault)
    await wiki.close()
  })
})

test.skipIf(!hasGit)('git goes on after damaged objects among many', { tags: 'long' }, async () => {
  const { store, directory } = await newStore()
  const pages = Array.from({ length: 300 }, (_, at) => [`P${at}.wiki`, `text ${at}`])
  await write(store, Object.fromEntries(pages))
  const revisions = [...store.allRevisions()]
  const paths = revisions.map(({ page }) => store.pageById(page)!.path)
  store.close()
  const damaged = [3, 40, 41, 299]
  for (const at of damaged) {
    const path = loosePath(join(directory, '.git/objects'), revisions[at]!.blob)
    chmodSync(path, 0o644)
    writeFileSync(path, readFileSync(path).fill(0x55, 12))
  }
  const backend = openStore({ directory, backend: 'git' })
  const texts = await collect(backend.presentTexts(revisions))
  const expected = paths.map((path, at) => (damaged.includes(at) ? null : `text ${path.slice(1, -'.wiki'.length)}`))
  expect(texts.map(([, text]) => text)).toEqual(expected)
  backend.close()
})

describe.each(backends)('settings missing from git, read by %s,', backend => {
  const name = '%s: a wiki that has had valid ones keeps these until they can be read'
  test.for(['missing', 'damaged'])(name, async (kind, context) => {
    needsGit(context)
    const { store: made, directory } = await newStore()
    await write(made, { 'wiki.json': '{ "name": "Before" }', 'A.wiki': 'a' })
    made.close()
    const notices: string[] = []
    const store = await openFresh(directory, { backend, notice: text => notices.push(text) })
    // With plain git, because the index of another process of the wiki would have the new settings.
    writeFileSync(join(directory, 'wiki.json'), '{ "name": "After" }')
    git(directory, 'commit', '-q', '-a', '-m', 'settings')
    const path = loosePath(join(directory, '.git/objects'), git(directory, 'rev-parse', 'HEAD:wiki.json'))
    const bytes = readFileSync(path)
    rmSync(path)
    if (kind === 'damaged') writeFileSync(path, 'damaged')
    await store.refresh()
    await write(store, { 'A.wiki': 'more' })
    expect(store.config.name).toBe('Before')
    expect(await store.text([...store.allRevisions()].at(-1)!)).toBe('more')
    expect(notices).toEqual([
      expect.stringMatching(/^wiki\.json cannot be read: .*; the settings before it stay in use$/),
    ])
    writeFileSync(path, bytes)
    await write(store, { 'A.wiki': 'even more' })
    expect(store.config.name).toBe('After')
  })

  test('are an error at first', async () => {
    const { store, directory } = await newStore()
    const text = Buffer.from('{ "name": "Before" }')
    await write(store, { 'wiki.json': text })
    store.close()
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    rmSync(loosePath(join(directory, '.git/objects'), hashBlob(text)))
    const fresh = openStore({ directory, backend })
    await expect(fresh.refresh()).rejects.toMatchObject(isMissing)
    fresh.close()
  })
})
