/**
 * Converts real pages to HTML and back.
 *
 *     node test/conformance/roundtrip.mjs [--update | --other] [--edits <n>] [--seed <n>] [--only <part of a title>] [--show] <shared data>
 *
 * For every page of bips.bundle, every article and the page of enwiki, without their templates: (a) HTML for editors that a
 * browser has read and serialized gives, with the original, the page byte for byte; (b) without the original it gives wikitext
 * that renders to the same HTML (the number of pages with the same bytes is counted); (c) changing one word in a paragraph,
 * list item, cell or heading (`--edits` of each kind in each page, chosen by `--seed`) changes only the line that contains it.
 *
 * The pages of bips.bundle also make the round trip in their own wiki, without a revision in the request (`sendBack`).
 *
 * Pages in Markdown are read as wikitext as well, because any text is wikitext; and their own HTML becomes wikitext that
 * renders to the same. Exit status 1 if one fails that roundtrip.json does not have as open; `--update` rewrites it, `--other` does
 * without it (ratchet.mjs).
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { diffArrays } from 'diff'
import { bundleWikitext } from './bundle-wikitext.mjs'
import { Cases, judgeCases, readCommandLine } from './ratchet.mjs'
import { findWords, lineOfEdit, newWord, throughBrowser } from './roundtrip-edits.mjs'
import { meaningOf } from './roundtrip-equal.mjs'
import { readPages } from './roundtrip-pages.mjs'
import { sendBack } from './roundtrip-wiki.mjs'

const { sources, edits, seed, only, show, update, other } = readCommandLine('<shared data>', {
  edits: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  show: { type: 'boolean', default: false },
})
const [data] = sources
const { contentToHtml, htmlToWikitext, memoryWiki } = await bundleWikitext()
const wiki = memoryWiki({ pages: {}, files: [] })
const random = randomNumbers(Number(seed))
const cases = new Cases()
const failures = []

const render = async (text, { title, model = 'wikitext' }) =>
  (await contentToHtml(text, model, { title, wiki, flavor: 'edit', now: new Date(0) })).html

for (const page of readPages(data)) {
  if (!page.title.includes(only)) continue
  await roundtrip(page)
  if (page.model === 'markdown') await keepsMeaning({ ...page, set: 'Markdown' }, await render(page.text, page))
}
if (only === '')
  await sendBack(join(data, 'bips.bundle'), (name, isEqual, told) =>
    count(`bips in its wiki, without a revision: ${name}`, isEqual, told),
  )
if (show) for (const failure of failures) print(failure)
judgeCases('roundtrip.json', cases, { update, other, isPart: edits !== '1' || seed !== '1' || only !== '' })

async function roundtrip({ set, title, text }) {
  const html = await render(text, { title })
  const original = { source: text, html }
  const seen = throughBrowser(html)
  const back = htmlToWikitext(seen, { title, wiki, original })
  count(`${set}: unedited, the same bytes`, back === text, { title, before: text, after: back })
  const again = await keepsMeaning({ set, title }, html)
  count(`${set}: without original, the same bytes`, again === text, { title })
  editWords({ set, title, text, seen, original })
}

async function keepsMeaning({ set, title }, html) {
  const wikitext = htmlToWikitext(html, { title, wiki })
  const sections = set !== 'Markdown'
  const [before, after] = [html, await render(wikitext, { title })].map(one => meaningOf(one, { sections }))
  const isEqual = isDeepStrictEqual(before, after)
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
    for (let edit = 0; edit < Number(edits); edit++) {
      const { start, end, isLink } = words[Math.floor(random() * words.length)]
      // The text of a link may stand for its target as well.
      const expected = isLink ? ['word', 'line'] : ['word']
      const changed = seen.slice(0, start) + newWord + seen.slice(end)
      const after = htmlToWikitext(changed, { title, wiki, original })
      const told = {
        title: `${title}: ${seen.slice(start - 40, end + 20)}`,
        name: `${title}, seed ${seed}, edit ${edit}`,
        before: text,
        after,
      }
      count(`${set}: a word of a ${kind}`, expected.includes(lineOfEdit(text, after, seen.slice(start, end))), told)
    }
  }
}

function count(set, isEqual, { name, ...told }) {
  cases.add(set, name ?? told.title, isEqual)
  if (!isEqual && told.before !== undefined) failures.push({ set, ...told })
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

/** Prints the first lines that only one side has, near the first difference of each. */
function print({ set, title, before, after }) {
  console.log(`\n--- ${set}: ${title}`)
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
