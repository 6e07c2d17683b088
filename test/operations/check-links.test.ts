import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { reportFormats } from '../../src/checks/formats.ts'
import type { Problem } from '../../src/checks/problem.ts'
import { WikiError } from '../../src/core/errors.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { pagesNaming, searchForNames } from '../../src/operations/checking/affected-pages.ts'
import { stateOfCommit } from '../../src/operations/checking/wiki-state.ts'
import { compareCommits } from '../../src/operations/compare-commits.ts'
import { linkGraph } from '../../src/operations/linking/link-graph.ts'
import { movePage } from '../../src/operations/move-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { ada, commitFiles, newWiki, openTestWiki, writeWork } from './_wiki.ts'

async function problemsSince(wiki: Wiki, from: string | null, only?: readonly string[]): Promise<string[]> {
  const look = async (): Promise<string[]> => {
    const { problems } = await checkChange(wiki, { from, to: 'HEAD', sinceParting: false })
    return problems.map(({ kind, path, text }) => `${kind} ${path} ${text}`).sort()
  }
  const found = await look()
  // With recorded links the texts are not read, and the result is the same.
  await linkGraph(wiki)
  expect(await look()).toEqual(found)
  return only === undefined ? found : found.filter(problem => only.some(kind => problem.startsWith(kind)))
}

const looked = {
  'Link.wiki': 'See [[low%20Water#Spring &amp; neap|the ebb]].\n',
  'Prose.wiki': 'Of low water and #spring-&-neap, and a [[link]].\n',
  'Other.wiki': '[[Low]] [[water]]\n',
}

async function lookIn(wiki: Wiki) {
  const state = await stateOfCommit(wiki.store, wiki.store.tip!)
  return pagesNaming(wiki, { before: state, after: state }, [['low-water'], ['#spring-&-neap']].map(searchForNames))
}

const recordOf = ({ store }: Wiki): string => join(store.cacheDirectory, 'links/texts.jsonl')

test('a page is checked for its links, which the check records', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, looked)
  expect(await lookIn(wiki)).toEqual([['Link.wiki'], ['Link.wiki']])
  const record = readFileSync(recordOf(wiki), 'utf8')
  expect(record.split('\n').length).toBeGreaterThan(4)
  // An existing record is used, so no text is read.
  await commitFiles(wiki, { 'New.wiki': '[[low water]]\n' })
  expect(await lookIn(wiki)).toEqual([['Link.wiki', 'New.wiki'], ['Link.wiki']])
  expect(readFileSync(recordOf(wiki), 'utf8').startsWith(record)).toBe(true)
  // The graph is built from the same records.
  const graph = await linkGraph(wiki)
  expect(graph.to('Low_water')).toHaveLength(1)
})

test('a text whose links take too long to find is checked as a whole, and read once', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { ...looked, 'Long.wiki': `[[x]] low water ${'x'.repeat(5000)}\n` })
  const run = vi.fn(() => Promise.reject(new WikiError('wiki-work-limit', { params: ['it takes too long'] })))
  const slow: Wiki = { ...wiki, workerPool: () => ({ run, end: async () => {} }) as unknown as WorkerPool }
  for (const _ of [1, 2]) expect((await lookIn(slow))[0]).toEqual(['Link.wiki', 'Long.wiki'])
  expect(run).toHaveBeenCalledTimes(1)
  // Other readers of all links try again, because another machine may be faster.
  expect((await linkGraph(wiki)).to('X')).toHaveLength(1)
})

