/**
 * Times compareTexts, jsdiff and, if PHP has it, MediaWiki's own C++ extension on the same pairs in one run.
 *
 *     node test/bench/diff.mjs pairs.jsonl.gz [rounds]
 *
 * The extension (Debian: php-cli, php-wikidiff2) compares all pairs in one PHP process. jsdiff compares by lines, then each
 * deleted range with the added one after it by words, both with a bounded edit length: less than a full comparison (no moved
 * lines, no similarity, no byte offsets). Prints milliseconds, the best round of each pair: by category the sum, the median and
 * the 99th percentile.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { diffLines, diffWordsWithSpace } from 'diff'
import { bundleDiff } from '../conformance/bundle-diff.mjs'

const [file, rounds = '3'] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: node test/bench/diff.mjs pairs.jsonl.gz [rounds]')
  process.exit(2)
}
const { compareTexts } = await bundleDiff()
const maxEditLength = 2000

function compareWithJsdiff(from, to) {
  const parts = diffLines(from, to, { maxEditLength }) ?? []
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    if (part.removed && next?.added) diffWordsWithSpace(part.value, next.value, { maxEditLength })
  }
}

const pairs = gunzipSync(readFileSync(file))
  .toString()
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line))

/** Milliseconds for each pair. */
function time(engine) {
  return pairs.map(({ from, to }) => {
    const start = performance.now()
    engine(from, to)
    return performance.now() - start
  })
}

const engines = { gitwiki: compareTexts, jsdiff: compareWithJsdiff }
const best = {}

/** Milliseconds of wikidiff2 for each pair; null if it is not installed. */
function timeExtension() {
  const script = fileURLToPath(new URL('wikidiff2.php', import.meta.url))
  const input = pairs.map(({ from, to }) => JSON.stringify({ from, to })).join('\n')
  const { status, stdout } = spawnSync('php', [script], { input, encoding: 'utf8', maxBuffer: 1e9, timeout: 300_000 })
  return status === 0 ? JSON.parse(stdout) : null
}

function keepBest(name, times) {
  best[name] ??= []
  for (const [index, spent] of times.entries())
    best[name][index] = Math.min(best[name][index] ?? Number.POSITIVE_INFINITY, spent)
}

for (let round = 0; round < Number(rounds); round++) {
  for (const [name, engine] of Object.entries(engines)) keepBest(name, time(engine))
  const extension = timeExtension()
  if (extension !== null) keepBest('wikidiff2', extension)
}

const sum = list => list.reduce((all, item) => all + item, 0)
const rank = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)]
const columns = (name, cells) => console.log(name.padEnd(20) + cells.map(cell => String(cell).padStart(11)).join(''))

const names = Object.keys(best)
columns('ms', ['pairs', ...names.flatMap(name => [name, 'median', 'p99'])])
for (const category of [...new Set(pairs.map(({ cat }) => cat)), null]) {
  const of = name => best[name].filter((_, index) => category === null || pairs[index].cat === category)
  const cells = names.flatMap(name => [sum(of(name)), rank(of(name), 0.5), rank(of(name), 0.99)])
  columns(category ?? 'all', [of('gitwiki').length, ...cells.map(cell => cell.toFixed(3))])
}
console.log(`jsdiff / gitwiki: ${(sum(best.jsdiff) / sum(best.gitwiki)).toFixed(2)}`)
if (best.wikidiff2 !== undefined) {
  console.log(`gitwiki / wikidiff2: ${(sum(best.gitwiki) / sum(best.wikidiff2)).toFixed(2)}`)
  const ratios = pairs.map(({ cat }, index) => ({
    cat,
    ratio: best.gitwiki[index] / Math.max(best.wikidiff2[index], 0.02),
  }))
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]
  console.log(`slowest pair beside wikidiff2 (at least 20 microseconds): ${worst.ratio.toFixed(1)} (${worst.cat})`)
}
