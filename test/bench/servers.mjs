/** The servers of benchmarks and pictures: ours, and bare node:http with the same bytes. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './measure.mjs'

const here = fileURLToPath(import.meta.url)

/** Starts `wiki serve`, from another checkout if one is named, and waits until it reports its address. */
export async function startWiki(folder, { checkout = root, options = [] } = {}) {
  const command = [join(checkout, 'bin/wiki.cjs'), 'serve', '-C', folder, '--port', '0', ...options]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  // A benchmark that fails leaves no server running.
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let said = ''
  const port = await new Promise((resolve, reject) => {
    const look = chunk => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (found === null) return
      // Its log is read and discarded: storing it made this process the slower one.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', look).resume()
      resolve(Number(found[1]))
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('exit', () => reject(new Error(`wiki serve ended: ${said}`)))
  })
  return { port, prefix: '/v1', pids: [child.pid], stop: () => stop(child) }
}

/** Starts a server that sends a fixed response: `answer({status, headers, body})`. */
export async function startBare() {
  const child = fork(here, ['bare'])
  const [port] = await once(child, 'message')
  return { port, pids: [child.pid], answer: value => child.send(value), stop: () => stop(child) }
}

/** Processes whose parent has another name; their children are counted with them. */
export function processesNamed(pattern) {
  const found = new Map()
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const [, name, rest] = /\((.*)\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      if (pattern.test(name)) found.set(pid, rest)
    } catch {
      // It has ended.
    }
  }
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid)
}

/** Megabytes of a process in memory; 0 if it has ended. */
export function resident(pid) {
  return memoryOf(pid, 'VmRSS')
}

/** Peak megabytes of a process in memory since `5` was written to its `clear_refs`. */
export function maxResident(pid) {
  return memoryOf(pid, 'VmHWM')
}

/** Megabytes of the processes that a process has started. */
export function residentBelow(pid) {
  return childrenOf(pid).reduce((sum, child) => sum + resident(child) + residentBelow(child), 0)
}

function memoryOf(pid, name) {
  const line = fileOf(pid, 'status')
    .split('\n')
    .find(line => line.startsWith(`${name}:`))
  return Number(/\d+/.exec(line ?? '0')[0]) / 1024
}

function childrenOf(pid) {
  return fileOf(pid, `task/${pid}/children`).split(' ').filter(Boolean)
}

/** Empty if the process has ended. */
function fileOf(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

async function stop(child) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

if (process.argv[2] === 'bare' && process.argv[1] === here) {
  let answer = { status: 200, headers: [], body: '' }
  process.on('message', value => {
    answer = value
  })
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body)
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
}
