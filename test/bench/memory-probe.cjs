/**
 * Loaded into a server by `test/bench/memory.mjs` (`node --require`). Every `WIKI_MEMORY_SECONDS` seconds it appends a line of JSON
 * with the memory of the process, and of its caches, to the file that `WIKI_MEMORY_PROBE` names. SIGUSR2 writes a heap snapshot
 * beside it.
 *
 * The caches are found in the heap, by the shape of their entries, so the product needs no code for it. Searching the heap collects
 * all garbage, so it is done once, in the fourth minute, when every cache has entries.
 */
const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const { WIKI_MEMORY_PROBE: file, WIKI_MEMORY_SECONDS: seconds = '60' } = process.env
const searchAfter = 3.5 * 60_000
const megabyte = 2 ** 20

/** Caches by name. */
const caches = new Map()

/** Returns the kind of cache that a map is; null for any other map. */
function kindOf(map) {
  const [first] = map.entries()
  if (first === undefined) return null
  const [key, value] = first
  if (typeof key === 'number' && Buffer.isBuffer(value) && value.length > 8192) return 'search pages'
  if (typeof value !== 'object' || value === null || typeof value.size !== 'number' || !('value' in value)) return null
  const kept = value.value
  if (typeof kept === 'number') return 'counts'
  if (kept?.response !== undefined) return 'responses'
  if (kept?.kept?.rendered !== undefined) return 'rendered pages'
  return kept !== null && typeof kept === 'object' && 'term' in kept ? 'search terms' : null
}

const sizes = {
  'search pages': map => [...map.values()].reduce((sum, page) => sum + page.length, 0),
}

function bytesOf(kind, map) {
  return sizes[kind]?.(map) ?? [...map.values()].reduce((sum, { size }) => sum + size, 0)
}

function findCaches() {
  const { Session } = require('node:inspector')
  const session = new Session()
  session.connect()
  const post = (method, parameters) => {
    let answer
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`)
      answer = result
    })
    return answer
  }
  globalThis.wikiProbeTake = maps => {
    for (const map of maps) {
      const kind = kindOf(map)
      if (kind !== null) caches.set(kind, [...(caches.get(kind) ?? []), new WeakRef(map)])
    }
  }
  const { objectId } = post('Runtime.evaluate', { expression: 'Map.prototype' }).result
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: objectId })
  post('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { globalThis.wikiProbeTake(this) }',
  })
  delete globalThis.wikiProbeTake
  session.disconnect()
}

function sample() {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const counted = {}
  for (const [kind, maps] of caches) {
    counted[kind] = maps.reduce((sum, map) => sum + (map.deref() ? bytesOf(kind, map.deref()) : 0), 0) / megabyte
  }
  const figures = { rss, heapUsed, heapTotal, external, arrayBuffers }
  for (const name of Object.keys(figures)) figures[name] /= megabyte
  appendFileSync(file, `${JSON.stringify({ minutes: process.uptime() / 60, ...figures, caches: counted })}\n`)
}

if (isMainThread && file !== undefined && process.argv[2] === 'serve') {
  setInterval(sample, Number(seconds) * 1000).unref()
  setTimeout(findCaches, searchAfter).unref()
  process.on('SIGUSR2', () => require('node:v8').writeHeapSnapshot(`${file}.${Date.now()}.heapsnapshot`))
}
