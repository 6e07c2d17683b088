import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { findPages, findTitles, searchPages } from '../../src/operations/search-pages.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import type { Job } from '../../src/operations/workers/job.ts'
import { type JobSources, runJob } from '../../src/operations/workers/run-job.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { tryFolderLock } from '../../src/store/repository/lock-file.ts'
import { ada, commitFiles, create, edit, newWiki } from './_wiki.ts'

const pages = {
  'RT Target': "'''Zorblatt''' quuxification.\nThe ''zorblatt'' & <b>\nthird zorblatt",
  'RT Redirect': '#REDIRECT [[RT Target]]',
  'RT RedirMissing': '#REDIRECT [[RT Does Not Exist]]',
  Nocontentmatch: 'the word brillig appears brillig.',
  Wabe: 'brillig and the slithy toves',
  'Talk:Wabe': 'brillig talk',
  'File:Small.png': 'a small brillig picture',
  Empty: '',
}

let shared: Wiki

beforeAll(async () => {
  shared = (await newWiki(pages)).wiki
})

async function found(q: string, limit?: number) {
  return (await searchPages(shared, { q, limit })).pages
}

/** Names of the files of the index. */
async function segmentsOf(wiki: Wiki): Promise<string[]> {
  const names = await readdir(join(wiki.store.cacheDirectory, 'search'))
  return names.filter(name => name.endsWith('.segment')).sort()
}

const titles = async (wiki: Wiki, q: string) => (await searchPages(wiki, { q })).pages.map(page => page.title)

test('a result has its fields in the documented order', async () => {
  expect(JSON.stringify(await found('ZORBLATT'))).toBe(
    JSON.stringify([
      {
        id: 1,
        key: 'RT_Target',
        title: 'RT Target',
        excerpt:
          '&#039;&#039;&#039;<span class="searchmatch">Zorblatt</span>&#039;&#039;&#039; quuxification.\nThe &#039;&#039;<span class="searchmatch">zorblatt</span>&#039;&#039; &amp; &lt;b&gt;\n',
        matched_title: null,
        description: null,
        thumbnail: null,
      },
    ]),
  )
})

describe('what is found', () => {
  test.each([
    ['brillig slithy', ['Wabe']],
    ['"slithy toves"', ['Wabe']],
    ['"toves slithy"', []],
    ['slit*', ['Wabe']],
    ['talk:brillig', ['Talk:Wabe']],
    ['File:Small', ['File:Small.png']],
    ['Help:brillig', []],
    ['Talk:', []],
    ['  ', []],
    ['(', []],
    ['"', []],
    [':brillig slithy', ['Wabe']],
    ['qqqnohitsqqq', []],
  ])('%j', async (q, expected) => {
    expect((await found(q)).map(page => page.title)).toEqual(expected)
  })

  test('brillig: two pages of the main namespace', async () => {
    expect((await found('brillig')).map(page => page.title).sort()).toEqual(['Nocontentmatch', 'Wabe'])
  })

  test('all:brillig: pages of every namespace', async () => {
    expect(await found('all:brillig')).toHaveLength(4)
  })

  test('the namespaces of wiki.json', async () => {
    const { wiki } = await newWiki(pages, { searchedNamespaces: [1] })
    expect(await titles(wiki, 'brillig')).toEqual(['Talk:Wabe'])
  })

  test('the page with exactly this title comes first', async () => {
    const { wiki } = await newWiki({ B: 'wabe wabe wabe', 'Wabe wabe': 'wabe', Wabe: 'x' })
    expect((await titles(wiki, 'wabe'))[0]).toBe('Wabe')
  })

  test('results by title or text obey the limit', async () => {
    expect(await found('all:brillig', 3)).toHaveLength(3)
  })
})

describe('excerpts', () => {
  test('of a page that only its title matches are its beginning', async () => {
    expect(await found('nocontentmatch')).toMatchObject([{ excerpt: expect.stringMatching(/^the word brillig/) }])
  })

  test('of an empty page are empty', async () => {
    expect(await found('empty')).toMatchObject([{ title: 'Empty', excerpt: '' }])
  })
})

