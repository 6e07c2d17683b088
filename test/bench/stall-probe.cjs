/**
 * Loaded into a server by `test/bench/worst-requests.mjs` (`node --require`). For each time span in which the main thread ran
 * without a break for more than a few milliseconds, it appends a line to the file that `WIKI_STALL_PROBE` names: the time of
 * its end, and its milliseconds of CPU time. Unlike the latency of a request, these do not depend on other programs.
 *
 * With `WIKI_STALL_STACKS`, a number of milliseconds, it writes the functions that ran in longer spans to a file beside it.
 */
const { appendFileSync, readFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const { WIKI_STALL_PROBE: file, WIKI_STALL_STACKS: long = 'Infinity' } = process.env
const least = 20
const interval = 5
/** Milliseconds after which a profile without a long span is discarded. */
const profiled = 5000

/** Milliseconds that the main thread has run. Source: Linux Documentation/scheduler/sched-stats.rst. */
const ran = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6

if (isMainThread && file !== undefined && process.argv[2] === 'serve') {
  const profiler = Number(long) < Number.POSITIVE_INFINITY ? startProfiler() : null
  let [before, looked] = [ran(), performance.now()]
  const look = () => {
    const now = ran()
    if (now - before >= least) appendFileSync(file, `${Date.now()} ${(now - before).toFixed(0)}\n`)
    if (now - before >= Number(long)) {
      const stacks = profiler.since(performance.now() - looked)
      appendFileSync(`${file}.stacks`, `${Date.now()} ${(now - before).toFixed(0)}\n${stacks}\n`)
    }
    profiler?.restartIfOld()
    ;[before, looked] = [ran(), performance.now()]
  }
  setInterval(look, interval).unref()
}

/** A profiler of this thread, which the functions of its latest milliseconds can be asked of. */
function startProfiler() {
  const { Session } = require('node:inspector')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: 1000 })
  let begun = 0
  const start = () => {
    session.post('Profiler.start')
    begun = performance.now()
  }
  start()
  return {
    since: milliseconds => {
      let text = ''
      session.post('Profiler.stop', (_, { profile }) => {
        text = heaviest(profile, milliseconds * 1000)
      })
      start()
      return text
    },
    restartIfOld: () => {
      if (performance.now() - begun < profiled) return
      session.post('Profiler.stop', () => undefined)
      start()
    },
  }
}

/** Functions with the most time in the latest microseconds: their own, and with those that they called. */
function heaviest({ nodes, samples, timeDeltas, endTime, startTime }, microseconds) {
  const byId = new Map(nodes.map(node => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node
  const own = new Map()
  const all = new Map()
  const add = (times, name, time) => times.set(name, (times.get(name) ?? 0) + time)
  let at = startTime
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index]
    if (at < endTime - microseconds) continue
    const time = timeDeltas[index + 1] ?? 0
    add(own, nameOf(byId.get(id)), time)
    const names = new Set()
    for (let node = byId.get(id); node !== undefined; node = node.parent) names.add(nameOf(node))
    for (const name of names) add(all, name, time)
  }
  return `  own\n${listed(own, 6)}  all\n${listed(all, 24)}`
}

function nameOf({ callFrame: { functionName, url, lineNumber } }) {
  return `${functionName || '?'} ${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1}`
}

function listed(times, most) {
  const sorted = [...times].sort((a, b) => b[1] - a[1]).slice(0, most)
  return sorted.map(([name, time]) => `    ${(time / 1000).toFixed(0).padStart(5)} ${name}\n`).join('')
}