test('a shallow clone gets no record, and all of its texts are checked', { tags: 'long' }, async context => {
  needsGit(context)
  const { wiki, directory } = await newWiki()
  await commitFiles(wiki, looked)
  const clone = join(await temporaryDirectory(), 'clone')
  git(directory, 'clone', '-q', '--depth=1', `file://${directory}`, clone)
  const shallow = await openTestWiki(clone)
  await shallow.store.refresh()
  expect(await lookIn(shallow)).toEqual([
    ['Link.wiki', 'Prose.wiki'],
    ['Link.wiki', 'Prose.wiki'],
  ])
  expect(existsSync(recordOf(shallow))).toBe(false)
  // An existing record, for example from a CI cache, is updated.
  await linkGraph(shallow)
  writeFileSync(recordOf(shallow), readFileSync(recordOf(shallow), 'utf8').replace(/^.*low%20.*\n/m, ''))
  expect(await lookIn(shallow)).toEqual([['Link.wiki'], ['Link.wiki']])
  expect(readFileSync(recordOf(shallow), 'utf8')).toContain('low%20')
})

const files = {
  'Tides.wiki': 'See [[Ebb]], {{Box}} and [[File:Map.png]]. [[Old red link]]\n',
  'Ebb.wiki': 'Low. [[Category:Sea]] <nowiki>[[No]]</nowiki>\n',
  'Template/Box.wiki': 'Box.\n',
  'Map.png': 'no picture',
  'notes/Index.md':
    '[ebb](../Ebb.wiki) [[Guide]] ![m](../Map.png) [licence](../LICENSE) [f](../tools) [old](gone.md)\n',
  'notes/Guide.md': 'Guide.\n',
}

async function linkedWiki() {
  const made = await newWiki({}, { links: 'notes' })
  await commitFiles(made.wiki, { ...files, LICENSE: 'free', 'tools/run.sh': 'true' })
  return made
}

test('a deletion breaks the pages that link to it, and only new problems are reported', { tags: 'long' }, async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  expect(await problemsSince(wiki, null)).toEqual([
    'broken-link notes/Index.md gone.md',
    'red-link Tides.wiki Old red link',
  ])
  await commitFiles(wiki, { 'Ebb.wiki': null, 'Template/Box.wiki': null, 'Map.png': null, 'notes/Guide.md': null })
  expect(await problemsSince(wiki, before)).toEqual([
    'broken-link notes/Index.md ../Ebb.wiki',
    'broken-link notes/Index.md Guide',
    'missing-file Tides.wiki File:Map.png',
    'missing-file notes/Index.md ../Map.png',
    'missing-template Tides.wiki Box',
    'red-link Tides.wiki Ebb',
  ])
})

test('a rename that updates links adds no problem, and one without does', { tags: 'long' }, async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  const move = { from: 'Notes/Guide', comment: null, author: ada, redirect: false }
  await movePage(wiki, { ...move, to: 'Notes/Handbook', updateLinks: true })
  expect(await problemsSince(wiki, before)).toEqual([])
  await movePage(wiki, { ...move, from: 'Notes/Handbook', to: 'Notes/Manual' })
  expect(await problemsSince(wiki, before)).toEqual(['broken-link notes/Index.md Handbook'])
})

test('a new page fixes links to it, and may add problems of its own', { tags: 'long' }, async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  await commitFiles(wiki, { 'notes/gone.md': '[x](nowhere.md)\n' })
  expect(await problemsSince(wiki, before)).toEqual(['broken-link notes/gone.md nowhere.md'])
  expect(await problemsSince(wiki, null)).not.toContain('broken-link notes/Index.md gone.md')
})

