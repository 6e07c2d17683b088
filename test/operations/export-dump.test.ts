import { describe, expect, test } from 'vitest'
import type { DumpItem } from '../../src/dump/dump.ts'
import { readDump } from '../../src/dump/read-dump.ts'
import { exportDump } from '../../src/operations/export-dump.ts'
import { importDump } from '../../src/operations/import-dump.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { firstOf } from '../_rounds.ts'
import { buildWiki, hasGit, temporaryDirectory } from '../_setup.ts'
import { type DumpedPage, type DumpedSite, dumpOf, piped } from './_dump.ts'

const backends = hasGit ? (['git', 'isomorphic-git'] as const) : (['isomorphic-git'] as const)

const site: DumpedSite = {
  name: 'Hafen',
  language: 'de',
  namespaces: { 2: 'Benutzer', 828: 'Modul', 829: 'Modul Diskussion' },
}

const trailerLike = 'Done.\n\nWiki-Minor: true\nWiki-Revision: 99'
const pages: readonly DumpedPage[] = [
  {
    title: 'Boote',
    id: 7,
    revisions: [
      { id: 1001, time: '2010-05-05T05:05:05Z', text: 'Eins', comment: 'neu', by: 'Ada#1' },
      { id: 1002, time: '2010-05-06T05:05:05Z', text: 'Eins\n', comment: '', by: '2001:DB8:0:0:0:0:0:1', minor: true },
      { id: 1003, time: '2010-05-06T05:05:05Z', text: 'Eins\n', comment: 'Geschützt', by: 'Ada#1' },
      { id: 1004, time: '2010-05-07T05:05:05Z', text: '', comment: trailerLike, by: 'ada#12' },
      {
        id: 1005,
        time: '2010-05-08T05:05:05Z',
        text: ' \n<b>&amp;\ttwo  \n\n',
        comment: ' gaps, end ',
        by: 'imported>Zelda#0',
      },
      { id: 1006, time: '2010-05-09T05:05:05Z', text: null, comment: null, by: null },
      {
        id: 1007,
        time: '2010-05-10T05:05:05Z',
        text: null,
        comment: 'x\u2028y\u0085z\n\n\nend',
        by: 'proxy.example.org',
      },
    ],
  },
  {
    title: 'Benutzer:Ada/x.js',
    ns: 2,
    revisions: [{ id: 1008, model: 'javascript', text: 'let a = "<&>"', by: 'Ada#1' }],
  },
  { title: 'Modul:Zeit', ns: 828, revisions: [{ id: 1009, model: 'Scribunto', text: 'return {}', by: '10.0.0.1' }] },
  {
    title: 'Daten',
    revisions: [
      { id: 1010, model: 'wikitext', text: '* eins', time: '2011-01-01T00:00:00Z' },
      { id: 1011, model: 'json', text: '["eins"]', time: '2011-01-02T00:00:00Z' },
      { id: 1012, model: 'json', text: '["eins", 2]', time: '2011-01-03T00:00:00Z' },
      { id: 1013, model: 'text', text: '["eins", 2]', time: '2011-01-04T00:00:00Z' },
    ],
  },
  { title: 'Diskussion: ?', revisions: [{ id: 4, text: '#REDIRECT [[boote#Ende]]', by: 'Émile "Zo" O\'Hara#3' }] },
]

