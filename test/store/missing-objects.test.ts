import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loosePath } from '../../src/store/git/objects.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { hasGit } from '../_setup.ts'
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

  test('is not indexed', async () => {
    const { store, directory, take } = await lacking()
    store.close()
    const bringBack = take()
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    const fresh = openStore({ directory, backend })
    await expect(fresh.refresh()).rejects.toMatchObject(isMissing)
    expect(fresh.revisionCount).toBe(0)
    bringBack()
    await fresh.refresh()
    expect([...fresh.allRevisions()].map(({ size }) => size)).toEqual([1, 1])
    fresh.close()
  })
})
