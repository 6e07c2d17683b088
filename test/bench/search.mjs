/**
 * Measures search.
 *
 *     node test/bench/search.mjs [--pages 1000,10000,100000] [--quick]
 *
 * For each size: the cost of building and updating the index, its size, times of queries of many kinds in a running process,
 * and a cold command beside `git grep` and a bare node, alternately. Needs `npm run build`. The wikis are those of
 * generate-wiki.mjs with `prose`, made once.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { updatePage } from '../../dist/lib/index.js'
import { findPages, findTitles } from '../../dist/lib/operations/search-pages.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'
import * as bench from './measure.mjs'
import { drawWord, drawWords, proseOf, randomNumbers, titleOf, wordOf } from './prose.mjs'

const here = fileURLToPath(import.meta.url)
const author = { name: 'Bench', address: 'bench@example.org' }
const askedOfKind = bench.isQuick ? 10 : 60

/** Realistic queries, one kind per row: functions of random numbers and of a page that can be found. */
const kinds = {
  'one word': random => drawWord(random),
  'two words': random => drawWords(random, 2),
  'three words': random => drawWords(random, 3),
  'common words': random => drawWords(random, 2, 60),
  'rare word': random => wordOf(20_000 + Math.floor(random() * 200_000)),
  'phrase of a page': (random, page, pages) => `"${phraseOf(random, proseOf(page, pages))}"`,
  title: (_, page) => titleOf(page),
  'beginning*': random => `${drawWord(random, 30_000).slice(0, 4)}*`,
  'word begun': (_, page) => titleOf(page).slice(0, 5),
  'misspelt word': random => wordOf(1_000 + Math.floor(random() * 30_000)).replace(/.(?=.$)/, 'q'),
  'intitle:': random => `intitle:${drawWord(random, 3_000)} ${drawWord(random)}`,
  'incategory:': random => `incategory:${wordOf(Math.floor(random() * 200))} ${drawWord(random)}`,
  'linksto:': (_, page) => `linksto:"${titleOf(page)}"`,
  'without a word': random => `${drawWord(random)} -${drawWord(random)}`,
}

function phraseOf(random, text) {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const at = Math.floor(random() * Math.max(1, words.length - 3))
  return words.slice(at, at + 3).join(' ')
}

/** The wiki with this number of pages, with an index of its revisions. */
function wikiOf(pages) {
  return bench.generated({ pages, commits: 1, batch: pages, prose: true })
}

// Measured in a separate process.

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

/** Sends queries to a running process; returns the times of each kind in milliseconds. */
async function ask(directory, pages) {
  const wiki = await openWiki({ directory })
  await wiki.store.refresh()
  const opened = await timed(() => wiki.search(({ index }) => index.count))
  const random = randomNumbers(99)
  const draw = kind => Array.from({ length: askedOfKind }, () => kind(random, Math.floor(random() * pages), pages))
  const asked = Object.entries(kinds).map(([kind, make]) => [kind, draw(make)])
  const typed = draw((random, page) => titleOf(page).slice(0, 1 + Math.floor(random() * 9)))
  for (const [, queries] of asked) for (const q of queries.slice(0, 5)) await findPages(wiki, { q, limit: 20 })
  const [search, whole] = [[], []]
  for (const [kind, queries] of asked) {
    const times = await each(queries, q => wiki.search(({ index }) => index.search(q, { limit: 20, namespaces: [0] })))
    search.push(...times)
    whole.push({ kind, ...(await each(queries, q => findPages(wiki, { q, limit: 20 })).then(spread)) })
  }
  await findTitles(wiki, { q: 'a', limit: 10 })
  const titles = await each(typed, typed =>
    wiki.search(({ index }) => index.titles({ typed, namespaces: [0], limit: 10 })),
  )
  const typedWhole = await each(typed, q => findTitles(wiki, { q, limit: 10 }))
  const memory = process.memoryUsage().rss
  const edits = []
  for (let at = 0; at < (bench.isQuick ? 3 : 9); at++) edits.push(await editAndSearch(wiki, at * 3 + 1))
  await wiki.close()
  const edit = {
    search: bench.median(edits.map(({ search }) => search)),
    title: bench.median(edits.map(({ title }) => title)),
  }
  return { opened, search: spread(search), whole, titles: spread(titles), typed: spread(typedWhole), memory, edit }
}

/** Times of the first search and the first title search after an edit. */
async function editAndSearch(wiki, at) {
  const page = wiki.store.findPage(titleOf(at).replaceAll(' ', '_'))
  const source = `${await wiki.store.text(wiki.store.revision(page.latest))} edited${at}${Date.now()}`
  await updatePage(wiki, { title: page.title, source, base: page.latest, comment: 'x', author })
  const search = await timed(() => findPages(wiki, { q: `edited${at}`, limit: 1 }))
  return { search, title: await timed(() => findTitles(wiki, { q: page.title.slice(0, 4), limit: 10 })) }
}

async function timed(work) {
  return (await measured(work)).wall
}

async function measured(work) {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - start, cpu: (user + system) / 1000 }
}

async function each(values, work) {
  const times = []
  for (const value of values) times.push(await measured(() => work(value)))
  return times
}

/** The median and the 99th percentile of the wall time, and of the CPU time, which other processes do not affect. */
function spread(times) {
  const [wall, cpu] = ['wall', 'cpu'].map(kind => times.map(time => time[kind]).sort((a, b) => a - b))
  const late = Math.floor(times.length * 0.99)
  return { p50: wall[times.length >> 1], p99: wall[late], cpu50: cpu[times.length >> 1], cpu99: cpu[late] }
}

