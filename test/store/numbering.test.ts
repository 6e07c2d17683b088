import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { PageEntry } from '../../src/store/format/entries.ts'
import { IndexRecordWriter } from '../../src/store/index/record-writer.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { rounds } from '../_rounds.ts'
import { hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { moveMain, type RandomHistory, randomHistory, writeHistory } from './_random-history.ts'
import { hastyClock } from './_slices.ts'

test('the history drawn in docs/reference/storage.md', async context => {
  needsGit(context)
  const folder = join(await temporaryDirectory(), 'wiki.git')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
  execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: drawnHistory })
  await inStore(folder, 'git', async store => {
    const pages = [...store.pages()].map(page => `${page.id} ${page.title}: ${ids(store, page)}`)
    expect(pages).toEqual(['1 Boats: 5 4 1', '3 Knots: 7 6', '2 Tides: 3 2'])
    expect(store.revision(7)?.blob).toBe(store.revision(6)?.blob)
  })
})

test('a moved page keeps its id, and a redirect left behind is a separate page', async context => {
  needsGit(context)
  const folder = join(await temporaryDirectory(), 'wiki.git')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const text = commitOf({ mark: 1, files: { 'Old.wiki': 'text\n', 'Same.wiki': 'twice\n' } })
  const moved = commitOf({ mark: 2, from: 1, files: { 'Old.wiki': '#REDIRECT [[New]]\n', 'New.wiki': 'text\n' } })
  const copied = commitOf({ mark: 3, from: 2, files: { 'Same.wiki': 'other\n', 'Copy.wiki': 'twice\n' } })
  execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: text + moved + copied })
  await inStore(folder, 'git', async store => {
    const pages = [...store.pages()].map(page => `${page.id} ${page.title}: ${ids(store, page)}`)
    expect(pages).toEqual(['4 Copy: 5', '1 New: 3 1', '3 Old: 4', '2 Same: 6 2'])
  })
})

test('others run between the pages and files of one commit', async context => {
  needsGit(context)
  const folder = join(await temporaryDirectory(), 'wiki.git')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const names = Array.from({ length: 100 }, (_, at) => `${at}`)
  const filesIn = (place: string) =>
    names.flatMap(name => [
      [`${place}P${name}.wiki`, `text ${name}\n`],
      [`${place}P${name}.png`, `picture ${name}\n`],
    ])
  const input = commitOf({ mark: 1, files: Object.fromEntries(filesIn('')) })
  execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input })
  let inTurn = 0
  let most = 0
  for (const name of ['addPage', 'addRevision', 'setFile'] as const) {
    const original = IndexRecordWriter.prototype[name] as (...all: unknown[]) => never
    vi.spyOn(IndexRecordWriter.prototype, name).mockImplementation(function (this: unknown, ...all: unknown[]) {
      most = Math.max(most, ++inTurn)
      return original.apply(this, all)
    })
  }
  const count = (): void => {
    inTurn = 0
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { now } = performance
  performance.now = hastyClock()
  try {
    await inStore(folder, 'git', async store => expect([...store.pages()]).toHaveLength(names.length))
  } finally {
    performance.now = now
    clearImmediate(next)
    vi.restoreAllMocks()
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(10)
})

