/**
 * Requests per second and server CPU of the API's reads, beside a bare node:http server that sends the same bytes.
 *
 *     node test/bench/rest.mjs [seconds a run] [runs]
 *
 * Both servers are separate processes and run alternately, after a warm-up; medians are printed. The client speaks HTTP over
 * plain sockets, so that it is not the bottleneck. `again` is a response that the server has sent before, `first` one that it
 * has not: then each request has a unique parameter, which no route knows.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const connections = 16

const targets = [
  '/v1/search/page?q=lorem',
  '/v1/search/title?q=bench',
  '/v1/page/Bench_page',
  '/v1/page/Bench_page/bare',
  '/v1/page/Bench_page/html',
  '/v1/page/Bench_page/with_html',
  '/v1/page/Bench_page/lint',
  '/v1/page/Bench_page/links/language',
  '/v1/page/Bench_page/links/media',
  '/v1/page/Bench_page/history',
  '/v1/page/Bench_page/history/counts/edits',
  '/v1/page/Bench_page/history/counts/editors',
  '/v1/revision/20',
  '/v1/revision/20/bare',
  '/v1/revision/20/html',
  '/v1/revision/20/compare/25',
  '/v1/file/Buoy.gif',
  '/specs/v0/module/-',
  '/v1/nope',
]

/** A picture of one pixel. */
const picture = {
  name: 'Buoy.gif',
  content: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

/** Number of unique requests so far. */
let asked = 0

const roles = { measure, wiki: serveWiki, bare: serveBare }
await roles[process.argv[2] in roles ? process.argv[2] : 'measure']()

async function measure() {
  const [seconds = 2, runs = 5] = process.argv.slice(2).map(Number)
  const folder = await mkdtemp(join(tmpdir(), 'gitwiki-bench-'))
  const wiki = await start('wiki', folder)
  console.log(`${connections} connections, ${runs} runs of ${seconds} s each, medians\n`)
  console.log('                                                       requests/s          CPU, ms a request')
  console.log('route                                         bytes   again   first    bare   again   first    bare')
  for (const target of targets) {
    const answer = await fetch(`http://127.0.0.1:${wiki.port}${target}`)
    const bare = await start('bare', folder)
    bare.send({ status: answer.status, headers: [...answer.headers], body: await answer.text() })
    const results = { again: [], first: [], bare: [] }
    const servers = { again: wiki, first: wiki, bare }
    for (let run = -1; run < runs; run++) {
      for (const [name, server] of Object.entries(servers)) {
        const isNew = name === 'first'
        const result = await load(server, { target, isNew, seconds: run < 0 ? seconds / 2 : seconds })
        if (run >= 0) results[name].push(result)
      }
    }
    print(target, results)
    bare.stop()
  }
  wiki.stop()
  await rm(folder, { recursive: true })
}

function print(target, { again, first, bare }) {
  const all = [again, first, bare]
  const rates = all.map(runs => median(runs.map(run => run.rate)).toFixed(0))
  const costs = all.map(runs => (median(runs.map(run => run.cpu)) / 1000).toFixed(3))
  const columns = [again[0].bytes, ...rates, ...costs].map(value => String(value).padStart(7))
  console.log(target.padEnd(43), columns.join(' '))
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

/** Requests one target repeatedly. Returns requests per second, CPU microseconds per request and bytes per response. */
async function load(server, { target, isNew, seconds }) {
  const separator = target.includes('?') ? '&' : '?'
  const request = () => {
    const own = isNew ? `${separator}n=${String(asked++).padStart(9, '0')}` : ''
    return `GET ${target}${own} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`
  }
  const bytes = await lengthOf(server.port, request())
  const before = await server.cpu()
  const started = performance.now()
  const end = started + seconds * 1000
  const counts = await Promise.all(Array.from({ length: connections }, () => repeat(server.port, request, bytes, end)))
  const done = counts.reduce((sum, count) => sum + count, 0)
  const elapsed = (performance.now() - started) / 1000
  return { rate: done / elapsed, cpu: ((await server.cpu()) - before) / done, bytes }
}

/** Bytes of a response, head and body, which are the same each time: all bytes until no more arrive. */
function lengthOf(port, request) {
  return new Promise(resolve => {
    let length = 0
    const socket = connect(port, '127.0.0.1')
    socket.on('data', chunk => {
      length += chunk.length
    })
    socket.write(request)
    setTimeout(() => socket.end(() => resolve(length)), 200)
  })
}

function repeat(port, request, bytes, end) {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let received = 0
    let done = 0
    socket.on('data', chunk => {
      received += chunk.length
      if (received < bytes) return
      if (received > bytes) throw new Error(`${received} bytes instead of ${bytes}`)
      received = 0
      done++
      if (performance.now() < end) socket.write(request())
      else socket.end(() => resolve(done))
    })
    socket.write(request())
  })
}

/** Starts a server in a separate process. */
async function start(role, folder) {
  const child = fork(here, [role, folder])
  const next = () => once(child, 'message').then(([message]) => message)
  child.once('exit', code => code && process.exit(code))
  const port = await next()
  return {
    port,
    send: message => child.send(message),
    /** Microseconds of CPU so far. */
    cpu: async () => {
      child.send('cpu')
      return next()
    },
    stop: () => child.kill('SIGKILL'),
  }
}

// A server ends with the process that measures it.
process.on('disconnect', () => process.exit())

function tellCpu() {
  const { user, system } = process.cpuUsage()
  process.send(user + system)
}

async function serveBare() {
  let answer
  process.on('message', message => {
    if (message === 'cpu') tellCpu()
    else answer = message
  })
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body)
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
}

async function serveWiki() {
  process.on('message', tellCpu)
  const { initWiki, openWiki, createPage, updatePage, addFile, serve } = await compile()
  const directory = join(process.argv[3], 'wiki')
  const author = { name: 'Ada', address: 'ada@example.org' }
  await initWiki({ directory, author })
  const wiki = await openWiki({ directory })
  const line = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy.\n'
  let base
  for (let edit = 0; edit < 30; edit++) {
    const change = {
      title: 'Bench page',
      source: `${line.repeat(26)}[[File:Buoy.gif]] '''${edit}'''`,
      comment: `edit ${edit}`,
      author,
    }
    const { page } = base === undefined ? await createPage(wiki, change) : await updatePage(wiki, { ...change, base })
    base = page.latest.id
  }
  for (let page = 0; page < 30; page++) {
    await createPage(wiki, { title: `Bench page ${page}`, source: line, comment: 'new', author })
  }
  await addFile(wiki, { ...picture, comment: 'new', author })
  const { url } = await serve(wiki, { port: 0 })
  process.send(Number(new URL(url).port))
}

/** The library and the server as one module, beside the packages it needs. */
async function compile() {
  const { build } = await import('esbuild')
  const root = join(here, '../../..')
  const outfile = join(root, 'node_modules/.cache/gitwiki-bench/rest.mjs')
  await build({
    stdin: { contents: `export * from './src/index.ts'\nexport * from './src/rest/serve.ts'`, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return import(outfile)
}
