/**
 * Every route of the API and pages for browsers, asked before and after a change by git: what a server has kept is what a new server
 * of a copy without an index gives, and a conditional request is 304 only for an equal body.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { H3 } from 'h3'
import { beforeEach, describe, expect, test } from 'vitest'
import type { openWiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { loosePath } from '../../src/store/git/objects.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { specialNames } from '../../src/web/routes.ts'
import { oneIn } from '../_rounds.ts'
import { copyFolder, git, gitAs, madeOnce, needsGit, temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { png } from '../media/_files.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { examples } from './_route-examples.ts'

beforeEach(context => needsGit(context))

const about = [
  'REVISIONID REVISIONTIMESTAMP REVISIONUSER REVISIONSIZE PAGEID PAGESIZE PROTECTIONLEVEL',
  'REVISIONDAY REVISIONDAY2 REVISIONMONTH REVISIONMONTH1 REVISIONYEAR',
]
  .join(' ')
  .split(' ')
  .map(name => `{{${name}:Pier}}`)
  .join(' ')

const files: Readonly<Record<string, string | Buffer>> = {
  'X.wiki':
    '[[File:Photo.png|thumb|A pier]] See [[Pier]] and [[Quay]]. {{Box}} [[Category:Coast]] [[de:Hafen]] words\n',
  'Pier.wiki': 'A pier. [[Category:Coast]] words\n',
  'Old.wiki': '#REDIRECT [[Pier]]\n',
  'About.wiki': `${about} {{PAGESINCATEGORY:Coast}} {{NUMBEROFPAGES}} {{NUMBEROFFILES}} {{#ifexist:Quay|yes|no}}\n`,
  'Mark.md': 'A [pier](Pier.wiki), an [[Quay]].\n',
  'Template/Box.wiki': 'A box. [[Pier]]\n',
  'Category/Coast.wiki': 'The coast.\n',
  'File/Photo.png': png(80, 40),
  'wiki.json': '{"name": "Harbour"}\n',
}

function put(directory: string, changes: Readonly<Record<string, string | Buffer | null>>, time?: string): void {
  for (const [path, content] of Object.entries(changes)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    if (content === null) rmSync(join(directory, path))
    else writeFileSync(join(directory, path), content)
  }
  git(directory, 'add', '-A')
  gitAs(time === undefined ? {} : { time }, directory, 'commit', '-q', '-m', 'Change')
}

/** A wiki with a history of several pages. */
const startWiki = madeOnce(async () => {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q')
  for (const [path, content] of Object.entries(files)) put(directory, { [path]: content })
  put(directory, { 'Pier.wiki': 'A long pier. [[Category:Coast]] words\n' })
  return directory
})

const titles = ['X', 'Pier', 'pier', 'Old', 'About', 'Mark', 'Quay', 'Template:Box', 'Category:Coast', 'File:Photo.png']
const ofTitles = titles.flatMap(title => [
  ...['', '/bare', '/html', '/with_html', '/history', '/history?filter=minor', '/history/counts/edits', '/lint'].map(
    rest => `/v1/page/${encodeURIComponent(title)}${rest}`,
  ),
  ...[
    '/history/counts/editors',
    '/history/counts/bot',
    '/history?filter=bot',
    '/history?filter=reverted',
    '/authorship',
    '/links/here',
    '/links/out',
    '/links/language',
    '/links/media',
  ].map(rest => `/v1/page/${encodeURIComponent(title)}${rest}`),
  ...['', '?action=history', '?action=info', '?action=raw', '?redirect=no'].map(query => `/wiki/${title}${query}`),
])
const ids = Array.from({ length: 11 }, (_, at) => at + 1)
const ofIds = ids.flatMap(id => ['', '/bare', '/html', '/with_html', '/lint'].map(rest => `/v1/revision/${id}${rest}`))
/** Routes whose answers do not come from the wiki, or are about the caller. */
const apart = /session|specs|openapi|Random|MyContrib|UserLog|Version|ApiHelp|Tokens|Settings|Drafts|Upload/i
const ofTable = Object.entries(examples).flatMap(([route, requests]) =>
  route.startsWith('GET ') ? requests.map(([path]) => path) : [],
)
const paths = [
  ...new Set([
    ...[...ofTitles, ...ofIds, ...ofTable.filter(path => path !== '')],
    ...['/v1/search/page?q=words', '/v1/search/page?q=incategory:Coast', '/v1/search/page?q=linksto:Pier'],
    ...['/v1/search/title?q=p', '/v1/category/Coast', '/v1/lists/wanted-pages', '/v1/revision/2/compare/10'],
    ...['/v1/file/Photo.png', '/files/Photo.png', '/files/thumb/Photo.png/40px', '/v1/changes', '/v1/pages', '/'],
    ...specialNames.map(name => `/wiki/Special:${name}`),
  ]),
].filter(path => !apart.test(path))

