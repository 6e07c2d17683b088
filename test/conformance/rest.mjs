/**
 * Replays recorded exchanges.
 *
 *     node test/conformance/rest.mjs [--show] [--update] <folder of recordings>
 *
 * Imports the recorded wiki, serves it, sends all requests in order and compares the responses. Prints equal and total by
 * section, and each difference with its reason. Exit status 1 if a section has more open responses than rest.json states for a
 * recording of that size, none for others; `--update` rewrites rest.json, which contains only names and counts. A reason builds the response that is
 * due, so a wrong one is open whatever its reason.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { replay } from './rest/replay.mjs'

const ratchetFile = new URL('rest.json', import.meta.url)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('usage: node test/conformance/rest.mjs [--show] [--update] <folder of recordings>')
  process.exit(2)
}

const outcomes = await replay(folder)
const counts = {}
for (const { section, outcome } of outcomes) {
  counts[section] ??= { equal: 0, specification: 0, inexpressible: 0, open: 0, total: 0 }
  counts[section][outcome]++
  counts[section].total++
}
for (const { n, section, name, outcome, reasons } of outcomes) {
  if (outcome !== 'equal')
    console.log(`${outcome.padEnd(14)}${`${n} ${section}/${name}`.padEnd(40)} ${reasons.join('; ')}`)
}

const ratchet = values.update ? {} : JSON.parse(readFileSync(ratchetFile, 'utf8'))
let failed = false
console.log(`\n${'section'.padEnd(12)}   equal  +spec  +inexpr.   open  total`)
for (const [section, count] of Object.entries(counts)) {
  const { equal, specification, inexpressible, open, total } = count
  // A recording of another size must have no open response either.
  const before = ratchet[section]?.total === total ? ratchet[section] : { open: 0 }
  const fell = open > before.open
  const columns = [equal, specification, inexpressible, open, total].map(number => String(number).padStart(8))
  const share = `${((100 * (total - open)) / total).toFixed(1)} %`
  console.log(
    `${section.padEnd(12)}${columns.join('')}${share.padStart(10)}${fell ? `  were open: ${before.open}` : ''}`,
  )
  failed ||= fell
}
if (values.update) writeFileSync(ratchetFile, `${JSON.stringify(counts, null, 2)}\n`)
process.exitCode = failed ? 1 : 0
