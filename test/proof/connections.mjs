/**
 * Opens ten thousand hostile connections to one server, with an honest client beside them.
 *
 *     npm run build && node test/proof/connections.mjs [--connections 10000] [--seconds 30] [--patience 5000] [--seed 1]
 *
 * The five kinds: silent ones; headers that arrive byte by byte; bodies that do; clients that do not read a large response;
 * half a request and then a disconnect. A client whose connection is closed connects again a few seconds later. Meanwhile an
 * honest client reads a page ten times a second, each time over a new connection, writes a page every second, and keeps another
 * connection open. The server must respond to each of its requests within `--patience` milliseconds, and use less than
 * `--mebibytes` (512) of memory. Exit status 1 otherwise.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '30' },
    patience: { type: 'string', default: '5000' },
    mebibytes: { type: 'string', default: '512' },
    seed: { type: 'string', default: '1' },
  },
})
const [wanted, seconds, patience, mebibytes] = ['connections', 'seconds', 'patience', 'mebibytes'].map(key =>
  Number(values[key]),
)
const random = scene.randomNumbers(Number(values.seed))

/** The bytes that each kind sends at once, and those that follow one by one. */
const kinds = {
  silent: {},
  'slow headers': { first: 'GET /v1/page/Main_Page HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', drip: 'x' },
  'slow bodies': {
    first:
      'POST /v1/transform/wikitext/to/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n' +
      `{"wikitext": "${'x'.repeat(60_000)}`,
    drip: 'x',
  },
  'slow readers': { first: 'GET /v1/files/Large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n', isDeaf: true },
  'half open': { first: 'GET /v1/page/Main_Page HTTP/1.1\r\nHost: lo', isHalf: true },
}
/** A slow reader costs more than its connection: the file is unpacked until reading stops. */
const names = Object.keys(kinds).flatMap(kind => Array(kinds[kind].isDeaf ? 1 : 5).fill(kind))

if (isMainThread) await defend()
else await attack(workerData.port)

/** All hostile connections, in a separate thread, so that the honest client does not wait for them. */
async function attack(port) {
  const counts = { opened: 0, together: 0, most: 0 }
  const begin = kind => {
    const { first, drip, isDeaf, isHalf } = kinds[kind]
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const timers = []
    socket.on('error', () => {})
    socket.once('connect', () => {
      counts.opened++
      counts.most = Math.max(counts.most, ++counts.together)
      socket.once('close', () => counts.together--)
      if (first !== undefined) socket.write(first)
      if (isDeaf) socket.pause()
      else socket.on('data', () => {})
      if (isHalf) socket.end()
      if (drip !== undefined) timers.push(setInterval(() => socket.write(drip), 2_000 + random() * 2_000))
      // A paused socket does not notice that the other side has closed it.
      if (isDeaf) timers.push(setTimeout(() => socket.destroy(), 20_000))
    })
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      for (const timer of timers) clearTimeout(timer)
      setTimeout(begin, 2_000 + random() * 3_000, kind)
    })
  }
  parentPort.on('message', () => parentPort.postMessage(counts))
  for (let count = 0; count < wanted; count++) {
    begin(names[count % names.length])
    if (count % 100 === 99) await scene.sleep(40)
  }
}

async function defend() {
  const began = performance.now()
  const flaws = []
  const directory = await scene.newWiki('wiki')
  mkdirSync(join(directory, 'File'))
  writeFileSync(join(directory, 'File/Large.txt'), randomBytes(12_000_000).toString('base64'))
  scene.git(directory, 'add', '.')
  scene.git(directory, 'commit', '-qm', 'a large file')
  const server = await scene.serve(directory)
  const worker = new Worker(new URL(import.meta.url), {
    argv: process.argv.slice(2),
    workerData: { port: Number(new URL(server.url).port) },
  })
  const times = { 'new connection': [], 'kept connection': [], write: [] }
  let isOver = false
  const honest = async (name, path, { agent, ...options }) => {
    const send = () => scene.ask({ ...server, agent }, path, { ...options, patience })
    let answer = await send()
    // A client with a kept connection retries if it was closed at that moment. Source: RFC 9112, 9.3.1.
    if (agent && /ECONNRESET|hang up/.test(answer.text) && answer.status === 0) answer = await send()
    times[name].push(answer.milliseconds)
    if (![200, 201].includes(answer.status)) flaws.push(`${name}: ${answer.status} ${answer.text.slice(0, 100)}`)
    else if (answer.milliseconds > patience) flaws.push(`${name}: ${Math.round(answer.milliseconds)} ms`)
  }
  const repeat = async (every, work) => {
    for (let count = 0; !isOver; count++) {
      await work(count)
      await scene.sleep(every)
    }
  }
  setTimeout(() => {
    isOver = true
  }, seconds * 1000)
  const body = count => ({ title: `Page ${count}`, source: 'honest', comment: '' })
  await Promise.all([
    repeat(100, () => honest('new connection', '/page/Main_Page', { agent: false })),
    repeat(1000, count => honest('write', '/page', { agent: false, method: 'POST', body: body(count) })),
    repeat(500, () => honest('kept connection', '/page/Main_Page', { agent: server.agent })),
  ])
  const { peak, cpu } = costOf(server.child.pid)
  if (peak > mebibytes) flaws.push(`the server took ${Math.round(peak)} MiB`)
  const counts = await new Promise(resolve => {
    worker.once('message', resolve)
    worker.postMessage('counts')
  })
  await worker.terminate()
  await scene.sleep(500)
  const after = await scene.ask(server, '/page/Main_Page', {})
  if (after.status !== 200) flaws.push(`afterwards: ${after.status} ${after.text}`)
  const { status, stderr } = await scene.stop(server)
  if (status !== 0) flaws.push(`the server ended with ${status}`)
  if (/"event":"error"/.test(stderr)) flaws.push(`a fault: ${/.*"event":"error".*/.exec(stderr)[0].slice(0, 300)}`)
  console.log(`${counts.opened} connections, at most ${counts.most} together`)
  console.log(`the server: ${Math.round(peak)} MiB at most, ${cpu.toFixed(1)} s of CPU`)
  for (const [name, values] of Object.entries(times))
    console.log(`${name}: ${scene.quantiles(values)}, longest ${Math.round(Math.max(0, ...values))} ms`)
  scene.conclude('connections', flaws, began, values.seed)
}

/** Maximum memory, MiB, and CPU time, seconds, of a process; 0 if the system does not report them as Linux does. */
function costOf(pid) {
  if (!existsSync(`/proc/${pid}/status`)) return { peak: 0, cpu: 0 }
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return { peak, cpu: (Number(ticks[11]) + Number(ticks[12])) / 100 }
}
