/**
 * Times the history of one page while the wiki grows: the cost should stay the same.
 *
 *     npm run build && node test/bench/growth.mjs [--quick]
 *
 * The page is the one that is edited most, so that its own history grows too; `beside` is the smallest wiki.
 */

import { openWiki, pageHistory } from '../../dist/lib/index.js'
import { keyOf, pathOf } from './generate-wiki.mjs'
import * as bench from './measure.mjs'

const sizes = bench.isQuick ? [1000, 5000, 10_000] : [1000, 10_000, 50_000]
const base = 'http://127.0.0.1:8080/v1'
const title = keyOf(0)
const wikis = []
for (const commits of sizes) wikis.push(await open(commits))

await print('Cold: wiki history', ({ folder }) => bench.wikiCommand(folder, 'history', title))
await print('Cold, for contrast: git log -20 -- <path> of a page with few edits', ({ folder, pages }) =>
  bench.command('git', '-C', folder, 'log', '-20', '--', pathOf(pages >> 1)),
)
await print('Warm: latest 20 revisions', historyOf({}))
await print(
  'Warm: 20 revisions before the one in the middle',
  historyOf(({ middle }) => ({ olderThan: middle })),
)
await print(
  'Warm: 20 revisions after the first',
  historyOf(({ first }) => ({ newerThan: first })),
)
await print('Warm: with a filter that nothing passes', historyOf({ filter: 'minor' }))
for (const { wiki } of wikis) await wiki.close()

async function open(commits) {
  const pages = commits / 5
  const folder = await bench.generated({ pages, commits })
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  const page = wiki.store.findPage(title)
  const middle = wiki.store.history(page, { limit: page.edits >> 1 }).revisions.at(-1).id
  return { wiki, folder, commits, pages, edits: page.edits, first: page.first, middle }
}

/** A call in the process that has opened the wiki: the mean of 200 calls. */
function historyOf(query) {
  return wiki => {
    const request = { title, base, ...(typeof query === 'function' ? query(wiki) : query) }
    return async () => {
      const start = performance.now()
      const cpu = bench.cpuTime()
      for (let call = 0; call < 200; call++) await pageHistory(wiki.wiki, request)
      return { wall: (performance.now() - start) / 200, cpu: (bench.cpuTime() - cpu) / 200 }
    }
  }
}

async function print(name, runOf) {
  const runs = Object.fromEntries(wikis.map(wiki => [wiki.commits, runOf(wiki)]))
  const results = await bench.interleave(runs, { seconds: bench.isQuick ? 2 : 10 })
  const rows = wikis.map(({ commits, edits }) => ({
    what: `${commits} commits, ${edits} edits of the page`,
    ours: results[commits],
    beside: results[sizes[0]],
    target: name.includes('contrast') ? '' : 'flat',
  }))
  bench.table(name, rows)
}