async function wikiOf(dump: string, backend?: 'git' | 'isomorphic-git'): Promise<Wiki> {
  const directory = await temporaryDirectory()
  initRepository(directory, { bare: true })
  const wiki = await openWiki({ directory, backend })
  await importDump(wiki, { dump: piped(dump) })
  return wiki
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** Everything of a dump that must not change on its way, in an order that does not depend on the dump's. */
async function factsOf(dump: string) {
  const items: DumpItem[] = []
  for await (const batch of readDump({ file: piped(dump) })) items.push(...batch)
  const facts: unknown[] = []
  let title = ''
  for (const item of items) {
    if (item.kind === 'page') title = `${item.page.namespace} ${item.page.title}`
    if (item.kind !== 'revision') continue
    const { parent: _, format: __, sha1: ___, ...revision } = item.revision
    facts.push({ title, ...revision })
  }
  const sites = items.flatMap(item => (item.kind === 'site' ? [item.site] : []))
  const { name, language, isCaseSensitive, namespaces } = sites[0]!
  const kept = namespaces.filter(({ id }) => [0, 2, 828, 829].includes(id))
  return {
    site: { name, language, isCaseSensitive, namespaces: kept },
    facts: facts.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  }
}

describe.each(backends)('through %s', backend => {
  test('an imported dump is exported unchanged', async () => {
    const before = dumpOf(pages, site)
    const after = await textOf(exportDump(await wikiOf(before, backend)))
    expect(await factsOf(after)).toEqual(await factsOf(before))
  })
})

/** Generated input; the same for the same seed. */
function writer(seed: number) {
  const pieces = [
    ...[
      'a',
      'B',
      'ü',
      '😀',
      ' ',
      '  ',
      '\n',
      '\n\n',
      '\t',
      '\r',
      '\r\n',
      '\u00a0',
      '\u2028',
      '\u0085',
      '\ufeff',
      '#',
      '<',
      '>',
    ],
    ...[
      '&',
      '"',
      "'",
      '\\',
      '%',
      '$1',
      'Wiki-Minor: true',
      'Wiki-Comment: none',
      'Wiki-Revision: 3',
      '\n\nWiki-Unchanged: A.wiki',
    ],
    ...[
      'Signed-off-by: x <y>',
      'This reverts commit 0123456789.',
      '-- ',
      '~~~~',
      ']]>',
      '<!--',
      '&amp;',
      '{{x}}',
      '[[y]]',
      'data 3',
    ],
  ]
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  const words = (most: number) => Array.from({ length: below(most + 1) }, () => pieces[below(pieces.length)]).join('')
  return { below, words }
}

test.each(firstOf([1, 2, 3], 1))('any text survives a round trip (seed %i)', { tags: 'rounds' }, async seed => {
  const { below, words } = writer(seed)
  const revisions = Array.from({ length: 80 }, (_, at) => ({
    id: 1000 + at,
    time: new Date(Date.UTC(2015, 0, 1, 0, 0, at - (at % 3))).toISOString().replace('.000', ''),
    text: words(12),
    comment: words(5),
    by: below(5) === 0 ? `10.0.0.${below(4)}` : `User ${below(4)}#${below(4)}`,
    minor: below(2) === 0,
  }))
  const split = Array.from({ length: 4 }, (_, page) => ({
    title: `Page ${page}`,
    revisions: revisions.filter(({ id }) => id % 4 === page),
  }))
  const before = dumpOf(split)
  const after = await textOf(exportDump(await wikiOf(before)))
  expect((await factsOf(after)).facts).toEqual((await factsOf(before)).facts)
})

test('an export of an imported export is the same, byte for byte', async () => {
  const once = await textOf(exportDump(await wikiOf(dumpOf(pages, site))))
  expect(await textOf(exportDump(await wikiOf(once)))).toBe(once)
})

test('chosen pages are exported, and only their latest revisions on request', async () => {
  const wiki = await wikiOf(dumpOf(pages, site))
  const { facts } = await factsOf(await textOf(exportDump(wiki, { titles: ['boote', 'Boote'], latest: true })))
  expect(facts).toMatchObject([{ id: 1007, title: '0 Boote' }])
})

test('a title without a page is an error before anything is written', async () => {
  const wiki = await wikiOf(dumpOf(pages, site))
  await expect(textOf(exportDump(wiki, { titles: ['Boote', 'Nirgends'] }))).rejects.toMatchObject({
    code: 'rest-nonexistent-title',
  })
})

test('a wiki without imports is exported with its own ids', async () => {
  const { wiki } = await buildWiki([{ what: 'create', title: 'Boats', text: 'One' }])
  const { facts } = await factsOf(await textOf(exportDump(wiki)))
  expect(facts).toMatchObject([{ id: 1, title: '0 Boats', text: 'One', contributor: { id: 1, name: 'Ada Example' } }])
})