describe('redirects', () => {
  test('return their target page, with the text of the redirect', async () => {
    expect((await found('RT Redirect'))[0]).toMatchObject({
      id: 1,
      title: 'RT Target',
      matched_title: 'RT Redirect',
      excerpt: expect.stringContaining('REDIRECT</span> [['),
    })
  })

  test('to a missing page have the id 0', async () => {
    expect(await found('RedirMissing')).toMatchObject([
      { id: 0, key: 'RT_Does_Not_Exist', matched_title: 'RT RedirMissing' },
    ])
  })

  test('and their page are one result, with the text of the page', async () => {
    const results = await found('RT Target')
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ id: 1, matched_title: null })
    expect(results[0]?.excerpt).not.toContain('REDIRECT')
  })
})

test('an empty query is missing', async () => {
  await expect(found('')).rejects.toMatchObject({ code: 'missingparam' })
})

describe('filters', () => {
  let sea: Wiki
  beforeAll(async () => {
    const { wiki } = await newWiki({
      Tide: '{{Stub}} {{SHORTDESC:The sea, twice a day}} The tide comes. [[Category:Sea]] [[Moon|the moon]]',
      'Tide table': 'A tide is told by a tabel. [[category:sea]] {{Infobox sea|height=1}}',
      Moon: 'It makes the tide; x = y+z.',
      'Talk:Tide': 'tide',
      'Ebb and flow': '#REDIRECT [[Tide]]',
    })
    sea = wiki
  })

  test.each([
    ['tide incategory:sea', ['Tide', 'Tide table']],
    ['tide incategory:Category:Sea', ['Tide', 'Tide table']],
    ['tide -incategory:sea', ['Moon']],
    ['linksto:moon', ['Tide']],
    ['hastemplate:infobox_sea', ['Tide table']],
    ['hastemplate:"Template:Stub" tide', ['Tide']],
    ['intitle:table', ['Tide table']],
    ['prefix:tide t', ['Tide table']],
    ['prefix:Talk:Ti', ['Talk:Tide']],
    ['insource:/y\\+[a-z]/', ['Moon']],
    ['insource:"y+z"', ['Moon']],
    ['tide insource:/TABEL/i', ['Tide table']],
    ['-insource:/t/ moon', []],
    ['tide -"comes"', ['Moon', 'Tide table']],
    ['tide -"tide comes"', ['Moon', 'Tide table']],
    ['ebb flow', ['Tide']],
    ['incategory:nothing', []],
  ])('%j', async (q, expected) => {
    expect((await titles(sea, q)).sort()).toEqual(expected)
  })

  test.each([
    ['insource:/y\\+[a-z]/', '<span class="searchmatch">y+z</span>'],
    ['insource:"Y+Z"', '<span class="searchmatch">y+z</span>'],
    ['insource:/y/ -insource:/no such/', '<span class="searchmatch">y</span>'],
  ])('%j shows the match', async (q, mark) => {
    expect((await searchPages(sea, { q })).pages.map(({ excerpt }) => excerpt)).toContainEqual(
      expect.stringContaining(mark),
    )
  })

  test('the words of an identifier are highlighted where a page has them separately', async () => {
    const { wiki } = await newWiki({ Rope: 'First.\nA rope is here.\nNothing.\nA locker is there.' })
    const { pages } = await searchPages(wiki, { q: 'rope_locker' })
    const marked = (word: string) => `A <span class="searchmatch">${word}</span> is`
    expect(pages.map(({ excerpt }) => excerpt)).toEqual([`${marked('rope')} here.\n${marked('locker')} there.\n`])
  })

  test('refuse invalid patterns', async () => {
    await expect(titles(sea, 'insource:/(/')).rejects.toMatchObject({ code: 'wiki-bad-pattern', status: 400 })
  })

  test('a result has its description, and names a redirect', async () => {
    const [first] = (await searchPages(sea, { q: 'ebb' })).pages
    expect(first).toMatchObject({ title: 'Tide', description: 'The sea, twice a day', matched_title: 'Ebb and flow' })
  })

  test('named namespaces replace the default ones', async () => {
    const { pages } = await searchPages(sea, { q: 'tide', namespaces: [1] })
    expect(pages.map(page => page.title)).toEqual(['Talk:Tide'])
  })

  test('a result reports how it was found', async () => {
    expect(await findPages(sea, { q: 'tabel' })).toMatchObject({ mode: 'all', suggestion: null, missing: 0 })
    expect(await findPages(sea, { q: 'Moan infabox' })).toMatchObject({ mode: 'all', results: { pages: [] } })
    expect(await findPages(sea, { q: 'comez tide' })).toMatchObject({ mode: 'similar', suggestion: 'comes tide' })
    expect(await findPages(sea, { q: 'comes tabel' })).toMatchObject({ mode: 'any', suggestion: null })
  })
})

