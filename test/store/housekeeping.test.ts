import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runHousekeeping } from '../../src/store/git/housekeeping.ts'
import { hashBlob } from '../../src/store/git/objects.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import type { Store } from '../../src/store/store.ts'
import { git, needsGit } from '../_setup.ts'
import { newStore, type Texts, write } from './_store.ts'

vi.setConfig({ testTimeout: 180_000 })

describe('git packs loose objects', () => {
  test('after enough writes, and nothing is lost meanwhile', { tags: 'long' }, async context => {
    needsGit(context)
    const { store, directory } = await crowded()
    const texts: Record<string, string> = {}
    for (let at = 0; at < 70; at++) {
      texts[`P${at % 7}.wiki`] = `text ${at}`
      await write(store, { [`P${at % 7}.wiki`]: `text ${at}` })
    }
    await expect.poll(() => packsIn(directory)).not.toEqual([])
    // Not the number of loose objects, because the guard of the writes may write theirs again.
    expect(git(directory, 'count-objects', '-v')).toMatch(/^in-pack: [1-9]/m)
    expect(await textsOf(store)).toMatchObject({ ...counted, ...texts })
    await write(store, { 'After.wiki': 'it' })
    expect(await textsOf(store)).toMatchObject({ ...texts, 'After.wiki': 'it' })
    expect(git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
  })

  test.each<[string, readonly string[], boolean]>([
    ['as many as the repository says are too many', [], true],
    ['no more than it puts up with', ['gc.auto', '2000'], false],
    ['the number makes no sense: the usual one counts', ['gc.auto', 'nonsense'], false],
    ['nothing is to be packed by itself', ['gc.auto', '0'], false],
    ['maintenance is switched off', ['maintenance.auto', 'false'], false],
    ['maintenance packs in another way', ['maintenance.gc.enabled', 'off'], false],
    ['maintenance is switched on', ['maintenance.auto', 'yes'], true],
  ])('if %s', async (_, setting, isKept) => {
    const { store, directory } = await crowded()
    if (setting.length > 0) git(directory, 'config', ...setting)
    const backend = openBackend(store.repository)
    expect(await runHousekeeping({ repository: store.repository, backend })).toBe(isKept)
    expect(packsIn(directory).length).toBe(isKept ? 1 : 0)
  })

  test('never if another backend reads', async context => {
    needsGit(context)
    const { store, directory } = await crowded()
    const backend = openBackend(store.repository, 'isomorphic-git')
    expect(await runHousekeeping({ repository: store.repository, backend })).toBe(false)
    expect(packsIn(directory)).toEqual([])
  })
})

/** Pages whose blobs are in the folder that git counts. */
const counted: Texts = Object.fromEntries(
  Array.from({ length: 2000 }, (_, at) => `page ${at}`)
    .filter(text => hashBlob(Buffer.from(text)).startsWith('17'))
    .slice(0, 4)
    .map((text, at) => [`Counted ${at}.wiki`, text]),
)

/** A wiki with enough loose objects for git to pack them on request. */
async function crowded(): Promise<{ store: Store; directory: string }> {
  const { store, directory } = await newStore()
  await write(store, counted)
  for (const [name, value] of Object.entries({ 'gc.auto': '300', 'gc.autoDetach': 'false' }))
    git(directory, 'config', name, value)
  return { store, directory }
}

async function textsOf(store: Store): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const { path, latest } of store.pages()) texts[path] = await store.text(store.revision(latest)!)
  return texts
}

/**
 * Packs that git made. While it packs, the guard of an earlier write may find its objects no longer loose, and write them again
 * as a pack with a `.keep` file.
 */
function packsIn(directory: string): string[] {
  const names = readdirSync(join(directory, '.git/objects/pack'))
  return names.filter(name => name.endsWith('.pack') && !names.includes(name.replace(/pack$/, 'keep')))
}
