/**
 * Measures whether costly requests delay cheap ones.
 *
 *     npm run build && node test/bench/held-up.mjs [--seconds 4] [--only compar,lint] [--beside <checkout>]
 *
 * Prints latencies of `/page/{title}/bare` alone, and while two clients request costly transforms and comparisons without
 * pause; how long these take; and the server's CPU per second.
 */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './load.mjs'
import * as bench from './measure.mjs'
import { startWiki } from './servers.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    beside: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const row = '{{Row|a|b}}\n'
const line = "* a line with a [[link]], ''some'' words and '''more''' of them\n"
let asked = 0

/** Every request is different, so nothing is cached. */
const costly = {
  nothing: null,
  'a large text to HTML, 50 KB': () => ['wikitext/to/html', { wikitext: `${asked++}\n${line.repeat(800)}` }],
  'a small text that expands to 120 KB': () => ['wikitext/to/html', { wikitext: `${asked++}\n${row.repeat(120)}` }],
  'lint of a small text that expands to 120 KB': () => [
    'wikitext/to/lint',
    { wikitext: `${asked++}\n${row.repeat(120)}` },
  ],
  'HTML to wikitext, 250 KB': () => [
    'html/to/wikitext',
    { html: `<p>${asked++}</p>${'<table><tr><td>a <b>b</b> <a href="./C">c</a></td></tr></table>'.repeat(4000)}` },
  ],
  'a comparison of two texts of 250 KB': () => ['compare', comparison()],
}

function comparison() {
  const lines = Array.from(
    { length: 4000 },
    (_, at) => `line ${at * 7919} of ${at} many words that stand here, too, ${at % 97}\n`,
  )
  const other = lines.map((text, at) => (at % 3 === 0 ? text.replace('words', `words ${asked}`) : text)).reverse()
  asked++
  return { from: { text: lines.join('') }, to: { text: other.join('') } }
}

for (const checkout of [bench.root, values.beside].filter(Boolean)) await measureAll(checkout)

async function measureAll(checkout) {
  const folder = bench.scratch()
  bench.git('.', ['init', '-q', '-b', 'main', folder])
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  writePages(folder)
  bench.git(folder, ['add', '.'])
  bench.git(folder, [...author, 'commit', '-q', '-m', 'pages'])
  const server = await startWiki(folder, { checkout })
  console.log(`${checkout}\n${'beside it'.padEnd(48)}  p50 ms  p99 ms  max ms    a second  one takes, s`)
  try {
    for (const [what, body] of Object.entries(costly)) if (isAsked(what)) print(what, await measure(server, body))
  } finally {
    await server.stop()
  }
}

function isAsked(what) {
  return values.only.split(',').some(part => what.includes(part))
}

function writePages(folder) {
  mkdirSync(join(folder, 'Template'))
  writeFileSync(join(folder, 'Cheap.wiki'), 'A page.\n')
  const cells = '|-\n| {{{1}}} || {{{2}}} || [[Other]]\n'
  writeFileSync(join(folder, 'Template/Row.wiki'), `{| class="wikitable"\n${cells.repeat(30)}|}\n`)
}

async function measure(server, body) {
  let isOver = false
  const taken = []
  const busy =
    body === null
      ? []
      : [0, 1].map(async () => {
          while (!isOver) taken.push(await ask(server, body()))
        })
  await load(server, () => `${server.prefix}/page/Cheap/bare`, { seconds: 0.3, connections: 4 })
  const result = await load(server, () => `${server.prefix}/page/Cheap/bare`, { seconds, connections: 4 })
  isOver = true
  await Promise.all(busy)
  return { ...result, taken: bench.median(taken) }
}

/** On a separate connection, because a kept-alive one may be closed at that moment. */
async function ask({ port, prefix }, [route, body]) {
  const start = performance.now()
  const path = `${prefix}/${route === 'compare' ? route : `transform/${route}`}`
  const headers = { 'content-type': 'application/json' }
  const asking = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  asking.end(JSON.stringify(body))
  const [answer] = await once(asking, 'response')
  await once(answer.resume(), 'end')
  if (answer.statusCode !== 200) throw new Error(`${route}: ${answer.statusCode}`)
  return performance.now() - start
}

function print(what, { p50, p99, longest, rate, taken }) {
  const numbers = [p50.toFixed(1), p99.toFixed(1), longest.toFixed(1)].map(text => text.padStart(8))
  console.log(
    what.padEnd(48),
    ...numbers,
    rate.toFixed(0).padStart(11),
    Number.isFinite(taken) ? (taken / 1000).toFixed(2).padStart(13) : '',
  )
}
