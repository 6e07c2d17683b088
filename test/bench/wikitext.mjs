/**
 * Times wikitext to HTML, in CPU, beside npm's wikiparser-node and beside the Parsoid of a running MediaWiki, on the same texts
 * in one run.
 *
 *     node test/bench/wikitext.mjs <folder or files...> [--peers <folder with node_modules/wikiparser-node>]
 *       [--mediawiki http://127.0.0.1:8081]
 *
 * It measures CPU and not elapsed time, because other work on the machine affects that less; Parsoid's is that of the php-fpm
 * processes (Linux). MB are those of the wikitext. A second table shows the cost per KB of one text repeated, from 1 KB to 1
 * MB.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryWiki, wikitextToHtml } from '../../dist/lib/wikitext/index.js'
import { fpmCpu, mediaWikiTransform, ownCpu, textFiles } from './texts.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'string' }, mediawiki: { type: 'string' } },
})
if (positionals.length === 0) {
  console.error('usage: node test/bench/wikitext.mjs <folder or files...> [--peers <folder>] [--mediawiki <url>]')
  process.exit(2)
}

const texts = textFiles(positionals).map(file => readFileSync(file, 'utf8'))
const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
const wiki = memoryWiki({ pages: {}, files: [] })

/** CPU milliseconds of one pass over the texts. */
async function measure(convert, cpu) {
  const start = cpu()
  for (const [index, text] of texts.entries()) await convert(text, `Text ${index}`)
  return cpu() - start
}

const render = (text, title) => wikitextToHtml(text, { title, wiki, now: new Date(0) })
await measure(render, ownCpu)
let ours = Number.POSITIVE_INFINITY
for (let round = 0; round < 3; round++) ours = Math.min(ours, await measure(render, ownCpu))
const rows = [['gitwiki', ours]]

if (values.peers !== undefined) {
  const { default: Parser } = await import(
    createRequire(resolve(values.peers, 'package.json')).resolve('wikiparser-node')
  )
  Parser.warning = false
  rows.push(['wikiparser-node', await measure(text => Parser.parse(text).toHtml(), ownCpu)])
}

if (values.mediawiki !== undefined) {
  const transform = await mediaWikiTransform(values.mediawiki, 'wikitext/to/html', { wikitext: 'x' })
  rows.push(['Parsoid in MediaWiki', await measure((wikitext, title) => transform(title, { wikitext }), fpmCpu)])
}

console.log(`${texts.length} texts, ${(bytes / 1e6).toFixed(2)} MB`)
console.log('engine'.padEnd(24), 'CPU ms'.padStart(10), 'MB/CPU s'.padStart(10), 'times ours'.padStart(12))
for (const [name, cpu] of rows) {
  const cells = [
    cpu.toFixed(0).padStart(10),
    (bytes / 1000 / cpu).toFixed(3).padStart(10),
    (cpu / ours).toFixed(1).padStart(12),
  ]
  console.log(name.padEnd(24), ...cells)
}

console.log('\nsize of the text         CPU µs per KB')
const sample = texts.toSorted((a, b) => b.length - a.length)[Math.floor(texts.length / 2)]
for (const size of [1e3, 1e4, 1e5, 1e6]) {
  const text = sample.repeat(Math.ceil(size / sample.length)).slice(0, size)
  const rounds = Math.max(2, Math.round(1e6 / size / 4))
  const start = ownCpu()
  for (let round = 0; round < rounds; round++) await render(text, 'Text')
  console.log(
    `${size / 1000} KB`.padStart(16),
    (((ownCpu() - start) * 1000) / rounds / (size / 1000)).toFixed(0).padStart(20),
  )
}
