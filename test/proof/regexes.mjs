/**
 * Checks that every regular expression of the sources takes linear time.
 *
 *     node test/proof/regexes.mjs [--all]
 *
 * The checker is recheck (npm), without its native program: it uses an automaton if it can, and otherwise strings that it
 * generates with a fixed seed. Linear ones are recorded in regexes.json and not checked again, except with `--all`, which takes
 * about ten minutes. Exit status 1 for a pattern that is not linear and has no reason in regex-exceptions.mjs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { complaintAbout } from './regex-check.mjs'
import { exceptionFor, exceptions } from './regex-exceptions.mjs'
import { listRegexes } from './regex-list.mjs'

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, seed: { type: 'string' } } })
const note = new URL('regexes.json', import.meta.url)
const known = new Set(values.all ? [] : JSON.parse(readFileSync(note, 'utf8')))
const { regexes } = await listRegexes()
const flaws = []
const linear = []
const used = new Set()
let asked = 0
for (const regex of regexes) {
  const exception = exceptionFor(regex)
  const complaint = known.has(regex.key) ? '' : await complaintOf(regex, exception)
  asked += Number(!known.has(regex.key))
  if (complaint === '') linear.push(regex.key)
  if (complaint !== '' && exception === undefined) flaws.push(`${regex.file} ${regex.key}: ${complaint}`)
  if (complaint !== '' && exception !== undefined) used.add(exception)
}

/** Beside other work a pattern may take longer than the checker waits. */
async function complaintOf(regex, exception) {
  const complaint = await complaintAbout(regex)
  return complaint.includes('timeout') && exception === undefined
    ? complaintAbout(regex, { patience: 200_000 })
    : complaint
}

for (const { file, start } of exceptions.filter(one => !used.has(one))) console.log(`  not needed: ${file} ${start}`)
writeFileSync(note, `${JSON.stringify(linear.sort(), null, 2)}\n`)
for (const flaw of flaws) console.log(`  WRONG  ${flaw}`)
console.log(`${regexes.length} patterns, ${asked} asked: ${linear.length} linear, ${used.size} reasons for the others`)
console.log(flaws.length === 0 ? 'nothing is wrong' : `${flaws.length} wrong`)
process.exitCode = flaws.length === 0 ? 0 : 1
