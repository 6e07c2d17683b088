/**
 * Search: `node test/bench/search.mjs [--quick] [--large]`. For wikis of 1,000 and 10,000 pages, and 100,000 with `--large`:
 * what building and keeping the index costs, what it weighs, how long questions take in a running process, and a cold command
 * beside `git grep` and a bare node. Needs `npm run build`.
 *
 * The pages have about 3 KB of words whose frequencies fall as in real texts (Zipf), links, headings and categories.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { updatePage } from '../../dist/lib/index.js'
import { findPages, findTitles } from '../../dist/lib/operations/search-pages.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'
import * as bench from './measure.mjs'

const here = fileURLToPath(import.meta.url)
const vocabularySize = 60_000
const author = { name: 'Bench', address: 'bench@example.org' }

// Pages

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za bra cle dri flo gru pha ste tri'.split(
  ' ',
)

/** The word with this rank: frequent ones are short. */
function wordOf(rank) {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Few words make most of a text: the frequency of a word is about one through its rank. */
function wordsOf(random, count) {
  return Array.from({ length: count }, () => wordOf(Math.floor(vocabularySize ** random()) - 1))
}

function titleOf(page) {
  const random = randomNumbers(page * 7 + 1)
  random()
  return `${wordOf(Math.floor(random() * 5_000))} ${wordOf(Math.floor(random() * 40_000))} ${page}`
}

function pageText(page, pages, random) {
  const lines = [`'''${titleOf(page)}''' is a page.`, '']
  for (let section = 0; section < 5; section++) {
    lines.push(`== ${wordsOf(random, 3).join(' ')} ==`)
    for (let line = 0; line < 7; line++) lines.push(`${wordsOf(random, 13).join(' ')}.`)
    lines.push(`See [[${titleOf(Math.floor(pages * random() ** 3))}]].`, '')
  }
  return `${lines.join('\n')}\n[[Category:${wordOf(page % 200)}]]\n`
}

/** Makes the repository where there is none yet; gives its folder. */
async function wikiOf(pages) {
  const folder = join(tmpdir(), 'gitwiki-bench', `search-${pages}`)
  if (existsSync(`${folder}/HEAD`)) return folder
  bench.run('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const git = spawn('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] })
  const random = randomNumbers(7)
  const who = `Bench <bench@example.org> 1600000000 +0000`
  git.stdin.write(`commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata 4\npage\n`)
  for (let page = 0; page < pages; page++) {
    const text = pageText(page, pages, random)
    const name = `Part_${page % 256}/${titleOf(page).replaceAll(' ', '_')}.wiki`
    if (!git.stdin.write(`M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`))
      await once(git.stdin, 'drain')
  }
  git.stdin.end()
  await once(git, 'close')
  return folder
}

// What is measured in a process of its own

/** Builds the index from nothing. */
async function build(directory) {
  const wiki = await openWiki({ directory })
  await wiki.store.refresh()
  rmSync(join(wiki.store.cacheDirectory, 'search'), { recursive: true, force: true })
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await wiki.search(() => null)
  const { user, system } = process.cpuUsage(cpu)
  const wall = performance.now() - start
  await wiki.close()
  return { wall, cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS * 1024 }
}

/** Asks questions of a running process. */
async function ask(directory) {
  const wiki = await openWiki({ directory })
  await wiki.store.refresh()
  const opened = await timed(() => wiki.search(({ index }) => index.count))
  const random = randomNumbers(99)
  const count = bench.isQuick ? 40 : 300
  const queries = Array.from({ length: count }, (_, at) => wordsOf(random, 1 + (at % 3)).join(' '))
  const typed = Array.from({ length: count }, (_, at) => titleOf(Math.floor(random() * 1_000)).slice(0, 1 + (at % 8)))
  for (const q of queries.slice(0, 20)) await findPages(wiki, { q, limit: 20 })
  for (const q of typed.slice(0, 20)) await findTitles(wiki, { q, limit: 10 })
  const search = await each(queries, q => wiki.search(({ index }) => index.search(q, { limit: 20, namespaces: [0] })))
  const whole = await each(queries, q => findPages(wiki, { q, limit: 20 }))
  const titles = await each(typed, typed =>
    wiki.search(({ index }) => index.titles({ typed, namespaces: [0], limit: 10 })),
  )
  const heap = process.memoryUsage().rss
  const edits = []
  for (let at = 0; at < (bench.isQuick ? 3 : 9); at++) edits.push(await editAndSearch(wiki, at))
  await wiki.close()
  return { opened, search, whole, titles, heap, edit: bench.median(edits) }
}