describe.skipIf(!hasGit)('a deleted page', () => {
  const begun = [
    commitOf({ mark: 1, files: { 'A.wiki': 'one\n', 'B.wiki': 'b\n' } }),
    commitOf({ mark: 2, from: 1, files: { 'A.wiki': 'two\n' } }),
    commitOf({ mark: 3, from: 2, files: { 'A.wiki': null } }),
  ]
  const back = (text: string, message?: string) =>
    commitOf({ mark: 4, from: 3, files: { 'A.wiki': text }, ...(message !== undefined && { message }) })
  const merged = [
    commitOf({ mark: 4, from: 3, files: { 'A.wiki': 'two\n' } }),
    commitOf({ mark: 5, from: 3, files: { 'B.wiki': 'c\n' } }),
    commitOf({ mark: 6, from: 5, merge: 4, files: { 'A.wiki': 'two\n' } }),
  ].join('')
  const twice = [
    commitOf({ mark: 4, from: 3, files: { 'A.wiki': 'new\n' } }),
    commitOf({ mark: 5, from: 4, files: { 'A.wiki': null } }),
    commitOf({ mark: 6, from: 5, files: { 'A.wiki': 'two\n' } }),
  ].join('')

  test.each([
    ['goes on where its text comes back', back('two\n'), '1 A: 4 3 1'],
    ['goes on with an older text where the commit says so', back('one\n', 'x\n\nWiki-Restored: A.wiki'), '1 A: 4 3 1'],
    ['is another one with another text', back('one\n'), '3 A: 4'],
    ['is another one where the commit names another path', back('one\n', 'x\n\nWiki-Restored: B.wiki'), '3 A: 4'],
    ['goes on where a side branch brings its text back', merged, '1 A: 5 3 1'],
    ['goes on where another page was there meanwhile', twice, '1 A: 5 3 1'],
  ])('%s', { tags: 'long' }, async (_, end, expected) => {
    for (const backend of ['git', 'isomorphic-git'] as const) {
      const folder = join(await temporaryDirectory(), 'wiki.git')
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
      execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: begun.join('') })
      // The deletion is in the stored index, the restoration comes as its tail.
      await inStore(folder, backend, async store => expect(store.findPage('A')).toBeUndefined())
      const input = end.replaceAll('from :3\n', `from ${tipOf(folder)}\n`)
      execFileSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet', '--force'], { input })
      const found = (store: Store) => [...store.pages()].map(page => `${page.id} ${page.title}: ${ids(store, page)}`)
      await inStore(folder, backend, async store => expect(found(store)).toContain(expected))
      rmSync(join(folder, 'wiki'), { recursive: true })
      await inStore(folder, backend, async store => expect(found(store)).toContain(expected))
    }
  })
})

// Without git such histories cannot be made.
describe.skipIf(!hasGit)('ids of random histories', { tags: 'rounds', timeout: 300_000 }, () => {
  const property = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 3, max: 40 }))
  const run = { numRuns: rounds(2, 8, 20), seed: 2026, endOnFailure: true }

  test('two clones and both backends agree, byte for byte', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(property, async ([seed, size]) => {
        const history = randomHistory(seed, size)
        const [one, other] = [await bare(history), await bare(history)]
        await inStore(one, 'git', async () => {})
        await inStore(other, 'isomorphic-git', async () => {})
        expect(baseBytes(one).equals(baseBytes(other))).toBe(true)
      }),
      run,
    )
  })

  test('the last revision of every page is in the tip', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(property, async ([seed, size]) => {
        const folder = await bare(randomHistory(seed, size))
        const listed = execFileSync('git', [`--git-dir=${folder}`, 'ls-tree', '-r', '-z', 'main'], { encoding: 'utf8' })
        const blobs = listed.split('\0').flatMap(row => (/(wiki|md|json)$/.test(row) ? [row.slice(12, 52)] : []))
        await inStore(folder, 'git', async store => {
          const latest = [...store.pages()].map(page => store.revision(page.latest)?.blob)
          expect(latest.sort()).toEqual(blobs.sort())
        })
      }),
      run,
    )
  })

  test('ids only grow as the branch moves forward, and incremental builds match one full build', {
    tags: 'long',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(property, async ([seed, size]) => {
        const history = randomHistory(seed, size)
        const folder = await bare(history, 0)
        let before: string[] = []
        await inStore(folder, 'git', async store => {
          for (let place = 0; place < history.chain.length; place++) {
            moveMain(folder, place)
            await store.refresh()
            const now = listAll(store)
            expect(now.slice(0, before.length)).toEqual(before)
            before = now
          }
        })
        rmSync(join(folder, 'wiki'), { recursive: true })
        await inStore(folder, 'git', async store => expect(listAll(store)).toEqual(before))
      }),
      run,
    )
  })

  test('an id never changes its meaning, wherever the branch is moved', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(property, fc.array(fc.nat(), { minLength: 2, maxLength: 6 }), async ([seed, size], places) => {
        const history = randomHistory(seed, size)
        const folder = await bare(history, 0)
        const meanings = new Map<number, string>()
        for (const place of places) {
          moveMain(folder, place % history.chain.length)
          await inStore(folder, 'git', async store => {
            for (const [id, meaning] of listIds(store)) {
              expect(meanings.get(id) ?? meaning).toBe(meaning)
              meanings.set(id, meaning)
            }
          })
        }
      }),
      run,
    )
  })
})