describe('redirects that change', () => {
  test('are found by their current target', async () => {
    const { wiki } = await newWiki({ Tide: 'sea', Moon: 'night', Ebb: '#REDIRECT [[Tide]]' })
    const found = async (q: string) =>
      (await searchPages(wiki, { q })).pages.map(page => [page.title, page.matched_title])
    expect(await found('ebb')).toEqual([['Tide', 'Ebb']])
    await edit(wiki, 'Ebb', '#REDIRECT [[Moon]]')
    expect(await found('ebb')).toEqual([['Moon', 'Ebb']])
    expect(await found('ebb night')).toEqual([['Moon', 'Ebb']])
    await edit(wiki, 'Ebb', 'a page of its own')
    expect(await found('ebb')).toEqual([['Ebb', null]])
    await edit(wiki, 'Ebb', '#REDIRECT [[Tide]]')
    await deletePages(wiki, { titles: ['Tide'], comment: null, author: ada })
    expect(await found('ebb')).toEqual([['Tide', 'Ebb']])
    await create(wiki, 'Tide', 'sea again')
    expect(await found('ebb again')).toEqual([['Tide', 'Ebb']])
    await deletePages(wiki, { titles: ['Ebb'], comment: null, author: ada })
    expect(await found('ebb')).toEqual([])
  })
})