test('a renamed section breaks the links to it on unchanged pages', { tags: 'long' }, async () => {
  const { wiki, directory } = await newWiki({}, { links: 'notes' })
  await commitFiles(wiki, {
    'Ebb.wiki': '== Low water ==\n\n== Twice ==\n\n== Twice ==\n<span id="mark"></span> {{Place}}\n',
    'Template/Place.wiki': '<span id="through"></span>\n',
    'Guide.md': '# Set up\n\n```\n# No heading\n```\n\n## `wiki init`\n',
    'Tides.wiki':
      '[[Ebb#Low water]] [[Ebb#Low_water|a]] [[Ebb#Twice_2]] [[Ebb#mark]] [[Ebb#through]] [[#Here]]\n== Here ==\n',
    'index.md': '[a](Guide.md#set-up) [b](Guide.md#wiki-init) [[Guide#Set up]] [c](Ebb.wiki#Low_water) [t](#top)\n',
    'Away.wiki': '#REDIRECT [[Ebb#Low water]]\n',
  })
  const before = git(directory, 'rev-parse', 'HEAD')
  expect(await problemsSince(wiki, null)).toEqual([])
  await commitFiles(wiki, { 'Ebb.wiki': '== High water ==\n', 'Guide.md': '# Install\n\n## `wiki init`\n' })
  expect(await problemsSince(wiki, before)).toEqual([
    'broken-anchor Away.wiki Ebb#Low water',
    'broken-anchor Tides.wiki Ebb#Low water',
    'broken-anchor Tides.wiki Ebb#Low_water',
    'broken-anchor Tides.wiki Ebb#Twice_2',
    'broken-anchor Tides.wiki Ebb#mark',
    'broken-anchor Tides.wiki Ebb#through',
    'broken-anchor index.md Ebb.wiki#Low_water',
    'broken-anchor index.md Guide#Set up',
    'broken-anchor index.md Guide.md#set-up',
  ])
})

test('a page that loses the last link to it is reported, and one with another link is not', {
  tags: 'long',
}, async () => {
  const { wiki, directory } = await newWiki({}, { links: 'notes' })
  const others = { 'Ebb.wiki': 'Low.\n', 'Flood.md': 'High.\n', 'Home.md': '[[Flood]]\n', 'Alone.wiki': 'Alone.\n' }
  await commitFiles(wiki, {
    ...others,
    'Tides.wiki': '[[Ebb]] [[Flood]] [[Home]]\n',
    'Neap.wiki': '[[Neap]] [[ebb]]\n',
  })
  const before = git(directory, 'rev-parse', 'HEAD')
  await commitFiles(wiki, { 'Tides.wiki': 'No links.\n' })
  expect(await problemsSince(wiki, before)).toEqual([])
  await commitFiles(wiki, { 'Neap.wiki': '[[Neap]]\n' })
  expect(await problemsSince(wiki, before)).toEqual(['orphaned-page Ebb.wiki '])
})

test('the problems of a page that is moved and edited move with it', async () => {
  const { wiki, directory } = await newWiki()
  const text = 'Old <tt>fault</tt> and [[none]].\nA second line that stays as it is, for the most part.\n'
  await commitFiles(wiki, { 'Old name.wiki': text, 'Other.wiki': 'Another page, with words of its own.\n' })
  const before = git(directory, 'rev-parse', 'HEAD')
  await commitFiles(wiki, { 'Old name.wiki': null, 'Sub/New name.wiki': `${text}A new line.\n` })
  expect(await problemsSince(wiki, before)).toEqual([])
})

test.each(['wiki', 'WIKI'])('a new double redirect in a file .%s names its final target', async extension => {
  const { wiki, directory } = await newWiki()
  await commitFiles(wiki, { [`A.${extension}`]: '#REDIRECT [[B]]\n', [`B.${extension}`]: 'Text.\n' })
  const before = git(directory, 'rev-parse', 'HEAD')
  await commitFiles(wiki, { [`B.${extension}`]: '#REDIRECT [[C#Part]]\n', 'C.wiki': '== Part ==\n' })
  const { problems } = await checkChange(wiki, { from: before, to: 'HEAD', sinceParting: false })
  expect(problems).toMatchObject([
    {
      kind: 'double-redirect',
      path: `A.${extension}`,
      place: { line: 1, column: 13 },
      fix: { start: 12, end: 13, text: 'C#Part' },
    },
  ])
})