interface Kept {
  readonly status: number
  readonly body: string
  readonly etag: string | null
  readonly date: string | null
  /** Time of the request, as a client without its date would say. */
  readonly asked: string
}

const ask = (app: H3, path: string, headers: Readonly<Record<string, string>> = {}) =>
  app.request(`http://localhost${path}`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

async function fetched(app: H3, path: string): Promise<Kept> {
  const asked = fromNow(0).toUTCString()
  const response = await ask(app, path)
  const { headers, status } = response
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status, body, etag: headers.get('etag'), date: headers.get('last-modified'), asked }
}

const serverOf = (wiki: Awaited<ReturnType<typeof openWiki>>) =>
  createApp(wiki, { allowAnonymous: true, pages: async () => handlePage })

/** Asks everything before and after a change, with what was kept. Returns what is wrong. */
async function faultsOf(
  directory: string,
  paths: readonly string[],
  { change, retires, restarts }: Change,
): Promise<string[]> {
  let app = serverOf(await openTestWiki(directory))
  const kept = new Map<string, Kept>()
  for (const path of paths) kept.set(path, await fetched(app, path))
  change(directory)
  if (restarts) app = serverOf(await openTestWiki(directory))
  const copy = join(await temporaryDirectory(), 'wiki')
  copyFolder(directory, copy)
  rmSync(join(copy, '.git', 'wiki'), { recursive: true, force: true })
  const fresh = serverOf(await openTestWiki(copy))
  const faults: string[] = []
  for (const path of paths) {
    const before = kept.get(path)!
    const now = await fetched(app, path)
    const { body, status } = await fetched(fresh, path)
    // Retired ids are known to the index alone.
    // The page of an error names its request.
    const isSame = now.status === status && (now.body === body || status >= 400)
    if (!retires && !isSame) faults.push(`${path}: kept`)
    if (before.etag !== null && now.etag === before.etag && now.body !== before.body) faults.push(`${path}: same tag`)
    if (before.date !== null && now.date !== null && Date.parse(now.date) < Date.parse(before.date))
      faults.push(`${path}: the date goes back`)
    const conditions = [
      ...(before.etag === null ? [] : [{ 'if-none-match': before.etag }]),
      ...(before.date === null ? [] : [{ 'if-modified-since': before.date }]),
      { 'if-modified-since': before.asked },
    ]
    for (const condition of conditions) {
      const { status } = await ask(app, path, condition)
      if (status === 304 && (now.body !== before.body || before.status !== now.status))
        faults.push(`${path}: 304 by ${Object.keys(condition)[0]}`)
    }
  }
  return faults
}

interface Change {
  /** Makes the wiki before anything is asked. */
  readonly before?: (directory: string) => void
  readonly change: (directory: string) => void
  /** True if ids are retired, so that a copy without an index has others. */
  readonly retires?: true
  /** True if another server answers afterwards. */
  readonly restarts?: true
}

const settings = (text: object) => (directory: string) =>
  put(directory, { 'wiki.json': JSON.stringify({ name: 'Harbour', ...text }) })
const pierBlob = (directory: string) => git(directory, 'rev-parse', 'HEAD:Pier.wiki')

/** The last commit of a page, hidden in wiki.json. */
function hide(directory: string, parts: readonly string[]): void {
  const key = `${git(directory, 'log', '-1', '--format=%H', '--', 'Pier.wiki')}/${pierBlob(directory)}`
  settings({ hidden: { [key]: { parts } } })(directory)
}