describe('the index', () => {
  test('follows edits, moves and deletions', async () => {
    const { wiki } = await newWiki({ A: 'alpha', B: 'beta' })
    expect(await titles(wiki, 'alpha')).toEqual(['A'])
    await edit(wiki, 'A', 'gamma')
    expect(await titles(wiki, 'gamma')).toEqual(['A'])
    await movePage(wiki, { from: 'A', to: 'Delta', comment: null, author: ada, redirect: false })
    expect(await titles(wiki, 'delta')).toEqual(['Delta'])
    await deletePages(wiki, { titles: ['B'], comment: null, author: ada })
    expect(await titles(wiki, 'beta')).toEqual([])
  })

  test('a search right after a write finds it, also beside other searches', async () => {
    const { wiki } = await newWiki({ A: 'alpha' })
    const early = titles(wiki, 'alpha')
    await create(wiki, 'B', 'alpha')
    expect((await titles(wiki, 'alpha')).sort()).toEqual(['A', 'B'])
    expect(await early).toContain('A')
  })

  test('is stored in the git directory, and reused', async () => {
    const { wiki, directory } = await newWiki({ A: 'alpha' })
    await titles(wiki, 'alpha')
    const stored = await segmentsOf(wiki)
    expect(stored).toHaveLength(1)
    const other = await openWiki({ directory })
    expect(await titles(other, 'alpha')).toEqual(['A'])
    expect(await segmentsOf(wiki)).toEqual(stored)
    await create(other, 'B', 'beta')
    expect(await titles(other, 'beta')).toEqual(['B'])
    expect(await segmentsOf(wiki)).toEqual(expect.arrayContaining(stored))
    expect(await titles(wiki, 'beta')).toEqual(['B'])
    await other.close()
  })

  test('is built in memory while another process has the lock', async () => {
    const { wiki, directory } = await newWiki({ A: 'alpha' })
    await titles(wiki, 'alpha')
    const release = tryFolderLock(join(wiki.store.cacheDirectory, 'search', 'lock'))!
    const stored = await segmentsOf(wiki)
    await create(wiki, 'B', 'beta')
    expect(await titles(wiki, 'beta')).toEqual(['B'])
    expect(await segmentsOf(wiki)).toEqual(stored)
    release()
    await create(wiki, 'C', 'beta')
    expect((await titles(wiki, 'beta')).sort()).toEqual(['B', 'C'])
    const other = await openWiki({ directory })
    expect((await titles(other, 'beta')).sort()).toEqual(['B', 'C'])
    await other.close()
  })

  test('is queried as far as it is built if the caller cannot wait', async () => {
    const { wiki, directory } = await newWiki({ A: 'alpha', B: 'alpha' })
    const other = await openWiki({ directory })
    const first = await findPages(other, { q: 'alpha', patience: 0 })
    expect(first.missing).toBeGreaterThan(0)
    expect(first.results.pages.length).toBeLessThanOrEqual(2)
    expect((await findTitles(other, { q: 'A', patience: 0 })).results.pages.map(page => page.title)).toEqual(['A'])
    expect(await findPages(other, { q: 'alpha' })).toMatchObject({ missing: 0, results: { pages: { length: 2 } } })
    await other.close()
    expect(await titles(wiki, 'alpha')).toHaveLength(2)
  })

  test('is not needed to find titles by their beginning', async () => {
    const { directory } = await newWiki({ 'Tide tables': 'x', 'Low tides': 'x', Tide: 'x', 'Talk:Tide': 'x' })
    const other = await openWiki({ directory })
    const { results, missing } = await findTitles(other, { q: 'tide', match: 'words', patience: 0 })
    expect(results.pages.map(page => page.title)).toEqual(['Tide', 'Tide tables'])
    expect(missing).toBe(4)
    await other.close()
  })

  test('is awaited longer if only a few pages are missing', async () => {
    const { wiki } = await newWiki({ A: 'alpha', B: 'alpha' })
    let time = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 600))
    onTestFinished(() => clock.mockRestore())
    expect(await findPages(wiki, { q: 'alpha', patience: 500 })).toMatchObject({
      missing: 0,
      results: { pages: { length: 2 } },
    })
  })

  test('merges many segments into few', { tags: 'long' }, async () => {
    const { wiki } = await newWiki()
    const names = Array.from({ length: 20 }, (_, number) => `Page ${number}`)
    for (const name of names) {
      await create(wiki, name, `alpha ${name}`)
      expect(await titles(wiki, `"${name}"`)).toContain(name)
    }
    expect((await titles(wiki, 'alpha')).sort()).toEqual([...names].sort())
    expect((await segmentsOf(wiki)).length).toBeLessThan(10)
  })

  const damages: readonly (readonly [what: string, file: RegExp, damage: (stored: Buffer) => Buffer | null])[] = [
    ['has a segment less', /segment$/, () => null],
    ['has a segment that is cut', /segment$/, stored => stored.subarray(0, -20)],
    ['has an empty segment', /segment$/, () => Buffer.alloc(0)],
    ['has a segment with a changed byte', /segment$/, stored => stored.fill(stored[10]! ^ 1, 10, 11)],
    ['has a list that is cut', /json$/, stored => stored.subarray(0, -20)],
    ['has an empty list', /json$/, () => Buffer.alloc(0)],
    [
      'has a list of another version',
      /json$/,
      stored => Buffer.from(stored.toString().replace('"version":1', '"version":0')),
    ],
  ]
  test.each(damages)('is rebuilt if it %s', async (_, file, damage) => {
    const { wiki, directory } = await newWiki({ A: 'alpha' })
    await titles(wiki, 'alpha')
    const folder = join(wiki.store.cacheDirectory, 'search')
    for (const name of (await readdir(folder)).filter(name => file.test(name))) {
      const damaged = damage(await readFile(join(folder, name)))
      if (damaged === null) await rm(join(folder, name))
      else await writeFile(join(folder, name), damaged)
    }
    const other = await openWiki({ directory })
    expect(await titles(other, 'alpha')).toEqual(['A'])
    await other.close()
  })

  test('accepts files that are not UTF-8', async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': 'alpha \uFFFD\0 beta' })
    expect(await titles(wiki, 'beta')).toEqual(['A'])
  })
})

