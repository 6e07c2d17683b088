/**
 * Times HTML to wikitext, in CPU, beside the Parsoid of a running MediaWiki, on the same HTML in one run.
 *
 *     node test/bench/html2wt.mjs <folder or files of wikitext...> [--mediawiki http://127.0.0.1:8081] [--rounds <n>]
 *
 * The HTML is our engine's HTML for editors; with the original, one word of it is changed. It measures CPU and not elapsed
 * time, because other work on the machine affects that less; Parsoid's is that of the php-fpm processes (Linux). MB are those
 * of the HTML. Rounds of both alternate; the best of each counts. A second table shows the cost per KB of one text repeated,
 * from 1 KB to 1 MB of wikitext.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleWikitext } from '../conformance/bundle-wikitext.mjs'
import { fpmCpu, mediaWikiTransform, ownCpu, textFiles } from './texts.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mediawiki: { type: 'string' }, rounds: { type: 'string', default: '3' } },
})
if (positionals.length === 0) {
  console.error('usage: node test/bench/html2wt.mjs <folder or files...> [--mediawiki <url>] [--rounds <n>]')
  process.exit(2)
}

const { htmlToWikitext, memoryWiki, wikitextToHtml } = await bundleWikitext()
const wiki = memoryWiki({ pages: {}, files: [] })
const options = { title: 'Text', wiki, flavor: 'edit', now: new Date(0) }
const edit = async source => (await wikitextToHtml(source, options)).html

const pages = []
for (const file of textFiles(positionals)) {
  const source = readFileSync(file, 'utf8')
  const html = await edit(source)
  pages.push({ name: basename(file), source, html, changed: withChange(html) })
}
const bytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0)

/** Inserts a word in the middle of the page. */
function withChange(html) {
  const place = html.indexOf('>', html.length / 2) + 1
  return `${html.slice(0, place)}Zwischenruf ${html.slice(place)}`
}

const plain = { name: 'gitwiki', cpu: ownCpu, convert: ({ html }) => htmlToWikitext(html, options) }
const selective = {
  name: 'gitwiki, original known',
  cpu: ownCpu,
  convert: ({ source, html, changed }) => htmlToWikitext(changed, { ...options, original: { source, html } }),
}
const engines = [plain, selective]
if (values.mediawiki !== undefined) engines.push(await mediawiki(values.mediawiki))

async function mediawiki(url) {
  const transform = await mediaWikiTransform(url, 'html/to/wikitext', { html: '<p>x</p>' })
  return { name: 'Parsoid in MediaWiki', cpu: fpmCpu, convert: ({ name, html }) => transform(name, { html }) }
}

const best = new Map(engines.map(engine => [engine, Number.POSITIVE_INFINITY]))
for (let round = 0; round < Number(values.rounds); round++) {
  for (const engine of engines) {
    const start = engine.cpu()
    for (const page of pages) await engine.convert(page)
    best.set(engine, Math.min(best.get(engine), engine.cpu() - start))
  }
}

console.log(`${pages.length} texts, ${(bytes / 1e6).toFixed(2)} MB of HTML`)
console.log('engine'.padEnd(26), 'CPU ms'.padStart(10), 'MB/CPU s'.padStart(10), 'times ours'.padStart(12))
for (const [{ name }, cpu] of best) {
  const cells = [cpu.toFixed(0).padStart(10), (bytes / 1000 / cpu).toFixed(3).padStart(10)]
  console.log(name.padEnd(26), ...cells, (cpu / best.get(plain)).toFixed(1).padStart(12))
}

console.log('\nwikitext       CPU µs per KB   with the original')
const sample = pages.toSorted((a, b) => b.source.length - a.source.length)[Math.floor(pages.length / 2)].source
for (const size of [1e3, 1e4, 1e5, 1e6]) {
  const source = sample.repeat(Math.ceil(size / sample.length)).slice(0, size)
  const html = await edit(source)
  const page = { source, html, changed: withChange(html) }
  const rounds = Math.max(1, Math.round(1e5 / size))
  const costs = [plain, selective].map(({ convert }) => {
    const start = ownCpu()
    for (let round = 0; round < rounds; round++) convert(page)
    return ((ownCpu() - start) * 1000) / rounds / (size / 1000)
  })
  console.log(`${size / 1000} KB`.padStart(8), ...costs.map(cost => cost.toFixed(0).padStart(19)))
}
