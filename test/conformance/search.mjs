/**
 * Measures the quality of search.
 *
 *     node test/conformance/search.mjs [--update] [--show] <folder of data>
 *
 * Runs judged queries (fixtures/search: what a person would want, written before anything was tuned) on the wikis bips.bundle
 * and articles, and compares with MiniSearch's defaults over titles and texts, and with `git grep -il`. Exit status 1 if the
 * product is worse than search.json states, or than MiniSearch's defaults. `--update` rewrites search.json; `--show` lists the
 * queries whose best page is not the first. Needs `npm run build`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { findPages } from '../../dist/lib/operations/search-pages.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'
import { compareFigures, finish, readCommandLine } from './ratchet.mjs'

const { sources, show, update } = readCommandLine('[<folder of data>]', { show: { type: 'boolean', default: false } })
const [data = '../shared/data'] = sources
const depth = 10
const scratch = mkdtempSync(join(tmpdir(), 'gitwiki-judged-'))

function git(...parameters) {
  return spawnSync('git', parameters, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
}

function bips() {
  const folder = join(scratch, 'bips')
  git('clone', '-q', '--bare', join(data, 'bips.bundle'), folder)
  return folder
}

/** The articles as pages; the prefix of a file's name is its source. */
function articles() {
  const folder = join(scratch, 'articles')
  git('init', '-q', '--bare', '-b', 'main', folder)
  const who = 'Judge <judge@example.org> 1600000000 +0000'
  const parts = [`commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata 1\nx\n`]
  for (const file of readdirSync(join(data, 'articles'))) {
    const name = file.replace(/^(?:wtf|sweble-raw|5j9)-|\.txt$/g, '').replaceAll('-', '_')
    const text = readFileSync(join(data, 'articles', file))
    parts.push(`M 100644 inline ${name}.wiki\ndata ${text.length}\n`, text, '\n')
  }
  spawnSync('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: Buffer.concat(parts.map(Buffer.from)) })
  return folder
}

/** MiniSearch with its defaults over title and source. */
async function plainEngine(wiki) {
  const engine = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] })
  for (const page of wiki.store.pages()) {
    engine.add({ id: page.id, title: page.title, text: await wiki.store.text(wiki.store.revision(page.latest)) })
  }
  return q => engine.search(q).map(({ title }) => title)
}

/** Files that contain all words, in git's order. */
function grep(wiki, folder) {
  return q => {
    const words = q
      .replace(/\w+:|"/g, '')
      .split(/\s+/)
      .filter(Boolean)
    const patterns = words.flatMap(word => ['-e', word])
    const out = git('-C', folder, 'grep', '-ilF', '--all-match', ...patterns, wiki.store.tip)
    const paths = out
      .split('\n')
      .filter(Boolean)
      .map(line => line.slice(line.indexOf(':') + 1))
    return paths.flatMap(path => wiki.store.pageAtPath(path)?.title ?? [])
  }
}

function ndcg(found, wanted) {
  const gain = (grade, at) => (2 ** grade - 1) / Math.log2(at + 2)
  const sum = grades => grades.reduce((total, grade, at) => total + gain(grade, at), 0)
  const best = Object.values(wanted).sort((a, b) => b - a)
  return sum(found.slice(0, depth).map(title => wanted[title] ?? 0)) / sum(best.slice(0, depth))
}

function judge(found, wanted) {
  const best = Math.max(...Object.values(wanted))
  const place = found.findIndex(title => wanted[title] === best)
  return { first: place === 0, five: place >= 0 && place < 5, ndcg: ndcg(found, wanted), place }
}

const percent = value => `${(value * 100).toFixed(0)} %`.padStart(8)

/** The fractions of queries with the best page first and among the first five, and nDCG@10. */
async function measure(ask, queries) {
  const judged = []
  for (const { q, wanted } of queries) judged.push({ q, ...judge(await ask(q), wanted) })
  const mean = of => judged.reduce((sum, one) => sum + Number(of(one)), 0) / judged.length
  return { judged, first: mean(one => one.first), five: mean(one => one.five), ndcg: mean(one => one.ndcg) }
}

/** Measures all engines over one wiki; returns ours and MiniSearch's nDCG@10 by set of queries. */
async function report(name, folder) {
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  const engines = {
    ours: async q => (await findPages(wiki, { q, limit: depth })).results.pages.map(({ title }) => title),
    'MiniSearch as it comes': await plainEngine(wiki),
    'git grep -il': grep(wiki, folder),
  }
  const sets = {}
  for (const set of [name, `${name}-more`, `${name}-third`]) {
    const queries = JSON.parse(readFileSync(new URL(`../../fixtures/search/${set}.json`, import.meta.url), 'utf8'))
    console.log(`\n${set}: ${queries.length} queries`.padEnd(28), '     @1      @5  nDCG@10')
    const found = []
    for (const [engine, ask] of Object.entries(engines)) {
      const { judged, first, five, ndcg } = await measure(ask, queries)
      found.push(ndcg)
      console.log(engine.padEnd(24), percent(first), percent(five), ndcg.toFixed(3).padStart(8))
      if (show && engine === 'ours')
        for (const { q, place } of judged) if (place !== 0) console.log(`   ${place + 1}\t${q}`)
    }
    sets[set] = { ours: Number(found[0].toFixed(3)), plain: Number(found[1].toFixed(3)) }
  }
  await wiki.close()
  return sets
}

/** The sets of queries for which MiniSearch's defaults are as good. */
function notBetter(measured) {
  const worse = Object.entries(measured).filter(([set, { ours, plain }]) => !set.endsWith('-more') && !(ours > plain))
  return worse.map(([set, { plain }]) => `${set}: MiniSearch as it comes has ${plain}`)
}

try {
  const measured = { ...(await report('bips', bips())), ...(await report('articles', articles())) }
  const ours = Object.fromEntries(Object.entries(measured).map(([set, { ours }]) => [set, ours]))
  finish('search.json', ours, { update, compare: known => compareFigures(ours, known), faults: notBetter(measured) })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