test('a search in progress is completed when the wiki is closed', { tags: 'long' }, async () => {
  const { directory } = await newWiki(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`Page ${at}`, 'tide'])))
  for (const turns of [0, 1, 2, 5, 10, 20]) {
    const wiki = await openWiki({ directory })
    await rm(join(wiki.store.cacheDirectory, 'search'), { recursive: true, force: true })
    const asked = searchPages(wiki, { q: 'tide' }).catch(() => undefined)
    for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
    await wiki.close()
    await asked
  }
})

describe('words that are far apart', () => {
  const far = `A list of things.\n\n== One ==\nA lighthouse.\n\n${'Nothing of it here. '.repeat(60)}\n\n== Two ==\nA ferry.\n`

  test('do not match if a page is about one of them', async () => {
    const others = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`Page ${at}`, 'tide']))
    const { wiki } = await newWiki({ ...others, Things: far, 'Ferry service': 'It crosses the bay twice a day.' })
    const { results, mode } = await findPages(wiki, { q: 'lighthouse ferry' })
    expect([mode, results.pages.map(({ title }) => title)]).toEqual(['scattered', ['Ferry service', 'Things']])
  })

  test('are a match if another page has them together', async () => {
    const together = 'The ferry goes to the lighthouse.'
    const { wiki } = await newWiki({ Things: far, Trip: together, 'Ferry service': 'It crosses the bay.' })
    const { results, mode } = await findPages(wiki, { q: 'lighthouse ferry' })
    expect([mode, results.pages.map(({ title }) => title).sort()]).toEqual(['all', ['Things', 'Trip']])
  })

  test('are a match if title, headings and lead contain them', async () => {
    const { wiki } = await newWiki({ 'The ferry': far.replace('things', 'lighthouses'), 'Ferry service': 'x' })
    expect((await findPages(wiki, { q: 'lighthouse ferry' })).mode).toBe('all')
  })

  test('are matched literally if the query has operators', async () => {
    const { wiki } = await newWiki({ Things: far, 'Ferry service': 'It crosses the bay.' })
    const { results, mode } = await findPages(wiki, { q: 'lighthouse ferry -bay' })
    expect([mode, results.pages.map(({ title }) => title)]).toEqual(['all', ['Things']])
  })
})

describe('the language of a wiki', () => {
  const texts = { Häuser: 'Alte Häuser am Hafen.', Haus: 'Ein Hauses Dach.' }

  test('determines the forms of words, which are highlighted', async () => {
    const { wiki } = await newWiki({ Boats: 'Two boats and a boat.' })
    const [page] = (await searchPages(wiki, { q: 'boating' })).pages
    expect(page?.excerpt).toBe(
      'Two <span class="searchmatch">boats</span> and a <span class="searchmatch">boat</span>.\n',
    )
  })

  test('is that of wiki.json', async () => {
    const german = (await newWiki(texts, { language: 'de' })).wiki
    const english = (await newWiki(texts, { language: 'en' })).wiki
    const q = 'haus alte'
    expect([await titles(german, q), await titles(english, 'hause')]).toEqual([['Häuser'], ['Haus']])
  })

  test('is ignored if wiki.json says so', async () => {
    const { wiki } = await newWiki({ Trip: 'Two boats.', Other: 'A boating.' }, { stemming: false })
    expect(await titles(wiki, 'boating')).toEqual(['Other'])
    await commitFiles(wiki, { 'wiki.json': JSON.stringify({ stemming: true }) })
    expect(await titles(wiki, 'boating')).toEqual(['Other', 'Trip'])
  })
})

test("a link that names a page's file counts as a link to it", async () => {
  const { wiki } = await newWiki({ Tide: 'x', Moon: 'See [[tide.wiki|the tide]] and [[tide.png]].' })
  expect(await titles(wiki, 'linksto:Tide')).toEqual(['Moon'])
})

