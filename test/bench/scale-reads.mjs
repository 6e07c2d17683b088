/** Every read route under load: pages as people ask for them, beside bare node:http and a MediaWiki's own pages. */
import { load, memoryOf } from './load.mjs'
import { median } from './measure.mjs'
import { startBare } from './servers.mjs'

/** Route to the target for a page; `there` is what a MediaWiki is asked, where it has the route. */
export const routes = [
  { what: '/page/{title}', ours: page => `/page/${page.key}`, there: '/page/Main_Page' },
  { what: '/page/{title}/bare', ours: page => `/page/${page.key}/bare`, there: '/page/Main_Page/bare' },
  { what: '/page/{title}/html', ours: page => `/page/${page.key}/html`, there: '/page/Main_Page/html' },
  { what: '/page/{title}/with_html', ours: page => `/page/${page.key}/with_html`, there: '/page/Main_Page/with_html' },
  { what: '/page/{title}/history', ours: page => `/page/${page.key}/history`, there: '/page/Main_Page/history' },
  { what: '/page/{title}/history?older_than', ours: page => `/page/${page.key}/history?older_than=${page.latest}` },
  {
    what: '/page/{title}/history/counts/edits',
    ours: page => `/page/${page.key}/history/counts/edits`,
    there: '/page/Main_Page/history/counts/edits',
  },
  {
    what: '/page/{title}/history/counts/editors',
    ours: page => `/page/${page.key}/history/counts/editors`,
    there: '/page/Main_Page/history/counts/editors',
  },
  {
    what: '/page/{title}/history/counts/minor',
    ours: page => `/page/${page.key}/history/counts/minor`,
    there: '/page/Main_Page/history/counts/minor',
  },
  {
    what: '/page/{title}/links/language',
    ours: page => `/page/${page.key}/links/language`,
    there: '/page/Main_Page/links/language',
  },
  {
    what: '/page/{title}/links/media',
    ours: page => `/page/${page.key}/links/media`,
    there: '/page/Main_Page/links/media',
  },
  { what: '/page/{title}/lint', ours: page => `/page/${page.key}/lint` },
  { what: '/revision/{id}', ours: page => `/revision/${page.before}`, there: '/revision/1' },
  { what: '/revision/{id}/bare', ours: page => `/revision/${page.before}/bare`, there: '/revision/1/bare' },
  { what: '/revision/{id}/html', ours: page => `/revision/${page.before}/html`, there: '/revision/1/html' },
  { what: '/revision/{from}/compare/{to}', ours: page => `/revision/${page.before}/compare/${page.latest}` },
  { what: '/search/page', ours: page => `/search/page?q=${wordOf(page)}`, there: '/search/page?q=main' },
  { what: '/search/title', ours: page => `/search/title?q=${page.key.slice(0, 7)}`, there: '/search/title?q=Main' },
  { what: '/file/{title}', ours: () => '/file/Buoy.svg' },
  { what: 'not found', ours: page => `/page/No_${page.key}`, there: '/page/No_such_page' },
]

const words = ['bace', 'zafo', 'guha tri', 'kiste', 'lodi', 'cleme', 'phagu ce', 'strido', 'nabra', 'xowe']

function wordOf({ latest }) {
  return encodeURIComponent(words[latest % words.length])
}

export async function measureReads(server, { next }, { mediaWiki, seconds, rounds, isAsked }) {
  const bare = await startBare()
  const rows = []
  try {
    for (const route of routes.filter(({ what }) => isAsked(what)))
      rows.push(await measureRoute(route, { server, bare, mediaWiki, next, seconds, rounds }))
  } finally {
    await bare.stop()
  }
  return [...rows, { what: 'memory of the server after it, MB', number: Math.round(memoryOf(server.pids[0])) }]
}

async function measureRoute({ what, ours, there }, { server, bare, mediaWiki, next, seconds, rounds }) {
  const target = () => server.prefix + ours(next())
  const answer = await fetch(`http://127.0.0.1:${server.port}${target()}`)
  const headers = [...answer.headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive')
  bare.answer({ status: answer.status, headers, body: await answer.text() })
  const taken = { ours: [], bare: [], mediaWiki: [] }
  await load(server, target, { seconds: seconds / 2 })
  for (let round = 0; round < rounds; round++) {
    taken.ours.push(await load(server, target, { seconds }))
    taken.bare.push(await load(bare, () => '/', { seconds: seconds / 2 }))
    if (mediaWiki !== null && there !== undefined)
      taken.mediaWiki.push(await load(mediaWiki, () => mediaWiki.prefix + there, { seconds, connections: 4 }))
  }
  const of = (runs, name) => (runs.length === 0 ? undefined : median(runs.map(run => run[name])))
  return {
    what,
    p50: of(taken.ours, 'p50'),
    p99: of(taken.ours, 'p99'),
    rate: of(taken.ours, 'rate'),
    cpu: of(taken.ours, 'cpu'),
    node: of(taken.bare, 'p50'),
    nodeRate: of(taken.bare, 'rate'),
    nodeCpu: of(taken.bare, 'cpu'),
    mediaWikiRate: of(taken.mediaWiki, 'rate'),
    mediaWikiCpu: of(taken.mediaWiki, 'cpu'),
    failures: what === 'not found' ? 0 : taken.ours.reduce((sum, run) => sum + run.failures, 0),
    target: 'p99 < 50 ms',
  }
}