/** What a search after an edit takes more than the edit. */
async function editAndSearch(wiki, at) {
  const title = titleOf(at)
  const page = wiki.store.findPage(`Part_${at % 256}/${title}`.replaceAll(' ', '_'))
  const source = `${await wiki.store.text(wiki.store.revision(page.latest))} edited${at}${Date.now()}`
  await updatePage(wiki, { title: page.title, source, base: page.latest, comment: 'x', author })
  return timed(() => findPages(wiki, { q: `edited${at}`, limit: 1 }))
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function each(values, work) {
  const times = []
  for (const value of values) times.push(await timed(() => work(value)))
  times.sort((a, b) => a - b)
  return { p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] }
}

// The report

function inChild(job, directory) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [here, job, directory, ...process.argv.slice(2)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

function bytesOf(directory) {
  const folder = join(directory, 'wiki', 'main', 'search')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

const megabytes = bytes => `${(bytes / 2 ** 20).toFixed(0)} MB`
const pair = ({ p50, p99 }) => `${bench.time(p50)} / ${bench.time(p99)}`

async function report(pages) {
  const directory = await wikiOf(pages)
  const built = inChild('build', directory)
  const bytes = bytesOf(directory)
  const asked = inChild('ask', directory)
  const word = wordOf(700)
  const cold = await bench.interleave({
    search: bench.wikiCommand(directory, 'search', word, '-n', '10'),
    title: bench.wikiCommand(directory, 'search', '--title', word, '-n', '10'),
    grep: () => void spawnSync('git', ['-C', directory, 'grep', '-il', word, 'main'], { stdio: 'ignore' }),
    node: bench.bareNode,
  })
  bench.table(`${pages.toLocaleString('en')} pages`, [
    {
      what: 'building the index',
      ours: `${bench.time(built.wall)}, CPU ${bench.time(built.cpu)}`,
      target: pages > 50_000 ? '2 min' : '',
    },
    { what: 'memory at its highest while building', ours: megabytes(built.peak) },
    { what: 'bytes of the index a page', ours: String(Math.round(bytes / pages)) },
    { what: 'opening it', ours: bench.time(asked.opened) },
    { what: 'index alone, p50 / p99', ours: pair(asked.search), target: pages > 50_000 ? 'p99 50 ms' : 'p99 10 ms' },
    { what: 'with excerpts and all, p50 / p99', ours: pair(asked.whole) },
    { what: 'titles, p50 / p99', ours: pair(asked.titles), target: '1 ms' },
    { what: 'memory of the process that answers', ours: megabytes(asked.heap) },
    { what: 'search after an edit', ours: bench.time(asked.edit) },
    { what: 'cold wiki search beside git grep', ours: cold.search, beside: cold.grep },
    {
      what: 'cold wiki search beside node -e 0',
      ours: cold.search,
      beside: cold.node,
      target: '150 ms where node takes 36',
    },
    { what: 'cold wiki search --title beside node -e 0', ours: cold.title, beside: cold.node },
  ])
}

const [, , job, directory] = process.argv
if (job === 'build') console.log(JSON.stringify(await build(directory)))
else if (job === 'ask') console.log(JSON.stringify(await ask(directory)))
else {
  await report(1_000)
  if (!bench.isQuick) await report(10_000)
  if (process.argv.includes('--large')) await report(100_000)
}
