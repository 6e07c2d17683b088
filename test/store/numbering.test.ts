import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../src/store/store.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { moveMain, type RandomHistory, randomHistory, writeHistory } from './_random-history.ts'

// Without git there is nothing to make such histories with.
describe.skipIf(!hasGit)('ids of random histories', () => {
  const property = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 3, max: 40 }))
  const run = { numRuns: 20, seed: 2026, endOnFailure: true }

  test('two clones and both backends agree, byte for byte', async () => {
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
  }, 120_000)

  test('the last revision of every page is what the tip holds', async () => {
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
  }, 120_000)

  test('ids only grow as the branch moves forward, and steps give what one build gives', async () => {
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
  }, 120_000)

  test('an id never changes its meaning, whatever the branch is moved to', async () => {
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
  }, 120_000)
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

function baseBytes(folder: string): Buffer {
  return readFileSync(join(folder, 'wiki', 'main', 'base'))
}

/** Every revision that is or was, in order of the ids: also those of deleted pages. */
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