test('a file whose name is not UTF-8 is reported with its bytes', async context => {
  needsGit(context)
  const { wiki, directory } = await newWiki({ Ebb: 'Ebb.\n' })
  const blob = git(directory, 'rev-parse', 'HEAD:Ebb.wiki')
  const names = [
    'B\xff.wiki',
    'B\xfe.wiki',
    'caf\xe9 "d\xe9"/a.md',
    'caf\xe9 "d\xe9"/\xe8\\.png',
    Buffer.from('C\ufffd.md').toString('latin1'),
  ]
  execFileSync('git', ['-C', directory, 'update-index', '-z', '--index-info'], {
    input: Buffer.from(names.map(name => `100644 ${blob}\t${name}\0`).join(''), 'latin1'),
  })
  const found = (problems: readonly Problem[]) =>
    problems.filter(({ kind }) => kind === 'illegal-title').map(({ path, message }) => `${path} ${message}`)
  const expected = [
    'B\ufffd.wiki Its name is not UTF-8: "B\\376.wiki" in git',
    'B\ufffd.wiki Its name is not UTF-8: "B\\377.wiki" in git',
    'caf\ufffd "d\ufffd"/a.md Its name is not UTF-8: "caf\\351 \\"d\\351\\"/a.md" in git',
  ]
  const staged = await checkChange(wiki, { from: 'HEAD', to: { state: 'staged' }, sinceParting: false })
  expect(found(staged.problems)).toEqual(expected)
  git(directory, 'commit', '-qm', 'Names of bytes')
  const report = await checkChange(wiki, { from: 'HEAD~1', to: 'HEAD', sinceParting: false })
  expect(found(report.problems)).toEqual(expected)
  const listed = git(directory, 'ls-files', '*.md', 'B*')
  for (const { message } of report.problems.filter(({ pathBytes }) => pathBytes !== undefined))
    expect(listed).toContain(/".*"/.exec(message)![0])
  const { results } = JSON.parse(reportFormats.sarif({ ...report, version: '1' }, 'note')).runs[0]
  const uris = results.map(
    (one: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
      one.locations[0]!.physicalLocation.artifactLocation.uri,
  )
  expect(uris).toEqual(expect.arrayContaining(['B%FE.wiki', 'B%FF.wiki', 'caf%E9%20%22d%E9%22/a.md']))
  const { files: compared } = await compareCommits(wiki, { from: 'HEAD~1', to: 'HEAD' })
  expect(compared.map(({ path, kind }) => `${kind} ${path}`)).toContain('added B\ufffd.wiki')
})

test('names in front matter are those of the checked state', { tags: 'long' }, async () => {
  const { wiki, directory } = await newWiki({}, { links: 'notes' })
  const bee = (name: string) => `---\naliases: [${name}]\n---\nBee.\n`
  await commitFiles(wiki, { 'Index.md': '[[Honey]] [[Wax]]\n', 'Bee.md': bee('Honey') })
  const before = git(directory, 'rev-parse', 'HEAD')
  const broken = async (to: string | { readonly state: 'work' }) => {
    const { problems } = await checkChange(wiki, { from: null, to, sinceParting: false })
    return problems.filter(({ kind }) => kind === 'broken-link').map(({ text }) => text)
  }
  expect(await broken('HEAD')).toEqual(['Wax'])
  await writeWork(directory, 'Bee.md', bee('Wax'))
  expect(await broken({ state: 'work' })).toEqual(['Honey'])
  expect(await broken('HEAD')).toEqual(['Wax'])
  git(directory, 'checkout', '-q', '.')
  await commitFiles(wiki, { 'Bee.md': bee('Wax') })
  expect(await broken('HEAD')).toEqual(['Honey'])
  expect(await problemsSince(wiki, before)).toEqual(['broken-link Index.md Honey'])
})

test('a text that is too long to check is reported, committed or not', { tags: 'long' }, async () => {
  const { wiki, directory } = await newWiki({ Long: 'x' })
  const text = `<tt>x</tt>${'x'.repeat(4 * 1024 * 1024)}\n`
  const look = async (to: 'HEAD' | { readonly state: 'work' }) =>
    (await checkChange(wiki, { from: 'HEAD~0', to, sinceParting: false })).problems.map(({ kind }) => kind)
  const before = wiki.store.tip
  await writeWork(directory, 'Long.wiki', text)
  expect(await look({ state: 'work' })).toEqual(['unread-page'])
  await commitFiles(wiki, { 'Long.wiki': text })
  const { problems } = await checkChange(wiki, { from: before, to: 'HEAD', sinceParting: false })
  expect(problems.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['unread-page Long.wiki'])
  // It is not new the next time.
  await commitFiles(wiki, { 'Long.wiki': `${text}more\n` })
  expect((await checkChange(wiki, { from: 'HEAD~1', to: 'HEAD', sinceParting: false })).problems).toEqual([])
})

test('a page whose links take too long to find is reported', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'Long.md': '[x](none.md) '.repeat(30_000), 'Plain.md': 'x '.repeat(150_000) })
  expect(await problemsSince(wiki, null, ['unread-links'])).toEqual(['unread-links Long.md '])
  const before = wiki.store.tip
  await commitFiles(wiki, { 'Short.md': 'Short.\n' })
  expect(await problemsSince(wiki, before)).toEqual([])
})