const changes: Readonly<Record<string, Change>> = {
  'a licence': { change: settings({ license: { title: 'CC0', url: 'https://example.org/cc0' } }) },
  'a name': { change: settings({ name: 'Haven' }) },
  'a language': { change: settings({ language: 'de' }) },
  'a list of bots': { change: settings({ bots: ['Ada Example'] }) },
  'a namespace': { change: settings({ namespaces: { 100: { name: 'Portal' } } }) },
  'a dialect': { change: settings({ links: 'notes' }) },
  'searched namespaces': { change: settings({ searchedNamespaces: [0, 10, 14] }) },
  'a hidden user': { change: directory => hide(directory, ['user']) },
  'a hidden comment': { change: directory => hide(directory, ['comment']) },
  'a hidden text': { change: directory => hide(directory, ['text', 'user']) },
  'a move': {
    change: directory => put(directory, { 'Pier.wiki': null, 'Quay.wiki': readFileSync(join(directory, 'Pier.wiki')) }),
  },
  'a move of a redirect to another model': {
    change: directory => put(directory, { 'Old.wiki': null, 'Old.md': readFileSync(join(directory, 'Old.wiki')) }),
  },
  'a file renamed to another type': {
    change: directory =>
      put(directory, { 'File/Photo.png': null, 'File/Photo.txt': readFileSync(join(directory, 'File/Photo.png')) }),
  },
  'other limits and origins': {
    change: settings({ limits: { source: 1_000_000 }, allowedOrigins: ['https://a.example'] }),
  },
  'a main page': { change: settings({ mainPage: 'Pier' }) },
  'a contact': { change: settings({ contact: 'mailto:ada@example.org' }) },
  'a root folder': { change: settings({ root: 'Template' }), retires: true },
  'a merged branch of earlier dates': {
    change: directory => {
      git(directory, 'checkout', '-q', '-b', 'side', 'HEAD~3')
      put(directory, { 'Quay.wiki': 'A quay. words\n' }, '2002-02-02T00:00:00Z')
      git(directory, 'checkout', '-q', 'main')
      git(directory, 'merge', '-q', '--no-ff', '-m', 'Merge', 'side')
    },
  },
  'a commit left and found again': {
    change: directory => {
      git(directory, 'reset', '-q', '--hard', 'HEAD~1')
      git(directory, 'reset', '-q', '--hard', 'ORIG_HEAD')
    },
  },
  'a deletion': { change: directory => put(directory, { 'Pier.wiki': null }) },
  'a new page': { change: directory => put(directory, { 'Quay.wiki': 'A quay. [[Category:Coast]] words\n' }) },
  'a second file of a title': { change: directory => put(directory, { 'Pier.md': 'Another *pier*, words\n' }) },
  'a template': { change: directory => put(directory, { 'Template/Box.wiki': 'Another box. [[Quay]]\n' }) },
  'a file': { change: directory => put(directory, { 'File/Photo.png': png(40, 80) }) },
  'a renamed file': {
    change: directory => put(directory, { 'File/Photo.png': null, 'File/Print.png': png(80, 40) }),
  },
  'an edit': { change: directory => put(directory, { 'Pier.wiki': 'A short pier. [[Category:Harbour]] words\n' }) },
  'an edit of an earlier date': {
    change: directory => put(directory, { 'Pier.wiki': 'An old pier. words\n' }, '2001-01-01T00:00:00Z'),
  },
  'an edit and its revert': {
    change: directory => {
      const text = readFileSync(join(directory, 'Pier.wiki'))
      put(directory, { 'Pier.wiki': 'Nothing.\n' })
      put(directory, { 'Pier.wiki': text }, '2025-06-07T08:09:10Z')
    },
  },
  'an amended commit of the same second': {
    change: directory => {
      writeFileSync(join(directory, 'Pier.wiki'), 'An amended pier. words\n')
      git(directory, 'commit', '-q', '-a', '--amend', '-m', 'Change')
    },
    retires: true,
  },
  'a reset': { change: directory => void git(directory, 'reset', '-q', '--hard', 'HEAD~2'), retires: true },
  'a rebase': {
    change: directory => {
      git(directory, 'rebase', '-q', '--force-rebase', '--root')
      put(directory, { 'Pier.wiki': 'Rebased. words\n' })
    },
    retires: true,
  },
  'a removed index': { change: directory => rmSync(join(directory, '.git', 'wiki'), { recursive: true }) },
  'an index removed between two servers, after a rewrite': {
    change: directory => {
      git(directory, 'reset', '-q', '--hard', 'HEAD~2')
      rmSync(join(directory, '.git', 'wiki'), { recursive: true })
      put(directory, { 'Quay.wiki': 'A quay. words\n' })
    },
    retires: true,
    restarts: true,
  },
  'another server and a licence': {
    change: settings({ license: { title: 'CC0', url: 'https://example.org/cc0' } }),
    restarts: true,
  },
  'an index removed after a rewrite': {
    change: directory => {
      git(directory, 'reset', '-q', '--hard', 'HEAD~2')
      rmSync(join(directory, '.git', 'wiki'), { recursive: true })
      put(directory, { 'Quay.wiki': 'A quay. words\n' })
    },
    retires: true,
  },
}

const oidOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Commits a file as Git LFS does, without its content. */
function putPointer(directory: string, path: string, content: Buffer): void {
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`
  put(directory, { [path]: text })
}

/** Writes the content of a file in Git LFS to its place. */
function fetchContent(directory: string, content: Buffer): void {
  const oid = oidOf(content)
  const place = join(directory, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, content)
}

const textInLfs = Buffer.from('A pier in LFS. [[Quay]] [[Category:Coast]] words\n')
const redirectInLfs = Buffer.from('#REDIRECT [[Quay]]\n')

/** Takes the object of a page out of the repository; another object directory has it. */
function takeObject(directory: string): string {
  const blob = pierBlob(directory)
  const [from, to] = [join(directory, '.git/objects'), join(directory, '.git/aside')].map(folder =>
    loosePath(folder, blob),
  )
  mkdirSync(dirname(to!), { recursive: true })
  renameSync(from!, to!)
  return blob
}

function bringObject(directory: string): void {
  const aside = join(directory, '.git/aside')
  for (const name of readdirSync(aside)) {
    mkdirSync(join(directory, '.git/objects', name), { recursive: true })
    for (const file of readdirSync(join(aside, name)))
      renameSync(join(aside, name, file), join(directory, '.git/objects', name, file))
  }
}

const arrivals: Readonly<Record<string, Change>> = {
  'the content of a page in Git LFS has arrived': {
    before: directory => putPointer(directory, 'Pier.wiki', textInLfs),
    change: directory => fetchContent(directory, textInLfs),
  },
  'the content of a redirect in Git LFS has arrived': {
    before: directory => putPointer(directory, 'Old.wiki', redirectInLfs),
    change: directory => fetchContent(directory, redirectInLfs),
  },
  'the content of a picture in Git LFS has arrived': {
    before: directory => putPointer(directory, 'File/Photo.png', png(30, 20)),
    change: directory => fetchContent(directory, png(30, 20)),
  },
  'an object has arrived': { before: takeObject, change: bringObject },
  'an object has arrived in a pack': {
    before: takeObject,
    change: directory => {
      bringObject(directory)
      git(directory, 'repack', '-q', '-a', '-d')
    },
  },
  'an object has arrived by alternates': {
    before: takeObject,
    change: directory => writeFileSync(join(directory, '.git/objects/info/alternates'), '../aside\n'),
  },
}

describe('after', () => {
  // Slow: some two thousand requests for each change. `npm test` makes a few of them, and asks a few of the paths.
  test.each(
    oneIn(4, Object.entries({ ...arrivals, ...changes })).map(([name, change], at) => [name, change, at] as const),
  )('%s: every response is that of a new server', { tags: 'rounds' }, async (_, change, at) => {
    const directory = await startWiki()
    change.before?.(directory)
    expect(await faultsOf(directory, oneIn(40, paths, at), change)).toEqual([])
  })
})
