/** Sends requests over plain keep-alive connections, so that the client is not the bottleneck. */
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * Requests targets, paths or `{path, body}`, repeatedly on the given number of connections, at most `most` times. Returns
 * latencies in milliseconds (`p50`, `p99`, `longest`), `rate` in requests per second, the server's CPU in milliseconds per
 * request (`cpu`) if its process is known, and the number of error responses.
 */
export async function load(server, target, { connections = 16, seconds = 1, least = connections, most } = {}) {
  const before = cpuOf(server.pids)
  const start = performance.now()
  const state = {
    end: start + seconds * 1000,
    least,
    most: most ?? Number.POSITIVE_INFINITY,
    sent: 0,
    latencies: [],
    failures: 0,
  }
  await Promise.all(Array.from({ length: connections }, () => askOn(server, target, state)))
  const { latencies, failures } = state
  const elapsed = (performance.now() - start) / 1000
  const cpu = (cpuOf(server.pids) - before) / latencies.length
  latencies.sort((a, b) => a - b)
  const at = share => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  return {
    p50: at(0.5),
    p99: at(0.99),
    longest: latencies.at(-1),
    rate: latencies.length / elapsed,
    cpu,
    count: latencies.length,
    failures,
  }
}

/** One connection: a request, its response, the next request. */
function askOn({ port, headers = {} }, target, state) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    let asked = 0
    let received = []
    const ask = () => {
      state.sent++
      received = []
      asked = performance.now()
      const request = headOf(target())
      socket.write(`${request.line}\r\nHost: 127.0.0.1:${port}\r\n${own.join('')}${request.rest}`)
    }
    socket.setNoDelay(true).on('error', reject).on('connect', ask)
    socket.on('data', chunk => {
      received.push(chunk)
      const bytes = received.length === 1 ? chunk : Buffer.concat(received)
      received = [bytes]
      if (!isWhole(bytes)) return
      state.latencies.push(performance.now() - asked)
      if (bytes[9] !== 0x32 && bytes[9] !== 0x33) state.failures++
      if (state.sent < state.most && (performance.now() < state.end || state.latencies.length < state.least)) ask()
      else socket.end(resolve)
    })
  })
}

function headOf(target) {
  const { path, body } = typeof target === 'string' ? { path: target } : target
  if (body === undefined) return { line: `GET ${path} HTTP/1.1`, rest: '\r\n' }
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return { line: `POST ${path} HTTP/1.1`, rest: `${about}\r\n${body}` }
}

function isWhole(bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = bytes.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)
  if (length !== null) return bytes.length >= end + 4 + Number(length[1])
  if (head.includes('transfer-encoding: chunked')) return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n'
  return true
}

/** Milliseconds of CPU time used by processes and their children; Linux only. */
export function cpuOf(pids = []) {
  return pids.reduce((sum, pid) => sum + cpuOfTree(pid), 0)
}

function cpuOfTree(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
    return childrenOf(pid).reduce((sum, child) => sum + cpuOfTree(child), own)
  } catch {
    return 0
  }
}

function childrenOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean))
}

/** Megabytes of memory of a process; Linux only. */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024
  } catch {
    return Number.NaN
  }
}
