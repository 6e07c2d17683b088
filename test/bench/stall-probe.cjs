/**
 * Loaded into a server by `test/bench/worst-requests.mjs` (`node --require`): appends to the file that `WIKI_STALL_PROBE` names a line for each
 * stretch in which the main thread ran without a break for more than a few milliseconds: when it ended, and its milliseconds of CPU time.
 * These do not depend on what else the machine does, as the latency of a request does.
 */
const { appendFileSync, readFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const { WIKI_STALL_PROBE: file } = process.env
const least = 20
const interval = 5

/** Milliseconds that the main thread has run. Source: Linux Documentation/scheduler/sched-stats.rst. */
const ran = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6

if (isMainThread && file !== undefined && process.argv[2] === 'serve') {
  let before = ran()
  const look = () => {
    const now = ran()
    if (now - before >= least) appendFileSync(file, `${Date.now()} ${(now - before).toFixed(0)}\n`)
    before = now
  }
  setInterval(look, interval).unref()
}