async function bare(history: RandomHistory, place?: number): Promise<string> {
  const folder = join(await temporaryDirectory(), 'wiki.git')
  writeHistory(folder, history, place)
  return folder
}

async function inStore(
  directory: string,
  backend: 'git' | 'isomorphic-git',
  use: (store: Store) => Promise<void>,
): Promise<void> {
  const store = openStore({ directory, backend })
  try {
    await store.refresh()
    await use(store)
  } finally {
    store.close()
  }
}

function tipOf(folder: string): string {
  return execFileSync('git', [`--git-dir=${folder}`, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()
}

function baseBytes(folder: string): Buffer {
  return readFileSync(join(folder, 'wiki', 'main', 'base'))
}

/** Every present or former revision, in order of the ids, including those of deleted pages. */
function listAll(store: Store): string[] {
  const found: string[] = []
  for (let id = 1; id <= store.revisionCount; id++) {
    const revision = store.revision(id, { deleted: true })
    if (revision) found.push(`${id} ${revision.page} ${revision.commit} ${revision.blob} ${revision.previous}`)
  }
  return found
}

function listIds(store: Store): [number, string][] {
  const found: [number, string][] = []
  for (let id = 1; id <= store.lastRevisionId; id++) {
    const revision = store.revision(id, { deleted: true })
    if (revision) found.push([id, `${revision.commit} ${revision.blob}`])
  }
  return found
}

function ids(store: Store, page: PageEntry): string {
  return [...store.revisionsOf(page)].map(revision => revision.id).join(' ')
}

interface WrittenCommit {
  readonly mark: number
  readonly from?: number
  readonly merge?: number
  readonly files: Readonly<Record<string, string | null>>
  readonly message?: string
}

/** A commit for `git fast-import`; a file of null is deleted. */
function commitOf({ mark, from, merge, files, message = `change ${mark}` }: WrittenCommit): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const who = `Ada <ada@example.org> ${1_700_000_000 + mark * 60} +0000`
  const parents = [from === undefined ? '' : `from :${from}\n`, merge === undefined ? '' : `merge :${merge}\n`].join('')
  const rows = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
  )
  return `commit refs/heads/main\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n${data(message)}${parents}${rows.join('')}\n`
}

const drawnHistory = [
  commitOf({ mark: 1, files: { 'Boats.wiki': 'a boat\n', 'Tides.wiki': 'a tide\n' } }),
  commitOf({ mark: 3, from: 1, files: { 'Boats.wiki': 'two boats\n' } }),
  commitOf({ mark: 4, from: 3, files: { 'Boats.wiki': 'three boats\n', 'Ropes.wiki': 'a rope\n' } }),
  commitOf({ mark: 2, from: 1, files: { 'Tides.wiki': 'two tides\n' } }),
  commitOf({ mark: 5, from: 2, merge: 4, files: { 'Boats.wiki': 'three boats\n', 'Ropes.wiki': 'a rope\n' } }),
  commitOf({ mark: 6, from: 5, files: { 'Ropes.wiki': null, 'Knots.wiki': 'a rope\n' } }),
].join('')