test('pages that include a changed page are checked with it, each state with its own', { tags: 'long' }, async () => {
  const { wiki } = await newWiki()
  const box = '<div id="Low">{{{1}}}</div>\n'
  await commitFiles(wiki, {
    ...{ 'Template/Box.wiki': box, 'Template/Nest.wiki': '{{Box|{{{1}}}}}\n' },
    ...{
      'Template/Old_box.wiki': '#REDIRECT [[Template:Box]]\n',
      'Prose.wiki': 'Of a box, and [[Box]].\n',
      'Box.wiki': 'x\n',
    },
    ...{ 'A.wiki': '{{Box|a}}\n', 'B.wiki': '{{Nest|b}}\n', 'C.wiki': '{{old box|c}}\n', 'D.wiki': '[[A#Low]]\n' },
    ...{ 'E.wiki': '{{:A}}\n', 'F.wiki': '{{#ifexist:Gone|x|<tt>y</tt>}}\n', 'Gone.wiki': 'Gone.\n' },
  })
  const whole = wiki.store.tip!
  await commitFiles(wiki, { 'Template/Box.wiki': '<div>{{{1}}}<tt>x</tt></div>\n', 'Gone.wiki': null })
  const obsolete = ['A.wiki', 'B.wiki', 'C.wiki', 'E.wiki', 'F.wiki', 'Template/Box.wiki', 'Template/Nest.wiki']
  const found = await problemsSince(wiki, whole, ['obsolete-tag', 'broken-anchor'])
  expect(found.map(problem => problem.split(' ', 2).join(' '))).toEqual([
    'broken-anchor D.wiki',
    ...obsolete.map(path => `obsolete-tag ${path}`),
  ])
  // The pages are judged with the templates of each state, so nothing is new in the opposite direction.
  const back = await checkChange(wiki, { from: 'HEAD', to: whole, sinceParting: false })
  expect(back.problems).toEqual([])
  expect(back.gone).toBe(found.length)
})

test('a page that is too complex to render is reported, and does not end the check', { tags: 'long' }, async () => {
  const { wiki } = await newWiki()
  const before = wiki.store.tip
  await commitFiles(wiki, {
    'Complex.wiki': '<ref>x</ref>'.repeat(12_000),
    'Plain.wiki': '[[Complex#None]] <tt>x</tt>\n',
  })
  expect(await problemsSince(wiki, before)).toEqual(['obsolete-tag Plain.wiki <tt>', 'unread-page Complex.wiki '])
})
