/**
 * Compares the comparison engine with recorded results.
 *
 *     node test/conformance/diff.mjs [--update] [--show <n>] pairs.jsonl.gz [sections.jsonl.gz]
 *
 * A record of pairs is {id, cat, from, to, json}, one of sections {id, cat, text, sections}. Prints equal and total by
 * category. Exit status 1 if a category has fewer equal records than diff.json states for a set of that size or, in categories
 * other than Thai, if any record differs. A comparison of Thai that differs must still be true of both texts. `--update` rewrites diff.json, which contains names and counts, never texts.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { bundleDiff } from './bundle-diff.mjs'

const ratchetFile = new URL('diff.json', import.meta.url)

/** Categories that depend on MediaWiki's word list, which we do not have. */
const thai = new Set(['thai', 'wikipedia-th'])

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, show: { type: 'string', default: '0' } },
})
if (positionals.length === 0) {
  console.error('usage: node test/conformance/diff.mjs [--update] [--show <n>] pairs.jsonl.gz [sections.jsonl.gz]')
  process.exit(2)
}
const { compareTexts, falseElements, listSections, withBothOffsets } = await bundleDiff()
let show = Number(values.show)

/** True if a comparison that may differ, because it splits Thai otherwise, is not one of its two texts. */
let isFalse = false

/** Name of a category to its counts. Records of sections are counted under a separate name. */
const counts = {}

function judge({ id, cat, from, to, json, text, sections }) {
  const isPair = json !== undefined
  const name = isPair ? cat : `sections ${cat}`
  const own = isPair ? compareTexts(from, to) : listSections(text, { maxLevel: 6 })
  const want = JSON.stringify(isPair ? withBothOffsets(JSON.parse(json).diff, own, { from, to }) : sections)
  const got = JSON.stringify(own)
  counts[name] ??= { equal: 0, total: 0 }
  counts[name].total++
  if (got !== want && isPair) {
    const found = falseElements(own, { from, to })
    if (found.length > 0) console.log(`${id} (${name}): ${found.join('; ')}`)
    isFalse ||= found.length > 0
  }
  if (got === want) counts[name].equal++
  else if (show-- > 0) console.log(`--- ${id} (${name})\nwant ${want.slice(0, 2000)}\ngot  ${got.slice(0, 2000)}`)
}

for (const file of positionals) {
  const stream = createReadStream(file)
  const input = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') judge(JSON.parse(line))
  }
}

const ratchet = values.update ? {} : JSON.parse(readFileSync(ratchetFile, 'utf8'))
let failed = false
for (const [name, { equal, total }] of Object.entries(counts).sort()) {
  const before = ratchet[name]?.total === total ? ratchet[name].equal : 0
  const fault = equal < before ? `fell from ${before}` : equal < total && !thai.has(name) ? 'not all' : ''
  const share = `${((100 * equal) / total).toFixed(2)} %`
  console.log(`${name.padEnd(24)}${`${equal}/${total}`.padStart(12)}${share.padStart(10)}  ${fault}`.trimEnd())
  failed ||= fault !== ''
}
const sum = key => Object.values(counts).reduce((all, count) => all + count[key], 0)
console.log(`${'all'.padEnd(24)}${`${sum('equal')}/${sum('total')}`.padStart(12)}`)
if (values.update)
  writeFileSync(ratchetFile, `${JSON.stringify(counts, Object.keys(counts).sort().concat('equal', 'total'), 2)}\n`)
process.exitCode = failed || isFalse ? 1 : 0
