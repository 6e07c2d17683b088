/**
 * Compares the comparison engine with recorded results.
 *
 *     node test/conformance/diff.mjs [--update | --other] [--show <n>] pairs.jsonl.gz [sections.jsonl.gz]
 *
 * A record of pairs is {id, cat, from, to, json}, one of sections {id, cat, text, sections}. Prints the equal ones and all by category.
 * Exit status 1 if one differs, unless diff.json has it as open: comparisons of Thai, which depend on MediaWiki's word list. These must
 * still be true of both texts. `--update` rewrites diff.json, `--other` does without it (ratchet.mjs).
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { bundleDiff } from './bundle-diff.mjs'
import { Cases, judgeCases, readCommandLine } from './ratchet.mjs'

const { sources, show, update, other } = readCommandLine('<pairs.jsonl.gz> [<sections.jsonl.gz>]', {
  show: { type: 'string', default: '0' },
})
const { compareTexts, falseElements, listSections, withBothOffsets } = await bundleDiff()
const cases = new Cases()
let shown = Number(show)

function judge({ id, cat, from, to, json, text, sections }) {
  const isPair = json !== undefined
  const name = isPair ? cat : `sections ${cat}`
  const own = isPair ? compareTexts(from, to) : listSections(text, { maxLevel: 6 })
  const want = JSON.stringify(isPair ? withBothOffsets(JSON.parse(json).diff, own, { from, to }) : sections)
  const got = JSON.stringify(own)
  cases.add(name, id, got === want)
  if (isPair) cases.add('equal or true', id, got === want || falseElements(own, { from, to }).length === 0)
  if (got !== want && shown-- > 0)
    console.log(`--- ${id} (${name})\nwant ${want.slice(0, 2000)}\ngot  ${got.slice(0, 2000)}`)
}

for (const file of sources) {
  const stream = createReadStream(file)
  const input = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') judge(JSON.parse(line))
  }
}

judgeCases('diff.json', cases, { update, other })
