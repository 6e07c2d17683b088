/**
 * Replays recorded exchanges.
 *
 *     node test/conformance/rest.mjs [--update | --other] <folder of recordings>
 *
 * Imports the recorded wiki, serves it, sends all requests in order and compares the responses. Prints equal and total by
 * section, and each difference with its reason. A reason builds the response that is due, so a wrong one is open whatever its reason.
 * Exit status 1 if a response is open that rest.json does not have as open; `--update` rewrites rest.json, `--other` does without it
 * (ratchet.mjs).
 */
import { Cases, compareSets, finish, readCommandLine } from './ratchet.mjs'
import { replay } from './rest/replay.mjs'

const { sources, update, other } = readCommandLine('<folder of recordings>')
const outcomes = await replay(sources[0])
const cases = new Cases()
const counts = {}
for (const { section, name, outcome } of outcomes) {
  cases.add(section, name, outcome !== 'open')
  counts[section] ??= { equal: 0, specification: 0, inexpressible: 0, open: 0, total: 0 }
  counts[section][outcome]++
  counts[section].total++
}
for (const { n, section, name, outcome, reasons } of outcomes) {
  if (outcome !== 'equal')
    console.log(`${outcome.padEnd(14)}${`${n} ${section}/${name}`.padEnd(40)} ${reasons.join('; ')}`)
}

console.log(`\n${'section'.padEnd(12)}   equal  +spec  +inexpr.   open  total`)
for (const [section, { equal, specification, inexpressible, open, total }] of Object.entries(counts)) {
  const columns = [equal, specification, inexpressible, open, total].map(number => String(number).padStart(8))
  console.log(
    `${section.padEnd(12)}${columns.join('')}${`${((100 * (total - open)) / total).toFixed(1)} %`.padStart(10)}`,
  )
}
const measured = cases.summary()
finish('rest.json', measured, { update, compare: known => compareSets(measured, known, { isOther: other }) })
