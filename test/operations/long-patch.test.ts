import { expect, test } from 'vitest'
import { movePage } from '../../src/operations/move-page.ts'
import { undoRevisions } from '../../src/operations/undo-revisions.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { pausesOf } from '../_turns.ts'
import { ada, edit, newWiki } from './_wiki.ts'

const by = { comment: null, author: ada, dryRun: true }

/** A wiki with a worker that returns a fixed result for each kind of job. */
function aside(wiki: Wiki): { readonly wiki: Wiki; readonly jobs: string[] } {
  const jobs: string[] = []
  const run = async ({ task }: { readonly task: string }) => {
    jobs.push(task)
    return task === 'links' ? { links: [], computed: [] } : `a ${task} made elsewhere\n`
  }
  return { wiki: { ...wiki, workerPool: () => ({ run }) as unknown as WorkerPool }, jobs }
}

test('the patches of long texts are written in a worker', async () => {
  const { wiki: plain } = await newWiki({ Long: 'a\n'.repeat(10_000), Short: '[[Long]]' })
  const { wiki, jobs } = aside(plain)
  const { patch } = await movePage(wiki, { from: 'Long', to: 'Longer', updateLinks: true, ...by })
  expect(patch).toMatch(/^a patch made elsewhere\na patch made elsewhere\ndiff --git a\/Short\.wiki/)
  expect(jobs).toEqual(['patch', 'patch'])
})

test('the patch of an undo of long texts is written in a worker, and of short ones is not', async () => {
  const { wiki: plain } = await newWiki({ Long: 'a\n'.repeat(10_000), Short: 'a' })
  const [long, short] = [await edit(plain, 'Long', 'b\n'), await edit(plain, 'Short', 'b')]
  const { wiki, jobs } = aside(plain)
  expect((await undoRevisions(wiki, { revision: short, ...by })).patch).toMatch(/^diff --git/)
  expect(jobs).toEqual([])
  expect((await undoRevisions(wiki, { revision: long, ...by })).patch).toBe('a patch made elsewhere\n')
  expect(jobs).toEqual(['patch'])
})

test('other requests are served while many pages without links are read', { tags: 'long' }, async () => {
  const { wiki } = await newWiki(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`P${at}`, 'none'])))
  const move = { from: 'P1', to: 'Q', updateLinks: true, ...by }
  expect(await pausesOf(() => movePage(wiki, move))).toBeGreaterThan(175)
})

test('other requests are served while the links of a page are rewritten', async () => {
  const { wiki } = await newWiki({ Hub: '[[Tide]] '.repeat(60), Tide: 'low' })
  const move = { from: 'Tide', to: 'Tides', updateLinks: true, ...by }
  let moved: Awaited<ReturnType<typeof movePage>> | undefined
  expect(
    await pausesOf(async () => {
      moved = await movePage(wiki, move)
    }),
  ).toBeGreaterThan(55)
  expect(moved?.links?.pages).toMatchObject([{ title: 'Hub', links: 60 }])
})
