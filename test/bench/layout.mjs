/**
 * Finds the size from which a flat folder makes a commit slow: one edit through the product and one by git itself, with the
 * given number of pages in one folder, beside the layout `sharded`; and the bytes that an edit adds to the repository.
 *
 *     npm run build && node test/bench/layout.mjs [--quick]
 */

import { openWiki, updatePage } from '../../dist/lib/index.js'
import { keyOf, pathOf } from './generate-wiki.mjs'
import { commitByGit } from './git-commit.mjs'
import * as bench from './measure.mjs'

const sizes = bench.isQuick ? [500, 5000] : [500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
const layouts = ['flat', 'sharded']
const author = { name: 'Bench', address: 'bench@example.org' }

for (const pages of sizes) {
  const wikis = []
  for (const layout of layouts) wikis.push(await open(pages, layout))
  const runs = Object.fromEntries(
    wikis.flatMap(({ name, edit, commit }) => [
      [name, edit],
      [`${name}, git`, commit],
    ]),
  )
  const results = await bench.interleave(runs, { seconds: bench.isQuick ? 2 : 8, least: 5 })
  bench.table(
    `${pages} pages: flat, beside sharded`,
    ['', ', git'].map(by => ({ what: `one edit${by}`, ours: results[`flat${by}`], beside: results[`sharded${by}`] })),
  )
  const [flat, sharded] = wikis.map(({ name, added }) => `${name} ${added().toFixed(0)} KB`)
  console.log(`an edit adds: ${flat}, ${sharded}`)
  for (const { wiki } of wikis) await wiki.close()
}

/** All pages in one commit; a settings file sets the layout. */
async function open(pages, layout) {
  const folder = bench.scratch(await bench.generated({ pages, commits: 1, batch: pages, layout }))
  if (layout === 'sharded') commitByGit(folder, 'wiki.json', '{"layout": "sharded"}\n')
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  const title = keyOf(pages >> 1, layout)
  const path = pathOf(pages >> 1, layout)
  let turn = 0
  const size = () => Number(/^size: (\d+)/m.exec(bench.git(folder, ['count-objects', '-v']))[1])
  const first = size()
  const edit = {
    before: () => wiki.store.refresh(),
    run: async () => {
      const base = wiki.store.findPage(title).latest
      await updatePage(wiki, { title, source: `State ${turn++} of the page.`, base, comment: 'edit', author })
    },
  }
  const commit = () => commitByGit(folder, path, `State ${turn++} of the page.\n`)
  return { name: layout, wiki, edit, commit, added: () => (size() - first) / turn }
}
