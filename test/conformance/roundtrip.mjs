/**
 * Converts real pages to HTML and back.
 *
 *     node test/conformance/roundtrip.mjs [--edits <n>] [--seed <n>] [--only <part of a title>] [--show] [--update] <shared data>
 *
 * For every page of bips.bundle, every article and the page of enwiki, without their templates: (a) HTML for editors that a
 * browser has read and serialized gives, with the original, the page byte for byte; (b) without the original it gives wikitext
 * that renders to the same HTML (the number of pages with the same bytes is counted); (c) changing one word in a paragraph,
 * list item, cell or heading (`--edits` of each kind in each page, chosen by `--seed`) changes only the line that contains it.
 *
 * The pages of bips.bundle also make the round trip in their own wiki, without a revision in the request (`sendBack`).
 *
 * Pages in Markdown are read as wikitext as well, because any text is wikitext; and their own HTML becomes wikitext that
 * renders to the same. Exit status 1 if a result is worse than in roundtrip.json; `--update` rewrites it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diffArrays } from 'diff'
import { bundleWikitext } from './bundle-wikitext.mjs'
import { findWords, lineOfEdit, newWord, throughBrowser } from './roundtrip-edits.mjs'
import { meaningOf } from './roundtrip-equal.mjs'
import { readPages } from './roundtrip-pages.mjs'
import { sendBack } from './roundtrip-wiki.mjs'

const ratchetFile = new URL('roundtrip.json', import.meta.url)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    edits: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
})
if (positionals.length !== 1) {
  console.error(
    'usage: node test/conformance/roundtrip.mjs [--edits <n>] [--seed <n>] [--only <title>] [--show] [--update] <data>',
  )
  process.exit(2)
}

const { contentToHtml, htmlToWikitext, memoryWiki } = await bundleWikitext()
const wiki = memoryWiki({ pages: {}, files: [] })
const random = randomNumbers(Number(values.seed))
const counts = {}
const failures = []

const render = async (text, { title, model = 'wikitext' }) =>
  (await contentToHtml(text, model, { title, wiki, flavor: 'edit', now: new Date(0) })).html

for (const page of readPages(positionals[0])) {
  if (!page.title.includes(values.only)) continue
  await roundtrip(page)
  if (page.model === 'markdown') await keepsMeaning({ ...page, set: 'Markdown' }, await render(page.text, page))
}
if (values.only === '')
  await sendBack(join(positionals[0], 'bips.bundle'), (name, isEqual, told) =>
    count(`bips in its wiki, without a revision: ${name}`, isEqual, told),
  )
report()

async function roundtrip({ set, title, text }) {
  const html = await render(text, { title })
  const original = { source: text, html }
  const seen = throughBrowser(html)
  const back = htmlToWikitext(seen, { title, wiki, original })
  count(`${set}: unedited, the same bytes`, back === text, { title, before: text, after: back })
  const again = await keepsMeaning({ set, title }, html)
  count(`${set}: without original, the same bytes`, again === text, null)
  editWords({ set, title, text, seen, original })
}

async function keepsMeaning({ set, title }, html) {
  const wikitext = htmlToWikitext(html, { title, wiki })
  const sections = set !== 'Markdown'
  const [before, after] = [html, await render(wikitext, { title })].map(one => meaningOf(one, { sections }))
  const isEqual = before.length === after.length && before.every((line, index) => line === after[index])
  count(`${set}: without original, the same meaning`, isEqual, {
    title,
    before: before.join('\n'),
    after: after.join('\n'),
  })
  return wikitext
}

function editWords({ set, title, text, seen, original }) {
  for (const [kind, words] of Object.entries(findWords(seen))) {
    if (words.length === 0) continue
    for (let edit = 0; edit < Number(values.edits); edit++) {
      const { start, end } = words[Math.floor(random() * words.length)]
      const changed = seen.slice(0, start) + newWord + seen.slice(end)
      const after = htmlToWikitext(changed, { title, wiki, original })
      const told = { title: `${title}: ${seen.slice(start - 40, end + 20)}`, before: text, after }
      count(`${set}: a word of a ${kind}`, lineOfEdit(text, after) === 'line', told)
    }
  }
}

function count(name, isEqual, told) {
  counts[name] ??= { equal: 0, total: 0 }
  counts[name].total++
  if (isEqual) counts[name].equal++
  else if (told !== null) failures.push({ name, ...told })
}

/** Pseudo-random numbers, the same each time. Source: mulberry32. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** With unusual edits, all of them must pass. */
function report() {
  const known = JSON.parse(readFileSync(ratchetFile, 'utf8'))
  const isUsual = values.edits === '1' && values.seed === '1' && values.only === ''
  for (const [name, { equal, total }] of Object.entries(counts).sort()) {
    console.log(`${String(equal).padStart(5)} of ${String(total).padEnd(5)} ${name}`)
    const least = isUsual ? (known[name]?.equal ?? 0) : name.includes('without') ? 0 : total
    if (equal >= least || values.update) continue
    console.log(`FAILED: ${name}: ${equal}, was ${least}`)
    process.exitCode = 1
  }
  if (values.show) for (const failure of failures) show(failure)
  if (values.update) writeFileSync(ratchetFile, `${JSON.stringify(sorted(counts), null, 2)}\n`)
}

function sorted(members) {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Prints the first lines that only one side has, near the first difference of each. */
function show({ name, title, before, after }) {
  console.log(`\n--- ${name}: ${title}`)
  const changes = diffArrays(before.split('\n'), after.split('\n')).filter(({ added, removed }) => added || removed)
  for (const { added, value } of changes.slice(0, 6)) {
    const [other] = changes.filter(change => change.added !== added)
    const from = Math.max(0, firstDifference(value[0], other?.value[0] ?? '') - 60)
    for (const line of value.slice(0, 3))
      console.log(`  ${added ? '+' : '-'} ${JSON.stringify(line.slice(from, from + 200))}`)
  }
}

function firstDifference(one, other) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
