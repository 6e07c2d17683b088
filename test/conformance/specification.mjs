/**
 * Checks the sentences of MediaWiki's REST API reference on every page of a real git wiki.
 *
 *     node test/conformance/specification.mjs <clone or bundle>... [--pages <n>]
 *
 * `--pages` takes every n-th page. Exit status 1 if a sentence does not hold or none is checked. Runs on the built library.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openWiki } from '../../dist/lib/operations/wiki.js'
import { createApp } from '../../dist/lib/rest/app.js'
import { checkWiki } from './specification-walk.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '1' } },
})
if (positionals.length === 0) throw new Error('no wiki to check')
for (const source of positionals) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-specification-'))
  try {
    execFileSync('git', ['clone', '-q', source, folder])
    const wiki = await openWiki({ directory: folder })
    await wiki.store.refresh()
    const titles = [...wiki.store.pages()].map(({ key }) => key).filter((_, at) => at % Number(values.pages) === 0)
    const app = createApp(wiki)
    const request = (path, init) => app.request(path.startsWith('http') ? path : `http://localhost/v1${path}`, init)
    // The first search builds the index.
    while ((await request('/search/page?q=a')).status !== 200) await setTimeout(200)
    const { seen, faults } = await checkWiki(request, titles)
    const count = [...seen.values()].reduce((sum, one) => sum + one, 0)
    console.log(
      `${basename(source)}: ${titles.length} pages, ${seen.size} sentences, ${count} checks, ${faults.length} faults`,
    )
    for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
    if (faults.length > 0 || count === 0) process.exitCode = 1
    await wiki.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
