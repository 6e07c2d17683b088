/**
 * Sends the same requests to a MediaWiki with the same pages: the same titles in the same order, with its own ids of the same
 * revisions. Both servers have been restarted. Each page is requested once, then pages with realistic frequencies, alternately.
 */
import { load } from './load.mjs'
import { forget, givePages } from './mediawiki.mjs'
import { readRoutes, requestOf } from './route-table.mjs'
import { mediansOf } from './scale-reads.mjs'
import { zipf } from './scale-sample.mjs'
import { startWiki } from './servers.mjs'

/** The number of MediaWiki's processes: with more connections, waiting for a process would be measured. */
export const connections = 4
const asked = 120
/** Of a wiki with more pages only the requested ones are imported; they have at most this number of revisions. */
const whole = { pages: 1000, revisions: 40 }

/** Returns a row for each route that both have; none without a MediaWiki. */
export async function measureMediaWiki(folder, sample, { name, mediaWiki, seconds, rounds, isAsked }) {
  if (mediaWiki === null) return []
  const isWhole = sample.pages.length <= whole.pages
  const candidates = isWhole ? sample.pages : sample.pages.filter(({ edits }) => edits <= whole.revisions)
  const pages = candidates.slice(0, asked + 1)
  const titles = isWhole ? [] : pages.map(({ key }) => key)
  const took = await givePages(mediaWiki, { name, wiki: folder, titles })
  const theirs = await samePages(mediaWiki, folder, pages)
  await forget(mediaWiki)
  const server = await startWiki(folder)
  try {
    const sides = [
      { server, place: ({ at }) => at, pages },
      { server: mediaWiki, place: ({ there }) => `/rest.php${there}`, pages: theirs },
    ]
    const rows = []
    for (const route of readRoutes)
      if (route.there !== undefined && isAsked(route.what))
        rows.push(await measureRoute(route, sides, { seconds, rounds }))
    return took === undefined ? rows : [{ what: 'the import, which is kept', p50: took * 1000 }, ...rows]
  } finally {
    await server.stop()
  }
}

async function measureRoute(route, sides, { seconds, rounds }) {
  const taken = sides.map(() => [])
  const first = []
  for (const side of sides) first.push(await askFirst(route, side, seconds * 6))
  for (let round = 0; round < rounds; round++)
    for (const [at, { server, place, pages }] of sides.entries()) {
      const next = zipf(pages.slice(0, -1))
      taken[at].push(await load(server, () => requestOf(route, place(route), next()), { connections, seconds }))
    }
  const [ours, theirs] = taken.map(mediansOf)
  const failures = ours.failures + theirs.failures + first[0].failures + first[1].failures
  return {
    what: route.what,
    ...ours,
    first: first[0],
    mediaWiki: { ...theirs, first: first[1] },
    failures: route.fails ? 0 : failures,
  }
}

/**
 * Each page once, as far as time allows, after the last one has been requested several times: by then the code is compiled, but
 * no other page is cached.
 */
async function askFirst(route, { server, place, pages }, seconds) {
  const last = pages.at(-1)
  await load(server, () => requestOf(route, place(route), last), { connections, seconds: 0, least: 4 * connections })
  let turn = 0
  const once = () => requestOf(route, place(route), pages[turn++ % (pages.length - 1)])
  return load(server, once, { connections, seconds, most: pages.length - 1 })
}

/** The pages with the ids that the MediaWiki has assigned to their revisions. Throws if it has another text or history. */
async function samePages(mediaWiki, folder, pages) {
  const server = await startWiki(folder)
  try {
    const theirs = []
    for (let at = 0; at < pages.length; at += connections) {
      const some = pages.slice(at, at + connections)
      theirs.push(...(await Promise.all(some.map(page => samePage(server, mediaWiki, page)))))
    }
    return theirs
  } finally {
    await server.stop()
  }
}

async function samePage(server, mediaWiki, { key }) {
  const [own, other] = [await stateOf(server, key), await stateOf(mediaWiki, key)]
  if (own.state !== other.state) throw new Error(`${key} is not the same in ${mediaWiki.folder}: ${other.state}`)
  const [latest, before = latest] = other.ids
  return { key, latest, before }
}

async function stateOf({ port }, key) {
  const ask = async path => (await fetch(`http://127.0.0.1:${port}/rest.php/v1/page/${key}${path}`)).json()
  const [{ source }, { count }, { revisions }] = [
    await ask(''),
    await ask('/history/counts/edits'),
    await ask('/history'),
  ]
  const times = revisions.map(({ timestamp }) => timestamp)
  return { ids: revisions.map(({ id }) => id), state: JSON.stringify({ count, times, source: source?.trimEnd() }) }
}