/** Starts a server on a wiki without an index, and requests a page repeatedly during the build. */
async function serve(directory, pages) {
  const store = (await openWiki({ directory })).store
  await store.refresh()
  rmSync(join(store.cacheDirectory, 'search'), { recursive: true, force: true })
  const server = spawn(process.execPath, [join(bench.root, 'bin/wiki.cjs'), 'serve', '-p', '0', '-C', directory])
  let [log, address] = ['', '']
  server.stderr.on('data', text => {
    log += text
  })
  await new Promise(resolve =>
    server.stdout.on('data', text => {
      address += text
      if (address.includes('/v1')) resolve()
    }),
  )
  const url = /http:\S+\/v1/.exec(address)[0]
  const read = () => timed(async () => (await fetch(`${url}/page/${titleOf(3).replaceAll(' ', '_')}`)).text())
  const many = async until => {
    const times = []
    while (!until(times)) {
      times.push(await read())
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    times.sort((a, b) => a - b)
    return { p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)], most: times.at(-1) }
  }
  const idle = await many(times => times.length >= 300)
  const end = performance.now() + 400_000
  const found = await (await fetch(`${url}/search/page?q=${wordOf(5)}&limit=100`)).json()
  const busy = await many(times => log.includes('index is built') || performance.now() > end || times.length > 50_000)
  server.kill('SIGINT')
  await new Promise(resolve => server.once('exit', resolve))
  return { idle, busy, pages, found: found.pages.length }
}

// The report

function inChild(job, directory, pages) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [here, `--job=${job}`, directory, String(pages), ...process.argv.slice(2)],
    { encoding: 'utf8', maxBuffer: 1 << 26, timeout: 600_000 },
  )
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

function bytesOf(directory) {
  const folder = join(directory, 'wiki', 'main', 'search')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

const megabytes = bytes => `${(bytes / 2 ** 20).toFixed(0)} MB`
const pair = ({ p50, p99, cpu50, cpu99 }) =>
  `${bench.time(p50)} / ${bench.time(p99)}, CPU ${bench.time(cpu50)} / ${bench.time(cpu99)}`

const three = ({ p50, p99, most }) => [p50, p99, most].map(bench.time).join(' / ')

async function report(pages) {
  const directory = await wikiOf(pages)
  const built = inChild('build', directory, pages)
  const bytes = bytesOf(directory)
  const asked = inChild('ask', directory, pages)
  const cold = await coldCommands(directory)
  const served = inChild('serve', directory, pages)
  const isLarge = pages > 50_000
  bench.table(`${pages.toLocaleString('en')} pages`, [
    {
      what: 'building the index',
      ours: `${bench.time(built.wall)}, CPU ${bench.time(built.cpu)}`,
      target: isLarge ? '2 min' : '',
    },
    { what: 'memory at its highest while building', ours: megabytes(built.peak), target: '500 MB' },
    { what: 'bytes of the index a page', ours: String(Math.round(bytes / pages)) },
    { what: 'opening it', ours: bench.time(asked.opened) },
    { what: 'index alone, all kinds, p50 / p99', ours: pair(asked.search), target: `p99 ${isLarge ? 50 : 10} ms` },
    ...asked.whole.map(({ kind, ...times }) => ({ what: `  with excerpts: ${kind}`, ours: pair(times) })),
    { what: 'titles, index alone, p50 / p99', ours: pair(asked.titles), target: '1 ms' },
    { what: 'titles, whole answer', ours: pair(asked.typed) },
    { what: 'memory of the process that answers', ours: megabytes(asked.memory) },
    { what: 'search after an edit', ours: bench.time(asked.edit.search) },
    { what: 'titles after an edit', ours: bench.time(asked.edit.title) },
    { what: 'a page from a server, p50 / p99 / most', ours: three(served.idle) },
    { what: 'the same while it builds the index', ours: three(served.busy) },
    { what: 'cold wiki search beside git grep', ours: cold.search, beside: cold.grep },
    { what: 'cold wiki search beside node -e 0', ours: cold.search, beside: cold.node, target: isLarge ? '' : '4.2' },
    { what: 'cold wiki search, two words', ours: cold.two, beside: cold.node },
    { what: 'cold wiki search --title beside node -e 0', ours: cold.title, beside: cold.node },
  ])
}

/** The first search indexes the edits; the measurement then only reads. */
async function coldCommands(directory) {
  const word = wordOf(700)
  return bench.interleave({
    search: bench.wikiCommand(directory, 'search', word, '-n', '10'),
    two: bench.wikiCommand(directory, 'search', word, wordOf(90), '-n', '10'),
    title: bench.wikiCommand(directory, 'search', '--title', word, '-n', '10'),
    grep: () => void spawnSync('git', ['-C', directory, 'grep', '-il', word, 'main'], { stdio: 'ignore' }),
    node: bench.bareNode,
  })
}

const jobs = { build, ask, serve }
const job = process.argv.find(argument => argument.startsWith('--job='))?.slice(6)
const sizes = process.argv[process.argv.indexOf('--pages') + 1]
if (job !== undefined) {
  console.log(JSON.stringify(await jobs[job](process.argv[3], Number(process.argv[4]))))
} else {
  const isGiven = process.argv.includes('--pages')
  const pages = isGiven ? sizes.split(',').map(Number) : bench.isQuick ? [1_000] : [1_000, 10_000]
  for (const size of pages) await report(size)
}