describe('links of Markdown, by path, name or alias', () => {
  const notes = {
    'notes/Tide.md': '---\naliases: [Ebb]\n---\nWater.',
    'notes/Moon.md': '[[Tide#High|the tide]] and [x](../guide/sea%20wall.md#y)',
    'guide/sea wall.md': '[[Ebb]] `[[Moon]]`\n\n[m]: ../notes/Moon.md',
    'guide/index.md': '<a href="sea wall.md">wall</a> ![w](img/wall.png) [[Later]]',
    'guide/img/wall.png': 'x',
  }

  test('are found by the title of their target', async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, notes)
    const linking = async (title: string) => (await titles(wiki, `linksto:"${title}"`)).sort()
    expect(await linking('Notes/Tide')).toEqual(['Guide/sea wall', 'Notes/Moon'])
    expect(await linking('Guide/sea wall')).toEqual(['Guide/index', 'Notes/Moon'])
    expect(await linking('Notes/Moon')).toEqual(['Guide/sea wall'])
    expect(await linking('Ebb')).toEqual([])
  })

  test('follow pages and aliases that come and go', async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, notes)
    const linking = (title: string) => titles(wiki, `linksto:"${title}"`)
    expect(await linking('Later')).toEqual(['Guide/index'])
    await commitFiles(wiki, { 'notes/later.md': 'Now it exists.', 'notes/Tide.md': 'No alias.' })
    expect(await linking('Notes/later')).toEqual(['Guide/index'])
    expect(await linking('Notes/Tide')).toEqual(['Notes/Moon'])
    await deletePages(wiki, { titles: ['Notes/later'], author: ada, comment: 'gone' })
    expect(await linking('Notes/later')).toEqual([])
  })

  test('raise a page among equals', async () => {
    const { wiki } = await newWiki()
    const equals = { 'a/One.md': 'A lighthouse.', 'a/Two.md': 'A lighthouse.' }
    await commitFiles(wiki, { ...equals, 'b/x.md': '[[Two]]', 'b/y.md': '[t](../a/Two.md)' })
    expect(await titles(wiki, 'lighthouse')).toEqual(['A/Two', 'A/One'])
    await commitFiles(wiki, { 'b/x.md': '[[One]]', 'b/y.md': '[t](../a/One.md)' })
    expect(await titles(wiki, 'lighthouse')).toEqual(['A/One', 'A/Two'])
  })
})

test('of a long page only the beginning is read for its words; its source is searched', async () => {
  const hidden = `<!-- ${'x'.repeat(110_000)} -->`
  const { wiki } = await newWiki({ Long: `${hidden}\nThe last ''wumpus'' sleeps.`, Short: "The ''wumpus'' wakes." })
  const found = async (q: string, excerpts?: 'words') =>
    new Map((await findPages(wiki, { q, excerpts })).results.pages.map(({ key, excerpt }) => [key, excerpt]))
  const marked = '<span class="searchmatch">wumpus</span>'
  expect(await found('wumpus', 'words')).toEqual(
    new Map([
      ['Short', `The ${marked} wakes.\n`],
      ['Long', `The last &#039;&#039;${marked}&#039;&#039; sleeps.\n`],
    ]),
  )
  // No word is searched for, so the excerpt is the beginning: that of the long page has no words.
  expect(await found('-snark')).toEqual(
    new Map([
      ['Short', 'The wumpus wakes.'],
      ['Long', ''],
    ]),
  )
})

test('a pattern is tried on a long text in a worker, with the same result', async () => {
  const { wiki } = await newWiki({ Long: `${'some words of a line\n'.repeat(6000)}needle 42\n`, Short: 'needle 7' })
  const here = (await searchPages(wiki, { q: 'insource:/needle [0-9]+/' })).pages
  const run = vi.fn(async (job: Job) => runJob(structuredClone(job), {} as JobSources))
  const workerPool = () => ({ run, close: async () => {} }) as unknown as WorkerPool
  const there = (await searchPages({ ...wiki, workerPool }, { q: 'insource:/needle [0-9]+/' })).pages
  expect(there).toEqual(here)
  expect(here.map(({ title }) => title).sort()).toEqual(['Long', 'Short'])
  expect(run.mock.calls.map(([{ task }]) => task)).toEqual(['places'])
})
