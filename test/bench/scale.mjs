/**
 * Measures times as a wiki grows, in one run, beside git itself, bare node:http and a real MediaWiki.
 *
 *     npm run bench -- [--sizes 1000/10000,10000/100000] [--layout sharded] [--seconds 0.5] [--rounds 3] [--keep <folder>]
 *       [--mediawiki <folder>] [--json <file>] [--markdown <file>] [--only /history,page list] [--wiki <folder>]
 *
 * A size is pages/commits; 100000/1000000 is the largest intended one. Wikis are generated (lifelike.mjs, seeded), stored in
 * `--keep` (default: the system's temporary folder) and cloned before use. `--seconds` is the time of one measurement of a
 * route, `--rounds` the number of alternations; medians are printed. `--only` measures only the commands and routes whose names
 * contain one of its texts; `--wiki` uses an existing wiki with the index it has. `--mediawiki` is the folder that was given to
 * start-mediawiki.sh; its content is replaced by the pages of the generated wiki. Needs `npm run build` and git.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generateWiki } from './generate-wiki.mjs'
import * as bench from './measure.mjs'
import { openMediaWiki } from './mediawiki.mjs'
import { measureCommands } from './scale-commands.mjs'
import { measureHotPage } from './scale-hot-page.mjs'
import { measureIndex } from './scale-index.mjs'
import { measureMediaWiki } from './scale-mediawiki.mjs'
import { measureReads } from './scale-reads.mjs'
import { printRows, report } from './scale-report.mjs'
import { sampleOf } from './scale-sample.mjs'
import { measureWrites } from './scale-writes.mjs'
import { startWiki } from './servers.mjs'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000/10000,10000/100000' },
    layout: { type: 'string', default: 'sharded' },
    seconds: { type: 'string', default: '0.5' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string', default: join(tmpdir(), 'gitwiki-bench') },
    mediawiki: { type: 'string' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    only: { type: 'string' },
    wiki: { type: 'string' },
  },
})
const only = values.only?.split(',')
/** Returns true if a row is requested. */
const isAsked = what => only === undefined || only.some(text => what.includes(text))
const options = { isAsked, seconds: Number(values.seconds), rounds: Number(values.rounds), layout: values.layout }
const mediaWiki = values.mediawiki && !values.wiki ? await openMediaWiki(resolve(values.mediawiki)) : null
if (mediaWiki === null) console.log('No MediaWiki answers: nothing is measured beside one')

const results = []
for (const size of values.sizes.split(',')) {
  const [pages, commits] = size.split('/').map(Number)
  results.push({ size, ...(await measure({ pages, commits })) })
  // The measurements so far are stored in case a later size fails.
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report(results), null, 2)}\n`)
  if (values.markdown) writeFileSync(values.markdown, report(results).markdown)
}

/** Returns the rows of one size, and those beside a MediaWiki; prints each part as soon as it is measured. */
async function measure(size) {
  const rows = []
  const add = (title, part) => {
    printRows(`${size.pages} pages, ${size.commits} commits: ${title}`, part)
    rows.push(...part)
  }
  const { folder, generation } = values.wiki ? { folder: values.wiki, generation: [] } : await prepared(size)
  if (only === undefined) add('the index', [...generation, ...(await measureIndex(folder, size))])
  const sample = await sampleOf(folder)
  add('commands', await measureCommands(folder, sample, options))
  const beside = await measureMediaWiki(folder, sample, { ...options, mediaWiki, name: nameOf(size) })
  if (mediaWiki !== null) printRows('beside a MediaWiki that has the same pages, 4 connections', beside)
  const server = await startWiki(folder)
  try {
    add('reads under load, 16 connections', await measureReads(server, sample, options))
    if (only !== undefined) return { rows, beside }
    add('the page that is edited most', await measureHotPage(folder, server, sample))
    add('writes', await measureWrites(folder, server, sample, options))
  } finally {
    await server.stop()
  }
  return { rows, beside }
}

function nameOf({ pages, commits }) {
  return `lifelike-${values.layout}-${pages}-${commits}`
}

/** A temporary clone for writes; its objects are those of the stored wiki. */
async function prepared({ pages, commits }) {
  const kept = join(values.keep, nameOf({ pages, commits }))
  const generation = []
  if (!existsSync(kept)) {
    mkdirSync(values.keep, { recursive: true })
    const unfinished = `${kept}.${process.pid}.new`
    const start = performance.now()
    await generateWiki(unfinished, { pages, commits, layout: values.layout, style: 'lifelike' })
    generation.push({ what: 'generating the wiki', p50: performance.now() - start })
    renameSync(unfinished, kept)
  }
  const folder = bench.scratch()
  bench.git('.', ['clone', '-q', '--bare', '--local', kept, folder])
  return { folder, generation }
}
