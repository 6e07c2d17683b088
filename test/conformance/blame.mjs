/**
 * Compares the authors of words in real histories with a slow reference implementation of the rules
 * (docs/reference/comparison.md#authorship).
 *
 *     node blame.mjs [--update] [--all] <bundle or repository>...
 *
 * It compares the revision of each word on the 200 pages that are edited most. They differ where two longest common
 * subsequences are equally long. The share of equal words may not fall below `blame.json`; `--update` rewrites it. Runs on the
 * built library.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Authorship } from '../../dist/lib/diff/authorship.js'
import { sourceOfFile } from '../../dist/lib/operations/resources/source.js'
import { openStore } from '../../dist/lib/store/store.js'
import { compareFigures, finish, readCommandLine } from './ratchet.mjs'
import { SlowAuthorship } from './slow-authorship.mjs'

const { sources, all, update } = readCommandLine('<bundle or repository>...', {
  all: { type: 'boolean', default: false },
})
const maxPages = 200
/** Bytes of a history from which the slow reference takes too long. */
const largest = 60_000_000

const histories = []
for (const source of sources) histories.push(...(await readHistories(source)))
histories.sort((a, b) => b.texts.length - a.texts.length)
const total = { histories: 0, revisions: 0, words: 0, equal: 0, seconds: 0, slowSeconds: 0 }
for (const history of histories.slice(0, maxPages)) compare(history)
report()

/** Texts of each page, oldest first, without repeats. */
async function readHistories(source) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-blame-'))
  try {
    execFileSync('git', ['clone', '-q', source, folder])
    const store = openStore({ directory: folder })
    await store.refresh()
    const found = []
    for (const page of [...store.pages()].sort((a, b) => b.edits - a.edits).slice(0, maxPages)) {
      const revisions = [...store.revisionsOf(page)].reverse()
      if (revisions.reduce((sum, { size }) => sum + size, 0) > largest) continue
      const texts = []
      for await (const [, text] of store.texts(revisions)) texts.push(sourceOfFile(text))
      found.push({ title: page.title, texts: texts.filter((text, at) => text !== texts[at - 1]) })
    }
    store.close()
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare({ title, texts }) {
  const start = performance.now()
  const authorship = new Authorship()
  for (const text of texts) for (const _ of authorship.add(text));
  const lines = authorship.lines()
  const between = performance.now()
  const slow = new SlowAuthorship()
  for (const text of texts) slow.add(text)
  const seconds = (between - start) / 1000
  const expected = slow.versions()
  let [words, equal] = [0, 0]
  for (const [at, line] of lines.entries())
    for (const { start, version } of line.words) {
      words++
      if (expected[at].get(start) === version) equal++
    }
  total.histories++
  total.revisions += texts.length
  total.words += words
  total.equal += equal
  total.seconds += seconds
  total.slowSeconds += (performance.now() - between) / 1000
  if (equal < 0.97 * words || all)
    console.log(`${title}: ${texts.length} revisions, ${words} words, ${words - equal} differ, ${seconds.toFixed(2)} s`)
}

function report() {
  const share = Math.floor((10_000 * total.equal) / Math.max(1, total.words)) / 10_000
  const faults = total.words === 0 ? ['no words'] : []
  const { histories, revisions, words, seconds, slowSeconds } = total
  console.log(
    `${histories} histories, ${revisions} revisions, ${words} words: ${(100 * share).toFixed(2)} % equal; ` +
      `${seconds.toFixed(1)} s, the reference ${slowSeconds.toFixed(1)} s`,
  )
  finish('blame.json', { share }, { update, compare: known => compareFigures({ share }, known), faults })
}
